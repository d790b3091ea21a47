/* SPDX-License-Identifier: MIT */
/* axis_edges.h -- axes whose edges are listed, and --edges */

#ifndef GPUHIST_AXIS_EDGES_H
#define GPUHIST_AXIS_EDGES_H

#include <stdbool.h>
#include <stddef.h>

#include "hist/axis_parse.h"

/*
 * A rule that lists its edges remembers MAKING->edges->count, appends two or
 * more edges in ascending order, and calls axis_edges_set() with that number.
 * All return 0, or -1 with *MAKING->error set.
 */

/* Check that OPTION may append MORE edges. */
int axis_edges_check_room(const struct axis_making *making, const char *option,
                          double more);

int axis_edges_append(struct axis_making *making, double edge);

/* Whether the edges of AXIS are listed. */
bool axis_edges_are_of(const struct binning_axis *axis);

/*
 * Returns the edges of AXIS, which are listed in EDGES, as --edges takes them,
 * for free(); NULL: out of memory.
 */
char *axis_edges_text(const struct binning_axis *axis,
                      const struct axis_edges *edges);

/* Give the axis the listed edges from index TABLE to the end. */
int axis_edges_set(struct axis_making *making, size_t table);

#endif
