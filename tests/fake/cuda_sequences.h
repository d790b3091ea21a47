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

#define SEQUENCE_LOCAL
#define SEQUENCE_ITEM 0u
#define SEQUENCE_ITEMS 1u
#define SEQUENCE_GROUP 0u
#define SEQUENCE_GROUPS 1u
#define SEQUENCE_BARRIER() ((void)0)
#define SEQUENCE_POPCOUNT(word) ((binning_u32)__builtin_popcount(word))
#define SEQUENCE_LOAD(data, vector) cuda_sequences_load(data, vector)
#define SEQUENCE_ADD(word, amount) ((void)(*(word) += (amount)))
#define SEQUENCE_TAKE(word, amount) ((*(word) += (amount)) - (amount))
#define SEQUENCE_CLAIM(word, cell) cuda_sequences_claim(word, cell)
#define SEQUENCE_ADD_CELL(cell, amount) ((void)(*(cell) += (amount)))
#define SEQUENCE_RAISE_CELL(cell, amount) ((void)(*(cell) += (amount)))
#define SEQUENCE_ADD_BITS(word, bits) (*(word) |= (bits))
#define SEQUENCE_TAKE_ROOM(word, amount) SEQUENCE_TAKE(word, amount)
#define SEQUENCE_UNROLL
#define SEQUENCE_ROLLED

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
