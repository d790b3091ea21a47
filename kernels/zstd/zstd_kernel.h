/* SPDX-License-Identifier: MIT */
/*
 * zstd_kernel.h -- shared by the kernels for zstd
 *
 * This file is written in the common subset of C11 and CUDA C++.  Items and
 * thread blocks are as in sequence_block.h: a file that includes this one
 * defines the same names, and
 *
 *     ZSTD_LOAD_4(words, i)        the struct zstd_words of 4 whole words from
 *                                  number 4 * I on, in device memory
 *     ZSTD_STORE_4(words, i, of)   writes them
 *     ZSTD_STORE_BYTES(bytes, i, of)  writes the lowest bytes of 4 words as
 *                                  those from number 4 * I on
 *     ZSTD_AWAIT(word, least)      an item waits until a word in device memory
 *                                  is at least that, and then sees all that was
 *                                  written before it was
 *     ZSTD_COUNT(word)             an item adds 1 to it, after all that its
 *                                  thread block has written before the last
 *                                  barrier
 *     ZSTD_ASK(address)            asks for what will be loaded
 *     ZSTD_SHIFT(low, high, bits)  the low 32 bits of both, shifted right
 */

#ifndef GPUHIST_ZSTD_KERNEL_H
#define GPUHIST_ZSTD_KERNEL_H

#include "kernels/seq/sequence_block.h"
#include "kernels/zstd/zstd_work.h"

struct zstd_words {
    binning_u32 word[4];
};

/* The parameters of a kernel, with its memory. */
struct zstd_batch {
    struct zstd_work work;
    const unsigned char *packed;
    const struct zstd_task *tasks;
    struct zstd_found *found;
    unsigned char *literals;
    struct zstd_sequence *sequences;
    binning_u32 *sources;
    unsigned char *content;
    const unsigned char *before;
    struct zstd_left *left;
    const struct zstd_left *left_before;
    struct zstd_progress *progress;
    binning_u64 *sums;
    DEVICE_SHARED binning_u32 *shared;
};

/*
 * The source of a byte of content: the place of the byte that it copies.  A
 * FINAL source is the byte itself.
 */
#define ZSTD_SOURCE_FINAL 0x80000000u

/* Whether all of four sources are FINAL; or any. */
DEVICE_FN bool
zstd_words_are_final(const struct zstd_words *words)
{
    return (words->word[0] & words->word[1] & words->word[2] & words->word[3] &
            ZSTD_SOURCE_FINAL) != 0;
}

DEVICE_FN bool
zstd_words_any_final(const struct zstd_words *words)
{
    return ((words->word[0] | words->word[1] | words->word[2] |
             words->word[3]) &
            ZSTD_SOURCE_FINAL) != 0;
}

#endif
