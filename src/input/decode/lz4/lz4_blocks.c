/* lz4_blocks.c -- decode the blocks of lz4 frames, with helping threads */

#include <stdlib.h>
#include <string.h>

#include <lz4.h>

#include "base/little_endian.h"
#include "base/thread.h"
#include "input/decode/lz4/lz4_blocks.h"

/* How far back a block may refer. */
#define HISTORY_BYTES ((size_t)64 << 10)

/* Content for which waking a thread costs little; it fits into a core's
   cache. */
#define RUN_BYTES ((uint32_t)512 << 10)

/* Runs that are done or being filled while each helper decodes one. */
#define RUNS_SPARE 2

/* Of a run's begin. */
#define BEGIN_BYTES (64 << 10)

static unsigned int
count_of(unsigned int helpers)
{
    return helpers > 0 ? helpers + RUNS_SPARE : 1;
}

/* How many blocks a run has. */
static unsigned int
run_blocks(const struct lz4_frame *frame, unsigned int helpers)
{
    return helpers > 0 && frame->block_bytes < RUN_BYTES
               ? RUN_BYTES / frame->block_bytes
               : 1;
}

/* How many bytes the COUNT blocks of a run may have. */
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
    unsigned int blocks = run_blocks(frame, helpers);
    uint64_t each = sizeof(struct lz4_run) + packed_room(frame, blocks) +
                    content_room(frame, blocks);

    return each * count_of(helpers);
}

static struct lz4_run *
run_of(const struct lz4_blocks *blocks, uint64_t number)
{
    return &blocks->run[number % blocks->count];
}

/*
 * Decode BLOCK, whose compressed bytes are at DATA, to CONTENT; with IS_BEGIN
 * at least its first bytes.  Sets *SIZE to the number of bytes.  Returns NULL,
 * or what is wrong.
 */
static const char *
decode_block(const struct lz4_blocks *blocks,
             const struct lz4_frame_block *block, const unsigned char *data,
             unsigned char *content, bool is_begin, size_t *size)
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
    else if (is_begin)
        got = LZ4_decompress_safe_partial(
            packed, (char *)content, bytes,
            BEGIN_BYTES < most ? BEGIN_BYTES : most, most);
    else
        got = LZ4_decompress_safe_usingDict(
            packed, (char *)content, bytes, most,
            (const char *)content - blocks->history, (int)blocks->history);
    if (got < 0)
        return "the block is damaged";
    *size = (size_t)got;
    return NULL;
}

/* Decode RUN to CONTENT.  Other runs may be decoded at the same time. */
static void
decode(const struct lz4_blocks *blocks, struct lz4_run *run,
       unsigned char *content)
{
    const unsigned char *packed = run->packed;
    size_t at = 0;

    run->wrong = NULL;
    run->content_bytes = 0;
    if (run->is_unread &&
        source_read_at(blocks->source, run->packed, run->packed_bytes,
                       run->offset, &run->failure) < 0)
        return;
    for (unsigned int i = 0; at < run->packed_bytes && run->wrong == NULL;
         i++) {
        struct lz4_frame_block block;
        size_t size = 0;
        run->wrong_at = run->offset + (off_t)at;
        /* The owner has looked at the sizes, but the file may change. */
        if (i == blocks->run_blocks ||
            run->packed_bytes - at < LZ4_FRAME_WORD_BYTES ||
            lz4_frame_read_block(&block, &blocks->frame, packed + at) < 0 ||
            block.is_end || block.whole_bytes > run->packed_bytes - at) {
            run->wrong = "it changed while it was read";
            return;
        }
        run->wrong =
            decode_block(blocks, &block, packed + at + LZ4_FRAME_WORD_BYTES,
                         content + run->content_bytes, run->is_begin, &size);
        run->content_bytes += size;
        at += block.whole_bytes;
    }
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
        struct lz4_run *run = run_of(blocks, blocks->done);
        if (!run->is_decoded)
            break;
        if (blocks->frame.has_content_sum) {
            pthread_mutex_unlock(&blocks->lock);
            xxh32_add(&blocks->sum, run->content, run->content_bytes);
            pthread_mutex_lock(&blocks->lock);
        }
        blocks->done++;
        pthread_cond_signal(&blocks->done_one);
    }
    blocks->is_adding = false;
}

/* Take and decode the next filled run.  Under the lock, which is released
   meanwhile. */
static void
decode_one(struct lz4_blocks *blocks)
{
    struct lz4_run *run = run_of(blocks, blocks->taken++);

    pthread_mutex_unlock(&blocks->lock);
    decode(blocks, run, run->content);
    pthread_mutex_lock(&blocks->lock);
    run->is_decoded = true;
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

    for (unsigned int i = 0; blocks->run != NULL && i < blocks->count; i++) {
        error_clear(&blocks->run[i].failure);
        free(blocks->run[i].packed);
        if (blocks->run[i].content != NULL)
            free(blocks->run[i].content - history);
    }
    free(blocks->run);
    free(blocks->helper);
    *blocks = (struct lz4_blocks){0};
}

static int
allocate(struct lz4_blocks *blocks, unsigned int helpers)
{
    const struct lz4_frame *frame = &blocks->frame;

    blocks->run = calloc(blocks->count, sizeof *blocks->run);
    blocks->helper = calloc(helpers + 1, sizeof *blocks->helper);
    if (blocks->run == NULL || blocks->helper == NULL)
        return -1;
    for (unsigned int i = 0; i < blocks->count; i++) {
        struct lz4_run *run = &blocks->run[i];
        run->packed = malloc(packed_room(frame, blocks->run_blocks));
        unsigned char *content =
            malloc(content_room(frame, blocks->run_blocks));
        if (content != NULL)
            run->content = content + history_room(frame);
        if (run->packed == NULL || content == NULL)
            return -1;
    }
    return 0;
}

int
lz4_blocks_open(struct lz4_blocks *blocks, const struct lz4_frame *frame,
                unsigned int helpers)
{
    *blocks = (struct lz4_blocks){.frame = *frame,
                                  .count = count_of(helpers),
                                  .run_blocks = run_blocks(frame, helpers)};
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
    return blocks->run != NULL &&
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
lz4_blocks_begin(struct lz4_blocks *blocks, const struct lz4_frame *frame,
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
    return blocks->released == blocks->filled;
}

struct lz4_run *
lz4_blocks_next(const struct lz4_blocks *blocks)
{
    /* Only the owner, which is the caller, changes these numbers. */
    return blocks->filled - blocks->released < blocks->count
               ? run_of(blocks, blocks->filled)
               : NULL;
}

void
lz4_blocks_submit(struct lz4_blocks *blocks)
{
    pthread_mutex_lock(&blocks->lock);
    run_of(blocks, blocks->filled)->is_decoded = false;
    blocks->filled++;
    pthread_cond_signal(&blocks->filled_one);
    pthread_mutex_unlock(&blocks->lock);
}

void
lz4_blocks_decode(struct lz4_blocks *blocks, struct lz4_run *run,
                  unsigned char *content)
{
    decode(blocks, run, content);
    if (blocks->frame.has_content_sum)
        xxh32_add(&blocks->sum, content, run->content_bytes);
}

struct lz4_run *
lz4_blocks_await(struct lz4_blocks *blocks)
{
    if (lz4_blocks_are_empty(blocks))
        return NULL;
    pthread_mutex_lock(&blocks->lock);
    while (blocks->done == blocks->released) {
        /* Many helpers would soon wait for the owner. */
        if (blocks->taken < blocks->filled &&
            blocks->helpers < LZ4_BLOCKS_HELPERS_MAX)
            decode_one(blocks);
        else
            pthread_cond_wait(&blocks->done_one, &blocks->lock);
    }
    pthread_mutex_unlock(&blocks->lock);
    return run_of(blocks, blocks->released);
}

/* Keep the end of RUN's content in front of that of the next one. */
static void
keep_history(struct lz4_blocks *blocks, const struct lz4_run *run)
{
    size_t bytes = blocks->history + run->content_bytes;
    size_t kept = bytes < HISTORY_BYTES ? bytes : HISTORY_BYTES;

    memmove(run->content - kept, run->content + run->content_bytes - kept,
            kept);
    blocks->history = kept;
}

void
lz4_blocks_complete(struct lz4_blocks *blocks)
{
    struct lz4_run *run = run_of(blocks, blocks->released);

    run->is_begin = false;
    decode(blocks, run, run->content);
}

void
lz4_blocks_release(struct lz4_blocks *blocks)
{
    struct lz4_run *run = run_of(blocks, blocks->released);

    error_clear(&run->failure);
    if (blocks->frame.is_linked)
        keep_history(blocks, run);
    blocks->released++;
}

void
lz4_blocks_close(struct lz4_blocks *blocks)
{
    if (blocks->run == NULL)
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
