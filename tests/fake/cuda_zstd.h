/* SPDX-License-Identifier: MIT */
/*
 * cuda_zstd.h -- the kernels for zstd, with one thread of one block, for
 * fake_cuda.c; after cuda_sequences.h, which defines the thread blocks
 */

#ifndef GPUHIST_CUDA_ZSTD_H
#define GPUHIST_CUDA_ZSTD_H

#include "../zstd_words.h"

/* Shared memory of any kernel. */
#define CUDA_ZSTD_WORDS                                        \
    (ZSTD_ENTROPY_WORDS + ZSTD_JOIN_WORDS + ZSTD_PLACE_WORDS + \
     ZSTD_SUM_WORDS_SHARED)

enum cuda_zstd {
    CUDA_ZSTD_ENTROPY,
    CUDA_ZSTD_PREPARE,
    CUDA_ZSTD_JOIN,
    CUDA_ZSTD_PLACE,
    CUDA_ZSTD_RESOLVE,
    CUDA_ZSTD_SUM,
};

static inline void
cuda_zstd_run(enum cuda_zstd kernel, const struct zstd_batch *batch)
{
    switch (kernel) {
    case CUDA_ZSTD_ENTROPY:
        zstd_entropy_all(batch);
        break;
    case CUDA_ZSTD_PREPARE:
        zstd_copy_prepare(batch);
        break;
    case CUDA_ZSTD_JOIN:
        zstd_join_all(batch);
        break;
    case CUDA_ZSTD_PLACE:
        zstd_place_all(batch);
        break;
    case CUDA_ZSTD_RESOLVE:
        zstd_copy_resolve(batch);
        break;
    case CUDA_ZSTD_SUM:
        zstd_sum_all(batch);
        break;
    }
}

#endif
