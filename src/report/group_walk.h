/* group_walk.h -- walk over the rows of --columns, group by group */

#ifndef GPUHIST_GROUP_WALK_H
#define GPUHIST_GROUP_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/group_figures.h"
#include "report/rows.h"

/* A group that is ranked. */
struct group_entry {
    uint64_t first; /* its rows */
    uint64_t rows;
    uint64_t count;
    struct figure_rank rank; /* in the wanted order */
};

/* Groups in an order. */
struct group_entries {
    struct group_entry *entry; /* owned: free() */
    size_t count;
    size_t room;
};

/* No row. */
#define GROUP_WALK_NO_ROW UINT64_MAX

struct group_walk {
    size_t groups;             /* columns of a group */
    bool has_values;           /* a column of values follows them; if not, each
                                  row is a group */
    struct group_figures none; /* of no rows: what is wanted */

    /* All rows in their order; ROWS is on the first one of the next group. */
    struct rows rows;
    bool has_row;  /* ... if there is one */
    bool has_line; /* a group has been there */

    struct rows keys; /* the same rows, to look at any of them */

    /* The row of a number that is no addend, but should be; or none. */
    uint64_t wrong_row;
};

/* The column of the values; those before it are groups. */
const struct column *group_walk_values(const struct rows *rows);

/* Go to the next row of the group that ROWS, of WALK, is in.  Returns false at
   the end. */
bool group_walk_next_row(const struct group_walk *walk, struct rows *rows);

/* Start again with the first group. */
void group_walk_restart(struct group_walk *walk);

/* Start with the first group that starts at ROW or later; there are groups. */
void group_walk_start(struct group_walk *walk, uint64_t row);

/* Returns how many of THREADS threads the rows are enough for: 1 to
   CREW_MAX. */
unsigned int group_walk_parts(const struct group_walk *walk,
                              unsigned int threads);

/* Returns the row that part P of PARTS starts at; after the last part, one
   after all rows.  A group belongs to the part that its first row is in. */
uint64_t group_walk_part(const struct group_walk *walk, unsigned int parts,
                         unsigned int p);

/* Whether there is a next group, and it starts before row END. */
bool group_walk_starts_before(const struct group_walk *walk, uint64_t end);

/*
 * Set *ENTRY, but for its rank, to the next group in the order of keys, and
 * *FIGURES to what is known of it.  Returns false at the end.
 */
bool group_walk_next(struct group_walk *walk, struct group_entry *entry,
                     bool *is_last, struct group_figures *figures);

/* Make *FIGURES again those of ENTRY. */
void group_walk_again(struct group_walk *walk, const struct group_entry *entry,
                      struct group_figures *figures);

/*
 * Set ROW[C] for each of the COUNT figures at FIGURE that needs the order of
 * values to the row of the figure, in the group ENTRY, which has values: ALL is
 * known of them.  If the group has no such figure, ROW[C] stays.
 */
void group_walk_find(struct group_walk *walk, const struct group_entry *entry,
                     const struct group_figures *all,
                     const struct figure *figure, size_t count, uint64_t *row);

#endif
