/* band_text.c -- names of axes, labels of bands */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/band_text.h"

void
band_text_set_name(struct band_axis *axis, const struct spec *spec, size_t i,
                   bool is_image)
{
    static const char *const channels[] = {"red", "green", "blue", "alpha"};
    size_t field = spec->field[i];
    const char *type = axis_type_name(axis->axis);
    bool is_key = axis_has_names(axis->axis);
    const char *whole = text_type_of(spec->text.kind)->axis;
    char number[SPEC_FIELD_BYTES];

    if (whole != NULL)
        snprintf(axis->name, sizeof axis->name, is_key ? "%s" : "%s (%s)",
                 whole, type);
    else if (is_key)
        snprintf(axis->name, sizeof axis->name, "field %s",
                 spec_field_text(spec, i, number));
    else if (spec->is_text)
        snprintf(axis->name, sizeof axis->name, "field %s (%s)",
                 spec_field_text(spec, i, number), type);
    else if (is_image)
        snprintf(axis->name, sizeof axis->name, "%s",
                 spec->record.count == 1 ? "grey" : channels[field]);
    else if (spec->record.count > 1)
        snprintf(axis->name, sizeof axis->name, "field %s (%s)",
                 spec_field_text(spec, i, number), type);
    else if (axis->axis->type == SAMPLE_U1)
        snprintf(axis->name, sizeof axis->name, "bytes");
    else
        snprintf(axis->name, sizeof axis->name, "values (%s)", type);
}

void
band_text_edge(const struct band_axis *axis, uint64_t i, int digits,
               char text[NUMBER_TEXT_BYTES])
{
    char rounded[NUMBER_TEXT_BYTES];

    axis_edge_text(axis->axis, axis->edges, i, text);
    if (axis_is_direct(axis->axis))
        return;
    snprintf(rounded, sizeof rounded, "%.*g", digits,
             axis_edge(axis->axis, axis->edges, i));
    number_text(strtod(rounded, NULL), rounded);
    if (strlen(rounded) < strlen(text))
        strcpy(text, rounded);
}

void
band_text_low(const struct band_axis *axis, uint64_t cell, int digits,
              char text[NUMBER_TEXT_BYTES])
{
    if (axis_is_direct(axis->axis))
        axis_value_text(axis->axis, cell, text);
    else
        band_text_edge(axis, cell, digits, text);
}

void
band_text_end(const struct band_axis *axis, bool is_last, int digits,
              char text[NUMBER_TEXT_BYTES])
{
    const struct band *last = &axis->band[axis->last - 1];
    uint64_t cell = axis->band[axis->first].first;

    if (is_last)
        cell = last->first + last->cells - axis_is_direct(axis->axis);
    band_text_low(axis, cell, digits, text);
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
            band_text_edge(axis, band->first + (side == 0 ? 0 : band->cells),
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
        band_text_edge(axis, 0, digits, edge);
        snprintf(band->text, sizeof band->text, "%s, %s%c",
                 binning->is_log ? "(0" : "[-inf", edge, is_open ? ']' : ')');
        break;
    case BINNING_OVERFLOW:
        band_text_edge(axis, binning->bins, digits, edge);
        /* A direct axis has no last edge, so no bin can include it. */
        is_open |= binning->closed == BINNING_NUMPY && !axis_is_direct(binning);
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

    return axis_is_direct(binning) && binning->type == SAMPLE_U1 &&
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

    if (axis_is_direct(binning)) {
        axis_value_text(binning, band->first, lo);
        axis_value_text(binning, end - 1, hi);
        snprintf(band->text, sizeof band->text, "%s%s%s", lo,
                 band->cells > 1 ? ".." : "", band->cells > 1 ? hi : "");
        return;
    }
    bool is_right = binning->closed == BINNING_RIGHT;
    bool has_last =
        is_right || (binning->closed == BINNING_NUMPY && end == binning->bins);
    band_text_edge(axis, band->first, digits, lo);
    band_text_edge(axis, end, digits, hi);
    snprintf(band->text, sizeof band->text, "%c%s, %s%c", is_right ? '(' : '[',
             lo, hi, has_last ? ']' : ')');
}

void
band_text_set(struct band_axis *axis, bool is_image)
{
    bool has_glyphs = !is_image && has_characters(axis);
    int digits = 4;

    while (!axis_is_direct(axis->axis) && digits < 17 &&
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

/* Write the label of BAND, however long it is. */
static void
put_label(const struct band_labels *labels, const struct band_axis *axis,
          const struct band *band, char text[BAND_TEXT_BYTES])
{
    if (labels->is_whole)
        strcpy(text, band->text);
    else if (band->is_flow)
        strcpy(text, band->word);
    else
        band_text_low(axis, band->first, labels->digits, text);
}

/* Set the columns of LABELS.  Returns whether no two neighbours have the same
   text. */
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
