/* SPDX-License-Identifier: MIT */
/*
 * samtools_reads.h -- records, lengths and GC of samtools stats: the sections
 * GCF, GCL, RL, FRL, LRL and MAPQ
 */

#ifndef GPUHIST_SAMTOOLS_READS_H
#define GPUHIST_SAMTOOLS_READS_H

#include "report/samtools_summary.h"

/* What is counted of each record, and of its GC, and of its mismatches. */
#define SAMTOOLS_RECORDS_FIELD \
    "full-length,flag,length,mapq,mate-elsewhere,out-of-order"
#define SAMTOOLS_GC_FIELD "length,gc,flag"
#define SAMTOOLS_DISTANCES_FIELD "edit-distance,flag,has-bases"

/* Add histogram I of REPORT, SAMTOOLS_RECORDS_FIELD, to SUMMARY. */
void samtools_reads_sum(struct samtools_summary *summary,
                        const struct report *report, size_t i);

/* Add histogram I of REPORT, SAMTOOLS_DISTANCES_FIELD, to SUMMARY. */
void samtools_reads_sum_distances(struct samtools_summary *summary,
                                  const struct report *report, size_t i);

/* Put the sections of GC: histogram I of REPORT, SAMTOOLS_GC_FIELD. */
void samtools_reads_put_gc(const struct report *report, size_t i,
                           struct writer *out);

/* Put the sections of lengths: histogram I of REPORT,
   SAMTOOLS_RECORDS_FIELD. */
void samtools_reads_put_lengths(const struct report *report, size_t i,
                                struct writer *out);

/* Put the section of mapping qualities: histogram I of REPORT,
   SAMTOOLS_RECORDS_FIELD. */
void samtools_reads_put_mapqs(const struct report *report, size_t i,
                              struct writer *out);

#endif
