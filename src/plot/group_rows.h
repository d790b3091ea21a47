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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "plot/band.h"
#include "plot/subject.h"

struct group_rows {
    const struct scene_subject *subject;
    size_t histogram;
    uint64_t occurring;     /* groups with a key */
    uint64_t shown;         /* groups with a key and a row */
    struct histogram total; /* a cell for each row */
    uint32_t *row;          /* of each group, in their order */
    uint32_t rest;          /* the row of the rest */
};

/* Whether histogram I of SPEC has groups, and in each of them numbers. */
bool group_rows_are_for(const struct spec *spec, size_t i);

/*
 * Returns the number of rows of histogram I: those of subject->top, or at most
 * MOST; more if there are groups without a key and MOST is less than 4.
 */
size_t group_rows_count(const struct scene_subject *subject, size_t i,
                        size_t most);

/*
 * Choose the groups of histogram I, and set the bands of AXIS to their rows; a
 * row's first cell is a tuple of its group.  Returns 0, or -1: out of memory.
 * The caller calls group_rows_close(), and free() for axis->band, in both
 * cases.
 */
int group_rows_open(struct group_rows *rows, struct band_axis *axis,
                    const struct scene_subject *subject, size_t i, size_t most);

/*
 * Cut AXIS, that of the numbers in ROWS, into at most MOST bands, as
 * band_cut() does.  If it has no bins, it becomes *MADE, which must outlive it,
 * with those of number_bins.h.  Opens AMOUNTS with a cell for band x in row y:
 * y * axis->bands + x.  Returns 0, or -1: out of memory.
 */
int group_rows_cut(const struct group_rows *rows, struct band_axis *axis,
                   struct binning_axis *made, struct histogram *amounts,
                   size_t most);

void group_rows_close(struct group_rows *rows);

#endif
