/* SPDX-License-Identifier: MIT */
/*
 * sequence_values.h -- the values of reads: length, GC, qualities, name,
 * sequence
 *
 * A number is the one formula below, of integers that are counted first: so all
 * forms give the same bits.
 *
 * length              the number of bases, an integer
 * gc                  those that are G or C, of either case, by the length
 * fastqc-gc            how many of the first bases are G or C, of either case:
 *                     of the sequence_gc_length() first ones, as in FastQC
 * mean-quality        the sum of the qualities, by the length
 * mean-error-quality  -10 log10 of the mean of 10^(-q/10): for each quality q
 *                     that occurs, the lowest first, how often it occurs times
 *                     10^(-q/10) is added up; the sum is divided by the length.
 *                     If one quality alone occurs, it is the value.
 *
 * A quality is its byte less the byte of quality 0.  A read without bases has
 * neither a mean nor GC: its value is empty.  In FASTA, means are missing.
 */

#ifndef GPUHIST_SEQUENCE_VALUES_H
#define GPUHIST_SEQUENCE_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/elementary.h"
#include "kernels/seq/sequence.h"
#include "text/text_format.h"
#include "text/text_slice.h"

/*
 * Whether the bases of RECORD, of FASTA, are left out of the data: it has its
 * LENGTH, and QUALITY_START is how many of the bases are G or C.
 */
static inline bool
sequence_lacks_bases(const struct sequence_record *record)
{
    return record->length > 0 && record->bases_end == record->bases_start;
}

struct sequence_values {
    binning_u32 phred; /* the byte of quality 0 */
    double error[256]; /* for the byte of a quality: 10^(-q/10) */
    struct log2_table log2;
};

/* Prepare for FORMAT.  Without HAS_ERRORS, TEXT_PART_MEAN_ERROR_QUALITY cannot
   be read, which needs tables. */
void sequence_values_open(struct sequence_values *values,
                          const struct text_format *format, bool has_errors);

/*
 * Set slice[0], slice[stride], ... to what PART is for each of the COUNT
 * records of DATA, which are joined (sequence_join.h).  PART is that of a read,
 * TEXT_PART_NAME to TEXT_PART_MEAN_ERROR_QUALITY, or one of an alignment
 * (alignment_values.h).  A slice is where the name or
 * the sequence is; or it has the bits of an integer, for the length, or of a
 * double.
 */
void sequence_values_read(const struct sequence_values *values,
                          enum text_part part, const unsigned char *data,
                          const struct sequence_record *record, size_t count,
                          struct text_slice *slice, size_t stride);

/* Whether a value of PART differs from the bytes of its slice: a k-mer that may
   be its reverse complement, or is not in upper case. */
static inline bool
sequence_value_is_written(const struct text_format *format, binning_u32 part)
{
    return part == TEXT_PART_KMER &&
           (format->is_canonical || format->keeps_case);
}

/* Write to VALUE the k-mer of SLICE in upper case; VALUE has room for
   SLICE.size bytes.  Returns its size. */
size_t sequence_value_write(const struct text_format *format,
                            const unsigned char *data, struct text_slice slice,
                            unsigned char *value);

#endif
