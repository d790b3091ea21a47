/* auto_range.c -- axes whose range is found while counting (--range=auto) */

#include <stdlib.h>
#include <string.h>

#include "run/auto_range.h"

struct auto_range_spec {
    struct spec spec; /* its arrays SHOWN and COUNTED are its own */
    struct auto_range_spec *next;
};

static void
free_spec(struct auto_range_spec *made)
{
    free(made->spec.shown);
    free(made->spec.counted);
    free(made);
}

/* A copy of the current spec with axes of its own. */
static struct auto_range_spec *
copy_spec(const struct spec *spec)
{
    size_t bytes = spec->axis_count * sizeof *spec->counted;
    struct auto_range_spec *made = calloc(1, sizeof *made);

    if (made == NULL)
        return NULL;
    made->spec = *spec;
    made->spec.shown = malloc(bytes);
    made->spec.counted = malloc(bytes);
    if (made->spec.shown == NULL || made->spec.counted == NULL) {
        free_spec(made);
        return NULL;
    }
    memcpy(made->spec.shown, spec->shown, bytes);
    memcpy(made->spec.counted, spec->counted, bytes);
    made->spec.generation = spec->generation + 1;
    return made;
}

/* Make a new spec with the lattices for the extents; under the lock. */
static int
renew(struct auto_range *ranging)
{
    struct auto_range_spec *made = copy_spec(ranging->current);

    if (made == NULL)
        return -1;
    for (size_t i = 0; i < made->spec.axis_count; i++) {
        if (!spec_grows(&made->spec, i))
            continue;
        lattice_set(&made->spec.counted[i], &ranging->extent[i]);
        lattice_set(&made->spec.shown[i], &ranging->extent[i]);
    }
    made->next = ranging->made;
    ranging->made = made;
    ranging->current = &made->spec;
    return 0;
}

int
auto_range_open(struct auto_range *ranging, const struct spec *spec)
{
    *ranging = (struct auto_range){.first = spec, .current = spec};
    pthread_mutex_init(&ranging->lock, NULL);
    ranging->extent = calloc(spec->axis_count, sizeof *ranging->extent);
    if (ranging->extent == NULL)
        return -1;
    for (size_t i = 0; i < spec->axis_count; i++)
        ranging->extent[i] = extent_none;
    /* Nothing need be in it, but from now on every axis has a lattice. */
    return spec_is_growing(spec) ? renew(ranging) : 0;
}

/* Have EXTENT in the lattice of axis I. */
static int
include(struct auto_range *ranging, size_t i, const struct extent *extent)
{
    struct extent *sum = &ranging->extent[i];
    int result = 0;

    pthread_mutex_lock(&ranging->lock);
    struct binning_axis axis = ranging->current->counted[i];
    sum->min = extent->min < sum->min ? extent->min : sum->min;
    sum->max = extent->max > sum->max ? extent->max : sum->max;
    lattice_set(&axis, sum);
    if (!lattice_is_same(&axis, &ranging->current->counted[i]))
        result = renew(ranging);
    pthread_mutex_unlock(&ranging->lock);
    return result;
}

const struct spec *
auto_range_extend(struct auto_range *ranging, const unsigned char *data,
                  size_t size)
{
    const struct spec *spec = ranging->first;

    if (!spec_is_growing(spec))
        return spec;
    for (size_t i = 0; i < spec->axis_count; i++) {
        struct extent extent = extent_none;

        if (!spec_grows(spec, i))
            continue;
        extent_add(&extent, &spec->counted[i], data, size, spec->record.bytes);
        if (include(ranging, i, &extent) < 0)
            return NULL;
    }
    return auto_range_current(ranging);
}

const struct spec *
auto_range_current(struct auto_range *ranging)
{
    pthread_mutex_lock(&ranging->lock);
    const struct spec *spec = ranging->current;
    pthread_mutex_unlock(&ranging->lock);
    return spec;
}

/* Move the counts at COUNT, STRIDE apart, from the lattice OLD to NEW. */
static void
move_counts(const struct binning_axis *old, const struct binning_axis *new,
            uint64_t *count, uint64_t stride, uint64_t *copy)
{
    for (uint64_t i = 0; i < old->bins; i++) {
        copy[i] = count[i * stride];
        count[i * stride] = 0;
    }
    for (uint64_t i = 0; i < old->bins; i++) {
        if (copy[i] != 0)
            count[lattice_bin(old, i, new) * stride] += copy[i];
    }
}

/* Whether axis I of the spec TO has another lattice than that of FROM. */
static bool
has_moved(const struct spec *from, const struct spec *to, size_t i)
{
    return spec_grows(from, i) &&
           !lattice_is_same(&from->counted[i], &to->counted[i]);
}

int
auto_range_move(const struct spec *from, const struct spec *to,
                struct histogram *histogram)
{
    uint64_t bins_max = 0;

    for (size_t i = 0; i < from->axis_count; i++) {
        if (has_moved(from, to, i) && from->counted[i].bins > bins_max)
            bins_max = from->counted[i].bins;
    }
    if (bins_max == 0)
        return 0;
    /* Before anything moves: after a failure the counts are as they were. */
    uint64_t *copy = calloc(bins_max, sizeof *copy);
    if (copy == NULL)
        return -1;
    for (size_t i = 0; i < from->axis_count; i++) {
        const struct binning_axis *old = &from->counted[i];
        const struct binning_axis *new = &to->counted[i];
        uint64_t row = spec_axis_cells(from, i) * old->stride;
        uint64_t rows = from->is_joint ? histogram->cells / row : 1;

        if (!has_moved(from, to, i))
            continue;
        for (unsigned int p = 0; p < histogram->planes; p++) {
            uint64_t *plane = histogram->value + p * histogram->cells;
            for (uint64_t r = 0; r < rows; r++) {
                for (uint64_t s = 0; s < old->stride; s++)
                    move_counts(old, new, plane + old->base + r * row + s,
                                old->stride, copy);
            }
        }
    }
    free(copy);
    return 0;
}

void
auto_range_close(struct auto_range *ranging)
{
    while (ranging->made != NULL) {
        struct auto_range_spec *made = ranging->made;
        ranging->made = made->next;
        free_spec(made);
    }
    free(ranging->extent);
    pthread_mutex_destroy(&ranging->lock);
}
