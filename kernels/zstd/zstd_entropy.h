/* SPDX-License-Identifier: MIT */
/*
 * zstd_entropy.h -- a kernel that decodes the literals and the sequences of all
 * blocks
 *
 * A thread block decodes the literals or the sequences of a block.  Decoding is
 * serial: by one item, or by four, one for each stream of literals; the other
 * items help.  So a device needs hundreds of blocks at a time, and many thread
 * blocks must fit into a multiprocessor: their data are small, and in shared
 * memory.
 */

#ifndef GPUHIST_ZSTD_ENTROPY_H
#define GPUHIST_ZSTD_ENTROPY_H

#include "kernels/zstd/zstd_chain.h"

/* The shared memory of a thread block for literals; for sequences see
   zstd_chain.h. */
struct zstd_entropy_literals {
    struct zstd_huffman huffman;
    struct zstd_making making;
    struct zstd_weights weights;
    binning_u32 is_wrong;
};

#define ZSTD_ENTROPY_WORDS (sizeof(struct zstd_chain) / 4)

/* Find the table of KIND that TASK needs.  Sets TABLE->data. */
DEVICE_FN struct zstd_description
zstd_entropy_table(const struct zstd_batch *batch, const struct zstd_task *task,
                   int kind)
{
    const struct zstd_place *place = &task->table[kind];
    struct zstd_description table = {batch->packed, place->bytes, place->mode};

    if (place->bytes > 0)
        table.data += place->at;
    return table;
}

/* Make the tables for the sequences of TASK, one by each item.  Sets
   CHAIN->is_wrong. */
DEVICE_FN void
zstd_entropy_make_states(const struct zstd_batch *batch,
                         const struct zstd_task *task,
                         DEVICE_SHARED struct zstd_chain *chain)
{
    if (DEVICE_THREAD == 0)
        chain->is_wrong = 0;
    DEVICE_BARRIER();
    DEVICE_ROLLED
    for (binning_u32 kind = DEVICE_THREAD; kind < ZSTD_KINDS;
         kind += DEVICE_THREADS) {
        struct zstd_description table =
            zstd_entropy_table(batch, task, (int)kind);
        if (!zstd_states_start(&chain->states[kind], &chain->of.making[kind],
                               (enum zstd_kind)kind, table.mode, table.data,
                               table.bytes))
            DEVICE_ADD(&chain->is_wrong, 1u);
    }
    DEVICE_BARRIER();
    DEVICE_ROLLED
    for (int kind = 0; kind < ZSTD_KINDS; kind++)
        zstd_states_fill(&chain->states[kind], (enum zstd_kind)kind,
                         DEVICE_THREAD, DEVICE_THREADS);
    DEVICE_BARRIER();
}

/* Decode the sequences of block B. */
DEVICE_FN void
zstd_entropy_sequences(const struct zstd_batch *batch, binning_u32 b)
{
    DEVICE_SHARED struct zstd_chain *chain =
        (DEVICE_SHARED struct zstd_chain *)batch->shared;
    const struct zstd_task *task = &batch->tasks[b];
    struct zstd_found *found = &batch->found[b];
    struct zstd_sequences_out out = {0};
    bool is_right = true;

    out.sequence = batch->sequences + task->sequences_at;
    out.literals_max = task->literals;
    out.content_max = task->content_max;
    out.offsets = zstd_offsets_open();
    if (task->sequences > 0) {
        zstd_entropy_make_states(batch, task, chain);
        is_right =
            chain->is_wrong == 0 &&
            zstd_chain_decode(chain, &out, task->sequences,
                              batch->packed + task->bits_at, task->bits_bytes);
    }
    if (DEVICE_THREAD != zstd_chain_first_helper())
        return;
    /* The other literals follow the last sequence. */
    binning_u32 tail = task->literals - out.literals;
    found->is_wrong = !is_right || tail > task->content_max - out.content;
    found->sequences = out.count;
    found->content = out.content + tail;
    found->offsets = out.offsets;
}

/* Decode the literals of block B. */
DEVICE_FN void
zstd_entropy_literals(const struct zstd_batch *batch, binning_u32 b)
{
    DEVICE_SHARED struct zstd_entropy_literals *shared =
        (DEVICE_SHARED struct zstd_entropy_literals *)batch->shared;
    const struct zstd_task *task = &batch->tasks[b];

    if (DEVICE_THREAD == 0) {
        shared->is_wrong = 0;
        if (task->type == ZSTD_COMPRESSED) {
            struct zstd_description table =
                zstd_entropy_table(batch, task, ZSTD_CODES);
            shared->is_wrong = !zstd_huffman_start(
                &shared->weights, &shared->making, table.data, table.bytes);
        }
    }
    DEVICE_BARRIER();
    if (shared->is_wrong == 0 && task->type == ZSTD_COMPRESSED) {
        zstd_huffman_fill(&shared->huffman, &shared->weights, DEVICE_THREAD,
                          DEVICE_THREADS);
        DEVICE_BARRIER();
        DEVICE_ROLLED
        for (binning_u32 i = DEVICE_THREAD; i < task->streams;
             i += DEVICE_THREADS)
            if (!zstd_huffman_decode_stream(
                    &shared->huffman, batch->packed + task->data_at,
                    task->data_bytes, batch->literals + task->literals_at,
                    task->literals, i, task->streams))
                shared->is_wrong = 1;
    }
    DEVICE_BARRIER();
    if (DEVICE_THREAD == 0)
        batch->found[b].has_wrong_literals = shared->is_wrong;
}

/* Two thread blocks for each block; thread blocks for sequences come first,
   because they take longer. */
DEVICE_FN void
zstd_entropy_all(const struct zstd_batch *batch)
{
    binning_u32 blocks = batch->work.blocks;

    DEVICE_ROLLED
    for (binning_u32 g = DEVICE_BLOCK; g < 2 * blocks; g += DEVICE_BLOCKS) {
        if (g < blocks)
            zstd_entropy_sequences(batch, g);
        else
            zstd_entropy_literals(batch, g - blocks);
        DEVICE_BARRIER();
    }
}

#endif
