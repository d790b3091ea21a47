/* lz4_blocks.c -- decode the blocks of lz4 frames, with helping threads */

#include <stdlib.h>
#include <string.h>

#include <lz4.h>

#include "input/lz4_blocks.h"
#include "util/little_endian.h"
#include "util/thread.h"

/* How far back a block may refer. */
#define HISTORY_BYTES ((size_t)64 << 10)

uint32_t
lz4_blocks_packed_most(const struct lz4_frame *frame)
{
    /* In other frames a block that does not shrink is stored. */
    return frame->is_legacy ? LZ4_COMPRESSBOUND(frame->block_bytes)
                            : frame->block_bytes;
}

static size_t
packed_room(const struct lz4_frame *frame)
{
    return (size_t)lz4_blocks_packed_most(frame) + LZ4_FRAME_WORD_BYTES;
}

static size_t
history_room(const struct lz4_frame *frame)
{
    return frame->is_linked ? HISTORY_BYTES : 0;
}

uint64_t
lz4_blocks_bytes(const struct lz4_frame *frame, unsigned int count)
{
    uint64_t each = sizeof(struct lz4_block) + packed_room(frame) +
                    history_room(frame) + frame->block_bytes;

    return each * count;
}

static struct lz4_block *
block_of(const struct lz4_blocks *blocks, uint64_t number)
{
    return &blocks->block[number % blocks->count];
}

/* Decode BLOCK.  Other blocks may be decoded at the same time. */
static void
decode(const struct lz4_blocks *blocks, struct lz4_block *block)
{
    const struct lz4_frame *frame = &blocks->frame;
    const char *packed = (const char *)block->packed;
    int got = (int)block->packed_bytes;

    block->wrong = NULL;
    block->content_bytes = 0;
    if (frame->has_block_sums &&
        xxh32_of(block->packed, block->packed_bytes) !=
            little_endian_32(block->packed + block->packed_bytes)) {
        block->wrong = "the block has a wrong checksum";
        return;
    }
    if (block->is_stored)
        memcpy(block->content, packed, block->packed_bytes);
    else
        got = LZ4_decompress_safe_usingDict(
            packed, (char *)block->content, (int)block->packed_bytes,
            (int)frame->block_bytes,
            (const char *)block->content - blocks->history,
            (int)blocks->history);
    if (got < 0)
        block->wrong = "the block is damaged";
    else
        block->content_bytes = (size_t)got;
}

/* Continue the content's checksum, as far as possible.  Under the lock, which
   is released meanwhile. */
static void
add_done(struct lz4_blocks *blocks)
{
    if (blocks->is_adding)
        return; /* that thread will go on */
    blocks->is_adding = true;
    while (blocks->done < blocks->taken) {
        struct lz4_block *block = block_of(blocks, blocks->done);
        if (!block->is_decoded)
            break;
        if (blocks->frame.has_content_sum) {
            pthread_mutex_unlock(&blocks->lock);
            xxh32_add(&blocks->sum, block->content, block->content_bytes);
            pthread_mutex_lock(&blocks->lock);
        }
        blocks->done++;
        pthread_cond_signal(&blocks->done_one);
    }
    blocks->is_adding = false;
}

/* Take and decode the next filled block.  Under the lock, which is released
   meanwhile. */
static void
decode_one(struct lz4_blocks *blocks)
{
    struct lz4_block *block = block_of(blocks, blocks->taken++);

    pthread_mutex_unlock(&blocks->lock);
    decode(blocks, block);
    pthread_mutex_lock(&blocks->lock);
    block->is_decoded = true;
    add_done(blocks);
}

static void *
helper_main(void *argument)
{
    struct lz4_blocks *blocks = argument;

    pthread_mutex_lock(&blocks->lock);
    while (!blocks->is_closing) {
        if (blocks->taken < blocks->filled)
            decode_one(blocks);
        else
            pthread_cond_wait(&blocks->filled_one, &blocks->lock);
    }
    pthread_mutex_unlock(&blocks->lock);
    return NULL;
}

static void
free_blocks(struct lz4_blocks *blocks)
{
    size_t history = history_room(&blocks->frame);

    for (unsigned int i = 0; blocks->block != NULL && i < blocks->count; i++) {
        free(blocks->block[i].packed);
        if (blocks->block[i].content != NULL)
            free(blocks->block[i].content - history);
    }
    free(blocks->block);
    free(blocks->helper);
    *blocks = (struct lz4_blocks){0};
}

static int
allocate(struct lz4_blocks *blocks, unsigned int helpers)
{
    size_t history = history_room(&blocks->frame);

    blocks->block = calloc(blocks->count, sizeof *blocks->block);
    blocks->helper = calloc(helpers + 1, sizeof *blocks->helper);
    if (blocks->block == NULL || blocks->helper == NULL)
        return -1;
    for (unsigned int i = 0; i < blocks->count; i++) {
        struct lz4_block *block = &blocks->block[i];
        block->packed = malloc(packed_room(&blocks->frame));
        unsigned char *content = malloc(history + blocks->frame.block_bytes);
        if (content != NULL)
            block->content = content + history;
        if (block->packed == NULL || content == NULL)
            return -1;
    }
    return 0;
}

int
lz4_blocks_open(struct lz4_blocks *blocks, const struct lz4_frame *frame,
                unsigned int count, unsigned int helpers)
{
    *blocks = (struct lz4_blocks){.frame = *frame, .count = count};
    if (allocate(blocks, helpers) < 0) {
        free_blocks(blocks);
        return -1;
    }
    pthread_mutex_init(&blocks->lock, NULL);
    pthread_cond_init(&blocks->filled_one, NULL);
    pthread_cond_init(&blocks->done_one, NULL);
    while (blocks->helpers < helpers &&
           thread_start(&blocks->helper[blocks->helpers], helper_main,
                        blocks) == 0)
        blocks->helpers++;
    return 0;
}

bool
lz4_blocks_fit(const struct lz4_blocks *blocks, const struct lz4_frame *frame)
{
    return blocks->block != NULL &&
           frame->block_bytes == blocks->frame.block_bytes &&
           frame->is_linked == blocks->frame.is_linked &&
           frame->is_legacy == blocks->frame.is_legacy;
}

void
lz4_blocks_discard(struct lz4_blocks *blocks)
{
    while (lz4_blocks_await(blocks) != NULL)
        lz4_blocks_release(blocks);
}

void
lz4_blocks_begin(struct lz4_blocks *blocks, const struct lz4_frame *frame)
{
    lz4_blocks_discard(blocks);
    blocks->frame = *frame;
    blocks->history = 0;
    xxh32_begin(&blocks->sum);
}

bool
lz4_blocks_are_empty(const struct lz4_blocks *blocks)
{
    return blocks->released == blocks->filled;
}

struct lz4_block *
lz4_blocks_next(const struct lz4_blocks *blocks)
{
    /* Only the owner, which is the caller, changes these numbers. */
    return blocks->filled - blocks->released < blocks->count
               ? block_of(blocks, blocks->filled)
               : NULL;
}

void
lz4_blocks_submit(struct lz4_blocks *blocks)
{
    pthread_mutex_lock(&blocks->lock);
    block_of(blocks, blocks->filled)->is_decoded = false;
    blocks->filled++;
    pthread_cond_signal(&blocks->filled_one);
    pthread_mutex_unlock(&blocks->lock);
}

struct lz4_block *
lz4_blocks_await(struct lz4_blocks *blocks)
{
    if (lz4_blocks_are_empty(blocks))
        return NULL;
    pthread_mutex_lock(&blocks->lock);
    while (blocks->done == blocks->released) {
        if (blocks->taken < blocks->filled)
            decode_one(blocks);
        else
            pthread_cond_wait(&blocks->done_one, &blocks->lock);
    }
    pthread_mutex_unlock(&blocks->lock);
    return block_of(blocks, blocks->released);
}

/* Keep the end of BLOCK's content in front of that of the next one. */
static void
keep_history(struct lz4_blocks *blocks, const struct lz4_block *block)
{
    size_t bytes = blocks->history + block->content_bytes;
    size_t kept = bytes < HISTORY_BYTES ? bytes : HISTORY_BYTES;

    memmove(block->content - kept, block->content + block->content_bytes - kept,
            kept);
    blocks->history = kept;
}

void
lz4_blocks_release(struct lz4_blocks *blocks)
{
    if (blocks->frame.is_linked)
        keep_history(blocks, block_of(blocks, blocks->released));
    blocks->released++;
}

void
lz4_blocks_close(struct lz4_blocks *blocks)
{
    if (blocks->block == NULL)
        return;
    pthread_mutex_lock(&blocks->lock);
    blocks->is_closing = true;
    pthread_cond_broadcast(&blocks->filled_one);
    pthread_mutex_unlock(&blocks->lock);
    for (unsigned int i = 0; i < blocks->helpers; i++)
        pthread_join(blocks->helper[i], NULL);
    pthread_mutex_destroy(&blocks->lock);
    pthread_cond_destroy(&blocks->filled_one);
    pthread_cond_destroy(&blocks->done_one);
    free_blocks(blocks);
}
