/* SPDX-License-Identifier: MIT */
/* auto_range.c -- axes whose range is found while counting (--range=auto) */

#include <stdlib.h>

#include "engine/cpu/cells/bin_row.h"
#include "run/auto_range.h"

struct auto_range_spec {
    struct spec spec; /* of spec_copy_axes() */
    struct auto_range_spec *next;
};

static void
free_spec(struct auto_range_spec *made)
{
    spec_close_axes(&made->spec);
    free(made);
}

/* Returns a copy of SPEC with its own axes, or NULL: out of memory. */
static struct auto_range_spec *
copy_spec(const struct spec *spec)
{
    struct auto_range_spec *made = calloc(1, sizeof *made);

    if (made == NULL)
        return NULL;
    if (spec_copy_axes(&made->spec, spec) < 0) {
        free(made);
        return NULL;
    }
    made->spec.generation = spec->generation + 1;
    return made;
}

/* Make a new current spec from the extents.  Under the lock.  0, or -1. */
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
    ranging->extremes = calloc(spec->axis_count, sizeof *ranging->extremes);
    if (ranging->extent == NULL || ranging->extremes == NULL)
        return -1;
    for (size_t i = 0; i < spec->axis_count; i++)
        ranging->extent[i] = extent_none;
    /* From now on every growing axis has a lattice, if only of no values. */
    int result = spec->grows ? renew(ranging) : 0;
    ranging->start = ranging->current;
    return result;
}

/* Free the specs made after UNTIL. */
static void
free_made(struct auto_range *ranging, const struct spec *until)
{
    while (ranging->made != NULL && &ranging->made->spec != until) {
        struct auto_range_spec *made = ranging->made;
        ranging->made = made->next;
        free_spec(made);
    }
}

void
auto_range_restart(struct auto_range *ranging, bool keeps_specs)
{
    pthread_mutex_lock(&ranging->lock);
    if (!keeps_specs)
        free_made(ranging, ranging->start);
    ranging->current = ranging->start;
    for (size_t i = 0; i < ranging->first->axis_count; i++) {
        ranging->extent[i] = extent_none;
        ranging->extremes[i] = (struct extremes){0};
    }
    pthread_mutex_unlock(&ranging->lock);
}

/* Widen the lattice of axis I to hold EXTENT.  Returns 0, or -1: no memory. */
static int
include(struct auto_range *ranging, size_t i, const struct extent *extent)
{
    struct extent *sum = &ranging->extent[i];
    int result = 0;

    pthread_mutex_lock(&ranging->lock);
    struct binning_axis axis = ranging->current->counted[i];
    extent_join(sum, extent);
    lattice_set(&axis, sum);
    if (!lattice_is_same(&axis, &ranging->current->counted[i]))
        result = renew(ranging);
    pthread_mutex_unlock(&ranging->lock);
    return result;
}

/* Widen the extremes of all axes. */
static void
widen_extremes(struct auto_range *ranging, const unsigned char *data,
               size_t size)
{
    const struct spec *spec = ranging->first;

    for (size_t i = 0; i < spec->axis_count; i++) {
        struct extremes extremes = {0};

        if (!spec_finds_extremes(spec, i))
            continue;
        extremes_widen(&extremes, &spec->shown[i], data, size,
                       spec->record.bytes);
        pthread_mutex_lock(&ranging->lock);
        extremes_join(&ranging->extremes[i], &extremes);
        pthread_mutex_unlock(&ranging->lock);
    }
}

const struct spec *
auto_range_extend(struct auto_range *ranging, const unsigned char *data,
                  size_t size)
{
    const struct spec *spec = ranging->first;

    widen_extremes(ranging, data, size);
    if (!spec->grows)
        return spec;
    for (size_t i = 0; i < spec->axis_count; i++) {
        struct extent extent = extent_none;

        if (!spec_grows(spec, i))
            continue;
        bin_row_widen(&extent, &spec->counted[i], data, size,
                      spec->record.bytes);
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

void
auto_range_close(struct auto_range *ranging)
{
    free_made(ranging, NULL);
    free(ranging->extent);
    free(ranging->extremes);
    pthread_mutex_destroy(&ranging->lock);
}
