/* SPDX-License-Identifier: MIT */
/* number_bins.c -- bins for a picture of numbers that have none */

#include <assert.h>
#include <math.h>

#include "hist/amount.h"
#include "hist/axis.h"
#include "hist/number_bins.h"

/* No picture has more columns. */
#define BINS_MAX 1024

/* Bins are not narrower: the part of a number, and any number. */
#define WIDTH_PART 0x1p-40
#define WIDTH_MIN 0x1p-1000

void
number_bins_add(struct number_span *span, enum key_kind kind,
                const struct key_component *component)
{
    bool is_integer = kind == KEY_INTEGER;
    double number =
        is_integer ? wide_double(component->integer) : component->real;

    if (component->tag != KEY_TAG_VALUE || kind == KEY_CELL ||
        !(fabs(number) <= BINNING_AUTO_MAX))
        return;
    if (!span->has_any || number < span->least)
        span->least = number;
    if (!span->has_any || number > span->most)
        span->most = number;
    if (is_integer &&
        (!span->has_any || wide_compare(component->integer, span->first) < 0))
        span->first = component->integer;
    if (is_integer &&
        (!span->has_any || wide_compare(component->integer, span->last) > 0))
        span->last = component->integer;
    span->has_any = true;
}

/* Give AXIS even bins for SPAN, on a lattice. */
static void
set_even(struct binning_axis *axis, const struct number_span *span)
{
    double most = fmax(fabs(span->least), fabs(span->most));
    double width = span->most / BINS_MAX - span->least / BINS_MAX;
    int exponent;

    if (width == 0)
        width = most / BINS_MAX;
    width = fmax(fmax(width, most * WIDTH_PART), WIDTH_MIN);
    (void)frexp(most == 0 ? 0.5 : width, &exponent);
    axis->width = ldexp(1, exponent);
    double first = floor(span->least / axis->width);
    double end = floor(span->most / axis->width) + 1;
    axis->bins = (uint64_t)(end - first);
    axis->lo = first * axis->width;
    axis->hi = end * axis->width;
    axis->scale = 1 / axis->width;
    axis->kind = BINNING_EVEN;
    axis->rule = AXIS_RULE_EVEN;
}

void
number_bins_set(struct binning_axis *axis, const struct number_span *span)
{
    struct wide more = wide_subtract(span->last, span->first);

    axis->closed = BINNING_LEFT;
    if (binning_is_float(axis->type) || more.high != 0 ||
        more.low >= BINS_MAX) {
        set_even(axis, span);
        return;
    }
    axis->kind = BINNING_DIRECT;
    axis->rule = AXIS_RULE_DIRECT;
    axis->first = span->first.low;
    axis->bins = more.low + 1;
}

uint64_t
number_bins_cell(const struct binning_axis *axis, enum key_kind kind,
                 const struct key_component *component)
{
    static const struct binning_tables none;

    if (component->tag != KEY_TAG_VALUE)
        return axis_special_cell(axis, axis_special_of(component->tag));
    if (kind == KEY_CELL)
        return axis_cell_of(axis, component->row);
    if (axis->kind == BINNING_DIRECT)
        return binning_direct_cell(axis, component->integer.low);
    return binning_number_cell(axis, &none,
                               kind == KEY_INTEGER
                                   ? wide_double(component->integer)
                                   : component->real);
}

/* ---- pairs ---- */

/* A heat map of more cells has rows instead. */
#define CELLS_MAX ((uint64_t)1 << 22)

bool
pair_bins_are_for(const struct spec *spec)
{
    return spec_histograms(spec) == 1 &&
           spec->histogram[0].rows == ROWS_TUPLES && spec->axis_count == 2 &&
           spec->group_count == 0 && spec_key_kind(spec, 0) != KEY_TEXT &&
           spec_key_kind(spec, 1) != KEY_TEXT;
}

/* Set COMPONENT to the components of pair I. */
static void
read_pair(const struct spec *spec, uint64_t i,
          struct key_component component[2])
{
    const struct key_entry entry = key_list_key(&spec->keys[0], i);
    const unsigned char *at = entry.key;

    for (size_t a = 0; a < 2; a++) {
        at = key_code_read(at, entry.key + entry.size, spec_key_kind(spec, a),
                           a == 1, &component[a]);
        assert(at != NULL);
    }
}

int
pair_bins_make(struct pair_bins *bins, const struct spec *spec,
               const struct histogram *histogram)
{
    const uint64_t first = spec_first_cell(spec, 0);
    struct number_span span[2] = {{0}, {0}};
    struct key_component component[2];

    *bins = (struct pair_bins){.spec = *spec};
    for (uint64_t i = 0; i < spec->keys[0].count; i++) {
        read_pair(spec, i, component);
        for (size_t a = 0; a < 2; a++)
            number_bins_add(&span[a], spec_key_kind(spec, a), &component[a]);
    }
    for (size_t a = 0; a < 2; a++) {
        bins->axis[a] = spec->shown[a];
        if (spec_key_kind(spec, a) != KEY_CELL)
            number_bins_set(&bins->axis[a], &span[a]);
    }
    bins->spec.shown = bins->axis;
    bins->shown = spec->histogram[0];
    counted_histogram_show(&bins->shown, ROWS_BINS);
    bins->spec.histogram = &bins->shown;
    bins->spec.is_sparse = false;
    bins->spec.keys = NULL;
    if (spec_place(&bins->spec, bins->axis, CELLS_MAX,
                   &bins->spec.shown_cells) < 0)
        return 0;
    if (histogram_open(&bins->histogram, bins->spec.shown_cells, spec->planes) <
        0)
        return -1;
    for (uint64_t i = 0; i < spec->keys[0].count; i++) {
        struct amount amount = amount_of_cell(histogram, first + i);
        uint64_t cell = 0;
        read_pair(spec, i, component);
        for (size_t a = 0; a < 2; a++)
            cell += bins->axis[a].stride *
                    number_bins_cell(&bins->axis[a], spec_key_kind(spec, a),
                                     &component[a]);
        amount_add_to_cell(&bins->histogram, cell, spec, &amount);
    }
    return 1;
}

void
pair_bins_close(struct pair_bins *bins)
{
    histogram_close(&bins->histogram);
}
