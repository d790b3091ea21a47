/* SPDX-License-Identifier: MIT */
/* state_crew.c -- threads that add the rows of states in parallel */

#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "state/state_crew.h"
#include "sync/ring.h"

/* A block fits into a cache together with its entries. */
#define BLOCK_BYTES ((size_t)1 << 20)

/* The most memory of a block with its entries, in blocks, as long as lines are
   short; and the share of the memory limit for all blocks. */
#define BLOCK_SHARE 5
#define MEMORY_SHARE 4

/* The share of the memory limit for a line: the line is in a block, in the next
   block, and in an entry. */
#define LINE_SHARE 4

/* What threads do with a block, one stage after the other. */
enum {
    STAGES = 3
};

struct state_crew {
    unsigned int threads; /* the reader included */
    size_t block_bytes;
    size_t line_max;
    unsigned int blocks_max;
    const struct state_work *work;
    void *context;

    struct ring_crew crew;
    struct ring ring;          /* blocks put and not empty again, in order */
    struct state_block **slot; /* of RING: BLOCKS_MAX blocks */

    /* Of the reader. */
    struct state_block *empty; /* a list */
    unsigned int blocks;       /* all blocks */

    struct error failure; /* the first one; under the lock of RING */
};

/* ---- the stages ---- */

static struct state_block *
block_of(const struct state_crew *crew, uint64_t number)
{
    return crew->slot[ring_at(&crew->ring, number)];
}

static void
keep_failure(struct state_crew *crew, struct error *error)
{
    ring_lock(&crew->ring);
    error_move(&crew->failure, error);
    ring_unlock(&crew->ring);
    error_clear(error);
}

static bool
work_on(void *context, uint64_t number, unsigned int member)
{
    struct state_crew *crew = context;

    (void)member;
    if (!state_crew_has_failed(crew))
        crew->work->work(crew->context, block_of(crew, number));
    return true;
}

static bool
settle(void *context, uint64_t number, unsigned int member)
{
    struct state_crew *crew = context;
    struct error error = ERROR_NONE;

    (void)member;
    if (crew->work->settle(crew->context, block_of(crew, number),
                           state_crew_has_failed(crew), &error) < 0)
        keep_failure(crew, &error);
    return true;
}

static bool
finish(void *context, uint64_t number, unsigned int member)
{
    struct state_crew *crew = context;
    struct error error = ERROR_NONE;

    (void)member;
    if (!state_crew_has_failed(crew) &&
        crew->work->finish(crew->context, block_of(crew, number), &error) < 0)
        keep_failure(crew, &error);
    return true;
}

static const struct ring_stage stages[STAGES] = {
    {.work = work_on},
    {.work = settle, .is_in_order = true},
    {.work = finish},
};

/* ---- start and end ---- */

/* Open the ring of CREW, whose reader works while it waits.  Returns 0, or
   -1. */
static int
open_ring(struct state_crew *crew)
{
    crew->slot = calloc(crew->blocks_max, sizeof(struct state_block *));
    if (crew->slot == NULL ||
        ring_crew_open(&crew->crew, crew->threads - 1) < 0 ||
        ring_open(&crew->ring, &crew->crew, stages, STAGES, crew->blocks_max,
                  crew) < 0)
        return -1;
    crew->ring.owner = RING_OWNER_WORKS;
    return 0;
}

struct state_crew *
state_crew_new(unsigned int threads, uint64_t memory_limit, size_t block_bytes)
{
    struct state_crew *crew = calloc(1, sizeof *crew);
    uint64_t most;

    if (crew == NULL)
        return NULL;
    crew->threads = threads < CREW_MAX ? threads : CREW_MAX;
    crew->block_bytes = block_bytes > 0 ? block_bytes : BLOCK_BYTES;
    crew->line_max = memory_limit / LINE_SHARE < SIZE_MAX / 8
                         ? (size_t)(memory_limit / LINE_SHARE)
                         : SIZE_MAX / 8;
    /* The reader fills a block while a block waits for each thread.  At least
       two: the end of a block is copied to the next. */
    if (crew->line_max < crew->block_bytes)
        crew->line_max = crew->block_bytes;
    most = memory_limit / MEMORY_SHARE / (BLOCK_SHARE * crew->block_bytes);
    most = most < 2 * threads + 1 ? most : 2 * threads + 1;
    crew->blocks_max = most > 2 ? (unsigned int)most : 2;
    crew->failure = ERROR_NONE;
    if (open_ring(crew) == 0)
        return crew;
    state_crew_free(crew);
    return NULL;
}

unsigned int
state_crew_threads(const struct state_crew *crew)
{
    return crew->threads;
}

size_t
state_crew_line_max(const struct state_crew *crew)
{
    return crew->line_max;
}

void
state_crew_start(struct state_crew *crew, const struct state_work *work,
                 void *context)
{
    crew->work = work;
    crew->context = context;
}

/* ---- blocks ---- */

static void
free_block(struct state_block *block)
{
    free(block->byte);
    free(block->span);
    free(block->entry);
    free(block->mark);
    error_clear(&block->error);
    free(block);
}

static struct state_block *
new_block(size_t bytes)
{
    struct state_block *block = calloc(1, sizeof *block);

    if (block == NULL)
        return NULL;
    block->byte = malloc(bytes);
    if (block->byte == NULL) {
        free(block);
        return NULL;
    }
    block->room = bytes;
    block->error = ERROR_NONE;
    return block;
}

/* Empty BLOCK for the reader, and shrink a large block. */
static void
empty_block(struct state_crew *crew, struct state_block *block)
{
    if (block->room > crew->block_bytes) {
        char *byte = realloc(block->byte, crew->block_bytes);
        if (byte != NULL) {
            block->byte = byte;
            block->room = crew->block_bytes;
        }
    }
    if (block->entry_room > BLOCK_SHARE * crew->block_bytes) {
        free(block->entry);
        block->entry = NULL;
        block->entry_room = 0;
    }
    block->size = block->spans = block->done = 0;
    block->entry_bytes = block->marks = 0;
    error_clear(&block->error);
    block->next = crew->empty;
    crew->empty = block;
}

int
state_block_grow(struct state_block *block)
{
    char *byte = realloc(block->byte, 2 * block->room);

    if (byte == NULL)
        return -1;
    block->byte = byte;
    block->room *= 2;
    return 0;
}

int
state_block_add(struct state_block *block, const struct state_span *span)
{
    if (block->spans == block->span_room) {
        size_t room = 2 * block->span_room + 4;
        struct state_span *more = realloc(block->span, room * sizeof *more);
        if (more == NULL)
            return -1;
        block->span = more;
        block->span_room = room;
    }
    block->span[block->spans++] = *span;
    return 0;
}

/* ---- the reader ---- */

/* Wait until the first block in the ring is done, and empty it.  Returns false
   if the ring has no block. */
static bool
empty_first(struct state_crew *crew)
{
    if (!ring_await(&crew->ring, RING_ALL))
        return false;
    struct state_block *block = block_of(crew, crew->ring.released);
    ring_release(&crew->ring);
    empty_block(crew, block);
    return true;
}

/* Whether the first block in the ring is done. */
static bool
first_is_done(struct state_crew *crew)
{
    ring_lock(&crew->ring);
    bool is_done = ring_has_passed(&crew->ring, crew->ring.released, STAGES);
    ring_unlock(&crew->ring);
    return is_done;
}

struct state_block *
state_crew_take(struct state_crew *crew)
{
    struct state_block *block = NULL;

    if (crew->empty == NULL && crew->blocks < crew->blocks_max &&
        !first_is_done(crew))
        block = new_block(crew->block_bytes);
    if (block != NULL) {
        crew->blocks++;
        return block;
    }
    if (crew->empty == NULL && !empty_first(crew))
        return NULL;
    block = crew->empty;
    crew->empty = block->next;
    block->next = NULL;
    return block;
}

void
state_crew_put(struct state_crew *crew, struct state_block *block)
{
    if (block->spans == 0) {
        empty_block(crew, block);
        return;
    }
    crew->slot[ring_at(&crew->ring, crew->ring.filled)] = block;
    ring_submit(&crew->ring);
    ring_crew_start(&crew->crew, crew->crew.threads + 1);
}

bool
state_crew_has_failed(struct state_crew *crew)
{
    ring_lock(&crew->ring);
    bool has_failed = crew->failure.text != NULL;
    ring_unlock(&crew->ring);
    return has_failed;
}

int
state_crew_settle(struct state_crew *crew, struct error *error)
{
    while (empty_first(crew))
        continue;
    if (crew->failure.text == NULL)
        return 0;
    error_clear(error);
    error_set(error, crew->failure.status, "%s", crew->failure.text);
    return -1;
}

void
state_crew_free(struct state_crew *crew)
{
    if (crew == NULL)
        return;
    ring_crew_close(&crew->crew);
    while (crew->empty != NULL) {
        struct state_block *block = crew->empty;
        crew->empty = block->next;
        free_block(block);
    }
    error_clear(&crew->failure);
    free(crew->slot);
    free(crew);
}
