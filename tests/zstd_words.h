/* SPDX-License-Identifier: MIT */
/*
 * zstd_words.h -- what kernels for zstd ask for where the device's memory is the
 * host's, and these kernels
 *
 * Include it after what defines groups and items.
 */

#ifndef GPUHIST_ZSTD_WORDS_H
#define GPUHIST_ZSTD_WORDS_H

#include <stdlib.h>
#include <string.h>

/* As kernels for CUDA read streams. */
#define ZSTD_BITS_AHEAD 4

#include "kernels/zstd/zstd_kernel.h"

static inline struct zstd_words
zstd_words_load(const binning_u32 *words, binning_u32 i)
{
    struct zstd_words of;

    memcpy(&of, words + 4 * (size_t)i, sizeof of);
    return of;
}

static inline void
zstd_words_store_bytes(unsigned char *bytes, binning_u32 i,
                       const binning_u32 *of)
{
    for (int w = 0; w < 4; w++)
        bytes[4 * (size_t)i + (size_t)w] = (unsigned char)of[w];
}

/* Groups run one after the other, so nobody has to wait. */
static inline void
zstd_words_await(const binning_u32 *word, binning_u32 least)
{
    if (*word < least)
        abort();
}

#define ZSTD_AWAIT(word, least) zstd_words_await(word, least)
#define ZSTD_COUNT(word) (void)(++*(word))
#define ZSTD_LOAD_4(words, i) zstd_words_load(words, i)
#define ZSTD_STORE_4(words, i, of) \
    memcpy((words) + 4 * (size_t)(i), &(of), sizeof(of))
#define ZSTD_STORE_BYTES(bytes, i, of) zstd_words_store_bytes(bytes, i, of)
/* It may be read. */
#define ZSTD_ASK(address) ((void)*(const volatile unsigned char *)(address))
#define ZSTD_SHIFT(low, high, bits) \
    ((binning_u32)(((binning_u64)(high) << 32 | (low)) >> (bits)))

#include "kernels/zstd/zstd_copy.h"
#include "kernels/zstd/zstd_entropy.h"
#include "kernels/zstd/zstd_place.h"
#include "kernels/zstd/zstd_sum.h"

#endif
