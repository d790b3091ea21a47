/* SPDX-License-Identifier: MIT */
/* band.c -- an axis cut into bands, with their texts */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/band.h"

/* ---- names ---- */

/* The name of axis I of SPEC, which is that of a column, with the type of its
   numbers; of an image without a name of its own, the channel. */
static void
set_name(struct band_axis *axis, const struct spec *spec, size_t i,
         const char *name, bool is_image)
{
    static const char *const channels[] = {"red", "green", "blue", "alpha"};

    if (is_image)
        snprintf(axis->name, sizeof axis->name, "%s",
                 spec->record.count == 1 ? "grey" : channels[spec->field[i]]);
    else if (axis_has_names(axis->axis))
        snprintf(axis->name, sizeof axis->name, "%s", name);
    else
        snprintf(axis->name, sizeof axis->name, "%s (%s)", name,
                 axis_type_name(axis->axis));
}

void
band_set_axis(struct band_axis *axis, const struct spec *spec, size_t i,
              const char *const *names, bool is_image)
{
    axis->axis = &spec->shown[i];
    axis->edges = &spec->edges;
    set_name(axis, spec, i, names[i], is_image);
}

void
band_set_list(struct band_axis *axis, const struct spec *spec, size_t i,
              const char *const *names, size_t count)
{
    size_t used = 0;

    for (size_t d = 0; d < count && used < BAND_NAME_BYTES; d++) {
        struct band_axis component;
        band_set_axis(&component, spec, spec_axis_of(spec, i, d), names, false);
        used += (size_t)snprintf(axis->name + used, BAND_NAME_BYTES - used,
                                 "%s%s", d > 0 ? " by " : "", component.name);
    }
}

/* ---- cutting ---- */

/* Special cells, numbered after enum binning_flow. */
#define SPECIAL(special) (BINNING_FLOWS + AXIS_##special)

/* Flow cells in the order of their bands. */
static const struct {
    unsigned int flow; /* enum binning_flow, or SPECIAL() */
    bool is_first;     /* before the bins */
    const char *word;
} flows[] = {
    {BINNING_NEGATIVE, true, "negative"},
    {BINNING_ZERO, true, "zero"},
    {BINNING_UNDERFLOW, true, "below"},
    {BINNING_OVERFLOW, false, "above"},
    {BINNING_NAN, false, "nan"},
    {SPECIAL(KEY_MISSING), false, "missing"},
    {SPECIAL(EMPTY), false, "empty"},
    {SPECIAL(INVALID), false, "invalid"},
};

#define FLOWS (sizeof flows / sizeof *flows)

/* Returns the number of flow cell FLOW of AXIS, counted from the end of the
   bins. */
static unsigned int
flow_cell(const struct binning_axis *axis, unsigned int flow)
{
    return flow < BINNING_FLOWS
               ? flow
               : axis_number_flows(axis) + flow - BINNING_FLOWS;
}

void
band_extent_add(struct band_extent *extent, const struct binning_axis *axis,
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
is_shown(const struct binning_axis *axis, const struct band_extent *extent,
         unsigned int flow, enum flow how)
{
    bool is_possible = flow < BINNING_FLOWS
                           ? axis_can_flow(axis, (enum binning_flow)flow)
                           : axis->is_text != 0;

    if (how == FLOW_HIDE || !is_possible)
        return false;
    return how == FLOW_SHOW || extent->has_flow[flow_cell(axis, flow)];
}

/*
 * Returns the number of bands for bins START to END - 1, if each band starts at
 * a multiple of JOINED.
 */
static uint64_t
count_bands(uint64_t start, uint64_t end, uint64_t joined)
{
    return (end + joined - 1) / joined - start / joined;
}

/*
 * Returns how many bins to join so that bins START to END - 1 fit into MOST
 * bands; preferably a divisor of BINS.
 */
static uint64_t
find_joined(uint64_t bins, uint64_t start, uint64_t end, uint64_t most)
{
    uint64_t least = (end - start + most - 1) / most;

    while (count_bands(start, end, least) > most)
        least++;
    for (uint64_t joined = least; joined < 2 * least; joined++) {
        if (bins % joined == 0 && count_bands(start, end, joined) <= most)
            return joined;
    }
    return least;
}

static void
add_flow(struct band_axis *axis, size_t i)
{
    axis->band[axis->bands++] = (struct band){
        .first = axis->axis->bins + flow_cell(axis->axis, flows[i].flow),
        .cells = 1,
        .is_flow = true,
        .word = flows[i].word,
    };
}

int
band_cut(struct band_axis *axis, const struct band_extent *extent,
         enum flow how, size_t most, bool is_whole)
{
    const struct binning_axis *binning = axis->axis;
    uint64_t start = 0;
    uint64_t end = binning->bins;
    size_t flow_bands = 0;

    for (size_t i = 0; i < FLOWS; i++)
        flow_bands += is_shown(binning, extent, flows[i].flow, how);
    most = most > flow_bands ? most - flow_bands : 1;
    if ((end > most || binning->is_log) && !is_whole &&
        extent->first <= extent->last) {
        start = extent->first;
        end = extent->last + 1;
    }
    axis->joined = find_joined(binning->bins, start, end, most);
    start -= start % axis->joined;
    axis->band = calloc(most + flow_bands, sizeof *axis->band);
    if (axis->band == NULL)
        return -1;

    for (size_t i = 0; i < FLOWS; i++) {
        if (flows[i].is_first && is_shown(binning, extent, flows[i].flow, how))
            add_flow(axis, i);
    }
    axis->first = axis->bands;
    for (uint64_t bin = start; bin < end; bin += axis->joined) {
        uint64_t left = binning->bins - bin;
        axis->band[axis->bands++] = (struct band){
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

size_t
band_find(const struct band_axis *axis, uint64_t cell)
{
    const struct band *band = axis->band;

    if (cell < axis->axis->bins) {
        uint64_t start = band[axis->first].first;
        size_t i = axis->first + (size_t)((cell - start) / axis->joined);
        return cell >= start && i < axis->last ? i : SIZE_MAX;
    }
    for (size_t i = 0; i < axis->bands; i++) {
        if (band[i].is_flow && band[i].first == cell)
            return i;
    }
    return SIZE_MAX;
}

/* ---- texts of edges and bands ---- */

void
band_edge_text(const struct band_axis *axis, uint64_t i, int digits,
               char text[NUMBER_TEXT_BYTES])
{
    char rounded[NUMBER_TEXT_BYTES];

    axis_edge_text(axis->axis, axis->edges, i, text);
    if (axis_bins(axis->axis) == AXIS_INTEGERS)
        return;
    snprintf(rounded, sizeof rounded, "%.*g", digits,
             axis_edge(axis->axis, axis->edges, i));
    number_text(strtod(rounded, NULL), rounded);
    if (strlen(rounded) < strlen(text))
        strcpy(text, rounded);
}

/* Write the lower edge of bin CELL, or its value, as band_edge_text() does. */
static void
put_low(const struct band_axis *axis, uint64_t cell, int digits,
        char text[NUMBER_TEXT_BYTES])
{
    if (axis_bins(axis->axis) == AXIS_INTEGERS)
        axis_value_text(axis->axis, cell, text);
    else
        band_edge_text(axis, cell, digits, text);
}

void
band_end_text(const struct band_axis *axis, bool is_last, int digits,
              char text[NUMBER_TEXT_BYTES])
{
    const struct band *last = &axis->band[axis->last - 1];
    uint64_t cell = axis->band[axis->first].first;

    if (is_last)
        cell = last->first + last->cells -
               (axis_bins(axis->axis) == AXIS_INTEGERS);
    put_low(axis, cell, digits, text);
}

/* Whether DIGITS digits place each edge within a hundredth of its band. */
static bool
are_enough(const struct band_axis *axis, int digits)
{
    for (size_t i = axis->first; i < axis->last; i++) {
        const struct band *band = &axis->band[i];
        double lo = axis_edge(axis->axis, axis->edges, band->first);
        double hi =
            axis_edge(axis->axis, axis->edges, band->first + band->cells);
        char text[NUMBER_TEXT_BYTES];

        for (int side = 0; side < 2; side++) {
            double edge = side == 0 ? lo : hi;
            band_edge_text(axis, band->first + (side == 0 ? 0 : band->cells),
                           digits, text);
            if (isfinite(edge) &&
                !(fabs(strtod(text, NULL) - edge) <= (hi - lo) / 100))
                return false;
        }
    }
    return true;
}

static void
set_flow_text(const struct band_axis *axis, struct band *band, int digits)
{
    const struct binning_axis *binning = axis->axis;
    bool is_open = binning->closed == BINNING_RIGHT;
    char edge[NUMBER_TEXT_BYTES];

    if (band->first >= binning->bins + axis_number_flows(binning)) {
        strcpy(band->text, band->word);
        return;
    }
    switch ((enum binning_flow)(band->first - binning->bins)) {
    case BINNING_UNDERFLOW:
        band_edge_text(axis, 0, digits, edge);
        snprintf(band->text, sizeof band->text, "%s, %s%c",
                 binning->is_log ? "(0" : "[-inf", edge, is_open ? ']' : ')');
        break;
    case BINNING_OVERFLOW:
        band_edge_text(axis, binning->bins, digits, edge);
        /* The last edge of a direct axis belongs to no bin. */
        is_open |= binning->closed == BINNING_NUMPY &&
                   axis_bins(binning) != AXIS_INTEGERS;
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

/* Whether the values of the axis are the bytes of the input, unchanged. */
static bool
has_characters(const struct band_axis *axis)
{
    const struct binning_axis *binning = axis->axis;

    return axis_bins(binning) == AXIS_INTEGERS && binning->type == SAMPLE_U1 &&
           binning->shift == 0 && binning->mod == 0 &&
           (binning->mask & 255) == 255;
}

static void
set_glyphs(const struct band_axis *axis, struct band *band)
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
set_bin_text(const struct band_axis *axis, struct band *band, int digits)
{
    const struct binning_axis *binning = axis->axis;
    uint64_t end = band->first + band->cells;
    char lo[NUMBER_TEXT_BYTES];
    char hi[NUMBER_TEXT_BYTES];

    if (axis_bins(binning) == AXIS_INTEGERS) {
        axis_value_text(binning, band->first, lo);
        axis_value_text(binning, end - 1, hi);
        snprintf(band->text, sizeof band->text, "%s%s%s", lo,
                 band->cells > 1 ? ".." : "", band->cells > 1 ? hi : "");
        return;
    }
    bool is_right = binning->closed == BINNING_RIGHT;
    bool has_last =
        is_right || (binning->closed == BINNING_NUMPY && end == binning->bins);
    band_edge_text(axis, band->first, digits, lo);
    band_edge_text(axis, end, digits, hi);
    snprintf(band->text, sizeof band->text, "%c%s, %s%c", is_right ? '(' : '[',
             lo, hi, has_last ? ']' : ')');
}

void
band_set_texts(struct band_axis *axis, bool is_image)
{
    bool has_glyphs = !is_image && has_characters(axis);
    int digits = 4;

    while (axis_bins(axis->axis) != AXIS_INTEGERS && digits < 17 &&
           !are_enough(axis, digits))
        digits++;
    for (size_t i = 0; i < axis->bands; i++) {
        struct band *band = &axis->band[i];
        if (band->is_flow)
            set_flow_text(axis, band, digits);
        else
            set_bin_text(axis, band, digits);
        if (has_glyphs && !band->is_flow)
            set_glyphs(axis, band);
    }
}

/* ---- labels of rows ---- */

/* Write the label of BAND in full. */
static void
put_label(const struct band_labels *labels, const struct band_axis *axis,
          const struct band *band, char text[BAND_TEXT_BYTES])
{
    if (labels->is_whole)
        strcpy(text, band->text);
    else if (band->is_flow)
        strcpy(text, band->word);
    else
        put_low(axis, band->first, labels->digits, text);
}

/* Set the columns of LABELS.  Returns whether all neighbours have different
   texts. */
static bool
measure(struct band_labels *labels, const struct band_axis *axis)
{
    char before[BAND_TEXT_BYTES] = "";
    char text[BAND_TEXT_BYTES];
    bool are_different = true;

    labels->columns = 0;
    for (size_t i = 0; i < axis->bands; i++) {
        put_label(labels, axis, &axis->band[i], text);
        are_different &= strcmp(text, before) != 0;
        strcpy(before, text);
        if (strlen(text) > labels->columns)
            labels->columns = strlen(text);
    }
    return are_different;
}

struct band_labels
band_labels_choose(const struct band_axis *axis, size_t most)
{
    struct band_labels labels = {.is_whole = true, .digits = 4};

    measure(&labels, axis);
    if (labels.columns <= most)
        return labels;
    labels.is_whole = false;
    while (!measure(&labels, axis) && labels.digits < 17)
        labels.digits++;
    while (labels.columns > most && labels.digits > 1) {
        labels.digits--;
        measure(&labels, axis);
    }
    if (labels.columns > most)
        labels.columns = most;
    return labels;
}

void
band_labels_text(const struct band_labels *labels, const struct band_axis *axis,
                 const struct band *band, char text[BAND_TEXT_BYTES])
{
    put_label(labels, axis, band, text);
    if (strlen(text) > labels->columns)
        text[0] = '\0';
}
