/* SPDX-License-Identifier: MIT */
/* samtools_indels.h -- insertions and deletions of samtools stats: the sections
   ID and IC */

#ifndef GPUHIST_SAMTOOLS_INDELS_H
#define GPUHIST_SAMTOOLS_INDELS_H

#include "report/samtools_summary.h"

/* What is counted of each operation of a CIGAR string. */
#define SAMTOOLS_OPERATIONS_FIELD \
    "cigar-cycle,cigar-ops,cigar-length,flag,has-bases"

/* Add histogram I of REPORT, SAMTOOLS_OPERATIONS_FIELD, to SUMMARY. */
void samtools_indels_sum(struct samtools_summary *summary,
                         const struct report *report, size_t i);

/* Put the sections: histogram I of REPORT. */
void samtools_indels_put(const struct report *report, size_t i,
                         struct writer *out);

#endif
