/* SPDX-License-Identifier: MIT */
/*
 * format_samtools_stats.c -- what samtools stats prints, which MultiQC and
 * plot-bamstats read
 *
 * The sections are those of samtools 1.23, in its order, but for COV, GCD
 * and those of barcodes.
 */

#include <stdio.h>

#include "kernels/seq/alignment_words.h"
#include "report/format.h"
#include "report/samtools_cycles.h"
#include "report/samtools_indels.h"
#include "report/samtools_inserts.h"
#include "report/samtools_reads.h"

/* The histograms, in the order of the fields. */
enum {
    RECORDS,
    DISTANCES,
    QUALITIES,
    GC,
    BASES,
    INSERTS,
    OPERATIONS,
};

const char *const samtools_stats_fields[] = {
    [RECORDS] = SAMTOOLS_RECORDS_FIELD,
    [DISTANCES] = SAMTOOLS_DISTANCES_FIELD,
    [QUALITIES] = SAMTOOLS_QUALITIES_FIELD,
    [GC] = SAMTOOLS_GC_FIELD,
    [BASES] = SAMTOOLS_BASES_FIELD,
    [INSERTS] = SAMTOOLS_INSERTS_FIELD,
    [OPERATIONS] = SAMTOOLS_OPERATIONS_FIELD,
    NULL,
};

/* plot-bamstats looks for the first words, up to "samtools"; MultiQC for one
   more. */
#define HEAD                                                             \
    "# This file was produced by samtools stats or, in this "            \
    "case, by gpuhist " VERSION ", which counts as samtools 1.23 does\n" \
    "# This file contains statistics for all reads.\n"                   \
    "# COV, GCD and barcodes are not here: samtools stats has them\n"

static void
put_checksums(struct writer *out, const uint64_t *sum)
{
    char text[64];

    writer_put_text(out, "# CHK, Checksum\t[2]Read Names\t[3]Sequences\t[4]"
                         "Qualities\n# CHK, CRC32 of reads which passed "
                         "filtering followed by addition (32bit overflow)\n");
    snprintf(text, sizeof text, "CHK\t%08x\t%08x\t%08x\n",
             (unsigned int)(uint32_t)sum[ALIGNMENT_CHECKSUM_NAME],
             (unsigned int)(uint32_t)sum[ALIGNMENT_CHECKSUM_BASES],
             (unsigned int)(uint32_t)sum[ALIGNMENT_CHECKSUM_QUALITY]);
    writer_put_text(out, text);
}

int
format_samtools_stats_check(const struct report *report, struct error *error)
{
    return format_check_flag(report, "samtools-stats", error);
}

void
format_samtools_stats(struct writer *out, const struct report *report)
{
    struct samtools_summary summary = {0};
    struct samtools_qualities qualities;

    samtools_reads_sum(&summary, report, RECORDS);
    samtools_reads_sum_distances(&summary, report, DISTANCES);
    samtools_indels_sum(&summary, report, OPERATIONS);
    samtools_qualities_read(&qualities, report, QUALITIES);
    const uint64_t bulk = samtools_inserts_sum(&summary, report, INSERTS);
    writer_put_text(out, HEAD);
    put_checksums(out, report->checksum);
    samtools_summary_put(&summary, qualities.sum, out);
    samtools_qualities_put(&qualities, &summary, report, QUALITIES, out);
    samtools_reads_put_gc(report, GC, out);
    samtools_bases_put(report, BASES, out);
    samtools_inserts_put(report, INSERTS, bulk, out);
    samtools_reads_put_lengths(report, RECORDS, out);
    samtools_reads_put_mapqs(report, RECORDS, out);
    samtools_indels_put(report, OPERATIONS, out);
}
