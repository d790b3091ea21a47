/* SPDX-License-Identifier: MIT */
/*
 * group_table.h -- the lines of --columns, one for each group
 *
 *     group_table_open(&table, report, i, error);
 *     while (group_table_next(&table))
 *         ... print the keys of the group, and the cells ...
 *     group_table_close(&table);
 *
 * Groups are in the order of their keys, or by a column, the greatest first;
 * equal groups ascend by their keys.  --top=N keeps the N groups with the
 * greatest figure of the order; if the order is by keys, those with the
 * greatest counts.  --min-count leaves groups out before --top chooses.  Groups
 * without any key follow, whatever their figures are, then the line for others.
 *
 * If figures name their fields, the only table has the groups of one field, the
 * lead, and a fellow for each other field: a table with the same groups, since
 * each record counts in each histogram.
 */

#ifndef GPUHIST_GROUP_TABLE_H
#define GPUHIST_GROUP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "report/group_cells.h"
#include "report/group_other.h"
#include "report/request.h"

/*
 * Start table I of REPORT, of histogram I unless figures name their fields.
 * REPORT must outlive TABLE, and TABLE must not move.  Returns 0, or -1 with
 * *ERROR set.  The caller calls group_table_close() in both cases.
 */
int group_table_open(struct group_table *table, const struct report *report,
                     size_t i, struct error *error);

/* Go to the next line.  Returns false at the end. */
bool group_table_next(struct group_table *table);

/* Start again with the first line. */
void group_table_restart(struct group_table *table);

/*
 * Returns where the next line is that group_table_next() goes to, and how many
 * lines or rows there are: what group_table_cut() takes, if the table has
 * groups and no fellow.
 */
uint64_t group_table_place(const struct group_table *table, uint64_t *most);

/* Let the lines from FIRST up to END, places, be those that follow. */
void group_table_cut(struct group_table *table, uint64_t first, uint64_t end);

void group_table_close(struct group_table *table);

/* Returns how many texts, printed columns, column C of TABLE has: several for
   edges and bounds. */
size_t group_table_texts(const struct group_table *table, size_t c);

/* Returns a column on the key of cell C, with labels, until the next call.  The
   cell is a key.  WALK.keys leaves the group. */
const struct column *group_table_key(struct group_table *table, size_t c);

/* Returns the name of text T of column C. */
const char *group_table_name(const struct group_table *table, size_t c,
                             size_t t);

/*
 * Count the records of REPORT that no figure shows in *HIDDEN.  Find the
 * figures of the line for others in OTHERS, one for each histogram, and the
 * groups to print in CHOICES, one for each table, all 0 before; the caller
 * calls group_choice_close().  Returns 0, or -1 with *ERROR set: a number is
 * too long for a sum, or memory or disk space is short.
 */
int group_table_hidden(const struct report *report,
                       struct report_hidden *hidden, struct group_other *others,
                       struct group_choice *choices, struct error *error);

void group_choice_close(struct group_choice *choice);

#endif
