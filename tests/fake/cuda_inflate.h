/* SPDX-License-Identifier: MIT */
/*
 * cuda_inflate.h -- the kernels for deflate data, with one thread of one block,
 * for fake_cuda.c; after cuda_sequences.h, which defines the thread blocks
 */

#ifndef GPUHIST_CUDA_INFLATE_H
#define GPUHIST_CUDA_INFLATE_H

#include "../inflate_words.h"

/* Shared memory of any kernel. */
#define CUDA_INFLATE_WORDS \
    (INFLATE_DECODE_WORDS + INFLATE_SUM_WORDS + INFLATE_SKETCH_WORDS)

enum cuda_inflate {
    CUDA_INFLATE_DECODE,
    CUDA_INFLATE_SUM,
    CUDA_INFLATE_SKETCH,
};

static inline void
cuda_inflate_run(enum cuda_inflate kernel, const struct inflate_batch *batch)
{
    if (kernel == CUDA_INFLATE_DECODE)
        inflate_decode_all(batch);
    else if (kernel == CUDA_INFLATE_SUM)
        inflate_sum_all(batch);
    else
        inflate_sketch_all(batch);
}

#endif
