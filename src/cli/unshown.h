/*
 * unshown.h -- what is counted, but no row shows, for warnings at the end
 *
 * With --per-file it is the sum of all inputs.
 */

#ifndef GPUHIST_UNSHOWN_H
#define GPUHIST_UNSHOWN_H

#include <stdint.h>

#include "hist/snapshot.h"
#include "hist/spec.h"
#include "report/report.h"

struct unshown {
    struct report_hidden hidden;
    uint64_t unweighted; /* records whose weight is missing */
    uint64_t left_out;   /* records or elements not counted, by conditions */
    uint64_t records;    /* those that are counted */
    uint64_t met;        /* the fields of conditions: see struct snapshot */

    /* Of each axis that is alone in a histogram, and has keys or numbers: the
       elements, and those without a value. */
    uint64_t elements[FIELD_LIST_MAX];
    uint64_t missing[FIELD_LIST_MAX];
};

/* Add COUNTS, whose HIDDEN values no row shows. */
void unshown_add(struct unshown *unshown, const struct snapshot *counts,
                 const struct report_hidden *hidden);

#endif
