/* SPDX-License-Identifier: MIT */
/* byte_count_plan.h -- choose the frequent values to count in classes */

#ifndef GPUHIST_BYTE_COUNT_PLAN_H
#define GPUHIST_BYTE_COUNT_PLAN_H

#include <stdint.h>

#include "engine/cpu/bytes/byte_count_portable.h"

/*
 * byte_count_avx2.c, byte_count_avx512.c and byte_count_neon.c count the
 * frequent values of the data in classes of eight; all other values escape to a
 * slower form.  The values are chosen by a sample: the first bytes, and others
 * from time to time.  A plan affects the speed of counting, never the result.
 */
enum {
    COUNT_SAMPLE_BYTES = 2048,
    COUNT_CLASS_VALUES = 8,
    COUNT_CLASSES_MAX = 7,
    COUNT_RANKS_MAX = COUNT_CLASSES_MAX * COUNT_CLASS_VALUES,
};

/*
 * The cost of 64 bytes: LOOK for any classes, CLASS more for each class, ESCAPE
 * more if at least one byte escapes, ALL_ESCAPE more if all do; OTHERWISE
 * without classes.  Only the rough ratios matter.
 */
struct count_costs {
    unsigned int look;
    unsigned int class;
    unsigned int escape;
    unsigned int all_escape;
    unsigned int otherwise;
};

struct count_plan {
    unsigned char value[COUNT_RANKS_MAX]; /* by rank, the most frequent first */
    unsigned int ranks;                   /* values that have a rank */
    unsigned int classes; /* of ranks; 0: count without classes */
    unsigned int escapes; /* bytes of the sample that have no rank */
};

/* Add the bytes of the sample to BIN and make a plan for similar data. */
void count_plan_make(struct count_plan *plan, const struct count_costs *costs,
                     const unsigned char sample[COUNT_SAMPLE_BYTES],
                     uint64_t bin[BYTE_COUNT_BINS]);

#endif
