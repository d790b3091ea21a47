/* SPDX-License-Identifier: MIT */
/* column.c -- the rows of one axis: their cells and their labels */

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "hist/key_decimal.h"
#include "report/column.h"

static enum binning_flow
flow_of(const struct column *column)
{
    return (enum binning_flow)(column->cell - column->axis->bins);
}

enum axis_special
column_special(const struct column *column)
{
    if (column->is_sparse)
        return axis_special_of(column->component.tag);
    return (enum axis_special)(column->cell - column->axis->bins -
                               column->number_flows);
}

bool
column_is_impossible(const struct column *column)
{
    return !column_is_special(column) &&
           !axis_can_flow(column->axis, flow_of(column));
}

const char *
column_flow_name(const struct column *column)
{
    static const char *const specials[AXIS_SPECIALS] = {
        [AXIS_KEY_MISSING] = "missing",
        [AXIS_EMPTY] = "empty",
        [AXIS_INVALID] = "invalid",
    };

    if (column_is_special(column))
        return specials[column_special(column)];
    switch (flow_of(column)) {
    case BINNING_UNDERFLOW:
        return "underflow";
    case BINNING_OVERFLOW:
        return "overflow";
    case BINNING_ZERO:
        return "zero";
    case BINNING_NEGATIVE:
        return "negative";
    default:
        return "nan";
    }
}

const unsigned char *
column_read(struct column *column, const unsigned char *at,
            const unsigned char *end, bool is_last)
{
    const struct binning_axis *axis = column->axis;

    at = key_code_read(at, end, column->kind, is_last, &column->component);
    assert(at != NULL);
    if (column->component.tag != KEY_TAG_VALUE)
        column->cell =
            axis_special_cell(axis, axis_special_of(column->component.tag));
    else if (column->kind == KEY_CELL)
        column->cell = column_cell(column, column->component.row);
    return at;
}

/* ---- labels ---- */

static void
label_set(struct label *label, const char *text)
{
    label->size = strlen(text);
    memcpy(label->text, text, label->size + 1);
}

/* END is the end of the text in LABEL, written by number_put(). */
static void
label_end(struct label *label, char *end)
{
    *end = '\0';
    label->size = (size_t)(end - label->text);
}

static void
label_copy(struct label *to, const struct label *from)
{
    memcpy(to->text, from->text, from->size + 1);
    to->size = from->size;
}

static void
set_edge(struct label *label, const struct column *column, uint64_t i)
{
    label_end(label, axis_put_edge(column->axis, &column->spec->edges, i,
                                   label->text));
}

/* Write the character as in C; an invisible space is escaped. */
static void
set_char(struct label *label, unsigned char byte)
{
    static const char escaped[] = "\a\b\t\n\v\f\r\\";
    static const char letters[] = "abtnvfr\\";
    const char *at = byte != 0 ? strchr(escaped, byte) : NULL;
    char text[8];

    if (at != NULL)
        sprintf(text, "\\%c", letters[at - escaped]);
    else if (byte > ' ' && byte <= '~')
        sprintf(text, "%c", byte);
    else
        sprintf(text, "\\x%02x", byte);
    label_set(label, text);
}

static void
set_value(struct column *column)
{
    const struct binning_axis *axis = column->axis;
    uint64_t bin = column->cell;
    char text[8];

    if (column->labels == LABELS_DEC) {
        label_end(&column->lo, axis_put_value(axis, bin, column->lo.text));
    } else if (column->labels == LABELS_HEX) {
        snprintf(text, sizeof text, "0x%02x",
                 (unsigned int)(axis->first + bin));
        label_set(&column->lo, text);
    } else {
        set_char(&column->lo, (unsigned char)(axis->first + bin));
    }
}

/* The number of BIN, a bin of a sparse axis. */
static struct key_component
number_of(const struct column *column, uint64_t bin)
{
    struct key_component component;

    if (column->is_sparse)
        return column->component;
    struct key_entry code = key_list_key(column->codes, bin);
    const unsigned char *end =
        key_code_read(code.key, code.key + code.size,
                      axis_key_kind(column->axis), true, &component);

    assert(end != NULL);
    (void)end;
    return component;
}

enum key_kind
column_number_kind(const struct column *column)
{
    return axis_bins(column->axis) == AXIS_NUMBERS ? axis_key_kind(column->axis)
                                                   : KEY_INTEGER;
}

struct key_component
column_number(const struct column *column)
{
    if (axis_bins(column->axis) != AXIS_NUMBERS)
        return (struct key_component){
            .tag = KEY_TAG_VALUE,
            .integer = axis_value(column->axis, column->cell),
        };
    return number_of(column, column->cell);
}

void
column_put_number(const struct column *column, struct label *label)
{
    const struct key_component *component = &column->component;

    label_end(label, column->kind == KEY_INTEGER
                         ? number_put_integer(component->integer, label->text)
                         : key_decimal_put_text(component, label->text));
}

static void
set_number(struct column *column)
{
    struct key_component component;
    char *at = column->lo.text;

    if (column->is_sparse && column->kind == KEY_INTEGER) {
        column_put_number(column, &column->lo);
        label_copy(&column->hi, &column->lo);
        return;
    }
    component = column_number(column);
    label_end(&column->lo, axis_key_kind(column->axis) == KEY_INTEGER
                               ? number_put_integer(component.integer, at)
                               : key_decimal_put_text(&component, at));
    column->hi = column->lo;
}

static void
set_bin(struct column *column)
{
    uint64_t bin = column->cell;

    if (axis_bins(column->axis) == AXIS_NUMBERS) {
        set_number(column);
        return;
    }
    if (!column->has_edges) {
        set_value(column);
        return;
    }
    /* The upper edge of a bin is the lower edge of the next bin. */
    if (column->label_cell < bin && column->label_cell + 1 == bin)
        column->lo = column->hi;
    else
        set_edge(&column->lo, column, bin);
    set_edge(&column->hi, column, bin + 1);
}

static void
set_key(struct column *column)
{
    column->has_key = true;
    if (column->is_sparse) {
        column->key = column->component;
        return;
    }
    if (column->keys == NULL) {
        char *end = axis_put_value(column->axis, column->cell, column->lo.text);
        column->key = (struct key_component){
            .text = (const unsigned char *)column->lo.text,
            .text_size = (size_t)(end - column->lo.text),
        };
        return;
    }
    struct key_entry entry = key_list_key(column->keys, column->cell);
    column->key =
        (struct key_component){.text = entry.key, .text_size = entry.size};
}

/* The row has no value, but a name. */
static void
set_special(struct column *column)
{
    const char *name = axis_special_words[column_special(column)];

    label_set(&column->lo, name);
    label_set(&column->hi, name);
    column->has_key = false;
}

/* A flow cell has infinite edges, or the name of its values twice. */
static void
set_flow(struct column *column)
{
    const struct binning_axis *axis = column->axis;

    switch (flow_of(column)) {
    case BINNING_UNDERFLOW:
        label_set(&column->lo, axis->is_log ? "0" : "-inf");
        set_edge(&column->hi, column, 0);
        break;
    case BINNING_OVERFLOW:
        set_edge(&column->lo, column, axis->bins);
        label_set(&column->hi, "inf");
        if (!column->has_edges)
            label_set(&column->lo, "inf");
        break;
    case BINNING_ZERO:
        label_set(&column->lo, "0");
        label_set(&column->hi, "0");
        break;
    case BINNING_NEGATIVE:
        label_set(&column->lo, "-inf");
        label_set(&column->hi, "0");
        break;
    default:
        label_set(&column->lo, "nan");
        label_set(&column->hi, "nan");
        break;
    }
}

void
column_set_labels(struct column *column)
{
    if (column->label_cell == column->cell && !column_has_components(column))
        return;
    if (column_is_special(column))
        set_special(column);
    else if (column_has_keys(column))
        set_key(column);
    else if (column_is_flow(column))
        set_flow(column);
    else
        set_bin(column);
    column->label_cell = column->cell;
}

void
column_set_other(struct column *column)
{
    bool is_text = column_has_keys(column) || column->axis->is_text;
    const char *text = is_text ? "\\other" : "other";

    label_set(&column->lo, text);
    label_set(&column->hi, text);
    column->has_key = false;
    column->label_cell = UINT64_MAX;
}

/* ---- numbers ---- */

/* Edge I as a number. */
static struct precise
edge_of(const struct column *column, uint64_t i)
{
    const struct binning_axis *axis = column->axis;

    if (axis_bins(axis) == AXIS_NUMBERS) {
        struct key_component component = number_of(column, i);
        return axis_key_kind(axis) == KEY_INTEGER
                   ? precise_of_wide(component.integer)
                   : precise_of(component.real);
    }
    if (axis_bins(axis) == AXIS_INTERVALS)
        return precise_of(axis_edge(axis, &column->spec->edges, i));
    return precise_of_wide(axis_value(axis, i));
}

static void
flow_limits(const struct column *column, struct precise *lo, struct precise *hi)
{
    const struct binning_axis *axis = column->axis;
    const struct precise infinite = precise_of((double)INFINITY);

    switch (flow_of(column)) {
    case BINNING_UNDERFLOW:
        *lo = axis->is_log ? precise_of(0) : precise_negate(infinite);
        *hi = edge_of(column, 0);
        break;
    case BINNING_OVERFLOW:
        *lo = edge_of(column, axis->bins);
        *hi = infinite;
        break;
    case BINNING_ZERO:
        *lo = *hi = precise_of(0);
        break;
    case BINNING_NEGATIVE:
        *lo = precise_negate(infinite);
        *hi = precise_of(0);
        break;
    default:
        *lo = *hi = precise_of((double)NAN);
        break;
    }
}

void
column_limits(const struct column *column, struct precise *lo,
              struct precise *hi)
{
    if (column_is_special(column)) {
        *lo = *hi = precise_of((double)NAN);
        return;
    }
    if (column_is_flow(column)) {
        flow_limits(column, lo, hi);
        return;
    }
    *lo = edge_of(column, column->cell);
    *hi = axis_bins(column->axis) == AXIS_INTERVALS
              ? edge_of(column, column->cell + 1)
              : *lo;
}

double
column_width(const struct column *column)
{
    if (column_is_flow(column))
        return (double)NAN;
    if (axis_bins(column->axis) != AXIS_INTERVALS)
        return 1;
    return axis_edge(column->axis, &column->spec->edges, column->cell + 1) -
           axis_edge(column->axis, &column->spec->edges, column->cell);
}

void
column_open(struct column *column, const struct spec *spec, size_t histogram,
            size_t i, bool has_edges, enum labels labels)
{
    const struct binning_axis *axis = &spec->shown[i];
    bool is_sparse = spec->histogram[histogram].rows == ROWS_TUPLES;
    enum key_kind kind = spec_key_kind(spec, i);
    const struct key_list *list =
        !is_sparse && kind != KEY_CELL ? &spec->keys[histogram] : NULL;

    assert(kind == KEY_CELL || spec->keys != NULL);
    *column = (struct column){
        .spec = spec,
        .axis = axis,
        .rows = axis->bins + axis_flows(axis),
        .flows_before = axis_flows_before(axis),
        .number_flows = axis_number_flows(axis),
        .has_edges = has_edges,
        .labels = labels,
        .keys = kind == KEY_TEXT ? list : NULL,
        .codes = kind == KEY_TEXT ? NULL : list,
        .is_sparse = is_sparse,
        .kind = kind,
        .label_cell = UINT64_MAX,
    };
    if (!column->is_sparse)
        column_go(column, 0);
}
