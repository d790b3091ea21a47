/* SPDX-License-Identifier: MIT */
/* group_walk.h -- walk over the rows of --columns, group by group */

#ifndef GPUHIST_GROUP_WALK_H
#define GPUHIST_GROUP_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/group_figures.h"
#include "report/rows.h"

/* A group in the ranking. */
struct group_entry {
    uint64_t number; /* among all groups in the order of their keys, from 0 */
    uint64_t first;  /* the rows of the group */
    uint64_t rows;
    uint64_t count;          /* of values, or of records: walk.counts_records */
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
    bool has_values;           /* a column of values follows the groups;
                                  otherwise each row is a group */
    bool counts_records;       /* groups are ordered by their records */
    struct group_figures none; /* facts about no rows, with the needs */

    /* The exact sums of all values, without groups; NULL: the rows have all
       values. */
    const struct exact_sums *sums;

    /* All rows in their order; on the first row of the next group ... */
    struct rows rows;
    bool has_row;  /* ... if there is one */
    bool has_line; /* a group was returned */
    uint64_t met;  /* the groups returned so far */

    struct rows keys; /* the same rows, for random access */

    /* The row of a number too long for the wanted sum, or NO_ROW. */
    uint64_t wrong_row;
};

/* The column of the values; the columns before are groups. */
const struct column *group_walk_values(const struct rows *rows);

/* Go to the next row of the current group of ROWS.  Returns false at the end of
   the group. */
bool group_walk_next_row(const struct group_walk *walk, struct rows *rows);

/* Start again with the first group. */
void group_walk_restart(struct group_walk *walk);

/* Start with the first group that starts at ROW or later. WALK has groups. */
void group_walk_start(struct group_walk *walk, uint64_t row);

/* Returns how many of THREADS threads the rows are enough for: 1 to
   CREW_MAX. */
unsigned int group_walk_parts(const struct group_walk *walk,
                              unsigned int threads);

/* Returns the first row of part P of PARTS; after the last part, a row after
   all rows.  A group belongs to the part of its first row. */
uint64_t group_walk_part(const struct group_walk *walk, unsigned int parts,
                         unsigned int p);

/* Whether a next group starts before row END. */
bool group_walk_starts_before(const struct group_walk *walk, uint64_t end);

/* Set *ENTRY to the next group in the order of keys, without the rank, and
   *FIGURES to the facts about the group.  Returns false at the end. */
bool group_walk_next(struct group_walk *walk, struct group_entry *entry,
                     bool *is_last, struct group_figures *figures);

/* Walk over the groups that start before row END, for WRONG_ROW.  Returns the
   number of their records without a value. */
uint64_t group_walk_check(struct group_walk *walk, uint64_t end);

/* Collect the facts about ENTRY in *FIGURES once more. */
void group_walk_again(struct group_walk *walk, const struct group_entry *entry,
                      struct group_figures *figures);

/*
 * Find the figures that need all values, of the COUNT figures at FIGURE, in the
 * group ENTRY with the facts ALL.  VALUE[C] becomes figure C, of FIGURE_NONE if
 * the group lacks the figure or the figure does not need all values.
 */
void group_walk_find(struct group_walk *walk, const struct group_entry *entry,
                     const struct group_figures *all,
                     const struct figure *figure, size_t count,
                     struct figure_value *value);

#endif
