/* SPDX-License-Identifier: MIT */
/*
 * row_group.h -- the lines of each group, for --top-each and --percent=group
 *
 * The rows of a group follow each other.  A first pass over the rows of a group
 * finds the total of the group and ranks the values; a second pass prints.
 * The memory is that of the ranking.
 */

#ifndef GPUHIST_ROW_GROUP_H
#define GPUHIST_ROW_GROUP_H

#include <stdbool.h>

#include "report/row_step.h"

/*
 * Go to the next line: the rows of a group, by count or in their order, then
 * the rows without a value, then the line for the other values of the group.
 * Groups follow in the order of their rows, or as ROWS->groups are ranked.
 * Returns false after the last group.  All groups that --top leaves out are in
 * ROWS->other.
 */
bool row_group_next(struct rows *rows);

#endif
