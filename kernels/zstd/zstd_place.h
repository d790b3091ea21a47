/* SPDX-License-Identifier: MIT */
/*
 * zstd_place.h -- kernels that place the content of blocks, and write the bytes
 * that do not depend on other blocks
 *
 * A thread block places a block in the order of its content, tile by tile.  A
 * copy of an earlier tile takes the source that was found there; a copy within
 * the tile is followed through the tile.  So at the end all sources are before
 * the block, or final.
 */

#ifndef GPUHIST_ZSTD_PLACE_H
#define GPUHIST_ZSTD_PLACE_H

#include "kernels/zstd/zstd_kernel.h"

/* ---- zstd_join: one thread block ---- */

/* The most of MADE. */
#define ZSTD_MADE_MAX 0x40000000u

/* Blocks that are joined together, and the shared memory of each. */
#define ZSTD_JOIN_BLOCKS 512u

struct zstd_join {
    binning_u32 content;
    binning_u32 is_refused;
    binning_u32 starts_frame;
    binning_u32 at;
    binning_u32 made;
    struct zstd_offsets offsets;
};

struct zstd_join_shared {
    struct zstd_join block[ZSTD_JOIN_BLOCKS];
};

#define ZSTD_JOIN_WORDS (sizeof(struct zstd_join_shared) / 4)

/* Advance LEFT from before JOIN to after JOIN.  AT is where the content of JOIN
   starts. */
DEVICE_FN void
zstd_join_one(struct zstd_left *left, DEVICE_SHARED struct zstd_join *join,
              const struct zstd_work *work)
{
    struct zstd_offsets before = left->offsets;

    left->is_refused |= join->is_refused;
    if (join->starts_frame != 0) {
        left->made = 0;
        before = zstd_offsets_of_frame();
    }
    left->offsets = zstd_offsets_join(&before, &join->offsets);
    join->offsets = before;
    join->made = left->made;
    join->at = work->history + left->content;
    /* The host has ensured enough room. */
    if (join->content > work->room - left->content)
        left->is_refused = 1;
    if (left->is_refused != 0)
        return;
    left->content += join->content;
    left->made = left->made + join->content < ZSTD_MADE_MAX
                     ? left->made + join->content
                     : ZSTD_MADE_MAX;
}

DEVICE_FN void
zstd_join_all(const struct zstd_batch *batch)
{
    DEVICE_SHARED struct zstd_join_shared *shared =
        (DEVICE_SHARED struct zstd_join_shared *)batch->shared;
    const binning_u32 blocks = batch->work.blocks;
    struct zstd_left left = *batch->left_before;

    left.content = 0;
    DEVICE_ROLLED
    for (binning_u32 first = 0; first < blocks; first += ZSTD_JOIN_BLOCKS) {
        binning_u32 count = blocks - first < ZSTD_JOIN_BLOCKS
                                ? blocks - first
                                : ZSTD_JOIN_BLOCKS;
        for (binning_u32 i = DEVICE_THREAD; i < count; i += DEVICE_THREADS) {
            const struct zstd_found *found = &batch->found[first + i];
            DEVICE_SHARED struct zstd_join *join = &shared->block[i];
            join->content = found->content;
            join->is_refused = found->is_wrong | found->has_wrong_literals;
            join->starts_frame = batch->tasks[first + i].starts_frame;
            join->offsets = found->offsets;
        }
        DEVICE_BARRIER();
        if (DEVICE_THREAD == 0)
            for (binning_u32 i = 0; i < count; i++)
                zstd_join_one(&left, &shared->block[i], &batch->work);
        DEVICE_BARRIER();
        for (binning_u32 i = DEVICE_THREAD; i < count; i += DEVICE_THREADS) {
            struct zstd_found *found = &batch->found[first + i];
            DEVICE_SHARED struct zstd_join *join = &shared->block[i];
            found->at = join->at;
            found->made = join->made;
            found->offsets = join->offsets;
        }
        DEVICE_BARRIER();
    }
    if (DEVICE_THREAD == 0) {
        if (left.is_refused != 0)
            left.content = 0;
        *batch->left = left;
    }
}

/* ---- zstd_place: thread blocks for blocks ---- */

/* Items of a thread block, or fewer. */
#define ZSTD_PLACE_ITEMS ZSTD_THREADS

/* Bytes of content whose sources are found together, and bytes of an item. */
#define ZSTD_PLACE_TILE 2048u
#define ZSTD_PLACE_EACH 8u

/* A source in the same tile: the number within the tile. */
#define ZSTD_PLACE_NEAR 0x40000000u

/* The sequences of a thread block at a time, and a tile. */
struct zstd_place_shared {
    binning_u32 source[ZSTD_PLACE_TILE]; /* aligned as the memory is */

    /* Of each: the first byte of content, and of literals; where the match
       starts; and its offset.  Behind the last one is the end. */
    binning_u32 start[ZSTD_PLACE_ITEMS + 1];
    binning_u32 literal[ZSTD_PLACE_ITEMS + 1];
    binning_u32 match[ZSTD_PLACE_ITEMS];
    binning_u32 offset[ZSTD_PLACE_ITEMS];

    binning_u32 is_open;
};

#define ZSTD_PLACE_WORDS (sizeof(struct zstd_place_shared) / 4)

/* The literals of a block. */
struct zstd_place_literals {
    const unsigned char *data;
    binning_u32 step; /* 0: all are the first one */
};

DEVICE_FN struct zstd_place_literals
zstd_place_literals(const struct zstd_batch *batch,
                    const struct zstd_task *task)
{
    struct zstd_place_literals literals = {batch->packed + task->data_at, 1};

    if (task->type == ZSTD_COMPRESSED)
        literals.data = batch->literals + task->literals_at;
    if (task->type == ZSTD_ONE_BYTE)
        literals.step = 0;
    return literals;
}

/* The source of literal number I. */
DEVICE_FN binning_u32
zstd_place_literal(const struct zstd_place_literals *literals, binning_u32 i)
{
    return literals->data[i * literals->step] | ZSTD_SOURCE_FINAL;
}

/*
 * Set START to the running sums of all bytes of the sequences, from FIRST_START
 * on, and LITERAL to the sums of their literals.  A barrier follows.
 */
DEVICE_FN void
zstd_place_add_up(DEVICE_SHARED struct zstd_place_shared *shared,
                  binning_u32 start, binning_u32 literal, binning_u32 bytes,
                  binning_u32 literals)
{
    const binning_u32 i = DEVICE_THREAD;
    binning_u32 turn = 0;

    if (i == 0) {
        shared->start[0] = start;
        shared->literal[0] = literal;
        bytes += start;
        literals += literal;
    }
    for (binning_u32 step = 2; step < DEVICE_THREADS; step *= 2)
        turn ^= 1;
    /* Two tables take turns; at the end it is the other table. */
    for (binning_u32 step = 1; step < DEVICE_THREADS; step *= 2) {
        DEVICE_SHARED binning_u32 *of_bytes =
            turn != 0 ? shared->start + 1 : shared->match;
        DEVICE_SHARED binning_u32 *of_literals =
            turn != 0 ? shared->literal + 1 : shared->offset;
        of_bytes[i] = bytes;
        of_literals[i] = literals;
        DEVICE_BARRIER();
        if (i >= step) {
            bytes += of_bytes[i - step];
            literals += of_literals[i - step];
        }
        turn ^= 1;
    }
    shared->start[1 + i] = bytes;
    shared->literal[1 + i] = literals;
    DEVICE_BARRIER();
}

/* The number, less than COUNT, of the sequence that has place P. */
DEVICE_FN binning_u32
zstd_place_find(DEVICE_SHARED const struct zstd_place_shared *shared,
                binning_u32 count, binning_u32 p)
{
    binning_u32 s = 0;

    for (binning_u32 half = ZSTD_PLACE_ITEMS / 2; half > 0; half /= 2)
        if (s + half < count && shared->start[s + half] <= p)
            s += half;
    return s;
}

/*
 * Read up to ZSTD_PLACE_ITEMS sequences from FIRST on, of block B, which start
 * at START and with literal number LITERAL.
 */
DEVICE_FN void
zstd_place_read(const struct zstd_batch *batch,
                DEVICE_SHARED struct zstd_place_shared *shared, binning_u32 b,
                binning_u32 first, binning_u32 start, binning_u32 literal)
{
    const struct zstd_task *task = &batch->tasks[b];
    const struct zstd_found *found = &batch->found[b];
    const binning_u32 i = DEVICE_THREAD;
    struct zstd_sequence sequence = {1, 0, 0};

    if (first + i < found->sequences)
        sequence = batch->sequences[task->sequences_at + first + i];
    zstd_place_add_up(shared, start, literal,
                      sequence.literals + (binning_u32)sequence.match,
                      sequence.literals);
    binning_u32 match = shared->start[1 + i] - sequence.match;
    binning_u32 offset = zstd_offsets_resolve(&found->offsets, sequence.offset);
    if (sequence.match > 0 && (offset == 0 || offset > task->window ||
                               offset > found->made + (match - found->at))) {
        /* A harmless one. */
        offset = 1;
        DEVICE_ADD_BITS(&batch->left->is_refused, 1u);
    }
    shared->match[i] = match;
    shared->offset[i] = offset;
    DEVICE_BARRIER();
}

/* Some sequences of a block, and the tile of their content that starts at
   TILE. */
struct zstd_place_part {
    struct zstd_place_literals literals;
    binning_u32 at; /* of the block */
    binning_u32 count;
    binning_u32 start;
    binning_u32 end;
    binning_u32 tile;
};

/* Where to look for a source: nowhere, if it is known; or at its byte, or at
   another source. */
enum zstd_place_from {
    ZSTD_FROM_NOWHERE,
    ZSTD_FROM_LITERALS,
    ZSTD_FROM_WINDOW,
    ZSTD_FROM_SOURCES,
};

struct zstd_place_look {
    enum zstd_place_from from;
    binning_u32 at; /* or the source */
};

/* A sequence, and its literals less their places. */
struct zstd_place_sequence {
    binning_u32 number;
    binning_u32 end;
    binning_u32 match;
    binning_u32 offset;
    binning_u32 literals;
};

DEVICE_FN struct zstd_place_sequence
zstd_place_get(DEVICE_SHARED const struct zstd_place_shared *shared,
               binning_u32 s)
{
    const struct zstd_place_sequence sequence = {
        s, shared->start[s + 1], shared->match[s], shared->offset[s],
        shared->literal[s] - shared->start[s]};

    return sequence;
}

/* Returns where the source of byte P of SEQUENCE is. */
DEVICE_FN struct zstd_place_look
zstd_place_look(const struct zstd_batch *batch,
                const struct zstd_place_part *part,
                const struct zstd_place_sequence *sequence, binning_u32 p)
{
    struct zstd_place_look look = {ZSTD_FROM_LITERALS, sequence->literals + p};

    if (p < sequence->match)
        return look;
    binning_u32 i = p - sequence->match;
    /* A near match repeats. */
    if (i >= sequence->offset)
        i %= sequence->offset;
    const binning_u32 source = sequence->match - sequence->offset + i;
    const bool is_near = source >= part->tile && source >= part->start;
    look.at = is_near ? (source - part->tile) | ZSTD_PLACE_NEAR : source;
    look.from = is_near                        ? ZSTD_FROM_NOWHERE
                : source < batch->work.history ? ZSTD_FROM_WINDOW
                : source < part->at            ? ZSTD_FROM_NOWHERE
                                               : ZSTD_FROM_SOURCES;
    return look;
}

/* Find the sources of EACH bytes of the tile of PART, from number FIRST on. */
DEVICE_FN void
zstd_place_find_some(const struct zstd_batch *batch,
                     DEVICE_SHARED struct zstd_place_shared *shared,
                     const struct zstd_place_part *part, binning_u32 first)
{
    struct zstd_place_look look[ZSTD_PLACE_EACH];
    binning_u32 word[ZSTD_PLACE_EACH];
    const binning_u32 start = part->tile + first;
    struct zstd_place_sequence sequence = zstd_place_get(
        shared, zstd_place_find(shared, part->count,
                                start < part->start ? part->start : start));

    DEVICE_UNROLL
    for (binning_u32 i = 0; i < ZSTD_PLACE_EACH; i++) {
        const binning_u32 p = start + i;
        look[i].from = ZSTD_FROM_NOWHERE;
        look[i].at = ZSTD_SOURCE_FINAL;
        if (p < part->start || p >= part->end)
            continue;
        while (sequence.end <= p)
            sequence = zstd_place_get(shared, sequence.number + 1);
        look[i] = zstd_place_look(batch, part, &sequence, p);
    }
    /* All of these at a time. */
    DEVICE_UNROLL
    for (binning_u32 i = 0; i < ZSTD_PLACE_EACH; i++) {
        word[i] = look[i].at;
        if (look[i].from == ZSTD_FROM_LITERALS)
            word[i] = part->literals.data[look[i].at * part->literals.step];
        else if (look[i].from == ZSTD_FROM_WINDOW)
            word[i] = batch->content[look[i].at];
        else if (look[i].from == ZSTD_FROM_SOURCES)
            word[i] = batch->sources[look[i].at];
    }
    DEVICE_UNROLL
    for (binning_u32 i = 0; i < ZSTD_PLACE_EACH; i += 4) {
        struct zstd_words words;
        DEVICE_UNROLL
        for (binning_u32 w = 0; w < 4; w++)
            words.word[w] =
                word[i + w] | (look[i + w].from == ZSTD_FROM_LITERALS ||
                                       look[i + w].from == ZSTD_FROM_WINDOW
                                   ? ZSTD_SOURCE_FINAL
                                   : 0);
        ZSTD_STORE_4(shared->source, (first + i) / 4, words);
    }
}

/* Find the sources of the tile of PART. */
DEVICE_FN void
zstd_place_find_sources(const struct zstd_batch *batch,
                        DEVICE_SHARED struct zstd_place_shared *shared,
                        const struct zstd_place_part *part)
{
    DEVICE_ROLLED
    for (binning_u32 first = ZSTD_PLACE_EACH * DEVICE_THREAD;
         first < ZSTD_PLACE_TILE && part->tile + first < part->end;
         first += ZSTD_PLACE_EACH * DEVICE_THREADS)
        if (part->tile + first + ZSTD_PLACE_EACH > part->start)
            zstd_place_find_some(batch, shared, part, first);
}

/* Write WORDS, of the four bytes from P on, from START up to END.  Returns
   whether some bytes are unresolved. */
DEVICE_FN bool
zstd_place_write(const struct zstd_batch *batch, const struct zstd_words *words,
                 binning_u32 p, binning_u32 start, binning_u32 end)
{
    if (p >= start && p + 4 <= end) {
        ZSTD_STORE_4(batch->sources, p / 4, *words);
        if (zstd_words_any_final(words))
            ZSTD_STORE_BYTES(batch->content, p / 4, words->word);
        return !zstd_words_are_final(words);
    }
    bool is_open = false;
    DEVICE_UNROLL
    for (binning_u32 w = 0; w < 4; w++) {
        if (p + w < start || p + w >= end)
            continue;
        batch->sources[p + w] = words->word[w];
        batch->content[p + w] = (unsigned char)words->word[w];
        is_open = is_open || (words->word[w] & ZSTD_SOURCE_FINAL) == 0;
    }
    return is_open;
}

/* Vectors of 4 bytes of a tile; and vectors that an item follows at a time. */
#define ZSTD_PLACE_VECTORS (ZSTD_PLACE_TILE / 4)
#define ZSTD_PLACE_LOADS 2u

/* Follow the sources NEAR in the tile of PART, and write them.  Returns whether
   some are unresolved. */
DEVICE_FN bool
zstd_place_follow(const struct zstd_batch *batch,
                  DEVICE_SHARED const struct zstd_place_shared *shared,
                  const struct zstd_place_part *part)
{
    bool is_open = false;

    DEVICE_ROLLED
    for (binning_u32 v = DEVICE_THREAD;
         v < ZSTD_PLACE_VECTORS && part->tile + 4 * v < part->end;
         v += ZSTD_PLACE_LOADS * DEVICE_THREADS) {
        struct zstd_words words[ZSTD_PLACE_LOADS];
        binning_u32 near = 0;
        DEVICE_UNROLL
        for (binning_u32 k = 0; k < ZSTD_PLACE_LOADS; k++) {
            const binning_u32 at = v + k * DEVICE_THREADS;
            const bool is_there = at < ZSTD_PLACE_VECTORS &&
                                  part->tile + 4 * at < part->end &&
                                  part->tile + 4 * at + 4 > part->start;
            DEVICE_UNROLL
            for (int w = 0; w < 4; w++)
                words[k].word[w] = ZSTD_SOURCE_FINAL;
            if (is_there)
                words[k] = ZSTD_LOAD_4(shared->source, at);
            DEVICE_UNROLL
            for (int w = 0; w < 4; w++)
                near |= words[k].word[w];
        }
        while ((near & ZSTD_PLACE_NEAR) != 0) {
            near = 0;
            DEVICE_UNROLL
            for (binning_u32 k = 0; k < ZSTD_PLACE_LOADS; k++) {
                DEVICE_UNROLL
                for (int w = 0; w < 4; w++) {
                    if ((words[k].word[w] & ZSTD_PLACE_NEAR) != 0)
                        words[k].word[w] =
                            shared->source[words[k].word[w] % ZSTD_PLACE_TILE];
                    near |= words[k].word[w];
                }
            }
        }
        DEVICE_UNROLL
        for (binning_u32 k = 0; k < ZSTD_PLACE_LOADS; k++) {
            const binning_u32 at = v + k * DEVICE_THREADS;
            if (at < ZSTD_PLACE_VECTORS)
                is_open |=
                    zstd_place_write(batch, &words[k], part->tile + 4 * at,
                                     part->start, part->end);
        }
    }
    return is_open;
}

/* Place the content of block B. */
DEVICE_FN void
zstd_place_block(const struct zstd_batch *batch, binning_u32 b)
{
    DEVICE_SHARED struct zstd_place_shared *shared =
        (DEVICE_SHARED struct zstd_place_shared *)batch->shared;
    struct zstd_found *found = &batch->found[b];
    const binning_u32 sequences = found->sequences;
    const binning_u32 end = found->at + found->content;
    struct zstd_place_part part;
    binning_u32 literal = 0;
    bool is_open = false;

    part.literals = zstd_place_literals(batch, &batch->tasks[b]);
    part.at = found->at;
    part.start = found->at;
    if (DEVICE_THREAD == 0)
        shared->is_open = 0;
    DEVICE_ROLLED
    for (binning_u32 first = 0; first < sequences; first += DEVICE_THREADS) {
        part.count = sequences - first < DEVICE_THREADS ? sequences - first
                                                        : DEVICE_THREADS;
        zstd_place_read(batch, shared, b, first, part.start, literal);
        part.end = shared->start[part.count];
        literal = shared->literal[part.count];
        DEVICE_ROLLED
        for (part.tile = part.start / 4 * 4; part.tile < part.end;
             part.tile += ZSTD_PLACE_TILE) {
            zstd_place_find_sources(batch, shared, &part);
            DEVICE_BARRIER();
            is_open |= zstd_place_follow(batch, shared, &part);
            DEVICE_BARRIER();
        }
        part.start = part.end;
    }
    /* The other literals follow the last sequence. */
    DEVICE_ROLLED
    for (binning_u32 p = part.start / 4 * 4 + 4 * DEVICE_THREAD; p < end;
         p += 4 * DEVICE_THREADS) {
        struct zstd_words words;
        DEVICE_UNROLL
        for (binning_u32 w = 0; w < 4; w++)
            words.word[w] =
                p + w < part.start || p + w >= end
                    ? ZSTD_SOURCE_FINAL
                    : zstd_place_literal(&part.literals,
                                         literal + (p + w - part.start));
        (void)zstd_place_write(batch, &words, p, part.start, end);
    }
    DEVICE_BARRIER();
    if (is_open)
        DEVICE_ADD(&shared->is_open, 1u);
    DEVICE_BARRIER();
    if (DEVICE_THREAD == 0) {
        found->is_open = shared->is_open;
        if (shared->is_open != 0)
            DEVICE_ADD_BITS(&batch->progress->is_open, 1u);
    }
    DEVICE_BARRIER();
}

DEVICE_FN void
zstd_place_all(const struct zstd_batch *batch)
{
    /* Later writes do no harm. */
    if (batch->left->content == 0)
        return;
    DEVICE_ROLLED
    for (binning_u32 b = DEVICE_BLOCK; b < batch->work.blocks;
         b += DEVICE_BLOCKS)
        zstd_place_block(batch, b);
}

#endif
