/* svg_groups.h -- groups as SVG: a small histogram for each */

#ifndef GPUHIST_SVG_GROUPS_H
#define GPUHIST_SVG_GROUPS_H

#include <stddef.h>
#include <stdio.h>

#include "plot/scene.h"

/* The most groups, unless --top asks for more. */
#define SVG_GROUPS_MOST 24

/* The height of the scene of histogram I of SUBJECT, which
   group_rows_are_for(). */
double svg_groups_height(const struct scene_subject *subject, size_t i);

/*
 * Draw a grid of these histograms from TOP on: each has the same axis of
 * numbers, a scale of its own, and the name and the amount of its group above.
 * Returns 0, or -1: out of memory.
 */
int svg_groups_put(FILE *out, const struct scene_subject *subject, size_t i,
                   double top);

#endif
