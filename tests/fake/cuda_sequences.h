/* SPDX-License-Identifier: MIT */
/*
 * cuda_sequences.h -- the kernels for sequences, with one thread of one block,
 * for fake_cuda.c
 */

#ifndef GPUHIST_CUDA_SEQUENCES_H
#define GPUHIST_CUDA_SEQUENCES_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/seq/sequence_words.h"
#include "kernels/seq/sequence_work.h"

#define DEVICE_SHARED
#define DEVICE_THREAD 0u
#define DEVICE_THREADS 1u
#define DEVICE_BLOCK 0u
#define DEVICE_BLOCKS 1u
#define DEVICE_BARRIER() ((void)0)
#define DEVICE_POPCOUNT(word) ((binning_u32)__builtin_popcount(word))
#define DEVICE_LOAD(data, vector) cuda_sequences_load(data, vector)
#define DEVICE_ADD(word, amount) ((void)(*(word) += (amount)))
#define DEVICE_TAKE(word, amount) ((*(word) += (amount)) - (amount))
#define DEVICE_CLAIM(word, cell) cuda_sequences_claim(word, cell)
#define DEVICE_ADD_CELL(cell, amount) ((void)(*(cell) += (amount)))
#define DEVICE_RAISE_CELL(cell, amount) ((void)(*(cell) += (amount)))
#define DEVICE_ADD_BITS(word, bits) (*(word) |= (bits))
#define DEVICE_TAKE_ROOM(word, amount) DEVICE_TAKE(word, amount)
#define DEVICE_UNROLL
#define DEVICE_ROLLED

/* Of any byte order. */
static inline struct sequence_bytes
cuda_sequences_load(const unsigned char *data, binning_u32 vector)
{
    const unsigned char *at = data + (size_t)vector * SEQUENCE_VECTOR;
    struct sequence_bytes bytes = {{0}};

    for (int i = 0; i < SEQUENCE_VECTOR; i++)
        bytes.word[i / 4] |= (binning_u32)at[i] << i % 4 * 8;
    return bytes;
}

static inline int
cuda_sequences_claim(binning_u32 *word, binning_u32 cell)
{
    if (*word == 0xffffffffu)
        *word = cell;
    return *word == cell;
}

#include "kernels/seq/sequence_fields.h"
#include "kernels/seq/sequence_kmers.h"
#include "kernels/seq/sequence_mark.h"

/* The end of a histogram for WORK. */
static inline uint64_t
cuda_sequences_cells(const struct sequence_work *work)
{
    uint64_t cells = SEQUENCE_TOTALS;

    for (binning_u32 s = 0; s < SEQUENCE_SOURCES; s++) {
        uint64_t end = (uint64_t)work->first[s] + sequence_work_cells(s);
        if (sequence_work_has(work, s) && end > cells)
            cells = end;
    }
    uint64_t end = work->first_kmer + ((uint64_t)1 << 2 * work->k);
    return work->k > 0 && end > cells ? end : cells;
}

#endif
