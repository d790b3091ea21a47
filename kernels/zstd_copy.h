/*
 * zstd_copy.h -- kernels that copy the bytes of matches, all at a time
 *
 * Of each byte that is a copy, the place of its source is known, which is
 * before it and may be a copy, too.  In each round, each byte takes the source
 * of its source, or goes some steps further, until all sources are final: as
 * pointers are doubled in Wyllie's list ranking.  Items may see sources of this
 * round or of the one before: both are right.
 */

#ifndef GPUHIST_ZSTD_COPY_H
#define GPUHIST_ZSTD_COPY_H

#include "zstd_group.h"

/* How many sources of sources an item looks at. */
#define ZSTD_COPY_STEPS 4

/* ---- zstd_begin ---- */

/* Copy the window to its place before the content, and clear what the others
   set. */
BINNING_FUNCTION void
zstd_copy_begin(const struct zstd_batch *batch)
{
    const struct zstd_left *left = batch->left_before;
    const binning_u32 history = batch->work.history;
    binning_u32 kept = left->made < history ? left->made : history;
    const unsigned char *from =
        batch->before + (history + left->content - kept);
    unsigned char *to = batch->content + (history - kept);

    SEQUENCE_ROLLED
    for (binning_u32 i = sequence_item(); i < kept; i += sequence_items())
        to[i] = from[i];
    SEQUENCE_ROLLED
    for (binning_u32 i = sequence_item(); i <= ZSTD_ROUNDS;
         i += sequence_items())
        batch->rounds[i] = i == 0;
}

/* ---- zstd_jump ---- */

/* Returns a source, FINAL or not, that is nearer to the end than SOURCE. */
BINNING_FUNCTION binning_u32
zstd_copy_follow(const struct zstd_batch *batch, binning_u32 source)
{
    SEQUENCE_UNROLL
    for (int i = 0; i < ZSTD_COPY_STEPS; i++)
        if ((source & ZSTD_SOURCE_FINAL) == 0)
            source = batch->sources[source];
    return source;
}

BINNING_FUNCTION void
zstd_copy_jump(const struct zstd_batch *batch)
{
    const binning_u32 round = batch->work.round;
    const binning_u32 first = batch->work.history;
    const binning_u32 count = batch->left->content;
    binning_u32 *const sources = batch->sources + first;
    binning_u32 open = 0;

    if (batch->left->is_refused != 0 || batch->rounds[round - 1] == 0)
        return;
    SEQUENCE_ROLLED
    for (binning_u32 i = sequence_item(); i < count / 4;
         i += sequence_items()) {
        struct zstd_words words = ZSTD_LOAD_4(sources, i);
        binning_u32 all =
            words.word[0] & words.word[1] & words.word[2] & words.word[3];
        if ((all & ZSTD_SOURCE_FINAL) != 0)
            continue;
        SEQUENCE_UNROLL
        for (int w = 0; w < 4; w++)
            words.word[w] = zstd_copy_follow(batch, words.word[w]);
        open |=
            ~(words.word[0] & words.word[1] & words.word[2] & words.word[3]);
        ZSTD_STORE_4(sources, i, words);
    }
    for (binning_u32 i = count / 4 * 4 + sequence_item(); i < count;
         i += sequence_items()) {
        sources[i] = zstd_copy_follow(batch, sources[i]);
        open |= ~sources[i];
    }
    if ((open & ZSTD_SOURCE_FINAL) != 0)
        batch->rounds[round] = 1;
}

/* ---- zstd_fill ---- */

BINNING_FUNCTION void
zstd_copy_fill(const struct zstd_batch *batch)
{
    const binning_u32 first = batch->work.history;
    const binning_u32 count = batch->left->content;
    const binning_u32 *const sources = batch->sources + first;
    unsigned char *const content = batch->content + first;
    const binning_u32 mask = ~ZSTD_SOURCE_FINAL;

    if (batch->left->is_refused != 0)
        return;
    SEQUENCE_ROLLED
    for (binning_u32 i = sequence_item(); i < count / 4;
         i += sequence_items()) {
        struct zstd_words words = ZSTD_LOAD_4(sources, i);
        binning_u32 bytes[4];
        SEQUENCE_UNROLL
        for (int w = 0; w < 4; w++)
            bytes[w] = batch->content[words.word[w] & mask];
        ZSTD_STORE_BYTES(content, i, bytes);
    }
    for (binning_u32 i = count / 4 * 4 + sequence_item(); i < count;
         i += sequence_items())
        content[i] = batch->content[sources[i] & mask];
}

#endif
