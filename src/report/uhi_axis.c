/* SPDX-License-Identifier: MIT */
/* uhi_axis.c -- the axes of a histogram in UHI's JSON */

#include <string.h>

#include "base/ascii.h"
#include "base/json.h"
#include "hist/axis_rule.h"
#include "report/key_text.h"
#include "report/uhi_axis.h"

/* ---- places ---- */

struct uhi_axis
uhi_axis_of(const struct binning_axis *axis, enum flow flow)
{
    bool has_flow = flow != FLOW_HIDE && axis_number_flows(axis) > 0;

    return (struct uhi_axis){
        .axis = axis,
        .has_flow = has_flow,
        .places = axis->bins + (has_flow ? 2 : 0),
    };
}

uint64_t
uhi_axis_place(const struct uhi_axis *axis, uint64_t cell)
{
    uint64_t bins = axis->axis->bins;

    if (cell < bins)
        return cell + axis->has_flow;
    if (!axis->has_flow || cell - bins >= axis_number_flows(axis->axis))
        return UHI_NO_PLACE;
    switch ((enum binning_flow)(cell - bins)) {
    case BINNING_OVERFLOW:
        return axis->places - 1;
    case BINNING_NAN:
        return UHI_NO_PLACE;
    default:
        return 0;
    }
}

size_t
uhi_axis_cells(const struct uhi_axis *axis, uint64_t place,
               uint64_t cell[UHI_CELLS])
{
    uint64_t bins = axis->axis->bins;

    cell[0] = place - axis->has_flow;
    if (cell[0] < bins)
        return 1;
    cell[0] = bins + (place > 0 ? BINNING_OVERFLOW : BINNING_UNDERFLOW);
    if (place > 0 || !axis->axis->is_log)
        return 1;
    cell[1] = bins + BINNING_ZERO;
    cell[2] = bins + BINNING_NEGATIVE;
    return 3;
}

bool
uhi_axis_is_category(const struct binning_axis *axis)
{
    return !axis_has_bins(axis);
}

/* ---- numbers ---- */

/* Put a number of SIZE bytes, printed as in other formats. */
static void
put_number(struct writer *out, const char *text, size_t size)
{
    bool is_negative = *text == '-';
    char first = text[is_negative];

    if (ascii_is_digit(first)) {
        writer_put_bytes(out, text, size);
        return;
    }
    if (is_negative)
        writer_put_char(out, '-');
    writer_put_text(out, first == 'n' ? "NaN" : "Infinity");
}

void
uhi_put_amount(struct writer *out, const struct spec *spec,
               const struct amount *amount)
{
    char text[SUM_TEXT_BYTES];

    if (!spec->has_weights) {
        writer_put_number(out, amount->count);
        return;
    }
    char *end = amount_put(spec, amount, text);
    put_number(out, text, (size_t)(end - text));
}

static void
put_edge(struct writer *out, const struct spec *spec,
         const struct binning_axis *axis, uint64_t i)
{
    char text[NUMBER_TEXT_BYTES];
    char *end = axis_bins(axis) == AXIS_INTEGERS
                    ? number_put_integer(axis_value(axis, i), text)
                    : axis_put_edge(axis, &spec->edges, i, text);

    put_number(out, text, (size_t)(end - text));
}

/* The same edge; a double has all integers accepted by uhi_axis_wrong(). */
static double
edge_of(const struct spec *spec, const struct binning_axis *axis, uint64_t i)
{
    return axis_bins(axis) == AXIS_INTEGERS ? wide_double(axis_value(axis, i))
                                            : axis_edge(axis, &spec->edges, i);
}

/* Whether boost-histogram's axis of integers, of 32 bits, can be AXIS. */
static bool
is_integer(const struct binning_axis *axis)
{
    return axis_bins(axis) == AXIS_INTEGERS &&
           wide_compare(axis_value(axis, 0), wide_of_signed(INT32_MIN)) >= 0 &&
           wide_compare(axis_value(axis, axis->bins), wide_of(INT32_MAX)) <= 0;
}

/* Whether boost-histogram's regular axis has equal edges, to the bit. */
static bool
is_regular(const struct spec *spec, const struct binning_axis *axis)
{
    double lo = edge_of(spec, axis, 0);
    double hi = edge_of(spec, axis, axis->bins);

    if (axis_bins(axis) == AXIS_INTERVALS &&
        axis_rule_of(axis)->spacing != AXIS_SPACING_EVEN)
        return false;
    for (uint64_t i = 0; i <= axis->bins; i++) {
        double part = (double)i / (double)axis->bins;
        if ((1 - part) * lo + part * hi != edge_of(spec, axis, i))
            return false;
    }
    return true;
}

/* ---- categories ---- */

void
uhi_lines_open(struct uhi_lines *lines, const struct report *report, size_t i)
{
    *lines = (struct uhi_lines){0};
    rows_open(&lines->rows, report, i);
    /* Print each category, even if the values have no place. */
    lines->rows.flow = FLOW_SHOW;
}

bool
uhi_lines_next(struct uhi_lines *lines)
{
    struct rows *rows = &lines->rows;
    const struct column *column = &rows->column[0];
    const struct key_component *component = &column->component;

    do {
        if (!rows_next(rows))
            return false;
    } while (column_is_flow(column));
    lines->is_first = true;
    if (rows->columns == 1)
        return true;
    lines->is_first =
        lines->text == NULL || lines->text_size != component->text_size ||
        memcmp(lines->text, component->text, component->text_size) != 0;
    lines->text = component->text;
    lines->text_size = component->text_size;
    return true;
}

/* Whether boost-histogram can hold all categories as integers. */
static bool
has_integers(const struct rows *rows)
{
    struct column column = rows->column[0];
    struct precise lo;
    struct precise hi;

    if (column_has_keys(&column) || axis_key_kind(column.axis) != KEY_INTEGER)
        return false;
    if (column.axis->bins == 0)
        return true;
    column_go(&column, column.flows_before);
    column_limits(&column, &lo, &hi);
    if (lo.high < INT32_MIN)
        return false;
    column_go(&column, column.flows_before + column.axis->bins - 1);
    column_limits(&column, &lo, &hi);
    return hi.high <= INT32_MAX;
}

static void
put_category(struct writer *out, const struct column *column, bool is_integer)
{
    struct key_text text;

    if (column_has_keys(column)) {
        key_text_open(&text, &column->key, out);
        key_text_put_uhi(out, text.byte, text.size);
        key_text_close(&text);
        return;
    }
    if (!is_integer)
        writer_put_char(out, '"');
    writer_put_short(out, column->lo.text, column->lo.size);
    if (!is_integer)
        writer_put_char(out, '"');
}

static void
put_categories(struct writer *out, const struct report *report, size_t i)
{
    struct uhi_lines lines;
    const char *before = "";

    uhi_lines_open(&lines, report, i);
    bool is_integer = has_integers(&lines.rows);
    writer_put_text(out, is_integer ? "\"type\":\"category_int\""
                                    : "\"type\":\"category_str\"");
    writer_put_text(out, ",\"categories\":[");
    while (!writer_has_failed(out) && uhi_lines_next(&lines)) {
        if (!lines.is_first)
            continue;
        rows_set_labels(&lines.rows);
        writer_put_text(out, before);
        put_category(out, &lines.rows.column[0], is_integer);
        before = ",";
    }
    writer_put_text(out, "],\"flow\":false");
}

/* ---- metadata ---- */

/* The cells without a place of their own: flow cells, then special cells. */
#define KINDS (BINNING_FLOWS + AXIS_SPECIALS)

static const char *const kind_names[KINDS] = {
    [BINNING_NAN] = "nan",
    [BINNING_ZERO] = "zero",
    [BINNING_NEGATIVE] = "negative",
    [BINNING_FLOWS + AXIS_KEY_MISSING] = "missing",
    [BINNING_FLOWS + AXIS_EMPTY] = "empty",
    [BINNING_FLOWS + AXIS_INVALID] = "invalid",
};

/* Whether AXIS has the cell of KIND, and values for the cell. */
static bool
has_kind(const struct binning_axis *axis, unsigned int kind)
{
    if (kind < BINNING_FLOWS)
        return axis_can_flow(axis, (enum binning_flow)kind);
    return kind - BINNING_FLOWS < axis_flows(axis) - axis_number_flows(axis);
}

/* Add up the flow cells of COLUMN in the lines of ROWS. */
static void
add_kinds(struct rows *rows, const struct column *column,
          struct amount_total total[KINDS])
{
    rows->flow = FLOW_SHOW;
    while (rows_next(rows)) {
        if (!column_is_flow(column))
            continue;
        uint64_t kind = column->cell - column->axis->bins;
        if (column_is_special(column))
            kind += BINNING_FLOWS - column->number_flows;
        amount_add(&total[kind], rows->report->spec, &rows->amount);
    }
}

/* Put the name of the field, and the counts of cells without a place. */
static void
put_metadata(struct writer *out, const struct report *report, size_t i,
             size_t d)
{
    const struct spec *spec = report->spec;
    struct amount_total total[KINDS] = {{0}};
    struct rows rows;
    size_t axis = spec_axis_of(spec, i, d);

    writer_put_text(out, ",\"metadata\":{\"label\":");
    json_put_string(out, report->names->axis[axis].name);
    if (spec->shown[axis].closed == BINNING_NUMPY)
        writer_put_text(out, ",\"closed\":\"numpy\"");
    rows_open(&rows, report, i);
    add_kinds(&rows, &rows.column[d], total);
    for (unsigned int kind = 0; kind < KINDS; kind++) {
        struct amount amount = amount_of_total(&total[kind]);
        if (kind_names[kind] == NULL || !has_kind(&spec->shown[axis], kind))
            continue;
        writer_put_text(out, ",\"");
        writer_put_text(out, kind_names[kind]);
        writer_put_text(out, "\":");
        uhi_put_amount(out, spec, &amount);
    }
    writer_put_char(out, '}');
}

/* ---- one axis ---- */

static void
put_regular(struct writer *out, const struct spec *spec,
            const struct binning_axis *axis)
{
    writer_put_text(out, "\"type\":\"regular\",\"lower\":");
    put_edge(out, spec, axis, 0);
    writer_put_text(out, ",\"upper\":");
    put_edge(out, spec, axis, axis->bins);
    writer_put_text(out, ",\"bins\":");
    writer_put_number(out, axis->bins);
    if (is_integer(axis))
        writer_put_text(out, ",\"writer_info\":{\"boost-histogram\":"
                             "{\"orig_type\":\"Integer\"}}");
}

static void
put_variable(struct writer *out, const struct spec *spec,
             const struct binning_axis *axis)
{
    writer_put_text(out, "\"type\":\"variable\",\"edges\":[");
    for (uint64_t i = 0; i <= axis->bins && !writer_has_failed(out); i++) {
        if (i > 0)
            writer_put_char(out, ',');
        put_edge(out, spec, axis, i);
    }
    writer_put_char(out, ']');
}

static void
put_bins(struct writer *out, const struct report *report,
         const struct binning_axis *axis)
{
    struct uhi_axis places = uhi_axis_of(axis, report->options->flow);
    const char *flow = places.has_flow ? "true" : "false";

    if (is_integer(axis) || is_regular(report->spec, axis))
        put_regular(out, report->spec, axis);
    else
        put_variable(out, report->spec, axis);
    writer_put_text(out, ",\"underflow\":");
    writer_put_text(out, flow);
    writer_put_text(out, ",\"overflow\":");
    writer_put_text(out, flow);
    writer_put_text(out, ",\"circular\":false");
}

void
uhi_axis_put(struct writer *out, const struct report *report, size_t i,
             size_t d)
{
    const struct binning_axis *axis =
        &report->spec->shown[spec_axis_of(report->spec, i, d)];

    writer_put_char(out, '{');
    if (uhi_axis_is_category(axis))
        put_categories(out, report, i);
    else
        put_bins(out, report, axis);
    put_metadata(out, report, i, d);
    writer_put_char(out, '}');
}

const char *
uhi_axis_wrong(const struct binning_axis *axis)
{
    const struct wide most = wide_of((uint64_t)1 << 53);

    if (uhi_axis_is_category(axis))
        return NULL;
    if (axis_bins(axis) == AXIS_INTERVALS)
        return axis->closed == BINNING_RIGHT
                   ? "--format=uhi needs --closed=left: a bin includes its "
                     "lower edge"
                   : NULL;
    if (wide_compare(axis_value(axis, axis->bins), most) <= 0 &&
        wide_compare(axis_value(axis, 0), wide_subtract(wide_of(0), most)) >= 0)
        return NULL;
    return "--format=uhi has edges that are doubles: a range beyond 2^53 "
           "needs --bins";
}
