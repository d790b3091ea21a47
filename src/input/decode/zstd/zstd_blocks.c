/* zstd_blocks.c -- decode the blocks of a zstd frame, with helping threads */

#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "input/decode/zstd/zstd_blocks.h"
#include "input/decode/zstd/zstd_run_decode.h"

/* Runs that are decoded, or that the owner uses, beside those of the helpers:
   a share of these and more. */
#define WAITING_SHARE 2
#define WAITING_LEAST 3

/* Beside more helpers, the owner has enough to do. */
#define HELPERS_FEW 2

/* It is worth it to wake up a helper for the checksum of so many pieces. */
#define PIECES_WORTH 8

static unsigned int
count_for(unsigned int helpers)
{
    return helpers + helpers / WAITING_SHARE + WAITING_LEAST;
}

uint64_t
zstd_blocks_bytes(unsigned int helpers)
{
    return zstd_run_walk_bytes() + count_for(helpers) * zstd_run_bytes() +
           (helpers + 1) * sizeof(struct zstd_tables);
}

static struct zstd_run *
run_of(const struct zstd_blocks *blocks, uint64_t number)
{
    return &blocks->run[number % blocks->count];
}

/* ---- work, under the lock, which is released meanwhile ---- */

static void
wake_helper(struct zstd_blocks *blocks)
{
    if (blocks->idle > 0)
        pthread_cond_signal(&blocks->has_work);
}

static void
wake_owner(struct zstd_blocks *blocks)
{
    if (blocks->owner_waits)
        pthread_cond_signal(&blocks->has_changed);
}

static bool
can_copy(const struct zstd_blocks *blocks)
{
    return !blocks->is_copying && blocks->copied < blocks->put;
}

/* Copy all pieces that there are, and add them to the checksum. */
static void
copy_pieces(struct zstd_blocks *blocks)
{
    blocks->is_copying = true;
    while (blocks->copied < blocks->put) {
        struct zstd_piece piece =
            blocks->piece[blocks->copied % ZSTD_BLOCKS_PIECES];
        pthread_mutex_unlock(&blocks->lock);
        if (piece.to != NULL)
            memcpy(piece.to, piece.from, piece.size);
        if (blocks->has_checksum)
            xxh64_add(&blocks->sum, piece.from, piece.size);
        pthread_mutex_lock(&blocks->lock);
        blocks->copied++;
        wake_owner(blocks);
    }
    blocks->is_copying = false;
}

static bool
can_decode(const struct zstd_blocks *blocks)
{
    return !blocks->is_reading && !blocks->walk.is_over &&
           !blocks->is_stopped &&
           blocks->begun - blocks->released < blocks->count;
}

/* Read and decode the next run. */
static void
decode_run(struct zstd_blocks *blocks, struct zstd_tables *tables)
{
    uint64_t number = blocks->begun++;
    struct zstd_run *run = run_of(blocks, number);

    blocks->is_decoded[number % blocks->count] = false;
    blocks->is_reading = true;
    pthread_mutex_unlock(&blocks->lock);
    zstd_run_read(run, &blocks->walk);
    pthread_mutex_lock(&blocks->lock);
    blocks->is_reading = false;
    if (can_decode(blocks))
        wake_helper(blocks);
    pthread_mutex_unlock(&blocks->lock);
    zstd_run_decode(run, tables, blocks->walk.block_max);
    pthread_mutex_lock(&blocks->lock);
    blocks->is_decoded[number % blocks->count] = true;
    if (number == blocks->released)
        wake_owner(blocks);
}

static void *
helper_main(void *argument)
{
    struct zstd_blocks *blocks = argument;

    pthread_mutex_lock(&blocks->lock);
    struct zstd_tables *tables = &blocks->tables[blocks->started++];
    while (!blocks->is_closing) {
        if (can_copy(blocks)) {
            copy_pieces(blocks);
        } else if (can_decode(blocks)) {
            decode_run(blocks, tables);
        } else {
            blocks->idle++;
            pthread_cond_wait(&blocks->has_work, &blocks->lock);
            blocks->idle--;
        }
    }
    pthread_mutex_unlock(&blocks->lock);
    return NULL;
}

static void
wait_for_change(struct zstd_blocks *blocks)
{
    blocks->owner_waits = true;
    pthread_cond_wait(&blocks->has_changed, &blocks->lock);
    blocks->owner_waits = false;
}

/* ---- memory ---- */

static void
free_memory(struct zstd_blocks *blocks)
{
    for (unsigned int i = 0; blocks->run != NULL && i < blocks->count; i++)
        zstd_run_close(&blocks->run[i]);
    zstd_run_close_walk(&blocks->walk);
    free(blocks->run);
    free(blocks->is_decoded);
    free(blocks->tables);
    free(blocks->helper);
    *blocks = (struct zstd_blocks){0};
}

static int
allocate(struct zstd_blocks *blocks, unsigned int helpers)
{
    blocks->run = calloc(blocks->count, sizeof *blocks->run);
    blocks->is_decoded = calloc(blocks->count, sizeof *blocks->is_decoded);
    blocks->tables = calloc((size_t)helpers + 1, sizeof *blocks->tables);
    blocks->helper = calloc(helpers, sizeof *blocks->helper);
    if (blocks->run == NULL || blocks->is_decoded == NULL ||
        blocks->tables == NULL || blocks->helper == NULL ||
        zstd_run_open_walk(&blocks->walk) < 0)
        return -1;
    for (unsigned int i = 0; i < blocks->count; i++) {
        if (zstd_run_open(&blocks->run[i]) < 0)
            return -1;
    }
    return 0;
}

int
zstd_blocks_open(struct zstd_blocks *blocks, const struct zstd_frame *frame,
                 const struct source *source, off_t offset,
                 unsigned int helpers)
{
    *blocks = (struct zstd_blocks){
        .count = count_for(helpers),
        .has_checksum = frame->has_checksum,
        .walk = {.source = source,
                 .block_max = zstd_frame_block_max(frame),
                 .has_checksum = frame->has_checksum,
                 .next = offset},
    };
    if (allocate(blocks, helpers) < 0) {
        free_memory(blocks);
        return -1;
    }
    xxh64_start(&blocks->sum);
    pthread_mutex_init(&blocks->lock, NULL);
    pthread_cond_init(&blocks->has_work, NULL);
    pthread_cond_init(&blocks->has_changed, NULL);
    while (blocks->helpers < helpers &&
           thread_start(&blocks->helper[blocks->helpers], helper_main,
                        blocks) == 0)
        blocks->helpers++;
    if (blocks->helpers > 0)
        return 0;
    (void)zstd_blocks_close(blocks);
    return -1;
}

off_t
zstd_blocks_close(struct zstd_blocks *blocks)
{
    if (blocks->run == NULL)
        return 0;
    pthread_mutex_lock(&blocks->lock);
    blocks->is_closing = true;
    pthread_cond_broadcast(&blocks->has_work);
    pthread_mutex_unlock(&blocks->lock);
    for (unsigned int i = 0; i < blocks->helpers; i++)
        pthread_join(blocks->helper[i], NULL);
    pthread_mutex_destroy(&blocks->lock);
    pthread_cond_destroy(&blocks->has_work);
    pthread_cond_destroy(&blocks->has_changed);
    off_t end = blocks->walk.next;
    free_memory(blocks);
    return end;
}

/* ---- the owner's side ---- */

void
zstd_blocks_stop(struct zstd_blocks *blocks)
{
    pthread_mutex_lock(&blocks->lock);
    blocks->is_stopped = true;
    pthread_mutex_unlock(&blocks->lock);
}

/* Whether the first run is decoded, or will never be. */
static bool
has_first(const struct zstd_blocks *blocks)
{
    return blocks->released == blocks->begun
               ? blocks->is_stopped
               : blocks->is_decoded[blocks->released % blocks->count];
}

const struct zstd_run *
zstd_blocks_await(struct zstd_blocks *blocks)
{
    struct zstd_tables *tables = &blocks->tables[blocks->helpers];

    pthread_mutex_lock(&blocks->lock);
    while (!has_first(blocks)) {
        if (can_copy(blocks))
            copy_pieces(blocks);
        else if (can_decode(blocks) && (blocks->helpers <= HELPERS_FEW ||
                                        blocks->released == blocks->begun))
            decode_run(blocks, tables);
        else
            wait_for_change(blocks);
    }
    bool is_there = blocks->released < blocks->begun;
    pthread_mutex_unlock(&blocks->lock);
    return is_there ? run_of(blocks, blocks->released) : NULL;
}

void
zstd_blocks_release(struct zstd_blocks *blocks)
{
    pthread_mutex_lock(&blocks->lock);
    blocks->released++;
    if (can_decode(blocks))
        wake_helper(blocks);
    pthread_mutex_unlock(&blocks->lock);
}

void
zstd_blocks_put(struct zstd_blocks *blocks, unsigned char *to,
                const unsigned char *from, size_t size)
{
    if (to == NULL && !blocks->has_checksum)
        return;
    pthread_mutex_lock(&blocks->lock);
    while (blocks->put - blocks->copied == ZSTD_BLOCKS_PIECES) {
        if (can_copy(blocks))
            copy_pieces(blocks);
        else
            wait_for_change(blocks);
    }
    blocks->piece[blocks->put++ % ZSTD_BLOCKS_PIECES] =
        (struct zstd_piece){from, to, size};
    /* Nobody waits for a checksum yet. */
    if (can_copy(blocks) &&
        (to != NULL || blocks->put - blocks->copied >= PIECES_WORTH))
        wake_helper(blocks);
    pthread_mutex_unlock(&blocks->lock);
}

void
zstd_blocks_drain(struct zstd_blocks *blocks)
{
    pthread_mutex_lock(&blocks->lock);
    while (blocks->copied < blocks->put) {
        if (can_copy(blocks))
            copy_pieces(blocks);
        else
            wait_for_change(blocks);
    }
    pthread_mutex_unlock(&blocks->lock);
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
    return zstd_run_walk_offset(&blocks->walk);
}
