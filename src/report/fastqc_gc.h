/* SPDX-License-Identifier: MIT */
/* fastqc_gc.h -- the percentages of G and C of reads, smoothed as in FastQC */

#ifndef GPUHIST_FASTQC_GC_H
#define GPUHIST_FASTQC_GC_H

#include <stdint.h>

#include "report/fastqc_text.h"

#define FASTQC_PERCENTAGES 101

struct fastqc_gc {
    double count[FASTQC_PERCENTAGES]; /* reads with each percentage */

    /* For the reads added last: their length, and how many numbers of G and C
       fall on a percentage. */
    uint64_t length;
    uint64_t claims[FASTQC_PERCENTAGES];
};

/*
 * Add COUNT reads of which GC of the first LENGTH bases are G or C.  Numbers of
 * G and C that are less than a percentage apart share it, and a number may span
 * several percentages: a read adds to each of these its share of the numbers
 * there.  Faster if reads of a length follow each other.  GC starts as all 0.
 */
void fastqc_gc_add(struct fastqc_gc *gc, uint64_t length, uint64_t bases,
                   uint64_t count);

/* Returns what FastQC thinks of the difference from a normal distribution with
   the same mode. */
enum fastqc_verdict fastqc_gc_verdict(const struct fastqc_gc *gc);

#endif
