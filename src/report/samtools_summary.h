/* SPDX-License-Identifier: MIT */
/*
 * samtools_summary.h -- the section SN of samtools stats
 *
 * The numbers are found section by section; each function of samtools_*.h that
 * reads a histogram sets those that it finds there.
 */

#ifndef GPUHIST_SAMTOOLS_SUMMARY_H
#define GPUHIST_SAMTOOLS_SUMMARY_H

#include "base/writer.h"
#include "report/request.h"

/* The lines, in their order. */
enum samtools_line {
    SAMTOOLS_RAW,
    SAMTOOLS_FILTERED,
    SAMTOOLS_SEQUENCES,
    SAMTOOLS_SORTED,
    SAMTOOLS_FIRSTS,
    SAMTOOLS_LASTS,
    SAMTOOLS_MAPPED,
    SAMTOOLS_MAPPED_PAIRED,
    SAMTOOLS_UNMAPPED,
    SAMTOOLS_PROPER,
    SAMTOOLS_PAIRED,
    SAMTOOLS_DUPLICATED,
    SAMTOOLS_MQ0,
    SAMTOOLS_QC_FAILED,
    SAMTOOLS_SECONDARY,
    SAMTOOLS_SUPPLEMENTARY,
    SAMTOOLS_LENGTH,
    SAMTOOLS_FIRST_LENGTH,
    SAMTOOLS_LAST_LENGTH,
    SAMTOOLS_BASES_MAPPED,
    SAMTOOLS_BASES_CIGAR,
    SAMTOOLS_BASES_TRIMMED,
    SAMTOOLS_BASES_DUPLICATED,
    SAMTOOLS_MISMATCHES,
    SAMTOOLS_ERROR_RATE,
    SAMTOOLS_AVERAGE_LENGTH,
    SAMTOOLS_AVERAGE_FIRST,
    SAMTOOLS_AVERAGE_LAST,
    SAMTOOLS_LONGEST,
    SAMTOOLS_LONGEST_FIRST,
    SAMTOOLS_LONGEST_LAST,
    SAMTOOLS_AVERAGE_QUALITY,
    SAMTOOLS_INSERT_AVERAGE,
    SAMTOOLS_INSERT_DEVIATION,
    SAMTOOLS_INWARD,
    SAMTOOLS_OUTWARD,
    SAMTOOLS_OTHER_PAIRS,
    SAMTOOLS_ELSEWHERE,
    SAMTOOLS_PERCENT_PROPER,
    SAMTOOLS_LINES
};

/* All 0 at first. */
struct samtools_summary {
    uint64_t count[SAMTOOLS_LINES]; /* of lines with whole numbers */
    double real[SAMTOOLS_LINES];    /* of the others */
};

/* Put the section of SUMMARY, whose counts and insert sizes are set, with the
   sum of QUALITIES. */
void samtools_summary_put(struct samtools_summary *summary, uint64_t qualities,
                          struct writer *out);

#endif
