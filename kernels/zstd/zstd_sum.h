/* SPDX-License-Identifier: MIT */
/*
 * zstd_sum.h -- a kernel that computes the checksums of frames
 *
 * A lane of XXH64 is a chain, so an item computes a lane, and four items a
 * frame.  Many frames make this fast.
 */

#ifndef GPUHIST_ZSTD_SUM_H
#define GPUHIST_ZSTD_SUM_H

#include "kernels/zstd/xxh64_step.h"
#include "kernels/zstd/zstd_kernel.h"

/* The words that an item loads early. */
#define ZSTD_SUM_WORDS 16u
#define ZSTD_SUM_TILE (ZSTD_SUM_WORDS * XXH64_STRIPE_BYTES)

/* The prefetch before this, one cache line by each item. */
#define ZSTD_SUM_ASKED 4096u
#define ZSTD_SUM_LINE (ZSTD_SUM_TILE / XXH64_LANES)

struct zstd_sum_shared {
    binning_u64 lane[ZSTD_SUM_BLOCKS][XXH64_LANES];
};

#define ZSTD_SUM_WORDS_SHARED (sizeof(struct zstd_sum_shared) / 4)

/* The content of a frame. */
struct zstd_sum_content {
    const unsigned char *data;
    binning_u32 bytes;
};

/* The content of the frame whose first block is B. */
DEVICE_FN struct zstd_sum_content
zstd_sum_content(const struct zstd_batch *batch, binning_u32 b)
{
    const struct zstd_found *first = &batch->found[b];
    const struct zstd_found *last = first + (batch->tasks[b].summed_blocks - 1);
    struct zstd_sum_content content = {batch->content + first->at,
                                       last->at + last->content - first->at};

    return content;
}

/* Words of a lane, as loaded: each word starts in its first part. */
struct zstd_sum_tile {
    binning_u32 part[ZSTD_SUM_WORDS][3];
};

/* Load the words of a lane from DATA, a multiple of 4, on. */
DEVICE_FN void
zstd_sum_load(struct zstd_sum_tile *tile, const unsigned char *data)
{
    DEVICE_UNROLL
    for (unsigned int i = 0; i < ZSTD_SUM_WORDS; i++) {
        DEVICE_UNROLL
        for (unsigned int k = 0; k < 3; k++)
            tile->part[i][k] =
                zstd_load_aligned(data + i * XXH64_STRIPE_BYTES + 4 * k);
    }
}

/* Returns HASH after all words of TILE. */
DEVICE_FN binning_u64
zstd_sum_take(binning_u64 hash, const struct zstd_sum_tile *tile,
              unsigned int bits)
{
    DEVICE_UNROLL
    for (unsigned int i = 0; i < ZSTD_SUM_WORDS; i++) {
        const binning_u32 *part = tile->part[i];
        binning_u64 word = (binning_u64)ZSTD_SHIFT(part[1], part[2], bits)
                               << 32 |
                           ZSTD_SHIFT(part[0], part[1], bits);
        hash = xxh64_step(hash, xxh64_product(word));
    }
    return hash;
}

/* Returns lane number LANE, which was HASH, after TILES, at least 1.  Its first
   word is at DATA. */
DEVICE_FN binning_u64
zstd_sum_tiles(binning_u64 hash, const unsigned char *data, binning_u32 tiles,
               binning_u32 lane)
{
    const unsigned int bits = 8 * (unsigned int)((size_t)data & 3);
    struct zstd_sum_tile tile;
    struct zstd_sum_tile next;

    data -= (size_t)data & 3;
    zstd_sum_load(&next, data);
    DEVICE_ROLLED
    for (binning_u32 left = tiles; left > 0; left--) {
        tile = next;
        /* The last word is loaded again. */
        if (left > 1)
            data += ZSTD_SUM_TILE;
        zstd_sum_load(&next, data);
        if (left > ZSTD_SUM_ASKED / ZSTD_SUM_TILE + 2)
            ZSTD_ASK(data + ZSTD_SUM_ASKED +
                     lane * (ZSTD_SUM_LINE - XXH64_WORD_BYTES));
        hash = zstd_sum_take(hash, &tile, bits);
    }
    return hash;
}

/* Returns lane number LANE of all stripes of CONTENT. */
DEVICE_FN binning_u64
zstd_sum_lane(const struct zstd_sum_content *content, binning_u32 lane)
{
    const binning_u32 stripes = content->bytes / XXH64_STRIPE_BYTES;
    /* The bytes read with the last word of a tile are content, too. */
    const binning_u32 tiles =
        content->bytes < ZSTD_MARGIN
            ? 0
            : (content->bytes - ZSTD_MARGIN) / ZSTD_SUM_TILE;
    const unsigned char *data = content->data + lane * XXH64_WORD_BYTES;
    binning_u64 hash = xxh64_lane(lane);

    if (tiles > 0)
        hash = zstd_sum_tiles(hash, data, tiles, lane);
    DEVICE_ROLLED
    for (binning_u32 s = tiles * ZSTD_SUM_WORDS; s < stripes; s++)
        hash = xxh64_step(
            hash, xxh64_product(xxh64_word(data + s * XXH64_STRIPE_BYTES, 8)));
    return hash;
}

/* Returns the hash of CONTENT, which has the LANES. */
DEVICE_FN binning_u64
zstd_sum_end(const struct zstd_sum_content *content,
             DEVICE_SHARED const binning_u64 *lane)
{
    return xxh64_finish(xxh64_join(lane[0], lane[1], lane[2], lane[3]),
                        content->bytes,
                        content->data + content->bytes / XXH64_STRIPE_BYTES *
                                            XXH64_STRIPE_BYTES);
}

/* The frames that start with the COUNT blocks from FIRST on. */
DEVICE_FN void
zstd_sum_frames(const struct zstd_batch *batch, binning_u32 first,
                binning_u32 count)
{
    DEVICE_SHARED struct zstd_sum_shared *shared =
        (DEVICE_SHARED struct zstd_sum_shared *)batch->shared;

    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i < count * XXH64_LANES;
         i += DEVICE_THREADS) {
        const binning_u32 b = i / XXH64_LANES;
        const binning_u32 lane = i % XXH64_LANES;
        if (batch->tasks[first + b].summed_blocks == 0)
            continue;
        struct zstd_sum_content content = zstd_sum_content(batch, first + b);
        shared->lane[b][lane] = zstd_sum_lane(&content, lane);
    }
    DEVICE_BARRIER();
    DEVICE_ROLLED
    for (binning_u32 b = DEVICE_THREAD; b < count; b += DEVICE_THREADS) {
        if (batch->tasks[first + b].summed_blocks == 0)
            continue;
        struct zstd_sum_content content = zstd_sum_content(batch, first + b);
        batch->sums[first + b] = zstd_sum_end(&content, shared->lane[b]);
    }
    DEVICE_BARRIER();
}

DEVICE_FN void
zstd_sum_all(const struct zstd_batch *batch)
{
    const binning_u32 blocks = batch->work.blocks;

    /* No content. */
    if (batch->left->is_refused != 0)
        return;
    DEVICE_ROLLED
    for (binning_u32 first = DEVICE_BLOCK * ZSTD_SUM_BLOCKS; first < blocks;
         first += DEVICE_BLOCKS * ZSTD_SUM_BLOCKS)
        zstd_sum_frames(batch, first,
                        blocks - first < ZSTD_SUM_BLOCKS ? blocks - first
                                                         : ZSTD_SUM_BLOCKS);
}

#endif
