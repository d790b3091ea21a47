/* SPDX-License-Identifier: MIT */
/*
 * state_crew.h -- threads that add the rows of states in parallel
 *
 *     block = state_crew_take(crew);
 *     ... the reader fills it, and says what is where: state_block_add() ...
 *     state_crew_put(crew, block);
 *
 * A block has lines of one file.  Any thread works on a block after the reader
 * has put the block; the reader does so too while waiting.  Blocks are settled
 * one after the other, in the order of the reader.  So the first failure does
 * not depend on the number of threads.
 *
 * A block is EMPTY -> the reader's -> put -> worked on -> settled -> EMPTY.
 * One thread at a time has a block.
 */

#ifndef GPUHIST_STATE_CREW_H
#define GPUHIST_STATE_CREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/scratch_file.h"

struct state_rows;

/* Consecutive rows of a histogram of a state, in a block. */
struct state_span {
    struct state_rows *rows; /* the state of the rows */
    size_t histogram;
    size_t before; /* the start of the row before, or AT: no row before */
    size_t at;
    size_t end;
    uint64_t line; /* the number of the first row */
    uint64_t count;
    bool is_last; /* of the histogram */

    /* Made of the rows. */
    uint64_t total; /* of the counts */
    bool is_over;   /* TOTAL needs more than 64 bits */
    size_t entry;   /* start of the entries of keys, and their end */
    size_t entry_end;
    size_t mark; /* the first mark of these entries, and the end */
    size_t mark_end;
    struct scratch_file file; /* the entries go to its end */
};

struct state_block {
    char *byte; /* ROOM bytes; SIZE are read */
    size_t room;
    size_t size;
    struct state_span *span;
    size_t spans;
    size_t span_room;

    /* Made of the spans. */
    unsigned char *entry; /* entries of runs (key_run.h), ENTRY_BYTES */
    size_t entry_bytes;
    size_t entry_room;
    size_t *mark; /* starts of some entries, in the span */
    size_t marks;
    size_t mark_room;
    size_t done; /* spans without an error */
    struct error error;

    struct state_block *next; /* empty block */
};

/* The work on a block.  An error of WORK stays in the block. */
struct state_work {
    /* Any thread, several at a time. */
    void (*work)(void *context, struct state_block *block);
    /* One thread at a time, in order.  If HAS_FAILED, an earlier block has
       failed: only release BLOCK, and return 0.  Else return 0, or -1 with
       *ERROR set. */
    int (*settle)(void *context, struct state_block *block, bool has_failed,
                  struct error *error);
    /* Any thread, after the block is settled.  Returns as SETTLE. */
    int (*finish)(void *context, struct state_block *block,
                  struct error *error);
};

struct state_crew;

/*
 * Returns a crew of at most THREADS threads, the caller included, or NULL: out
 * of memory.  Blocks have BLOCK_BYTES, or more for a longer line; 0: a fast
 * size.  All blocks take a share of MEMORY_LIMIT.
 */
struct state_crew *state_crew_new(unsigned int threads, uint64_t memory_limit,
                                  size_t block_bytes);

/* Returns the most threads. */
unsigned int state_crew_threads(const struct state_crew *crew);

/* Returns the most bytes of a line. */
size_t state_crew_line_max(const struct state_crew *crew);

/* Do WORK with all blocks from now on.  No block has a span yet. */
void state_crew_start(struct state_crew *crew, const struct state_work *work,
                      void *context);

/* Returns an empty block for the reader, or NULL: no memory. */
struct state_block *state_crew_take(struct state_crew *crew);

/* Make room for twice the bytes of BLOCK.  Returns 0, or -1: no memory. */
int state_block_grow(struct state_block *block);

/* Add SPAN to BLOCK.  Returns 0, or -1: no memory. */
int state_block_add(struct state_block *block, const struct state_span *span);

/* The reader is done with BLOCK. */
void state_crew_put(struct state_crew *crew, struct state_block *block);

/* Whether a block has failed.  Then the reader need not go on. */
bool state_crew_has_failed(struct state_crew *crew);

/*
 * Wait until all blocks are done.  Returns 0, or -1: *ERROR is the failure of
 * the first failed block, even if *ERROR was set before.
 */
int state_crew_settle(struct state_crew *crew, struct error *error);

/* Close CREW, or nothing if CREW is NULL.  All blocks are done, or not put. */
void state_crew_free(struct state_crew *crew);

#endif
