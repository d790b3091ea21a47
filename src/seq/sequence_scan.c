/* SPDX-License-Identifier: MIT */
/* sequence_scan.c -- find the records of FASTA and FASTQ in a chunk */

#include "seq/sequence_scan.h"
#include "text/scan_forms.h"

size_t
sequence_scan(const unsigned char *data, size_t size, size_t *done, bool is_end,
              struct sequence_record *record, size_t records_max,
              enum sequence_found *found, struct sequence_record *tail)
{
    sequence_scan_form *run = sequence_scan_portable;

#ifdef SCAN_HAS_AVX2
    if (scan_avx2_is_possible())
        run = sequence_scan_avx2;
#endif
#ifdef SCAN_HAS_AVX512
    if (scan_avx512_is_possible())
        run = sequence_scan_avx512;
#endif
    return run(data, size, done, is_end, record, records_max, found, tail);
}
