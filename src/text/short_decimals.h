/* SPDX-License-Identifier: MIT */
/*
 * short_decimals.h -- read many short decimals, as most columns of numbers have
 * them
 *
 * text_number.h decides.  This is a faster form for texts of at most 16 bytes:
 * digits with or without a minus sign and a point.  Forms with AVX2 and AVX-512
 * exist.
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
 * A batch: the last 16 bytes of each text, with the bytes before a shorter text
 * in the data, as two words, the first byte lowest.  SIZE is 0 if the text is
 * missing, or if not so many bytes of the chunk, or 8 for a text of at most 8,
 * are before its end.
 */
struct short_decimals {
    _Alignas(64) uint64_t word[SHORT_DECIMALS_BATCH][2];
    _Alignas(64) uint64_t size[SHORT_DECIMALS_BATCH];
};

/* Which texts of a batch are between two numbers, and which ones may be,
   because they are of another kind: bit I for text I. */
struct short_decimals_found {
    uint64_t within;
    uint64_t others;
};

/*
 * Texts that are alike, as most of a column are: digits alone, and all with as
 * many places after a point.  So their digits are whole numbers in units of
 * 10^-PLACES.  Texts without a point have at most 8 digits, others 16 bytes.
 */
struct short_alike {
    unsigned int places; /* 0: no point; below 8, so the last word has it */
    uint64_t after;      /* the bytes of the last word after the point */
    /* The wanted numbers, none if LEAST is above MOST.  Without a point, these
       are words of 8 digits, the first digit highest. */
    uint64_t least;
    uint64_t most;
    uint64_t limit; /* greater ones are no nanos: texts of another kind */
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

/* Load the COUNT slices, at most a batch, slice[0], slice[stride], ... of the
   chunk at DATA; a slice may be missing.  The other texts have size 0. */
void short_decimals_load(struct short_decimals *batch,
                         const unsigned char *data,
                         const struct text_slice *slice, size_t count,
                         size_t stride);

/* Find the short decimals from LEAST to MOST, in units of 10^-9. */
struct short_decimals_found
short_decimals_find(const struct short_decimals *batch, int64_t least,
                    int64_t most);

/* Returns what the texts that are like the first one of BATCH have in common,
   if those from LEAST to MOST, in units of 10^-9, are wanted. */
struct short_alike short_decimals_alike(const struct short_decimals *batch,
                                        int64_t least, int64_t most);

/* Find the wanted texts that are ALIKE.  All others are of another kind. */
struct short_decimals_found
short_decimals_find_alike(const struct short_decimals *batch,
                          const struct short_alike *alike);

/* ---- the forms, for short_decimals.c and for tests ---- */

/* Read a whole batch.  Returns whether all are short decimals. */
typedef bool short_decimals_form(const struct short_decimals *batch,
                                 int64_t nano[SHORT_DECIMALS_BATCH]);

/* As the functions above; the second form with a point, the third without. */
typedef struct short_decimals_found
short_find_form(const struct short_decimals *batch, int64_t least,
                int64_t most);
typedef struct short_decimals_found
short_alike_form(const struct short_decimals *batch,
                 const struct short_alike *alike);
typedef struct short_decimals_found
short_whole_form(const struct short_decimals *batch, uint64_t least,
                 uint64_t most);

short_decimals_form short_decimals_portable;
short_find_form short_find_portable;
short_alike_form short_alike_portable;
short_whole_form short_whole_portable;

#ifdef SCAN_HAS_AVX2
bool short_decimals_avx2_is_possible(void);
short_decimals_form short_decimals_avx2;
short_find_form short_find_avx2;
short_alike_form short_alike_avx2;
short_whole_form short_whole_avx2;
#endif

#ifdef SCAN_HAS_AVX512
bool short_decimals_avx512_is_possible(void);
short_decimals_form short_decimals_avx512;
short_find_form short_find_avx512;
short_alike_form short_alike_avx512;
short_whole_form short_whole_avx512;
#endif

#endif
