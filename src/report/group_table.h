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
#include "report/figure.h"
#include "report/figure_fields.h"
#include "report/group_figures.h"
#include "report/group_other.h"
#include "report/group_walk.h"
#include "report/request.h"
#include "report/rows.h"
#include "report/stats.h"

/* The printed texts of a figure, group_table_texts() of them; of a key, none:
   group_table_key(). */
struct group_cell {
    bool is_key;
    bool is_no_key; /* a key was wanted, but the group lacks values: \N */
    uint64_t row;   /* of the key; not of the line for others */
    struct label text[FIGURE_TEXTS_MAX];
};

struct group_table {
    const struct report *report;
    const struct figures *columns;
    struct figure_choice own; /* the columns of the own field */
    struct figure order;      /* of SORT_FIGURE */
    bool has_bounds;          /* values share bins */

    /* The tables of other fields, FELLOWS of them, which share the lines;
       owned. */
    struct group_table *fellow;
    size_t fellows;

    /* Of each column: the table of its field, this one or a fellow, and its
       number in own.figures of that table. */
    struct group_table *of[FIGURES_MAX];
    size_t figure_of[FIGURES_MAX];

    struct report_options plain_options;
    struct report plain; /* the report with all rows in order, for WALK */
    struct group_walk walk;

    /* If groups are ranked: the groups to print, and the next group.  In a
       fellow: the same groups, in the order of their numbers. */
    bool is_ranked;
    struct group_entries ranked;
    struct group_entries last; /* without keys */
    size_t next;

    /* No line follows from this line on if groups are ranked, else of a group
       that starts at this row or later; UINT64_MAX: all lines follow. */
    uint64_t end;

    struct group_figures other; /* facts about the groups left out ... */
    uint64_t left_out;          /* ... and the number of groups left out
                                         by --top */
    struct group_figures all;   /* facts about all groups that --top may
                                         choose */
    const struct group_other
        *values;        /* of the line for others; NULL: not known */
    uint64_t valueless; /* records of all groups without a value */

    /* The current line.  WALK.keys is on the first row of the group, with
       labels. */
    bool is_other; /* the line for others */
    struct group_figures figures;
    struct group_entry entry; /* of a fellow: the group */
    struct group_cell *cell;  /* of each column; owned, but by a fellow */

    /* Without groups: for figures that groups do not have; owned. */
    struct stats *stats;
    bool has_stats; /* STATS is made */
};

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
   cell is a key.  WALK.keys leaves the first row of the group. */
const struct column *group_table_key(struct group_table *table, size_t c);

/* Returns the name of text T of column C. */
const char *group_table_name(const struct group_table *table, size_t c,
                             size_t t);

/*
 * Count the records of REPORT that no figure shows in *HIDDEN.  Find the
 * figures of the line for others in OTHERS, one for each histogram, all 0
 * before.  Returns 0, or -1 with *ERROR set: a number is too long for a sum, or
 * memory or disk space is short.
 */
int group_table_hidden(const struct report *report,
                       struct report_hidden *hidden, struct group_other *others,
                       struct error *error);

#endif
