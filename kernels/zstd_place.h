/*
 * zstd_place.h -- kernels that find out where the content of blocks is, and put
 * their literals there
 */

#ifndef GPUHIST_ZSTD_PLACE_H
#define GPUHIST_ZSTD_PLACE_H

#include "zstd_group.h"

/* ---- zstd_join: one group ---- */

/* What MADE is at most. */
#define ZSTD_MADE_MAX 0x40000000u

/* Blocks that are joined together, and what each has in shared memory. */
#define ZSTD_JOIN_BLOCKS 512u

struct zstd_join {
    binning_u32 content;
    binning_u32 is_refused;
    binning_u32 begins_frame;
    binning_u32 at;
    binning_u32 made;
    struct zstd_offsets offsets;
};

struct zstd_join_shared {
    struct zstd_join block[ZSTD_JOIN_BLOCKS];
};

#define ZSTD_JOIN_WORDS (sizeof(struct zstd_join_shared) / 4)

/* Let LEFT, which is behind the blocks before JOIN, be behind it.  AT is where
   its content begins. */
BINNING_FUNCTION void
zstd_join_one(struct zstd_left *left, SEQUENCE_LOCAL struct zstd_join *join,
              const struct zstd_work *work)
{
    struct zstd_offsets before = left->offsets;

    left->is_refused |= join->is_refused;
    if (join->begins_frame != 0) {
        left->made = 0;
        before = zstd_offsets_of_frame();
    }
    left->offsets = zstd_offsets_join(&before, &join->offsets);
    join->offsets = before;
    join->made = left->made;
    join->at = work->history + left->content;
    /* The host has made sure that there is room. */
    if (join->content > work->room - left->content)
        left->is_refused = 1;
    if (left->is_refused != 0)
        return;
    left->content += join->content;
    left->made = left->made + join->content < ZSTD_MADE_MAX
                     ? left->made + join->content
                     : ZSTD_MADE_MAX;
}

BINNING_FUNCTION void
zstd_join_all(const struct zstd_batch *batch)
{
    SEQUENCE_LOCAL struct zstd_join_shared *shared =
        (SEQUENCE_LOCAL struct zstd_join_shared *)batch->shared;
    const binning_u32 blocks = batch->work.blocks;
    struct zstd_left left = *batch->left_before;

    left.content = 0;
    SEQUENCE_ROLLED
    for (binning_u32 first = 0; first < blocks; first += ZSTD_JOIN_BLOCKS) {
        binning_u32 count = blocks - first < ZSTD_JOIN_BLOCKS
                                ? blocks - first
                                : ZSTD_JOIN_BLOCKS;
        for (binning_u32 i = SEQUENCE_ITEM; i < count; i += SEQUENCE_ITEMS) {
            const struct zstd_found *found = &batch->found[first + i];
            SEQUENCE_LOCAL struct zstd_join *join = &shared->block[i];
            join->content = found->content;
            join->is_refused = found->is_wrong | found->has_wrong_literals;
            join->begins_frame = batch->tasks[first + i].begins_frame;
            join->offsets = found->offsets;
        }
        SEQUENCE_BARRIER();
        if (SEQUENCE_ITEM == 0)
            for (binning_u32 i = 0; i < count; i++)
                zstd_join_one(&left, &shared->block[i], &batch->work);
        SEQUENCE_BARRIER();
        for (binning_u32 i = SEQUENCE_ITEM; i < count; i += SEQUENCE_ITEMS) {
            struct zstd_found *found = &batch->found[first + i];
            SEQUENCE_LOCAL struct zstd_join *join = &shared->block[i];
            found->at = join->at;
            found->made = join->made;
            found->offsets = join->offsets;
        }
        SEQUENCE_BARRIER();
    }
    if (SEQUENCE_ITEM == 0) {
        if (left.is_refused != 0)
            left.content = 0;
        *batch->left = left;
    }
}

/* ---- zstd_place: groups for blocks ---- */

/* Items of a group, or fewer. */
#define ZSTD_PLACE_ITEMS ZSTD_THREADS

/* The sequences that a group has at a time. */
struct zstd_place_shared {
    /* Of each: its first byte of content, and of literals; where its match
       begins; and its offset.  Behind the last one is the end. */
    binning_u32 begin[ZSTD_PLACE_ITEMS + 1];
    binning_u32 literal[ZSTD_PLACE_ITEMS + 1];
    binning_u32 match[ZSTD_PLACE_ITEMS];
    binning_u32 offset[ZSTD_PLACE_ITEMS];
};

#define ZSTD_PLACE_WORDS (sizeof(struct zstd_place_shared) / 4)

/* Let word 0 be FIRST, and each one up to SEQUENCE_ITEMS the one before it and
   AMOUNT of its item. */
BINNING_FUNCTION void
zstd_place_add_up(SEQUENCE_LOCAL binning_u32 *words, binning_u32 first,
                  binning_u32 amount)
{
    SEQUENCE_LOCAL binning_u32 *own = &words[1 + SEQUENCE_ITEM];
    binning_u32 sum = amount;

    if (SEQUENCE_ITEM == 0) {
        words[0] = first;
        sum += first;
    }
    *own = sum;
    SEQUENCE_BARRIER();
    for (binning_u32 step = 1; step < SEQUENCE_ITEMS; step *= 2) {
        if (SEQUENCE_ITEM >= step)
            sum += words[1 + SEQUENCE_ITEM - step];
        SEQUENCE_BARRIER();
        *own = sum;
        SEQUENCE_BARRIER();
    }
}

/* The literals of a block. */
struct zstd_place_literals {
    const unsigned char *data;
    binning_u32 step; /* 0: all are the first one */
};

BINNING_FUNCTION struct zstd_place_literals
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

/* Put literal number I at place P. */
BINNING_FUNCTION void
zstd_place_literal(const struct zstd_batch *batch,
                   const struct zstd_place_literals *literals, binning_u32 i,
                   binning_u32 p)
{
    batch->content[p] = literals->data[i * literals->step];
    batch->sources[p] = p | ZSTD_SOURCE_FINAL;
}

/* Put byte P of the match that begins at MATCH with OFFSET. */
BINNING_FUNCTION void
zstd_place_match(const struct zstd_batch *batch, binning_u32 match,
                 binning_u32 offset, binning_u32 p)
{
    binning_u32 i = p - match;
    /* A near match repeats. */
    binning_u32 source = match - offset + (i < offset ? i : i % offset);

    batch->sources[p] =
        source | (source < batch->work.history ? ZSTD_SOURCE_FINAL : 0);
}

/* The number, less than COUNT, of the sequence that has place P. */
BINNING_FUNCTION binning_u32
zstd_place_find(SEQUENCE_LOCAL const struct zstd_place_shared *shared,
                binning_u32 count, binning_u32 p)
{
    binning_u32 s = 0;

    for (binning_u32 half = ZSTD_PLACE_ITEMS / 2; half > 0; half /= 2)
        if (s + half < count && shared->begin[s + half] <= p)
            s += half;
    return s;
}

/*
 * Read up to ZSTD_PLACE_ITEMS sequences from FIRST on, of block B, which begin
 * at BEGIN and with literal number LITERAL.
 */
BINNING_FUNCTION void
zstd_place_read(const struct zstd_batch *batch,
                SEQUENCE_LOCAL struct zstd_place_shared *shared, binning_u32 b,
                binning_u32 first, binning_u32 begin, binning_u32 literal)
{
    const struct zstd_task *task = &batch->tasks[b];
    const struct zstd_found *found = &batch->found[b];
    const binning_u32 i = SEQUENCE_ITEM;
    struct zstd_sequence sequence = {1, 0, 0};

    if (first + i < found->sequences)
        sequence = batch->sequences[task->sequences_at + first + i];
    zstd_place_add_up(shared->begin, begin,
                      sequence.literals + (binning_u32)sequence.match);
    zstd_place_add_up(shared->literal, literal, sequence.literals);
    binning_u32 match = shared->begin[1 + i] - sequence.match;
    binning_u32 offset = zstd_offsets_resolve(&found->offsets, sequence.offset);
    if (sequence.match > 0 && (offset == 0 || offset > task->window ||
                               offset > found->made + (match - found->at))) {
        /* One that does no harm. */
        offset = 1;
        SEQUENCE_ADD_BITS(&batch->left->is_refused, 1u);
    }
    shared->match[i] = match;
    shared->offset[i] = offset;
    SEQUENCE_BARRIER();
}

/* Place the content of block B. */
BINNING_FUNCTION void
zstd_place_block(const struct zstd_batch *batch, binning_u32 b)
{
    SEQUENCE_LOCAL struct zstd_place_shared *shared =
        (SEQUENCE_LOCAL struct zstd_place_shared *)batch->shared;
    const struct zstd_found *found = &batch->found[b];
    const struct zstd_place_literals literals =
        zstd_place_literals(batch, &batch->tasks[b]);
    const binning_u32 sequences = found->sequences;
    binning_u32 begin = found->at;
    binning_u32 literal = 0;

    SEQUENCE_ROLLED
    for (binning_u32 first = 0; first < sequences; first += SEQUENCE_ITEMS) {
        binning_u32 count = sequences - first < SEQUENCE_ITEMS
                                ? sequences - first
                                : SEQUENCE_ITEMS;
        zstd_place_read(batch, shared, b, first, begin, literal);
        binning_u32 end = shared->begin[count];
        literal = shared->literal[count];
        SEQUENCE_ROLLED
        for (binning_u32 p = begin + SEQUENCE_ITEM; p < end;
             p += SEQUENCE_ITEMS) {
            binning_u32 s = zstd_place_find(shared, count, p);
            if (p < shared->match[s])
                zstd_place_literal(batch, &literals,
                                   shared->literal[s] + (p - shared->begin[s]),
                                   p);
            else
                zstd_place_match(batch, shared->match[s], shared->offset[s], p);
        }
        SEQUENCE_BARRIER();
        begin = end;
    }
    /* The other literals follow the last sequence. */
    SEQUENCE_ROLLED
    for (binning_u32 p = begin + SEQUENCE_ITEM; p < found->at + found->content;
         p += SEQUENCE_ITEMS)
        zstd_place_literal(batch, &literals, literal + (p - begin), p);
}

BINNING_FUNCTION void
zstd_place_all(const struct zstd_batch *batch)
{
    /* What is set later does no harm. */
    if (batch->left->content == 0)
        return;
    SEQUENCE_ROLLED
    for (binning_u32 b = SEQUENCE_GROUP; b < batch->work.blocks;
         b += SEQUENCE_GROUPS)
        zstd_place_block(batch, b);
}

#endif
