/* SPDX-License-Identifier: MIT */
/* samtools_inserts.h -- insert sizes of samtools stats: the section IS */

#ifndef GPUHIST_SAMTOOLS_INSERTS_H
#define GPUHIST_SAMTOOLS_INSERTS_H

#include "report/samtools_summary.h"

/* What is counted of each record of a pair. */
#define SAMTOOLS_INSERTS_FIELD "insert-size,orientation,has-bases"

/* Add histogram I of REPORT, SAMTOOLS_INSERTS_FIELD, to SUMMARY.  Returns how
   many insert sizes, from 0 on, are the bulk, which alone has a mean. */
uint64_t samtools_inserts_sum(struct samtools_summary *summary,
                              const struct report *report, size_t i);

/* Put the section: histogram I of REPORT, with the BULK of the sizes. */
void samtools_inserts_put(const struct report *report, size_t i, uint64_t bulk,
                          struct writer *out);

#endif
