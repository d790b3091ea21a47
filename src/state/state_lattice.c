/* SPDX-License-Identifier: MIT */
/* state_lattice.c -- lattices as whole numbers, and how they are joined */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "hist/lattice.h"
#include "state/state_lattice.h"

/* All edges are below 2^53 times the width; a line is shorter than
   LINE_BYTES. */
#define FIRST_MAX ((int64_t)1 << 53)
#define EXPONENT_MIN (-1022)
#define EXPONENT_MAX 1020
#define LINE_BYTES 96

struct state_lattice
state_lattice_of(const struct binning_axis *axis, uint64_t used)
{
    int exponent = ilogb(axis->width);

    return (struct state_lattice){
        .exponent = exponent,
        .first = (int64_t)ldexp(axis->lo, -exponent),
        .used = used,
    };
}

void
state_lattice_set(struct binning_axis *axis,
                  const struct state_lattice *lattice)
{
    int exponent = lattice->exponent;

    if (lattice->used == 0) {
        lattice_set(axis, &extent_none);
        return;
    }
    axis->width = ldexp(1, exponent);
    axis->lo = ldexp((double)lattice->first, exponent);
    axis->hi = ldexp((double)(lattice->first + (int64_t)axis->bins), exponent);
    axis->scale = ldexp(1, -exponent);
}

/* The numbers of the first and the last used bin in a lattice of 2^EXPONENT. */
static void
widen(const struct state_lattice *lattice, int exponent, int64_t *first,
      int64_t *last)
{
    int growth = exponent - lattice->exponent;

    growth = growth < 63 ? growth : 63;
    *first = lattice->first >> growth;
    *last = (lattice->first + (int64_t)lattice->used - 1) >> growth;
}

void
state_lattice_join(struct state_lattice *lattice,
                   const struct state_lattice *more, uint64_t bins)
{
    int exponent =
        lattice->exponent > more->exponent ? lattice->exponent : more->exponent;
    int64_t first;
    int64_t last;
    int64_t least;
    int64_t greatest;

    if (more->used == 0)
        return;
    if (lattice->used == 0) {
        *lattice = *more;
        return;
    }
    widen(lattice, exponent, &first, &last);
    widen(more, exponent, &least, &greatest);
    first = least < first ? least : first;
    last = greatest > last ? greatest : last;
    for (; (uint64_t)(last - first) >= bins; exponent++) {
        first >>= 1;
        last >>= 1;
    }
    *lattice = (struct state_lattice){
        .exponent = exponent,
        .first = first,
        .used = (uint64_t)(last - first) + 1,
    };
}

int
state_lattice_describe(size_t i, const struct state_lattice *lattice,
                       struct state_lines *lines)
{
    char text[LINE_BYTES];
    int size;

    if (lattice->used == 0)
        size = snprintf(text, sizeof text, "%zu\tnone", i + 1);
    else
        size = snprintf(text, sizeof text, "%zu\t%d\t%lld\t%llu", i + 1,
                        lattice->exponent, (long long)lattice->first,
                        (unsigned long long)lattice->used);
    return state_lines_add(lines, text, (size_t)size);
}

/* Whether AXIS may have LATTICE. */
static bool
is_possible(const struct binning_axis *axis,
            const struct state_lattice *lattice)
{
    int least = binning_is_float(axis->type) ? EXPONENT_MIN : 0;

    if (lattice->used == 0)
        return true;
    return lattice->exponent >= least && lattice->exponent <= EXPONENT_MAX &&
           lattice->first >= -FIRST_MAX && lattice->first <= FIRST_MAX &&
           lattice->used <= axis->bins &&
           isfinite(ldexp((double)(lattice->first + (int64_t)axis->bins),
                          lattice->exponent)) &&
           isfinite(ldexp((double)lattice->first, lattice->exponent));
}

/* Set LATTICE from the line of axis I.  Returns 0, or -1. */
static int
read_line(const struct state_lines *lines, size_t line, size_t i,
          struct state_lattice *lattice)
{
    char text[LINE_BYTES];
    char again[LINE_BYTES];
    long long first;
    unsigned long long used;
    size_t size;
    const char *from;

    *lattice = (struct state_lattice){0};
    if (line >= lines->count)
        return -1;
    from = state_lines_at(lines, line, &size);
    snprintf(text, sizeof text, "%.*s",
             size < sizeof text ? (int)size : (int)sizeof text - 1, from);
    snprintf(again, sizeof again, "%zu\tnone", i + 1);
    if (strcmp(text, again) == 0)
        return 0;
    if (sscanf(text, "%*u\t%9d\t%18lld\t%18llu", &lattice->exponent, &first,
               &used) != 3)
        return -1;
    lattice->first = first;
    lattice->used = used;
    snprintf(again, sizeof again, "%zu\t%d\t%lld\t%llu", i + 1,
             lattice->exponent, first, used);
    return strcmp(text, again) == 0 && used > 0 ? 0 : -1;
}

int
state_lattice_read(const struct spec *spec, const struct state_lines *lines,
                   struct state_lattice *lattice)
{
    size_t line = 0;

    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (axis->is_auto && (read_line(lines, line++, i, &lattice[i]) < 0 ||
                              !is_possible(axis, &lattice[i])))
            return -1;
    }
    return line == lines->count ? 0 : -1;
}
