/* picture.c -- what a picture of a histogram shows, whoever draws it */

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hist/amount.h"
#include "plot/picture.h"

/* Flow cells, from below the bins to behind them. */
static const struct {
    enum binning_flow flow;
    bool is_first; /* before the bins */
    const char *word;
} flows[] = {
    {BINNING_NEGATIVE, true, "negative"}, {BINNING_ZERO, true, "zero"},
    {BINNING_UNDERFLOW, true, "below"},   {BINNING_OVERFLOW, false, "above"},
    {BINNING_NAN, false, "nan"},
};

#define FLOWS (sizeof flows / sizeof *flows)

/* Which cells of an axis hold anything. */
struct extent {
    uint64_t first; /* bin; more than LAST: none */
    uint64_t last;
    bool has_flow[BINNING_FLOWS];
};

/* ---- which bands there are ---- */

static void
extent_add(struct extent *extent, const struct binning_axis *axis,
           uint64_t cell)
{
    if (cell >= axis->bins) {
        extent->has_flow[cell - axis->bins] = true;
        return;
    }
    if (cell < extent->first)
        extent->first = cell;
    if (cell > extent->last)
        extent->last = cell;
}

static bool
is_shown(const struct binning_axis *axis, const struct extent *extent,
         enum binning_flow flow, enum flow how)
{
    if (how == FLOW_HIDE || !axis_can_flow(axis, flow))
        return false;
    return how == FLOW_SHOW || extent->has_flow[flow];
}

/* How many bands there are when each begins at a multiple of JOINED. */
static uint64_t
count_bands(uint64_t begin, uint64_t end, uint64_t joined)
{
    return (end + joined - 1) / joined - begin / joined;
}

/*
 * How many of BINS to join so that those from BEGIN to END are in no more than
 * MOST bands.
 */
static uint64_t
find_joined(uint64_t bins, uint64_t begin, uint64_t end, uint64_t most)
{
    uint64_t least = (end - begin + most - 1) / most;

    while (count_bands(begin, end, least) > most)
        least++;
    for (uint64_t joined = least; joined < 2 * least; joined++) {
        if (bins % joined == 0 && count_bands(begin, end, joined) <= most)
            return joined;
    }
    return least;
}

static void
add_flow(struct picture_axis *axis, size_t i)
{
    axis->band[axis->bands++] = (struct picture_band){
        .first = axis->axis->bins + flows[i].flow,
        .cells = 1,
        .is_flow = true,
        .word = flows[i].word,
    };
}

/* Cut an axis into up to MOST bands.  Returns 0, or -1: out of memory. */
static int
make_bands(struct picture_axis *axis, const struct extent *extent,
           enum flow how, size_t most, bool is_whole)
{
    const struct binning_axis *binning = axis->axis;
    uint64_t begin = 0;
    uint64_t end = binning->bins;
    size_t flow_bands = 0;

    for (size_t i = 0; i < FLOWS; i++)
        flow_bands += is_shown(binning, extent, flows[i].flow, how);
    most = most > flow_bands ? most - flow_bands : 1;
    if ((end > most || binning->is_log) && !is_whole &&
        extent->first <= extent->last) {
        begin = extent->first;
        end = extent->last + 1;
    }
    axis->joined = find_joined(binning->bins, begin, end, most);
    begin -= begin % axis->joined;
    axis->band = calloc(most + flow_bands, sizeof *axis->band);
    if (axis->band == NULL)
        return -1;

    for (size_t i = 0; i < FLOWS; i++) {
        if (flows[i].is_first && is_shown(binning, extent, flows[i].flow, how))
            add_flow(axis, i);
    }
    axis->first = axis->bands;
    for (uint64_t bin = begin; bin < end; bin += axis->joined) {
        uint64_t left = binning->bins - bin;
        axis->band[axis->bands++] = (struct picture_band){
            .first = bin,
            .cells = left < axis->joined ? left : axis->joined,
        };
    }
    axis->last = axis->bands;
    for (size_t i = 0; i < FLOWS; i++) {
        if (!flows[i].is_first && is_shown(binning, extent, flows[i].flow, how))
            add_flow(axis, i);
    }
    return 0;
}

/* The band that CELL is in; SIZE_MAX: none. */
static size_t
find_band(const struct picture_axis *axis, uint64_t cell)
{
    const struct picture_band *band = axis->band;

    if (cell < axis->axis->bins) {
        uint64_t begin = band[axis->first].first;
        size_t i = axis->first + (size_t)((cell - begin) / axis->joined);
        return cell >= begin && i < axis->last ? i : SIZE_MAX;
    }
    for (size_t i = 0; i < axis->bands; i++) {
        if (band[i].is_flow && band[i].first == cell)
            return i;
    }
    return SIZE_MAX;
}

/* ---- what they are called ---- */

static void
set_axis_name(struct picture_axis *axis, const struct picture_subject *subject,
              size_t i)
{
    static const char *const channels[] = {"red", "green", "blue", "alpha"};
    const struct spec *spec = subject->spec;
    size_t field = spec->field[i];
    const char *type = record_type_name((enum sample_type)axis->axis->type);

    if (subject->is_image)
        snprintf(axis->name, sizeof axis->name, "%s",
                 spec->record.count == 1 ? "grey" : channels[field]);
    else if (spec->record.count > 1)
        snprintf(axis->name, sizeof axis->name, "field %zu (%s)", field + 1,
                 type);
    else if (axis->axis->type == SAMPLE_U1)
        snprintf(axis->name, sizeof axis->name, "bytes");
    else
        snprintf(axis->name, sizeof axis->name, "values (%s)", type);
}

/* Edge I in DIGITS digits, or in all of them where that is no longer. */
static void
edge_text(const struct picture_axis *axis, uint64_t i, int digits,
          char text[NUMBER_TEXT_BYTES])
{
    char rounded[NUMBER_TEXT_BYTES];

    axis_edge_text(axis->axis, axis->edges, i, text);
    if (axis->axis->kind == BINNING_DIRECT)
        return;
    snprintf(rounded, sizeof rounded, "%.*g", digits,
             axis_edge(axis->axis, axis->edges, i));
    number_text(strtod(rounded, NULL), rounded);
    if (strlen(rounded) < strlen(text))
        strcpy(text, rounded);
}

/* Whether DIGITS digits say where all bands end, to a hundredth of each. */
static bool
are_enough(const struct picture_axis *axis, int digits)
{
    for (size_t i = axis->first; i < axis->last; i++) {
        const struct picture_band *band = &axis->band[i];
        double lo = axis_edge(axis->axis, axis->edges, band->first);
        double hi =
            axis_edge(axis->axis, axis->edges, band->first + band->cells);
        char text[NUMBER_TEXT_BYTES];

        for (int side = 0; side < 2; side++) {
            double edge = side == 0 ? lo : hi;
            edge_text(axis, band->first + (side == 0 ? 0 : band->cells), digits,
                      text);
            if (isfinite(edge) &&
                !(fabs(strtod(text, NULL) - edge) <= (hi - lo) / 100))
                return false;
        }
    }
    return true;
}

static void
set_flow_text(const struct picture_axis *axis, struct picture_band *band,
              int digits)
{
    const struct binning_axis *binning = axis->axis;
    bool is_open = binning->closed == BINNING_RIGHT;
    char edge[NUMBER_TEXT_BYTES];

    switch ((enum binning_flow)(band->first - binning->bins)) {
    case BINNING_UNDERFLOW:
        edge_text(axis, 0, digits, edge);
        snprintf(band->text, sizeof band->text, "%s, %s%c",
                 binning->is_log ? "(0" : "[-inf", edge, is_open ? ']' : ')');
        break;
    case BINNING_OVERFLOW:
        edge_text(axis, binning->bins, digits, edge);
        /* Values one by one have no last edge that could be in a bin. */
        is_open |=
            binning->closed == BINNING_NUMPY && binning->kind != BINNING_DIRECT;
        snprintf(band->text, sizeof band->text, "%c%s, inf]",
                 is_open ? '(' : '[', edge);
        break;
    case BINNING_ZERO:
        strcpy(band->text, "0");
        break;
    case BINNING_NEGATIVE:
        strcpy(band->text, "[-inf, 0)");
        break;
    default:
        strcpy(band->text, "nan");
        break;
    }
}

/* Whether the values of the axis are bytes as they are in the input. */
static bool
has_characters(const struct picture_axis *axis)
{
    const struct binning_axis *binning = axis->axis;

    return binning->kind == BINNING_DIRECT && binning->type == SAMPLE_U1 &&
           binning->shift == 0 && binning->mod == 0 &&
           (binning->mask & 255) == 255;
}

static void
set_glyphs(const struct picture_axis *axis, struct picture_band *band)
{
    unsigned int first = (unsigned int)(axis->axis->first + band->first);
    unsigned int last = first + (unsigned int)band->cells - 1;

    if (first == last && first == '\n')
        strcpy(band->glyphs, "\\n");
    if (first == last && first == '\t')
        strcpy(band->glyphs, "\\t");
    if (first == last && first == ' ')
        strcpy(band->glyphs, "space");
    if (first <= ' ')
        first = ' ' + 1;
    if (last > '~')
        last = '~';
    if (first == last)
        snprintf(band->glyphs, sizeof band->glyphs, "%c", (char)first);
    else if (first < last)
        snprintf(band->glyphs, sizeof band->glyphs, "%c..%c", (char)first,
                 (char)last);
}

static void
set_bin_text(const struct picture_axis *axis, struct picture_band *band,
             int digits)
{
    const struct binning_axis *binning = axis->axis;
    uint64_t end = band->first + band->cells;
    char lo[NUMBER_TEXT_BYTES];
    char hi[NUMBER_TEXT_BYTES];

    if (binning->kind == BINNING_DIRECT) {
        axis_value_text(binning, band->first, lo);
        axis_value_text(binning, end - 1, hi);
        snprintf(band->text, sizeof band->text, "%s%s%s", lo,
                 band->cells > 1 ? ".." : "", band->cells > 1 ? hi : "");
        return;
    }
    bool is_right = binning->closed == BINNING_RIGHT;
    bool has_last =
        is_right || (binning->closed == BINNING_NUMPY && end == binning->bins);
    edge_text(axis, band->first, digits, lo);
    edge_text(axis, end, digits, hi);
    snprintf(band->text, sizeof band->text, "%c%s, %s%c", is_right ? '(' : '[',
             lo, hi, has_last ? ']' : ')');
}

static void
set_texts(struct picture_axis *axis, bool is_image)
{
    bool has_glyphs = !is_image && has_characters(axis);
    int digits = 4;

    while (axis->axis->kind != BINNING_DIRECT && digits < 17 &&
           !are_enough(axis, digits))
        digits++;
    for (size_t i = 0; i < axis->bands; i++) {
        struct picture_band *band = &axis->band[i];
        if (band->is_flow)
            set_flow_text(axis, band, digits);
        else
            set_bin_text(axis, band, digits);
        if (has_glyphs && !band->is_flow)
            set_glyphs(axis, band);
    }
}

/* ---- what is in them ---- */

/* Cells of the histogram, one after the other, and which each axis says. */
struct walk {
    const struct picture *picture;
    uint64_t at[PICTURE_AXES_MAX];
    uint64_t cell;
    bool is_over;
};

static uint64_t
axis_cells(const struct binning_axis *axis)
{
    return axis->bins + axis_flows(axis);
}

static void
walk_set(struct walk *walk)
{
    walk->cell = 0;
    for (size_t a = 0; a < walk->picture->axes; a++) {
        const struct binning_axis *axis = walk->picture->axis[a].axis;
        walk->cell += axis->base + axis->stride * walk->at[a];
    }
}

static struct walk
walk_begin(const struct picture *picture)
{
    struct walk walk = {.picture = picture};

    walk_set(&walk);
    return walk;
}

/* The last axis is the fastest: it has neighbours in memory. */
static void
walk_on(struct walk *walk)
{
    size_t a = walk->picture->axes;

    while (a > 0) {
        const struct binning_axis *axis = walk->picture->axis[--a].axis;
        if (++walk->at[a] < axis_cells(axis)) {
            walk_set(walk);
            return;
        }
        walk->at[a] = 0;
    }
    walk->is_over = true;
}

static void
add_cells(struct picture *picture, const struct picture_subject *subject)
{
    const struct histogram *histogram = subject->histogram;

    for (struct walk walk = walk_begin(picture); !walk.is_over;
         walk_on(&walk)) {
        struct amount amount = amount_of_cell(histogram, walk.cell);
        uint64_t cell = 0;
        bool is_outside = false;

        if (amount.count == 0)
            continue;
        for (size_t a = picture->axes; a-- > 0;) {
            size_t band = find_band(&picture->axis[a], walk.at[a]);
            is_outside |= band == SIZE_MAX;
            cell = cell * picture->axis[a].bands + band;
        }
        if (is_outside) /* what FLOW_HIDE keeps back */
            continue;
        picture->values += amount.count;
        amount_add_to_cell(&picture->amounts, cell, picture->spec, &amount);
    }
}

/* How long the amounts are. */
static void
set_scale(struct picture *picture, bool is_log)
{
    struct scale *scale = &picture->scale;
    double least = HUGE_VAL;

    scale->is_log = is_log;
    scale->is_whole = !picture->spec->has_weights;
    for (uint64_t cell = 0; cell < picture->amounts.cells; cell++) {
        double amount = picture_amount(picture, cell);
        double magnitude = fabs(amount);
        if (!isfinite(amount))
            continue;
        picture->has_negative |= amount < 0;
        if (magnitude > scale->most)
            scale->most = magnitude;
        if (magnitude > 0 && magnitude < least)
            least = magnitude;
    }
    /* The least can be seen; a count of 1 is as long in every picture. */
    scale->least =
        picture->spec->has_weights ? fmax(least / 2, DBL_TRUE_MIN) : 0.5;
}

/* ---- all of it ---- */

int
picture_check(const struct spec *spec, const char *option, struct error *error)
{
    if (!spec->is_joint || spec->axis_count <= PICTURE_AXES_MAX)
        return 0;
    error_set(error, EXIT_USAGE,
              "%s: no picture shows %zu fields jointly, only one or two",
              option, spec->axis_count);
    return -1;
}

int
picture_make(struct picture *picture, const struct picture_subject *subject,
             size_t i, const size_t most[PICTURE_AXES_MAX], bool is_whole)
{
    const struct spec *spec = subject->spec;
    struct extent extent[PICTURE_AXES_MAX];
    uint64_t cells = 1;

    *picture = (struct picture){
        .spec = spec,
        .axes = spec->is_joint ? spec->axis_count : 1,
        .is_incomplete = subject->is_incomplete,
    };
    for (size_t a = 0; a < picture->axes; a++) {
        picture->axis[a].axis = &spec->shown[i + a];
        picture->axis[a].edges = &spec->edges;
        extent[a] = (struct extent){.first = UINT64_MAX};
    }
    for (struct walk walk = walk_begin(picture); !walk.is_over;
         walk_on(&walk)) {
        if (subject->histogram->value[walk.cell] == 0)
            continue;
        for (size_t a = 0; a < picture->axes; a++)
            extent_add(&extent[a], picture->axis[a].axis, walk.at[a]);
    }
    for (size_t a = 0; a < picture->axes; a++) {
        struct picture_axis *axis = &picture->axis[a];
        set_axis_name(axis, subject, i + a);
        if (make_bands(axis, &extent[a], subject->flow, most[a], is_whole) < 0)
            return -1;
        set_texts(axis, subject->is_image);
        cells *= axis->bands;
    }
    if (histogram_open(&picture->amounts, cells, subject->histogram->planes) <
        0)
        return -1;
    add_cells(picture, subject);
    set_scale(picture, subject->is_log);
    return 0;
}

void
picture_close(struct picture *picture)
{
    histogram_close(&picture->amounts);
    for (size_t a = 0; a < picture->axes; a++)
        free(picture->axis[a].band);
}

/* ---- what it says ---- */

bool
picture_is_empty(const struct picture *picture, uint64_t cell)
{
    return picture->amounts.value[cell] == 0;
}

double
picture_amount(const struct picture *picture, uint64_t cell)
{
    struct amount amount = amount_of_cell(&picture->amounts, cell);

    return amount_double(picture->spec, &amount);
}

void
picture_amount_text(const struct picture *picture, uint64_t cell,
                    char text[SUM_TEXT_BYTES])
{
    struct amount amount = amount_of_cell(&picture->amounts, cell);

    amount_text(picture->spec, &amount, text);
}

void
picture_amounts_name(const struct picture *picture,
                     char name[PICTURE_NAME_BYTES])
{
    const struct spec *spec = picture->spec;
    size_t field = 0;

    if (!spec->has_weights) {
        strcpy(name, "count");
        return;
    }
    while (field + 1 < spec->record.count &&
           spec->record.element[field].offset != spec->weight.offset)
        field++;
    snprintf(name, PICTURE_NAME_BYTES, "sum of field %zu", field + 1);
}

void
picture_title(const struct picture *picture, char title[PICTURE_TITLE_BYTES])
{
    const struct picture_axis *axis = picture->axis;
    size_t room = PICTURE_TITLE_BYTES;
    int used;

    if (picture->axes == 1)
        used = snprintf(title, room, "%s: %" PRIu64 " counted", axis[0].name,
                        picture->values);
    else
        used = snprintf(title, room, "%s by %s: %" PRIu64 " counted",
                        axis[0].name, axis[1].name, picture->values);
    if (picture->is_incomplete)
        used += snprintf(title + used, room - (size_t)used, ", incomplete");
    if (picture->axes == 1 && axis[0].joined > 1)
        used += snprintf(title + used, room - (size_t)used,
                         ", %" PRIu64 " joined", axis[0].joined);
    if (picture->axes == 2 && (axis[0].joined > 1 || axis[1].joined > 1))
        used += snprintf(title + used, room - (size_t)used,
                         ", %" PRIu64 " x %" PRIu64 " joined", axis[0].joined,
                         axis[1].joined);
    if (picture->spec->has_weights) {
        char name[PICTURE_NAME_BYTES];
        picture_amounts_name(picture, name);
        used += snprintf(title + used, room - (size_t)used, ", %s", name);
    }
    if (picture->scale.is_log)
        snprintf(title + used, room - (size_t)used, ", logarithmic");
}

/* ---- ticks on an axis ---- */

/* Where EDGE, a position in bins of the whole axis, is in bands. */
static double
band_position(const struct picture_axis *axis, double edge)
{
    const struct picture_band *last = &axis->band[axis->last - 1];
    double begin = (double)axis->band[axis->first].first;

    if (edge <= (double)last->first)
        return (double)axis->first + (edge - begin) / (double)axis->joined;
    return (double)(axis->last - 1) +
           (edge - (double)last->first) / (double)last->cells;
}

/* 1, 2, 5, 10, ...: the first of which no more than MOST fit into COUNT. */
static uint64_t
whole_step(uint64_t count, size_t most)
{
    uint64_t step = 1;

    for (uint64_t power = 1;; power *= 10) {
        static const unsigned int factor[] = {1, 2, 5};
        for (size_t i = 0; i < 3; i++) {
            step = factor[i] * power;
            if (count / step < most)
                return step;
        }
    }
}

/* Multiples of a step: in the middle of what is there for each value. */
static size_t
direct_ticks(const struct picture_axis *axis, uint64_t begin, uint64_t end,
             size_t most, struct tick *tick)
{
    const struct binning_axis *binning = axis->axis;
    uint64_t step = whole_step(end - begin, most);
    number_integer first = binning_is_signed(binning->type)
                               ? (number_integer)(int64_t)binning->first
                               : (number_integer)binning->first;
    number_integer value = first + (number_integer)begin;
    number_integer rest = value % (number_integer)step;
    size_t count = 0;

    if (rest < 0)
        rest += (number_integer)step;
    if (rest > 0)
        value += (number_integer)step - rest;
    for (; value < first + (number_integer)end && count < most;
         value += (number_integer)step) {
        uint64_t bin = (uint64_t)(value - first);
        tick[count].value = band_position(axis, (double)bin + 0.5);
        axis_value_text(binning, bin, tick[count].text);
        count++;
    }
    return count;
}

/* Where X is, in bins. */
static double
find_edge(const struct picture_axis *axis, uint64_t begin, uint64_t end,
          double x)
{
    while (end - begin > 1) {
        uint64_t middle = begin + (end - begin) / 2;
        if (axis_edge(axis->axis, axis->edges, middle) <= x)
            begin = middle;
        else
            end = middle;
    }
    double lo = axis_edge(axis->axis, axis->edges, begin);
    double hi = axis_edge(axis->axis, axis->edges, end);
    double part = isfinite(hi) ? (x - lo) / (hi - lo) : 0;
    return (double)begin + (part < 1 ? part : 1);
}

static size_t
even_ticks(const struct picture_axis *axis, uint64_t begin, uint64_t end,
           size_t most, struct tick *tick)
{
    double lo = axis_edge(axis->axis, axis->edges, begin);
    double hi = axis_edge(axis->axis, axis->edges, end);
    double step = scale_step(lo, hi, most - 1);
    double slack = step * 1e-6;
    size_t count = 0;

    for (double k = ceil((lo - slack) / step);
         k * step <= hi + slack && count < most; k++) {
        double value = k * step;
        tick[count].value = band_position(
            axis, find_edge(axis, begin, end, value < lo ? lo : value));
        scale_round_text(value, tick[count].text);
        count++;
    }
    return count;
}

static size_t
log_axis_ticks(const struct picture_axis *axis, uint64_t begin, uint64_t end,
               size_t most, struct tick *tick)
{
    double hi = axis_edge(axis->axis, axis->edges, end);
    struct scale scale = {
        .is_log = true,
        .least = axis_edge(axis->axis, axis->edges, begin),
        .most = isfinite(hi) ? hi : DBL_MAX,
    };
    size_t count = scale_ticks(&scale, most, tick);

    for (size_t i = 0; i < count; i++)
        tick[i].value =
            band_position(axis, find_edge(axis, begin, end, tick[i].value));
    return count;
}

/* Edges without a rule: some of those between bands. */
static size_t
edge_ticks(const struct picture_axis *axis, size_t most, struct tick *tick)
{
    size_t bands = axis->last - axis->first;
    size_t step = (bands + most - 1) / most;
    size_t count = 0;

    if (bands / step + 1 > most)
        step++;
    for (size_t i = axis->first; i <= axis->last; i += step) {
        const struct picture_band *band = &axis->band[i];
        uint64_t edge =
            i < axis->last ? band->first : band[-1].first + band[-1].cells;
        tick[count].value = (double)i;
        edge_text(axis, edge, 6, tick[count].text);
        count++;
    }
    return count;
}

size_t
picture_ticks(const struct picture_axis *axis, size_t most, struct tick *tick)
{
    const struct picture_band *last = &axis->band[axis->last - 1];
    uint64_t begin = axis->band[axis->first].first;
    uint64_t end = last->first + last->cells;

    if (most > SCALE_TICKS_MAX)
        most = SCALE_TICKS_MAX;
    if (most < 2)
        return 0;
    if (axis->axis->kind == BINNING_DIRECT)
        return direct_ticks(axis, begin, end, most, tick);
    if (axis->axis->kind == BINNING_EVEN)
        return even_ticks(axis, begin, end, most, tick);
    if (axis->axis->is_log)
        return log_axis_ticks(axis, begin, end, most, tick);
    return edge_ticks(axis, most, tick);
}
