/* SPDX-License-Identifier: MIT */
/* fastqc_reads.h -- lengths, GC and mean qualities of reads, as in FastQC */

#ifndef GPUHIST_FASTQC_READS_H
#define GPUHIST_FASTQC_READS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "report/fastqc_bases.h"
#include "report/fastqc_gc.h"
#include "report/request.h"

struct fastqc_reads {
    uint64_t count;
    uint64_t least; /* the length of the shortest read, ... */
    uint64_t most;  /* ... and of the longest one */
    bool has_empty; /* a read has no bases */
    struct fastqc_gc gc;
};

/* Read histogram I of REPORT: length and fastqc-gc. */
void fastqc_reads_read(struct fastqc_reads *reads, const struct report *report,
                       size_t i);

/* Put a module each. */
void fastqc_reads_put_gc(const struct fastqc_reads *reads, struct writer *out);
void fastqc_reads_put_lengths(const struct fastqc_reads *reads,
                              const struct report *report, size_t i,
                              struct writer *out);

/* Put the module for histogram I of REPORT, the mean qualities; without any,
   put nothing. */
void fastqc_reads_put_qualities(const struct fastqc_bases *bases,
                                const struct report *report, size_t i,
                                struct writer *out);

#endif
