/* SPDX-License-Identifier: MIT */
/*
 * json_scan.h -- find the wanted members of all lines of JSON of a chunk
 *
 * Three forms, as of scan.h, give the same slices, and refuse the same lines.
 */

#ifndef GPUHIST_JSON_SCAN_H
#define GPUHIST_JSON_SCAN_H

#include "text/json_line.h"
#include "text/text_format.h"

/* The room for what a form keeps from one scan of a chunk to the next. */
#define JSON_KEPT_BYTES ((size_t)168 << 10)

/* The data of a chunk, and the progress of the scan. */
struct json_scan {
    const struct text_format *format;
    const struct json_paths *paths;
    const unsigned char *data;
    uint32_t size;
    uint32_t at;              /* where the next line starts */
    struct text_slice *slice; /* for the next record */
    size_t records;
    size_t records_max;
    uint64_t comments;
    bool has_escapes;        /* a value may start with a quote */
    void *kept;              /* JSON_KEPT_BYTES, all 0 at first; or NULL */
    uint64_t slow;           /* lines that were read byte by byte: for tests */
    uint64_t alike;          /* lines that fitted a stencil: for tests */
    struct json_wrong wrong; /* with a reason: the line at AT is wrong */
};

/*
 * Scan lines from AT on, until SIZE or RECORDS_MAX records, or until a line is
 * wrong; with KEPT, perhaps a piece of the data only.  The end of the data ends
 * the last line.  Blank lines are left out.  Where the format counts wrong
 * lines, each of their slices is TEXT_SLICE_INVALID.
 */
typedef void json_form(struct json_scan *scan);

json_form json_scan_portable;

/* Where scan_avx2_is_possible() or scan_avx512_is_possible(): scan_forms.h. */
#ifdef SCAN_HAS_AVX2
json_form json_scan_avx2;
#endif
#ifdef SCAN_HAS_AVX512
json_form json_scan_avx512;
#endif

/* Scan the line at AT, which ends at END, byte by byte.  Returns whether the
   scan goes on after the line. */
bool json_scan_line(struct json_scan *scan, uint32_t end);

#endif
