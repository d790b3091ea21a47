/* SPDX-License-Identifier: MIT */
/*
 * zstd_copy.h -- kernels that copy the window, and the bytes of matches in
 * other blocks
 *
 * For each unresolved byte we know its source: a byte of an earlier block,
 * itself perhaps unresolved.  Consecutive blocks form a set; a
 * set has as many blocks as there are sets.  First all sets are resolved
 * side by side, block by block: a source in the same set is replaced by its
 * own source, which is final or before the set.  Then the sets are resolved
 * one after the other: by now all sources have their bytes.  Thus each byte is
 * visited twice, whatever it is a copy of.
 *
 * Each step needs the step before.  Pieces of work have numbers; a thread block
 * takes the next number, and waits until all pieces of earlier steps are done,
 * which other thread blocks have taken before.  So the work ends, whichever
 * thread blocks a device runs at a time.
 */

#ifndef GPUHIST_ZSTD_COPY_H
#define GPUHIST_ZSTD_COPY_H

#include "kernels/zstd/zstd_kernel.h"

/* ---- zstd_prepare ---- */

/* Copy the window to its place before the content, and clear the progress. */
DEVICE_FN void
zstd_copy_prepare(const struct zstd_batch *batch)
{
    const struct zstd_left *left = batch->left_before;
    const struct zstd_progress none = {0, 0, 0};
    const binning_u32 history = batch->work.history;
    binning_u32 kept = left->made < history ? left->made : history;
    const unsigned char *from =
        batch->before + (history + left->content - kept);
    unsigned char *to = batch->content + (history - kept);

    DEVICE_ROLLED
    for (binning_u32 i = sequence_thread(); i < kept; i += sequence_threads())
        to[i] = from[i];
    if (sequence_thread() == 0)
        *batch->progress = none;
}

/* ---- zstd_resolve ---- */

/* Vectors of 4 bytes in a piece of work; pieces of a block, which may start and
   end anywhere in a vector. */
#define ZSTD_COPY_VECTORS 1024u
#define ZSTD_COPY_PIECES (ZSTD_BLOCK_MAX / 4 / ZSTD_COPY_VECTORS + 1)

/* Vectors that an item has at a time. */
#define ZSTD_COPY_LOADS 4

/* The steps of a batch. */
struct zstd_copy_plan {
    binning_u32 run;  /* blocks; of the last one perhaps fewer */
    binning_u32 runs; /* 0: no work */
    binning_u32 near; /* pieces of work for sources in the same run */
    binning_u32 all;
};

DEVICE_FN struct zstd_copy_plan
zstd_copy_plan(const struct zstd_batch *batch)
{
    struct zstd_copy_plan plan = {1, 0, 0, 0};

    if (batch->left->is_refused != 0 || batch->progress->is_open == 0)
        return plan;
    while (plan.run * plan.run < batch->work.blocks)
        plan.run++;
    plan.runs = (batch->work.blocks + plan.run - 1) / plan.run;
    plan.near = (plan.run - 1) * plan.runs * ZSTD_COPY_PIECES;
    plan.all = plan.near + (plan.runs - 1) * plan.run * ZSTD_COPY_PIECES;
    return plan;
}

struct zstd_copy_work {
    binning_u32 before; /* pieces of earlier steps */
    binning_u32 block;  /* that or more: none */
    binning_u32 piece;  /* of the block */
    binning_u32 run;    /* the first block of its run */
    bool is_near;
};

/* Returns piece NUMBER, less than PLAN->all. */
DEVICE_FN struct zstd_copy_work
zstd_copy_work(const struct zstd_copy_plan *plan, binning_u32 number)
{
    const bool is_near = number < plan->near;
    const binning_u32 start = is_near ? 0 : plan->near;
    const binning_u32 blocks = is_near ? plan->runs : plan->run;
    const binning_u32 step = (number - start) / (blocks * ZSTD_COPY_PIECES);
    const binning_u32 before = start + step * blocks * ZSTD_COPY_PIECES;
    const binning_u32 i = (number - before) / ZSTD_COPY_PIECES;
    struct zstd_copy_work work;

    work.before = before;
    work.piece = (number - before) % ZSTD_COPY_PIECES;
    work.run = (is_near ? i : step + 1) * plan->run;
    work.block = work.run + (is_near ? step + 1 : i);
    work.is_near = is_near;
    return work;
}

/* The bytes of a piece of work. */
struct zstd_copy_part {
    binning_u32 start;
    binning_u32 end;
    binning_u32 run; /* where it starts */
    bool is_near;
};

/* Load the sources of vector V; sources outside of PART are FINAL. */
DEVICE_FN struct zstd_words
zstd_copy_load(const struct zstd_batch *batch,
               const struct zstd_copy_part *part, binning_u32 v)
{
    if (4 * v >= part->start && 4 * v + 4 <= part->end)
        return ZSTD_LOAD_4(batch->sources, v);
    struct zstd_words words;
    DEVICE_UNROLL
    for (binning_u32 w = 0; w < 4; w++)
        words.word[w] = 4 * v + w >= part->start && 4 * v + w < part->end
                            ? batch->sources[4 * v + w]
                            : ZSTD_SOURCE_FINAL;
    return words;
}

/* Returns the source of SOURCE. */
DEVICE_FN binning_u32
zstd_copy_follow(const struct zstd_batch *batch,
                 const struct zstd_copy_part *part, binning_u32 source)
{
    if ((source & ZSTD_SOURCE_FINAL) != 0)
        return source;
    if (!part->is_near)
        return batch->content[source] | ZSTD_SOURCE_FINAL;
    return source >= part->run ? batch->sources[source] : source;
}

/* Store WORDS, of vector V: the sources if others need them. */
DEVICE_FN void
zstd_copy_store(const struct zstd_batch *batch,
                const struct zstd_copy_part *part, binning_u32 v,
                const struct zstd_words *words)
{
    if (4 * v >= part->start && 4 * v + 4 <= part->end) {
        if (part->is_near)
            ZSTD_STORE_4(batch->sources, v, *words);
        if (zstd_words_any_final(words))
            ZSTD_STORE_BYTES(batch->content, v, words->word);
        return;
    }
    DEVICE_UNROLL
    for (binning_u32 w = 0; w < 4; w++) {
        if (4 * v + w < part->start || 4 * v + w >= part->end)
            continue;
        batch->sources[4 * v + w] = words->word[w];
        batch->content[4 * v + w] = (unsigned char)words->word[w];
    }
}

/* Some vectors of a piece of work. */
struct zstd_copy_some {
    struct zstd_words words[ZSTD_COPY_LOADS];
    bool is_open[ZSTD_COPY_LOADS];
};

/* Load an item's vectors from FIRST on, before END. */
DEVICE_FN void
zstd_copy_load_some(const struct zstd_batch *batch,
                    const struct zstd_copy_part *part,
                    struct zstd_copy_some *some, binning_u32 first,
                    binning_u32 end)
{
    DEVICE_UNROLL
    for (binning_u32 k = 0; k < ZSTD_COPY_LOADS; k++) {
        some->is_open[k] = first + k * DEVICE_THREADS < end;
        if (some->is_open[k])
            some->words[k] =
                zstd_copy_load(batch, part, first + k * DEVICE_THREADS);
    }
}

/* Follow and store them. */
DEVICE_FN void
zstd_copy_some(const struct zstd_batch *batch,
               const struct zstd_copy_part *part, struct zstd_copy_some *some,
               binning_u32 first)
{
    DEVICE_UNROLL
    for (int k = 0; k < ZSTD_COPY_LOADS; k++) {
        struct zstd_words *words = &some->words[k];
        some->is_open[k] = some->is_open[k] && !zstd_words_are_final(words);
        if (some->is_open[k]) {
            DEVICE_UNROLL
            for (int w = 0; w < 4; w++)
                words->word[w] = zstd_copy_follow(batch, part, words->word[w]);
        }
    }
    DEVICE_UNROLL
    for (binning_u32 k = 0; k < ZSTD_COPY_LOADS; k++)
        if (some->is_open[k])
            zstd_copy_store(batch, part, first + k * DEVICE_THREADS,
                            &some->words[k]);
}

/* Wait until COUNT pieces of work are done.  The whole thread block waits. */
DEVICE_FN void
zstd_copy_await(const struct zstd_batch *batch, binning_u32 count)
{
    if (DEVICE_THREAD == 0)
        ZSTD_AWAIT(&batch->progress->done, count);
    DEVICE_BARRIER();
}

/* Do WORK.  The first vectors are loaded while earlier steps, which do not
   write them, may still go on. */
DEVICE_FN void
zstd_copy_do(const struct zstd_batch *batch, const struct zstd_copy_plan *plan,
             const struct zstd_copy_work *work)
{
    const struct zstd_found *found = &batch->found[work->block];
    struct zstd_copy_part part = {0, 0, 0, work->is_near};
    struct zstd_copy_some some;

    if (work->block < batch->work.blocks && found->is_open != 0) {
        part.start = found->at;
        part.end = found->at + found->content;
        part.run = batch->found[work->run].at;
    }
    const binning_u32 most = (part.end + 3) / 4;
    binning_u32 at = part.start / 4 + work->piece * ZSTD_COPY_VECTORS;
    const binning_u32 end =
        at + ZSTD_COPY_VECTORS < most ? at + ZSTD_COPY_VECTORS : most;
    at += DEVICE_THREAD;
    zstd_copy_await(batch, work->is_near ? 0 : plan->near);
    zstd_copy_load_some(batch, &part, &some, at, end);
    zstd_copy_await(batch, work->before);
    zstd_copy_some(batch, &part, &some, at);
    DEVICE_ROLLED
    for (at += ZSTD_COPY_LOADS * DEVICE_THREADS; at < end;
         at += ZSTD_COPY_LOADS * DEVICE_THREADS) {
        zstd_copy_load_some(batch, &part, &some, at, end);
        zstd_copy_some(batch, &part, &some, at);
    }
}

DEVICE_FN void
zstd_copy_resolve(const struct zstd_batch *batch)
{
    const struct zstd_copy_plan plan = zstd_copy_plan(batch);
    binning_u32 next = 0;

    if (plan.all == 0)
        return;
    if (DEVICE_THREAD == 0)
        next = DEVICE_TAKE_ROOM(&batch->progress->started, 1u);
    DEVICE_ROLLED
    for (;;) {
        if (DEVICE_THREAD == 0) {
            batch->shared[0] = next;
            /* The next piece is taken early, because this takes time. */
            if (next < plan.all)
                next = DEVICE_TAKE_ROOM(&batch->progress->started, 1u);
        }
        DEVICE_BARRIER();
        const binning_u32 number = batch->shared[0];
        if (number >= plan.all)
            return;
        const struct zstd_copy_work work = zstd_copy_work(&plan, number);
        zstd_copy_do(batch, &plan, &work);
        DEVICE_BARRIER();
        if (DEVICE_THREAD == 0)
            ZSTD_COUNT(&batch->progress->done);
    }
}

#endif
