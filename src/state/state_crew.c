/* state_crew.c -- threads that add the rows of states in parallel */

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "state/state_crew.h"

/* A block fits into a cache together with its entries. */
#define BLOCK_BYTES ((size_t)1 << 20)

/* The most memory of a block with its entries, in blocks, as long as lines are
   short; and the share of the memory limit for all blocks. */
#define BLOCK_SHARE 5
#define MEMORY_SHARE 4

/* The share of the memory limit for a line: the line is in a block, in the next
   block, and in an entry. */
#define LINE_SHARE 4

struct state_crew {
    unsigned int threads;
    size_t block_bytes;
    size_t line_max;
    unsigned int blocks_max;
    const struct state_work *work;
    void *context;

    pthread_mutex_t lock;      /* of all fields below */
    pthread_cond_t is_put;     /* a block is put, or CLOSING */
    pthread_cond_t is_done;    /* a block is empty again */
    struct state_block *empty; /* a list */
    struct state_block *first; /* blocks put and not settled, in order */
    struct state_block *last;
    struct state_block *todo; /* the first block that no thread works on yet;
                                 NULL: none */
    unsigned int blocks;      /* all blocks */
    unsigned int busy;        /* put and not empty again */
    unsigned int idle;        /* waiting threads */
    unsigned int started;
    bool is_closing;
    struct error failure; /* of the first failed block */
    pthread_t thread[CREW_MAX];
};

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
    pthread_mutex_init(&crew->lock, NULL);
    pthread_cond_init(&crew->is_put, NULL);
    pthread_cond_init(&crew->is_done, NULL);
    return crew;
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

/* Empty BLOCK, and shrink a large block. */
static void
clear_block(const struct state_crew *crew, struct state_block *block)
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
    block->is_worked = false;
    error_clear(&block->error);
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

/* ---- work: the lock is held at the start and at the end ---- */

static void
keep_failure(struct state_crew *crew, struct error *error)
{
    error_move(&crew->failure, error);
    error_clear(error);
}

/* Settle all blocks up to the first unworked block.  Returns the settled
   blocks. */
static struct state_block *
settle_blocks(struct state_crew *crew)
{
    struct state_block *settled = NULL;
    struct state_block **end = &settled;

    while (crew->first != NULL && crew->first->is_worked) {
        struct state_block *block = crew->first;
        struct error error = ERROR_NONE;
        bool has_failed = crew->failure.text != NULL;
        if (crew->work->settle(crew->context, block, has_failed, &error) < 0)
            keep_failure(crew, &error);
        crew->first = block->next;
        block->next = NULL;
        *end = block;
        end = &block->next;
    }
    return settled;
}

/* Finish BLOCK and all blocks after it.  All are settled. */
static void
finish_blocks(struct state_crew *crew, struct state_block *block)
{
    while (block != NULL) {
        struct state_block *next = block->next;
        if (crew->failure.text == NULL) {
            struct error error = ERROR_NONE;
            pthread_mutex_unlock(&crew->lock);
            int result = crew->work->finish(crew->context, block, &error);
            pthread_mutex_lock(&crew->lock);
            if (result < 0)
                keep_failure(crew, &error);
        }
        clear_block(crew, block);
        block->next = crew->empty;
        crew->empty = block;
        crew->busy--;
        pthread_cond_signal(&crew->is_done);
        block = next;
    }
}

/* Work on the next block.  A block must be waiting. */
static void
work_on_one(struct state_crew *crew)
{
    struct state_block *block = crew->todo;

    crew->todo = block->next;
    if (crew->failure.text == NULL) {
        pthread_mutex_unlock(&crew->lock);
        crew->work->work(crew->context, block);
        pthread_mutex_lock(&crew->lock);
    }
    block->is_worked = true;
    finish_blocks(crew, settle_blocks(crew));
}

static void *
crew_main(void *argument)
{
    struct state_crew *crew = argument;

    pthread_mutex_lock(&crew->lock);
    for (;;) {
        while (crew->todo == NULL && !crew->is_closing) {
            crew->idle++;
            pthread_cond_wait(&crew->is_put, &crew->lock);
            crew->idle--;
        }
        if (crew->todo == NULL)
            break;
        work_on_one(crew);
    }
    pthread_mutex_unlock(&crew->lock);
    return NULL;
}

/* ---- the reader ---- */

struct state_block *
state_crew_take(struct state_crew *crew)
{
    struct state_block *block = NULL;

    pthread_mutex_lock(&crew->lock);
    while (crew->empty == NULL && block == NULL) {
        if (crew->blocks < crew->blocks_max) {
            block = new_block(crew->block_bytes);
            crew->blocks += block != NULL;
        }
        if (block != NULL || crew->busy == 0)
            break;
        if (crew->todo != NULL)
            work_on_one(crew);
        else
            pthread_cond_wait(&crew->is_done, &crew->lock);
    }
    if (block == NULL && crew->empty != NULL) {
        block = crew->empty;
        crew->empty = block->next;
    }
    pthread_mutex_unlock(&crew->lock);
    if (block != NULL)
        block->next = NULL;
    return block;
}

void
state_crew_put(struct state_crew *crew, struct state_block *block)
{
    pthread_mutex_lock(&crew->lock);
    if (block->spans == 0) {
        clear_block(crew, block);
        block->next = crew->empty;
        crew->empty = block;
    } else {
        if (crew->first == NULL)
            crew->first = block;
        else
            crew->last->next = block;
        crew->last = block;
        if (crew->todo == NULL)
            crew->todo = block;
        crew->busy++;
        /* This thread counts as a thread of the crew. */
        if (crew->idle > 0)
            pthread_cond_signal(&crew->is_put);
        else if (crew->started + 1 < crew->threads &&
                 thread_start(&crew->thread[crew->started], crew_main, crew) ==
                     0)
            crew->started++;
    }
    pthread_mutex_unlock(&crew->lock);
}

bool
state_crew_has_failed(struct state_crew *crew)
{
    pthread_mutex_lock(&crew->lock);
    bool has_failed = crew->failure.text != NULL;
    pthread_mutex_unlock(&crew->lock);
    return has_failed;
}

int
state_crew_settle(struct state_crew *crew, struct error *error)
{
    int result = 0;

    pthread_mutex_lock(&crew->lock);
    while (crew->busy > 0) {
        if (crew->todo != NULL)
            work_on_one(crew);
        else
            pthread_cond_wait(&crew->is_done, &crew->lock);
    }
    if (crew->failure.text != NULL) {
        error_clear(error);
        error_set(error, crew->failure.status, "%s", crew->failure.text);
        result = -1;
    }
    pthread_mutex_unlock(&crew->lock);
    return result;
}

void
state_crew_free(struct state_crew *crew)
{
    if (crew == NULL)
        return;
    pthread_mutex_lock(&crew->lock);
    crew->is_closing = true;
    pthread_cond_broadcast(&crew->is_put);
    pthread_mutex_unlock(&crew->lock);
    for (unsigned int t = 0; t < crew->started; t++)
        pthread_join(crew->thread[t], NULL);
    while (crew->empty != NULL) {
        struct state_block *block = crew->empty;
        crew->empty = block->next;
        free_block(block);
    }
    error_clear(&crew->failure);
    pthread_mutex_destroy(&crew->lock);
    pthread_cond_destroy(&crew->is_put);
    pthread_cond_destroy(&crew->is_done);
    free(crew);
}
