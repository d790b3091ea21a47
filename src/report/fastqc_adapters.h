/* SPDX-License-Identifier: MIT */
/*
 * fastqc_adapters.h -- how many reads have an adapter up to a position
 *
 * The adapters are those of Configuration/adapter_list.txt of FastQC 0.12.1, in
 * its order: the names, and the 12 bases that FastQC looks for.
 */

#ifndef GPUHIST_FASTQC_ADAPTERS_H
#define GPUHIST_FASTQC_ADAPTERS_H

#include <stddef.h>

#include "report/fastqc_reads.h"

#define FASTQC_ADAPTERS(ADAPTER)                             \
    ADAPTER("Illumina Universal Adapter", "AGATCGGAAGAG")    \
    ADAPTER("Illumina Small RNA 3' Adapter", "TGGAATTCTCGG") \
    ADAPTER("Illumina Small RNA 5' Adapter", "GATCGTCGGACT") \
    ADAPTER("Nextera Transposase Sequence", "CTGTCTCTTATA")  \
    ADAPTER("PolyA", "AAAAAAAAAAAA")                         \
    ADAPTER("PolyG", "GGGGGGGGGGGG")

/* Of each adapter, a list: where a read has it first, or 0. */
#define FASTQC_ADAPTER_FIELD(name, bases) "sequence:index=" bases,
#define FASTQC_ADAPTER_ONE(name, bases) +1

enum {
    FASTQC_ADAPTER_COUNT = FASTQC_ADAPTERS(FASTQC_ADAPTER_ONE)
};

/* Put the module for the histograms of REPORT from FIRST on, one for each
   adapter, of READS. */
void fastqc_adapters_put(const struct fastqc_reads *reads,
                         const struct report *report, size_t first,
                         struct writer *out);

#endif
