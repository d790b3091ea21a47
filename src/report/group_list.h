/*
 * group_list.h -- the groups of a histogram, to rank them by their totals
 *
 * Rows with the same group follow each other.  Groups whose fields are all
 * missing are left out: they are not ranked.
 */

#ifndef GPUHIST_GROUP_LIST_H
#define GPUHIST_GROUP_LIST_H

#include <stdint.h>

#include "hist/histogram.h"

struct group_list {
    uint64_t count;
    uint64_t *first;        /* the first row of each group that is shown */
    uint64_t *rows;         /* number of rows from there to the last one */
    struct histogram total; /* a cell for each group */
};

#endif
