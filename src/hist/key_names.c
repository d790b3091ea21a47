/* key_names.c -- the keys of a snapshot, and the spec whose axes have them */

#include <stdlib.h>
#include <string.h>

#include "hist/key_names.h"
#include "hist/lattice.h"
#include "hist/rebin.h"

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
    names->list = calloc(histograms, sizeof *names->list);
    names->order = calloc(histograms, sizeof *names->order);
    names->file = calloc(histograms, sizeof *names->file);
    if (names->spec.shown == NULL || names->list == NULL ||
        names->order == NULL || names->file == NULL) {
        key_names_close(names);
        return NULL;
    }
    memcpy(names->spec.shown, spec->shown, axes * sizeof *spec->shown);
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

/* Move a plane of an axis of numbers, whose lattice may have grown. */
static void
move_bins(const struct binning_axis *old, const struct binning_axis *new,
          const uint64_t *from, uint64_t *to)
{
    bool is_lattice = new->is_auto &&new->kind == BINNING_EVEN;

    for (uint64_t i = 0; i < old->bins; i++) {
        if (from[i] != 0)
            to[is_lattice ? lattice_bin(old, i, new) : i] += from[i];
    }
}

/* Move a plane of keys. */
static void
move_keys(const struct key_list *old, const struct key_list *new,
          const uint64_t *from, uint64_t *to)
{
    uint64_t done = 0;

    for (uint64_t k = 0; k < new->count &&done < old->count; k++) {
        if (is_same(key_list_at(new, k), key_list_at(old, done)))
            to[k] = from[done++];
    }
}

/* Move a plane of histogram I. */
static void
move_plane(const struct key_names *before, const struct key_names *now,
           size_t i, const uint64_t *from, uint64_t *to)
{
    const struct binning_axis *old = &before->spec.shown[i];
    const struct binning_axis *new = &now->spec.shown[i];

    if (now->spec.is_sparse || axis_is_key(new))
        move_keys(&before->list[i], &now->list[i], from, to);
    else
        move_bins(old, new, from, to);
    if (!now->spec.is_sparse)
        memcpy(to + new->bins, from + old->bins, axis_flows(new) * sizeof *to);
}

/* Move the counts of a joint histogram of bins, whose lattices may have grown.
   Returns 0, or -1: out of memory. */
static int
move_joint(const struct key_names *before, const struct key_names *now,
           struct histogram *histogram)
{
    struct spec from = before->spec;
    struct spec to = now->spec;

    /* They are those of the numbers that engines count. */
    from.uses_tables = to.uses_tables = false;
    return rebin_histogram(&from, &to, histogram);
}

int
key_names_move(const struct key_names *before, const struct key_names *now,
               struct histogram *histogram)
{
    struct histogram moved;

    if (spec_dimensions(&now->spec) > 1 && !now->spec.is_sparse)
        return move_joint(before, now, histogram);
    if (histogram_open(&moved, now->spec.shown_cells, histogram->planes) < 0)
        return -1;
    for (unsigned int p = 0; p < moved.planes; p++) {
        const uint64_t *from = histogram->value + p * histogram->cells;
        uint64_t *to = moved.value + p * moved.cells;
        for (size_t i = 0; i < spec_histograms(&now->spec); i++)
            move_plane(before, now, i, from + spec_first_cell(&before->spec, i),
                       to + spec_first_cell(&now->spec, i));
    }
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
    free(names->spec.shown);
    free(names->list);
    free(names->order);
    free(names->file);
    free(names);
}
