/* SPDX-License-Identifier: MIT */
/*
 * sequence_scan.h -- find the records of FASTA and FASTQ in a chunk
 *
 * kernels/seq/sequence.h defines records.  All forms find the same records, and
 * none reads a byte outside of the data, whatever the data are.
 */

#ifndef GPUHIST_SEQUENCE_SCAN_H
#define GPUHIST_SEQUENCE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/seq/sequence.h"

/*
 * Find the records of DATA from offset *DONE on, where a record may start,
 * until SIZE or until RECORDS_MAX records, at least 1, are found.  SIZE is
 * below 2^32 - 1, and IS_END is as for sequence_find().  Writes the records to
 * RECORD, moves *DONE to the end of the last one, and returns their number.
 *
 * Sets *FOUND to SEQUENCE_RECORD after RECORDS_MAX records; otherwise to the
 * answer of sequence_find() at *DONE, which also sets *TAIL.
 */
size_t sequence_scan(const unsigned char *data, size_t size, size_t *done,
                     bool is_end, struct sequence_record *record,
                     size_t records_max, enum sequence_found *found,
                     struct sequence_record *tail);

/* ---- the forms, for sequence_scan.c and for tests ---- */

/*
 * The classes of the bytes of a block in the lines of a sequence: masks.  Bits
 * from the lowest bit of OTHERS on need not be right; no bit is below it.
 */
struct block_kinds {
    uint64_t bases;
    uint64_t ends;   /* '\n' */
    uint64_t others; /* neither base, blank nor end, such as 0 */
};

/* The same; scan_avx512_is_possible() and scan_avx2_is_possible() say whether
   this processor can run the form. */
typedef size_t sequence_scan_form(const unsigned char *data, size_t size,
                                  size_t *done, bool is_end,
                                  struct sequence_record *record,
                                  size_t records_max,
                                  enum sequence_found *found,
                                  struct sequence_record *tail);

sequence_scan_form sequence_scan_portable;
#ifdef SCAN_HAS_AVX2
sequence_scan_form sequence_scan_avx2;
#endif
#ifdef SCAN_HAS_AVX512
sequence_scan_form sequence_scan_avx512;
#endif

#endif
