/* pair_bins.c -- the pairs of two numbers that occur, in bins */

#include <assert.h>

#include "hist/amount.h"
#include "hist/number_bins.h"
#include "hist/pair_bins.h"

#define CELLS_MAX ((uint64_t)1 << 22)

/* ---- pairs ---- */

bool
pair_bins_are_for(const struct spec *spec)
{
    return spec_histograms(spec) == 1 &&
           spec->histogram[0].rows == ROWS_TUPLES && spec->axis_count == 2 &&
           spec->group_count == 0 && spec_key_kind(spec, 0) != KEY_TEXT &&
           spec_key_kind(spec, 1) != KEY_TEXT;
}

/* Set PART to the parts of pair I. */
static void
read_pair(const struct spec *spec, uint64_t i, struct key_part part[2])
{
    const struct key_entry entry = key_list_key(&spec->keys[0], i);
    const unsigned char *at = entry.key;

    for (size_t a = 0; a < 2; a++) {
        at = key_code_read(at, entry.key + entry.size, spec_key_kind(spec, a),
                           a == 1, &part[a]);
        assert(at != NULL);
    }
}

/* ---- bins ---- */

int
pair_bins_make(struct pair_bins *bins, const struct spec *spec,
               const struct histogram *histogram)
{
    const uint64_t first = spec_first_cell(spec, 0);
    struct number_span span[2] = {{0}, {0}};
    struct key_part part[2];

    *bins = (struct pair_bins){.spec = *spec};
    for (uint64_t i = 0; i < spec->keys[0].count; i++) {
        read_pair(spec, i, part);
        for (size_t a = 0; a < 2; a++)
            number_bins_add(&span[a], spec_key_kind(spec, a), &part[a]);
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
        read_pair(spec, i, part);
        for (size_t a = 0; a < 2; a++)
            cell += bins->axis[a].stride *
                    number_bins_cell(&bins->axis[a], spec_key_kind(spec, a),
                                     &part[a]);
        amount_add_to_cell(&bins->histogram, cell, spec, &amount);
    }
    return 1;
}

void
pair_bins_close(struct pair_bins *bins)
{
    histogram_close(&bins->histogram);
}
