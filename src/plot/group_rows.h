/* SPDX-License-Identifier: MIT */
/*
 * group_rows.h -- the groups of a scene: a row of numbers for each
 *
 * The greatest groups have a row, as --top chooses them for tables.  Groups
 * without a key follow, then a row for the other groups.  Tuples that
 * --min-count leaves out of tables are added to the other groups; a group of
 * such tuples alone has no row.  All rows share one axis.
 */

#ifndef GPUHIST_GROUP_ROWS_H
#define GPUHIST_GROUP_ROWS_H

#include "plot/scene.h"

/*
 * Choose the groups of SCENE: those of subject->top, or at most MOST rows; more
 * if groups lack a key and MOST is less than 4.  Makes the bands of axis 1 and
 * their totals.  The first cell of a band is a tuple of the group.  Returns 0,
 * or -1: out of memory.
 */
int group_rows_choose(struct scene *scene, size_t most);

/*
 * Cut axis 0, the numbers in the rows, into at most MOST bands, as band_cut()
 * does, and add up the amounts.  An axis without bins gets the bins of
 * number_bins.h.  Returns 0, or -1: out of memory.
 */
int group_rows_cut(struct scene *scene, size_t most);

/* The most bars in a row of pairs. */
#define GROUP_PAIRS_MAX 16

/*
 * Make SCENE, of keys in groups, a scene of pairs, with at most MOST[0] rows of
 * MOST[1] bars: axis 0 has a band for each key.  The first cell of a band is a
 * tuple with the key.  Leaves SCENE as it is if there are more keys, or less
 * than two keys or groups.  Returns 0, or -1: out of memory.
 */
int group_rows_make_pairs(struct scene *scene,
                          const size_t most[SCENE_AXES_MAX]);

#endif
