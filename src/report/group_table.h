/*
 * group_table.h -- the lines of --columns, one for each group
 *
 *     group_table_open(&table, report, i, error);
 *     while (group_table_next(&table))
 *         ... print the keys of the group, and the cells ...
 *     group_table_close(&table);
 *
 * Groups are in the order of their keys, or by a column, the greatest first;
 * equal ones ascend by their keys.  --top=N keeps the N greatest by the column
 * that orders them, or by their counts if keys do.  --min-count leaves groups
 * out before that.  Groups whose keys are all missing come behind the others,
 * whatever their figures are, and then a line for the rest.
 */

#ifndef GPUHIST_GROUP_TABLE_H
#define GPUHIST_GROUP_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "report/figure.h"
#include "report/group_figures.h"
#include "report/group_other.h"
#include "report/group_walk.h"
#include "report/request.h"
#include "report/rows.h"

/* A figure as it is printed; of a bin also its upper edge. */
struct group_cell {
    char lo[DECIMAL_SUM_TEXT_BYTES];
    size_t lo_size;
    char hi[DECIMAL_SUM_TEXT_BYTES];
    size_t hi_size;
};

struct group_table {
    const struct report *report;
    const struct figures *columns;
    bool has_bounds; /* figures that are values have two edges */

    struct report_options plain_options;
    struct report plain; /* of which WALK has the rows, in their order */
    struct group_walk walk;

    /* If groups are ranked: those to print, and the next one of them. */
    bool is_ranked;
    struct group_entries ranked;
    struct group_entries last; /* without keys */
    size_t next;
    struct group_figures other;       /* of the groups that are left out ... */
    uint64_t left_out;                /* ... by --top, and how many these are */
    struct group_figures all;         /* with --top: of those it may choose */
    const struct group_other *values; /* of the rest; NULL: not known */
    uint64_t valueless; /* records of all groups without a value */

    /* The current line; WALK.keys is on the first row of the group, and its
       labels are set. */
    bool is_other; /* the line for the rest */
    struct group_figures figures;
    struct group_cell *cell; /* of each column; owned */
};

/* Start the lines of histogram I of REPORT, which TABLE must not outlive; TABLE
   must not move.  Returns 0, or -1 with *ERROR set.  The caller calls
   group_table_close() in both cases. */
int group_table_open(struct group_table *table, const struct report *report,
                     size_t i, struct error *error);

/* Go to the next line.  Returns false at the end. */
bool group_table_next(struct group_table *table);

void group_table_close(struct group_table *table);

/* Whether column C of TABLE has two edges. */
bool group_table_has_edges(const struct group_table *table, size_t c);

/* Write the name of column C to NAME; IS_HI: of its upper edges.  Returns
   NAME. */
const char *group_table_name(const struct group_table *table, size_t c,
                             bool is_hi, char name[FIGURE_NAME_BYTES]);

/*
 * Set *HIDDEN to the records of REPORT that no figure shows, and those members
 * of OTHERS, one for each histogram and all 0, that have something to show.
 * Returns 0, or -1 with *ERROR set: a number is no addend, or values do not
 * find room.
 */
int group_table_hidden(const struct report *report,
                       struct report_hidden *hidden, struct group_other *others,
                       struct error *error);

#endif
