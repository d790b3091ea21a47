/* SPDX-License-Identifier: MIT */
/* key_names.c -- the keys of a snapshot, and the spec of their axes */

#include <stdlib.h>
#include <string.h>

#include "hist/key_names.h"
#include "hist/lattice.h"
#include "hist/rebin.h"
#include "kernels/seq/sequence.h"

/* Keys that are in memory at a time, of a list in files. */
#define KEYS_AT_A_TIME 65536

struct key_names *
key_names_new(const struct spec *spec)
{
    struct key_names *names = calloc(1, sizeof *names);
    size_t axes = spec->axis_count;
    size_t histograms = spec_histograms(spec);

    if (names == NULL)
        return NULL;
    names->spec = *spec;
    names->spec.shown = calloc(axes, sizeof *names->spec.shown);
    names->spec.histogram = calloc(histograms, sizeof *names->spec.histogram);
    names->list = calloc(histograms, sizeof *names->list);
    names->order = calloc(histograms, sizeof *names->order);
    names->file = calloc(histograms, sizeof *names->file);
    names->array = calloc(histograms, sizeof *names->array);
    names->numbers = calloc(histograms, sizeof *names->numbers);
    bool has_sums = spec->wants_sums != 0;
    if (has_sums)
        names->sums = calloc(histograms, sizeof *names->sums);
    if (names->spec.shown == NULL || names->spec.histogram == NULL ||
        names->list == NULL || names->order == NULL || names->file == NULL ||
        names->array == NULL || names->numbers == NULL ||
        (has_sums && names->sums == NULL)) {
        key_names_close(names);
        return NULL;
    }
    memcpy(names->spec.shown, spec->shown, axes * sizeof *spec->shown);
    memcpy(names->spec.histogram, spec->histogram,
           histograms * sizeof *spec->histogram);
    return names;
}

void
key_names_list(struct key_names *names, size_t i)
{
    names->list[i] = key_list_of(&names->order[i]);
}

void
key_names_complete(struct key_names *names)
{
    spec_set_keys(&names->spec, names->list);
    names->spec.sums = names->sums;
    names->spec.counted = names->spec.shown;
    names->spec.cells = names->spec.shown_cells;
}

/* Whether two entries have the same key. */
static bool
is_same(const unsigned char *a, const unsigned char *b)
{
    if (a == b)
        return true;
    struct key_entry left = key_entry_key(a);
    struct key_entry right = key_entry_key(b);
    return left.size == right.size && key_entry_compare(&left, &right) == 0;
}

/* Move the bins of an axis of numbers, whose lattice may have grown. */
static void
move_bins(const struct binning_axis *old, const struct binning_axis *new,
          const uint64_t *from, uint64_t *to)
{
    bool is_lattice = new->is_auto;

    for (uint64_t i = 0; i < old->bins; i++) {
        if (from[i] != 0)
            to[is_lattice ? lattice_bin(old, i, new) : i] += from[i];
    }
}

/* Move the counts FROM of the k-mers in LIST to the bins TO of all k-mers. */
static void
move_kmers(const struct key_list *list, const uint64_t *from, uint64_t *to)
{
    for (uint64_t i = 0; i < list->count; i++) {
        struct key_entry key = key_list_key(list, i);
        binning_u64 code = 0;
        for (size_t b = 0; b < key.size; b++)
            code = code << 2 | sequence_base_code(key.key[b]);
        to[code] += from[i];
    }
}

/* A histogram, and the cell of its first key in LIST. */
struct key_cells {
    const struct histogram *histogram;
    uint64_t base;
    const struct key_list *list;
    uint64_t kept; /* the first key that may be in memory */
};

/* The keys of CELLS before NEXT have been used. */
static void
forget(struct key_cells *cells, uint64_t next)
{
    key_list_forget(cells->list, cells->kept, next - cells->kept);
    histogram_forget(cells->histogram, cells->base + cells->kept,
                     next - cells->kept);
    cells->kept = next;
}

/* Set the values of key K of TO, in all planes, to those of key F of FROM. */
static void
move_key(const struct key_cells *from, uint64_t f, const struct key_cells *to,
         uint64_t k)
{
    const struct histogram *old = from->histogram;
    const struct histogram *new = to->histogram;

    for (unsigned int p = 0; p < old->planes; p++)
        new->value[p * new->cells + to->base + k] =
            old->value[p * old->cells + from->base + f];
}

/* Move all keys of FROM, which TO has, too. */
static void
move_keys(struct key_cells *from, struct key_cells *to)
{
    uint64_t done = 0;

    for (uint64_t k = 0; k < to->list->count && done < from->list->count; k++) {
        if (is_same(key_list_at(to->list, k), key_list_at(from->list, done)))
            move_key(from, done++, to, k);
        if ((k + 1) % KEYS_AT_A_TIME == 0) {
            forget(from, done);
            forget(to, k + 1);
        }
    }
}

/* Move the cells of histogram I, from FROM to TO. */
static void
move_axis(const struct key_names *before, const struct key_names *now, size_t i,
          const struct histogram *from, struct histogram *to)
{
    size_t own = spec_own_axis(&now->spec, i);
    const struct counted_histogram *shown = &now->spec.histogram[i];
    const struct binning_axis *old = &before->spec.shown[own];
    const struct binning_axis *new = &now->spec.shown[own];
    uint64_t old_base = spec_first_cell(&before->spec, i);
    uint64_t new_base = spec_first_cell(&now->spec, i);
    bool are_tuples = shown->rows == ROWS_TUPLES;

    if (shown->is_listed) {
        struct key_cells old_keys = {from, old_base, &before->list[i], 0};
        struct key_cells new_keys = {to, new_base, &now->list[i], 0};
        move_keys(&old_keys, &new_keys);
    }
    for (unsigned int p = 0; p < to->planes && !are_tuples; p++) {
        const uint64_t *source = from->value + p * from->cells + old_base;
        uint64_t *target = to->value + p * to->cells + new_base;
        /* Few k-mers are listed; once there are many, all have a bin. */
        if (!shown->is_listed && before->spec.histogram[i].is_listed)
            move_kmers(&before->list[i], source, target);
        else if (!shown->is_listed)
            move_bins(old, new, source, target);
        memcpy(target + new->bins, source + old->bins,
               axis_flows(new) * sizeof *target);
    }
}

/* Move the counts of a joint histogram of bins, whose lattices may have grown.
   Returns 0, or -1 with *ERROR set. */
static int
move_joint(const struct key_names *before, const struct key_names *now,
           struct histogram *histogram, struct error *error)
{
    struct spec from = before->spec;
    struct spec to = now->spec;

    /* The lattices belong to numbers, which engines count. */
    from.uses_tables = to.uses_tables = false;
    if (rebin_histogram(&from, &to, histogram) == 0)
        return 0;
    return error_fail_memory(error);
}

int
key_names_move(const struct key_names *before, const struct key_names *now,
               struct histogram *histogram, struct error *error)
{
    struct histogram moved;

    if (now->spec.is_joint && !now->spec.is_sparse)
        return move_joint(before, now, histogram, error);
    if (histogram_open_like(&moved, histogram, now->spec.shown_cells, error) <
        0)
        return -1;
    for (size_t i = 0; i < spec_histograms(&now->spec); i++)
        move_axis(before, now, i, histogram, &moved);
    histogram_close(histogram);
    histogram_take(histogram, &moved);
    return 0;
}

void
key_names_close(struct key_names *names)
{
    if (names == NULL)
        return;
    size_t histograms = spec_histograms(&names->spec);
    for (size_t i = 0; names->order != NULL && i < histograms; i++)
        if (names->order[i].memory != NULL)
            key_order_close(&names->order[i]);
    for (size_t i = 0; names->file != NULL && i < histograms; i++)
        key_file_close(&names->file[i]);
    for (size_t i = 0; names->array != NULL && i < histograms; i++)
        key_array_close(&names->array[i]);
    free(names->array);
    free(names->numbers);
    free(names->sums);
    free(names->spec.shown);
    free(names->spec.histogram);
    free(names->list);
    free(names->order);
    free(names->file);
    free(names);
}
