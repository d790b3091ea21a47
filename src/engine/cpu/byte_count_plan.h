/* byte_count_plan.h -- which values are frequent, and worth a look for each */

#ifndef GPUHIST_BYTE_COUNT_PLAN_H
#define GPUHIST_BYTE_COUNT_PLAN_H

#include <stdint.h>

#include "engine/cpu/byte_count_portable.h"

/*
 * byte_count_avx2.c and byte_count_avx512.c look for the frequent values of
 * the data, in groups of eight, and let all others escape to a slower form.
 * The first bytes, and some more from time to time, are a sample by which
 * these values are chosen.  A plan decides how long counting takes, never what
 * comes out.
 */
enum {
    COUNT_SAMPLE_BYTES = 2048,
    COUNT_GROUP_VALUES = 8,
    COUNT_GROUPS_MAX = 7,
    COUNT_RANKS_MAX = COUNT_GROUPS_MAX * COUNT_GROUP_VALUES,
};

/*
 * What 64 bytes cost: to look for no group, for each group, and when at least
 * one byte escapes; when all of them escape; and without looking.  Only the
 * ratios matter, and no more than roughly.
 */
struct count_costs {
    unsigned int look;
    unsigned int group;
    unsigned int escape;
    unsigned int all_escape;
    unsigned int otherwise;
};

struct count_plan {
    unsigned char value[COUNT_RANKS_MAX]; /* by rank, the most frequent first */
    unsigned int ranks;
    unsigned int groups;  /* for the ranks; 0: do not look for values */
    unsigned int escapes; /* how many bytes of the sample have no rank */
};

/* Add the bytes of the sample to BIN and plan for more like them. */
void count_plan_make(struct count_plan *plan, const struct count_costs *costs,
                     const unsigned char sample[COUNT_SAMPLE_BYTES],
                     uint64_t bin[BYTE_COUNT_BINS]);

#endif
