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
    uint64_t records;
    uint64_t unweighted;             /* their weight is missing */
    uint64_t missing[SPEC_AXES_MAX]; /* the key of this axis is missing */
};

/* Add COUNTS, whose HIDDEN values no row shows. */
void unshown_add(struct unshown *unshown, const struct snapshot *counts,
                 const struct report_hidden *hidden);

#endif
