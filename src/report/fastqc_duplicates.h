/* SPDX-License-Identifier: MIT */
/*
 * fastqc_duplicates.h -- reads that start with the same bases
 *
 * Reads with the same first 50 bases, or with the same bases if there are
 * fewer, are duplicates.  FastQC looks for duplicates of the first 100,000
 * different reads, and extrapolates; here they are found among all reads.
 */

#ifndef GPUHIST_FASTQC_DUPLICATES_H
#define GPUHIST_FASTQC_DUPLICATES_H

#include <stddef.h>
#include <stdint.h>

#include "report/fastqc_text.h"
#include "report/request.h"

/* The list of the histogram. */
#define FASTQC_DUPLICATES_FIELD "sequence:prefix=50"

/* A sequence is overrepresented if more than one of a thousand reads has it: so
   there are fewer than a thousand. */
#define FASTQC_OVERREPRESENTED_MAX 999

/* How many reads have the same sequence: 1 to 9, from 10, 51, 101, 501, 1001,
   5001 and 10,001 on. */
#define FASTQC_LEVELS 16

struct fastqc_overrepresented {
    uint64_t row; /* of the histogram */
    uint64_t count;
};

struct fastqc_duplicates {
    uint64_t reads;
    uint64_t different;
    uint64_t level[FASTQC_LEVELS]; /* reads at each level */
    struct fastqc_overrepresented frequent[FASTQC_OVERREPRESENTED_MAX];
    size_t frequents; /* in FREQUENT, the most frequent one first */
};

/* Read histogram I of REPORT, the first bases of READS reads. */
void fastqc_duplicates_read(struct fastqc_duplicates *duplicates,
                            uint64_t reads, const struct report *report,
                            size_t i);

/* Put a module each; I as above. */
void fastqc_duplicates_put_levels(const struct fastqc_duplicates *duplicates,
                                  struct writer *out);
void fastqc_duplicates_put_frequent(const struct fastqc_duplicates *duplicates,
                                    const struct report *report, size_t i,
                                    struct writer *out);

#endif
