/* SPDX-License-Identifier: MIT */
/* group_cells.h -- a table of --columns, and the cells of its lines */

#ifndef GPUHIST_GROUP_CELLS_H
#define GPUHIST_GROUP_CELLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* The groups of a table, chosen once.  All 0: not yet. */
struct group_choice {
    bool is_made;
    struct group_entries ranked; /* as in the table */
    struct group_entries last;
    struct group_figures other;
};

struct group_table {
    const struct report *report;
    const struct figures *columns;
    struct figure_choice own; /* the columns of the own field */
    bool has_searched;        /* all values are searched for some of these */
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
    bool is_borrowed; /* RANKED and LAST are those of the choice of REPORT */
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

    /* The current line.  The columns of the group in WALK.keys have labels. */
    bool is_other; /* the line for others */
    struct group_figures figures;
    struct group_entry entry; /* of a fellow: the group */
    struct group_cell *cell;  /* of each column; owned, but by a fellow */

    /* Without groups: for figures that groups do not have; owned. */
    struct stats *stats;
    bool has_stats; /* STATS is made */
};

/* Whether all values are searched for some figure of the own field of TABLE. */
bool group_cells_are_searched(const struct group_table *table);

/* Set the cells of ENTRY with figures of the own field of TABLE; NULL: of the
   line for others.  Then table->figures are the facts about it.  WALK.keys goes
   to the first row of ENTRY; its last column has another value then. */
void group_cells_set(struct group_table *table,
                     const struct group_entry *entry);

/* Set CELL to the value in ROW of TABLE, of any group. */
void group_cells_set_row(struct group_table *table, struct group_cell *cell,
                         uint64_t row);

/* Set COLUMN to figure F of TABLE for the line for others, a value. */
void group_cells_read_other(const struct group_table *table,
                            struct column *column, size_t f);

#endif
