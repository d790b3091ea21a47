/* SPDX-License-Identifier: MIT */
/*
 * inflate_words.h -- what kernels for deflate data ask for where the device's
 * memory is the host's, and these kernels
 *
 * Include it after what defines groups and items.
 */

#ifndef GPUHIST_INFLATE_WORDS_H
#define GPUHIST_INFLATE_WORDS_H

#include <string.h>

#include "kernels/binning/binning.h"

/* Of any byte order. */
static inline binning_u32
inflate_load(const binning_u32 *words, binning_u32 i)
{
    binning_u32 word;

    memcpy(&word, words + i, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap32(word);
#endif
    return word;
}

static inline binning_u32
inflate_reverse(binning_u32 word)
{
    word = (word >> 1 & 0x55555555u) | (word & 0x55555555u) << 1;
    word = (word >> 2 & 0x33333333u) | (word & 0x33333333u) << 2;
    word = (word >> 4 & 0x0f0f0f0fu) | (word & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(word);
}

#define INFLATE_LOAD(words, i) inflate_load(words, i)
#define INFLATE_REVERSE(word) inflate_reverse(word)
#define INFLATE_SHIFT(low, high, at) \
    ((binning_u32)(((binning_u64)(high) << 32 | (low)) >> ((at) % 32)))
#define INFLATE_BELOW(word, bits) ((word) & ((1u << (bits) % 32) - 1))
#define INFLATE_RIGHT(word, bits) ((word) >> (bits) % 32)

#include "kernels/inflate/inflate_decode.h"
#include "kernels/inflate/inflate_sketch.h"
#include "kernels/inflate/inflate_sum.h"

#endif
