/* SPDX-License-Identifier: MIT */
/* zstd_blocks.c -- decode the blocks of a zstd frame, with helping threads */

#include <stdlib.h>
#include <string.h>

#include "input/decode/zstd/zstd_blocks.h"

/* Sets that are decoded, or in use by the owner, beside the sets of the
   helpers: this share of them, and more. */
#define WAITING_SHARE 2
#define WAITING_LEAST 3

/* Beside more helpers, the owner has enough to do. */
#define HELPERS_FEW 2

/* The checksum of so many pieces is worth waking a helper. */
#define PIECES_WORTH 8

static unsigned int
count_for(unsigned int helpers)
{
    return helpers + helpers / WAITING_SHARE + WAITING_LEAST;
}

uint64_t
zstd_blocks_bytes(unsigned int helpers)
{
    return zstd_block_set_walk_bytes() +
           count_for(helpers) * zstd_block_set_bytes() +
           (helpers + 1) * sizeof(struct zstd_tables);
}

static struct zstd_block_set *
set_of(const struct zstd_blocks *blocks, uint64_t number)
{
    return &blocks->set[ring_at(&blocks->sets, number)];
}

/* ---- stages of sets, and of pieces ---- */

enum zstd_stage {
    STAGE_READ,
    STAGE_DECODE,
    STAGES
};

/* A missing set has no more stages. */
static bool
work_read(void *context, uint64_t number, unsigned int member)
{
    struct zstd_blocks *blocks = context;
    struct zstd_block_set *set = set_of(blocks, number);

    (void)member;
    set->is_there = !blocks->walk.is_over && !atomic_load(&blocks->is_stopped);
    if (set->is_there)
        zstd_block_set_read(set, &blocks->walk);
    return set->is_there;
}

static bool
work_decode(void *context, uint64_t number, unsigned int member)
{
    struct zstd_blocks *blocks = context;

    zstd_block_set_decode(set_of(blocks, number), &blocks->tables[member],
                          blocks->walk.block_max);
    return true;
}

static const struct ring_stage set_stages[STAGES] = {
    [STAGE_READ] = {.work = work_read, .is_in_order = true},
    [STAGE_DECODE] = {.work = work_decode},
};

/* Copy a piece, and add it to the checksum. */
static bool
work_copy(void *context, uint64_t number, unsigned int member)
{
    struct zstd_blocks *blocks = context;
    const struct zstd_piece *piece =
        &blocks->piece[ring_at(&blocks->pieces, number)];

    (void)member;
    if (piece->to != NULL)
        memcpy(piece->to, piece->from, piece->size);
    if (blocks->has_checksum)
        xxh64_add(&blocks->sum, piece->from, piece->size);
    return true;
}

static const struct ring_stage piece_stage = {.work = work_copy,
                                              .is_in_order = true};

/* ---- start and end ---- */

static int
allocate(struct zstd_blocks *blocks, unsigned int count, unsigned int helpers)
{
    blocks->set = calloc(count, sizeof *blocks->set);
    blocks->tables = calloc((size_t)helpers + 1, sizeof *blocks->tables);
    if (blocks->set == NULL || blocks->tables == NULL ||
        zstd_block_set_open_walk(&blocks->walk) < 0)
        return -1;
    for (unsigned int i = 0; i < count; i++) {
        if (zstd_block_set_open(&blocks->set[i]) < 0)
            return -1;
    }
    return 0;
}

/* Open the crew and both rings: pieces come first, because the owner waits for
   them with a full buffer. */
static int
open_rings(struct zstd_blocks *blocks, unsigned int count, unsigned int helpers)
{
    if (ring_crew_open(&blocks->crew, helpers) < 0 ||
        ring_open(&blocks->pieces, &blocks->crew, &piece_stage, 1,
                  ZSTD_BLOCKS_PIECES, blocks) < 0)
        return -1;
    blocks->pieces.owner = RING_OWNER_WORKS;
    return ring_open(&blocks->sets, &blocks->crew, set_stages, STAGES, count,
                     blocks);
}

int
zstd_blocks_open(struct zstd_blocks *blocks, const struct zstd_frame *frame,
                 const struct source *source, off_t offset,
                 unsigned int helpers)
{
    unsigned int count = count_for(helpers);

    *blocks = (struct zstd_blocks){
        .has_checksum = frame->has_checksum,
        .walk = {.source = source,
                 .block_max = zstd_frame_block_max(frame),
                 .has_checksum = frame->has_checksum,
                 .next = offset},
    };
    xxh64_start(&blocks->sum);
    if (open_rings(blocks, count, helpers) == 0 &&
        allocate(blocks, count, helpers) == 0)
        ring_crew_start(&blocks->crew, helpers);
    if (blocks->crew.threads == 0) {
        (void)zstd_blocks_close(blocks);
        return -1;
    }
    blocks->sets.owner = blocks->crew.threads <= HELPERS_FEW
                             ? RING_OWNER_WORKS
                             : RING_OWNER_STARTS;
    while (!ring_is_full(&blocks->sets))
        ring_submit(&blocks->sets);
    return 0;
}

off_t
zstd_blocks_close(struct zstd_blocks *blocks)
{
    unsigned int count = blocks->set != NULL ? blocks->sets.count : 0;

    ring_crew_close(&blocks->crew);
    off_t end = blocks->walk.next;
    for (unsigned int i = 0; i < count; i++)
        zstd_block_set_close(&blocks->set[i]);
    zstd_block_set_close_walk(&blocks->walk);
    free(blocks->set);
    free(blocks->tables);
    *blocks = (struct zstd_blocks){.set = NULL};
    return end;
}

/* ---- the owner ---- */

void
zstd_blocks_stop(struct zstd_blocks *blocks)
{
    atomic_store(&blocks->is_stopped, true);
}

const struct zstd_block_set *
zstd_blocks_await(struct zstd_blocks *blocks)
{
    const struct zstd_block_set *set = set_of(blocks, blocks->sets.released);

    (void)ring_await(&blocks->sets, RING_ALL);
    return set->is_there ? set : NULL;
}

void
zstd_blocks_release(struct zstd_blocks *blocks)
{
    ring_release(&blocks->sets);
    ring_submit(&blocks->sets);
}

void
zstd_blocks_put(struct zstd_blocks *blocks, unsigned char *to,
                const unsigned char *from, size_t size)
{
    struct ring *pieces = &blocks->pieces;

    if (to == NULL && !blocks->has_checksum)
        return;
    unsigned int left = ring_reap(pieces);
    if (left == ZSTD_BLOCKS_PIECES) {
        (void)ring_await(pieces, RING_ALL);
        left = ring_reap(pieces);
    }
    blocks->piece[ring_at(pieces, pieces->filled)] =
        (struct zstd_piece){from, to, size};
    /* Nobody waits for a checksum yet. */
    if (to != NULL || left + 1 >= PIECES_WORTH)
        ring_submit(pieces);
    else
        ring_submit_quietly(pieces);
}

void
zstd_blocks_drain(struct zstd_blocks *blocks)
{
    ring_drain(&blocks->pieces);
}

uint32_t
zstd_blocks_sum(const struct zstd_blocks *blocks)
{
    /* The frame has the lower half. */
    return (uint32_t)xxh64_end(&blocks->sum);
}

off_t
zstd_blocks_next(const struct zstd_blocks *blocks,
                 struct zstd_inherited *inherited)
{
    zstd_find_inherit(inherited, blocks->walk.inherited.table);
    return zstd_block_set_walk_offset(&blocks->walk);
}
