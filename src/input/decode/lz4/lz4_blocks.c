/* SPDX-License-Identifier: MIT */
/* lz4_blocks.c -- decode the blocks of lz4 frames, with helping threads */

#include <stdlib.h>
#include <string.h>

#include <lz4.h>

#include "base/little_endian.h"
#include "input/decode/lz4/lz4_blocks.h"

/* How far back a block may refer. */
#define HISTORY_BYTES ((size_t)64 << 10)

/* Content for which waking a thread costs little, and which fits into a core's
   cache. */
#define SET_BYTES ((uint32_t)512 << 10)

/* Sets that are done or being filled while each helper decodes one. */
#define SETS_SPARE 2

/* Of the start of a set. */
#define START_BYTES (64 << 10)

static unsigned int
count_of(unsigned int helpers)
{
    return helpers > 0 ? helpers + SETS_SPARE : 1;
}

/* How many blocks a set has. */
static unsigned int
set_blocks(const struct lz4_frame *frame, unsigned int helpers)
{
    return helpers > 0 && frame->block_bytes < SET_BYTES
               ? SET_BYTES / frame->block_bytes
               : 1;
}

/* How many bytes the COUNT blocks of a set may have. */
static size_t
packed_room(const struct lz4_frame *frame, unsigned int count)
{
    return ((size_t)frame->packed_bytes + 2 * LZ4_FRAME_WORD_BYTES) * count;
}

static size_t
history_room(const struct lz4_frame *frame)
{
    return frame->is_linked ? HISTORY_BYTES : 0;
}

static size_t
content_room(const struct lz4_frame *frame, unsigned int count)
{
    return history_room(frame) + (size_t)frame->block_bytes * count;
}

uint64_t
lz4_blocks_bytes(const struct lz4_frame *frame, unsigned int helpers)
{
    unsigned int blocks = set_blocks(frame, helpers);
    uint64_t each = sizeof(struct lz4_block_set) + packed_room(frame, blocks) +
                    content_room(frame, blocks);

    return each * count_of(helpers);
}

static struct lz4_block_set *
set_of(const struct lz4_blocks *blocks, uint64_t number)
{
    return &blocks->set[ring_at(&blocks->ring, number)];
}

/*
 * Decode BLOCK, whose compressed bytes are at DATA, to CONTENT; with IS_START
 * at least its first bytes.  Sets *SIZE to the number of bytes.  Returns NULL,
 * or an error text.
 */
static const char *
decode_block(const struct lz4_blocks *blocks,
             const struct lz4_frame_block *block, const unsigned char *data,
             unsigned char *content, bool is_start, size_t *size)
{
    const struct lz4_frame *frame = &blocks->frame;
    const char *packed = (const char *)data;
    int bytes = (int)block->packed_bytes;
    int most = (int)frame->block_bytes;
    int got = bytes;

    if (frame->has_block_sums &&
        xxh32_of(data, block->packed_bytes) !=
            little_endian_32(data + block->packed_bytes))
        return "the block has a wrong checksum";
    if (block->is_stored)
        memcpy(content, packed, block->packed_bytes);
    else if (is_start)
        got = LZ4_decompress_safe_partial(
            packed, (char *)content, bytes,
            START_BYTES < most ? START_BYTES : most, most);
    else
        got = LZ4_decompress_safe_usingDict(
            packed, (char *)content, bytes, most,
            (const char *)content - blocks->history, (int)blocks->history);
    if (got < 0)
        return "the block is damaged";
    *size = (size_t)got;
    return NULL;
}

/* Decode SET to CONTENT.  Other sets may be decoded at the same time. */
static void
decode(const struct lz4_blocks *blocks, struct lz4_block_set *set,
       unsigned char *content)
{
    const unsigned char *packed = set->packed;
    size_t at = 0;

    set->wrong = NULL;
    set->content_bytes = 0;
    if (set->is_unread &&
        source_read_at(blocks->source, set->packed, set->packed_bytes,
                       set->offset, &set->failure) < 0)
        return;
    for (unsigned int i = 0; at < set->packed_bytes && set->wrong == NULL;
         i++) {
        struct lz4_frame_block block;
        size_t size = 0;
        set->wrong_at = set->offset + (off_t)at;
        /* The owner has looked at the sizes, but the file may change. */
        if (i == blocks->set_blocks ||
            set->packed_bytes - at < LZ4_FRAME_WORD_BYTES ||
            lz4_frame_read_block(&block, &blocks->frame, packed + at) < 0 ||
            block.is_end || block.whole_bytes > set->packed_bytes - at) {
            set->wrong = "it changed while it was read";
            return;
        }
        set->wrong =
            decode_block(blocks, &block, packed + at + LZ4_FRAME_WORD_BYTES,
                         content + set->content_bytes, set->is_start, &size);
        set->content_bytes += size;
        at += block.whole_bytes;
    }
}

/* ---- stages ---- */

enum lz4_stage {
    STAGE_DECODE,
    STAGE_SUM, /* continue the content's checksum */
    STAGES
};

static bool
work_decode(void *context, uint64_t number, unsigned int member)
{
    const struct lz4_blocks *blocks = context;
    struct lz4_block_set *set = set_of(blocks, number);

    (void)member;
    decode(blocks, set, set->content);
    return true;
}

static bool
work_sum(void *context, uint64_t number, unsigned int member)
{
    struct lz4_blocks *blocks = context;
    const struct lz4_block_set *set = set_of(blocks, number);

    (void)member;
    if (blocks->frame.has_content_sum)
        xxh32_add(&blocks->sum, set->content, set->content_bytes);
    return true;
}

static const struct ring_stage stages[STAGES] = {
    [STAGE_DECODE] = {.work = work_decode},
    [STAGE_SUM] = {.work = work_sum, .is_in_order = true},
};

/* ---- start and end ---- */

static int
allocate(struct lz4_blocks *blocks, unsigned int count)
{
    const struct lz4_frame *frame = &blocks->frame;

    blocks->set = calloc(count, sizeof *blocks->set);
    if (blocks->set == NULL)
        return -1;
    for (unsigned int i = 0; i < count; i++) {
        struct lz4_block_set *set = &blocks->set[i];
        set->packed = malloc(packed_room(frame, blocks->set_blocks));
        unsigned char *content =
            malloc(content_room(frame, blocks->set_blocks));
        if (content != NULL)
            set->content = content + history_room(frame);
        if (set->packed == NULL || content == NULL)
            return -1;
    }
    return 0;
}

int
lz4_blocks_open(struct lz4_blocks *blocks, const struct lz4_frame *frame,
                unsigned int helpers)
{
    unsigned int count = count_of(helpers);

    *blocks = (struct lz4_blocks){.frame = *frame,
                                  .set_blocks = set_blocks(frame, helpers)};
    if (ring_crew_open(&blocks->crew, helpers) < 0 ||
        ring_open(&blocks->ring, &blocks->crew, stages, STAGES, count, blocks) <
            0 ||
        allocate(blocks, count) < 0) {
        lz4_blocks_close(blocks);
        return -1;
    }
    ring_crew_start(&blocks->crew, helpers);
    /* Many helpers would soon wait for the owner. */
    blocks->ring.owner = blocks->crew.threads < LZ4_BLOCKS_HELPERS_MAX
                             ? RING_OWNER_WORKS
                             : RING_OWNER_WAITS;
    return 0;
}

void
lz4_blocks_close(struct lz4_blocks *blocks)
{
    unsigned int count = blocks->set != NULL ? blocks->ring.count : 0;
    size_t history = history_room(&blocks->frame);

    ring_crew_close(&blocks->crew);
    for (unsigned int i = 0; i < count; i++) {
        error_clear(&blocks->set[i].failure);
        free(blocks->set[i].packed);
        if (blocks->set[i].content != NULL)
            free(blocks->set[i].content - history);
    }
    free(blocks->set);
    *blocks = (struct lz4_blocks){.set = NULL};
}

/* ---- the owner ---- */

bool
lz4_blocks_fit(const struct lz4_blocks *blocks, const struct lz4_frame *frame)
{
    return blocks->set != NULL &&
           frame->block_bytes == blocks->frame.block_bytes &&
           frame->is_linked == blocks->frame.is_linked &&
           frame->is_legacy == blocks->frame.is_legacy;
}

void
lz4_blocks_discard(struct lz4_blocks *blocks)
{
    if (blocks->set == NULL)
        return;
    ring_discard(&blocks->ring);
    for (unsigned int i = 0; i < blocks->ring.count; i++)
        error_clear(&blocks->set[i].failure);
}

void
lz4_blocks_start(struct lz4_blocks *blocks, const struct lz4_frame *frame,
                 const struct source *source)
{
    blocks->frame = *frame;
    blocks->source = source;
    blocks->history = 0;
    xxh32_start(&blocks->sum);
}

bool
lz4_blocks_are_empty(const struct lz4_blocks *blocks)
{
    return ring_is_empty(&blocks->ring);
}

struct lz4_block_set *
lz4_blocks_next(const struct lz4_blocks *blocks)
{
    return ring_is_full(&blocks->ring) ? NULL
                                       : set_of(blocks, blocks->ring.filled);
}

void
lz4_blocks_submit(struct lz4_blocks *blocks)
{
    ring_submit(&blocks->ring);
}

void
lz4_blocks_decode(struct lz4_blocks *blocks, struct lz4_block_set *set,
                  unsigned char *content)
{
    decode(blocks, set, content);
    if (blocks->frame.has_content_sum)
        xxh32_add(&blocks->sum, content, set->content_bytes);
}

/* Returns the first set of the ring, which is not empty. */
static struct lz4_block_set *
first_of(const struct lz4_blocks *blocks)
{
    return set_of(blocks, blocks->ring.released);
}

struct lz4_block_set *
lz4_blocks_await(struct lz4_blocks *blocks)
{
    return ring_await(&blocks->ring, RING_ALL) ? first_of(blocks) : NULL;
}

/* Keep the end of SET's content before the content of the next set. */
static void
keep_history(struct lz4_blocks *blocks, const struct lz4_block_set *set)
{
    size_t bytes = blocks->history + set->content_bytes;
    size_t kept = bytes < HISTORY_BYTES ? bytes : HISTORY_BYTES;

    memmove(set->content - kept, set->content + set->content_bytes - kept,
            kept);
    blocks->history = kept;
}

void
lz4_blocks_complete(struct lz4_blocks *blocks)
{
    struct lz4_block_set *set = first_of(blocks);

    set->is_start = false;
    decode(blocks, set, set->content);
}

void
lz4_blocks_release(struct lz4_blocks *blocks)
{
    struct lz4_block_set *set = first_of(blocks);

    error_clear(&set->failure);
    if (blocks->frame.is_linked)
        keep_history(blocks, set);
    ring_release(&blocks->ring);
}
