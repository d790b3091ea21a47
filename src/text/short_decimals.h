/* SPDX-License-Identifier: MIT */
/*
 * short_decimals.h -- read many short decimals, as most columns of numbers have
 * them
 *
 * text_number.h decides.  This is a faster form for texts of at most 16 bytes:
 * digits with or without a minus sign and a point.  An AVX-512 form exists.
 */

#ifndef GPUHIST_SHORT_DECIMALS_H
#define GPUHIST_SHORT_DECIMALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/text_slice.h"

/* Instead of a nano: the text is not a short decimal, but may be a number. */
#define SHORT_DECIMALS_NONE INT64_MIN

/* The longest text that is short, and the bytes of a word. */
#define SHORT_DECIMALS_TEXT_MAX 16
#define SHORT_DECIMALS_WORD 8

/* The texts read at a time. */
#define SHORT_DECIMALS_BATCH 64

/*
 * A batch: the last 8 bytes of each text, with the bytes before a shorter text
 * in the data, the first byte lowest; of texts of more than 8 bytes, if there
 * are some, the 8 bytes before these likewise.  SIZE is 0 if the bytes could
 * not be loaded.
 */
struct short_decimals {
    _Alignas(64) uint64_t bytes[SHORT_DECIMALS_BATCH];
    uint64_t size[SHORT_DECIMALS_BATCH];
    uint64_t before[SHORT_DECIMALS_BATCH];
    bool has_longer; /* than a word */
};

/*
 * Set nano[i], for each of the COUNT slices slice[0], slice[stride], ... of the
 * chunk at DATA, to its text in units of 10^-9, or to SHORT_DECIMALS_NONE: also
 * of a number that is too great or has more than 9 decimals.  A slice may be
 * missing.  Returns whether all are short decimals.
 */
bool short_decimals_read(const unsigned char *data,
                         const struct text_slice *slice, size_t count,
                         size_t stride, int64_t *nano);

/* ---- the forms, for short_decimals.c and for tests ---- */

/* Read a whole batch.  Returns whether all are short decimals. */
typedef bool short_decimals_form(const struct short_decimals *batch,
                                 int64_t nano[SHORT_DECIMALS_BATCH]);

short_decimals_form short_decimals_portable;

#ifdef SCAN_HAS_AVX512
bool short_decimals_avx512_is_possible(void);
short_decimals_form short_decimals_avx512;
#endif

#endif
