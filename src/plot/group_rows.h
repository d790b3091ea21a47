/*
 * group_rows.h -- the groups that a scene shows: a row of numbers for each
 *
 * The greatest groups have a row, as --top chooses them for tables.  Those
 * without a key follow them, and then a row for the rest.  What --min-count
 * leaves out of tables is in the rest, too, and a group of which nothing else
 * is there has no row.  All rows have the same axis.
 */

#ifndef GPUHIST_GROUP_ROWS_H
#define GPUHIST_GROUP_ROWS_H

#include "plot/scene.h"

/*
 * Choose the groups of SCENE: those of subject->top, or at most MOST rows; more
 * if there are groups without a key and MOST is less than 4.  Makes the bands
 * of axis 1, whose first cell is a tuple of their group, and their totals.
 * Returns 0, or -1: out of memory.
 */
int group_rows_choose(struct scene *scene, size_t most);

/*
 * Cut axis 0, that of the numbers in the rows, into at most MOST bands, as
 * band_cut() does, and add up their amounts.  An axis without bins gets those
 * of number_bins.h.  Returns 0, or -1: out of memory.
 */
int group_rows_cut(struct scene *scene, size_t most);

#endif
