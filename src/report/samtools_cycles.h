/* SPDX-License-Identifier: MIT */
/*
 * samtools_cycles.h -- qualities and bases by cycle of samtools stats: the
 * sections FFQ and LFQ; GCC, GCT, FBC, FTC, LBC and LTC
 */

#ifndef GPUHIST_SAMTOOLS_CYCLES_H
#define GPUHIST_SAMTOOLS_CYCLES_H

#include "report/samtools_summary.h"

/* What is counted of each base. */
#define SAMTOOLS_QUALITIES_FIELD "position,quality,flag"
#define SAMTOOLS_BASES_FIELD "position,base,flag"

struct samtools_qualities {
    uint64_t sum;
    unsigned int most; /* the greatest one */
};

/* Read histogram I of REPORT, SAMTOOLS_QUALITIES_FIELD. */
void samtools_qualities_read(struct samtools_qualities *qualities,
                             const struct report *report, size_t i);

/* Put the sections of qualities: histogram I of REPORT, and SUMMARY with the
   longest reads. */
void samtools_qualities_put(const struct samtools_qualities *qualities,
                            const struct samtools_summary *summary,
                            const struct report *report, size_t i,
                            struct writer *out);

/* Put the sections of bases: histogram I of REPORT, SAMTOOLS_BASES_FIELD. */
void samtools_bases_put(const struct report *report, size_t i,
                        struct writer *out);

#endif
