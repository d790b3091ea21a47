/* SPDX-License-Identifier: MIT */
/* letter_count.h -- count the usual letters of sequences */

#ifndef GPUHIST_LETTER_COUNT_H
#define GPUHIST_LETTER_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The letters that are counted, in this order. */
#define LETTER_COUNT_TEXT "ACGTN\n"
#define LETTER_COUNTS 6

/* The places of C and G in it. */
#define LETTER_COUNT_C 1
#define LETTER_COUNT_G 2

/*
 * Set COUNT to how often SIZE bytes, less than 2^32, have each of these bytes.
 * If FOLDS_CASE, a lower-case letter counts as upper-case.
 */
void letter_count(const unsigned char *data, size_t size, bool folds_case,
                  uint32_t count[LETTER_COUNTS]);

/* ---- the forms, for letter_count.c and for tests ---- */

typedef void letter_count_form(const unsigned char *data, size_t size,
                               bool folds_case, uint32_t count[LETTER_COUNTS]);

letter_count_form letter_count_portable;

#ifdef SCAN_HAS_AVX2
letter_count_form letter_count_avx2;
#endif

#ifdef SCAN_HAS_AVX512
bool letter_count_avx512_is_possible(void);
letter_count_form letter_count_avx512;
#endif

#endif
