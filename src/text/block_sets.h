/* SPDX-License-Identifier: MIT */
/*
 * block_sets.h -- the bytes of a block that are in a small set, for the forms
 * of a scan with AVX2 and AVX-512, which define INLINE and block_in()
 *
 * A byte of a set is the entry of its low half in the table of the set; no
 * other byte is: what an unused entry has is in another place.  (As in
 * simdjson, by G. Langdale and D. Lemire.)
 */

#ifndef GPUHIST_BLOCK_SETS_H
#define GPUHIST_BLOCK_SETS_H

#include <immintrin.h>
#include <stdint.h>

INLINE uint64_t
block_blanks(block x)
{
    return block_in(x, _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0,
                                     0, 0, 0, 0));
}

/* Blanks, with the carriage return, and '\n'. */
INLINE uint64_t
block_gaps(block x)
{
    return block_in(x, _mm_setr_epi8(' ', 0, 0, 0, 0, 0, 0, 0, 0, '\t', '\n', 0,
                                     0, '\r', 0, 0));
}

/* Quotes and opening brackets. */
INLINE uint64_t
block_opens(block x)
{
    return block_in(
        x, _mm_setr_epi8(-1, 0, '"', 0, 0, 0, 0, 0, 0, 0, 0, '[', 0, 0, 0, 0));
}

/* Quotes and backslashes. */
INLINE uint64_t
block_quotes(block x)
{
    return block_in(
        x, _mm_setr_epi8(-1, 0, '"', 0, 0, 0, 0, 0, 0, 0, 0, 0, '\\', 0, 0, 0));
}

#endif
