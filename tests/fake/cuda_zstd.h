/*
 * cuda_zstd.h -- the kernels for zstd, with one thread of one block, for
 * fake_cuda.c; after cuda_sequences.h, which defines the groups
 */

#ifndef GPUHIST_CUDA_ZSTD_H
#define GPUHIST_CUDA_ZSTD_H

#include <string.h>

#define ZSTD_BITS_QUEUE 4

#include "zstd_group.h"

static inline struct zstd_words
cuda_zstd_load(const binning_u32 *words, binning_u32 i)
{
    struct zstd_words of;

    memcpy(&of, words + 4 * (size_t)i, sizeof of);
    return of;
}

static inline void
cuda_zstd_store(unsigned char *bytes, binning_u32 i, const binning_u32 *of)
{
    for (int w = 0; w < 4; w++)
        bytes[4 * (size_t)i + (size_t)w] = (unsigned char)of[w];
}

#define ZSTD_LOAD_4(words, i) cuda_zstd_load(words, i)
#define ZSTD_STORE_4(words, i, of) \
    memcpy((words) + 4 * (size_t)(i), &(of), sizeof(of))
#define ZSTD_STORE_BYTES(bytes, i, of) cuda_zstd_store(bytes, i, of)

#include "zstd_copy.h"
#include "zstd_entropy.h"
#include "zstd_place.h"

/* Shared memory of any kernel. */
#define CUDA_ZSTD_WORDS \
    (ZSTD_ENTROPY_WORDS + ZSTD_JOIN_WORDS + ZSTD_PLACE_WORDS)

enum cuda_zstd {
    CUDA_ZSTD_ENTROPY,
    CUDA_ZSTD_BEGIN,
    CUDA_ZSTD_JOIN,
    CUDA_ZSTD_PLACE,
    CUDA_ZSTD_JUMP,
    CUDA_ZSTD_FILL,
};

static inline void
cuda_zstd_run(enum cuda_zstd kernel, const struct zstd_batch *batch)
{
    switch (kernel) {
    case CUDA_ZSTD_ENTROPY:
        zstd_entropy_all(batch);
        break;
    case CUDA_ZSTD_BEGIN:
        zstd_copy_begin(batch);
        break;
    case CUDA_ZSTD_JOIN:
        zstd_join_all(batch);
        break;
    case CUDA_ZSTD_PLACE:
        zstd_place_all(batch);
        break;
    case CUDA_ZSTD_JUMP:
        zstd_copy_jump(batch);
        break;
    case CUDA_ZSTD_FILL:
        zstd_copy_fill(batch);
        break;
    }
}

#endif
