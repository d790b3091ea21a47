/*
 * state_crew.h -- threads that work on the rows of states side by side
 *
 *     block = state_crew_take(crew);
 *     ... the reader fills it, and says what is where: state_block_add() ...
 *     state_crew_put(crew, block);
 *
 * A block has lines of one file.  Any thread works on a block that is put; so
 * does the reader while it waits for an empty one, or for all.  What was made
 * of the blocks is settled one after the other, in the order in which they were
 * put.  So the first failure is the same for every number of threads.
 *
 * A block is EMPTY -> the reader's -> put -> worked on -> settled -> EMPTY.
 * One thread at a time has it.
 */

#ifndef GPUHIST_STATE_CREW_H
#define GPUHIST_STATE_CREW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/scratch_file.h"

struct state_rows;

/* Rows of one histogram of one state, in a block. */
struct state_span {
    struct state_rows *rows; /* which state they are of */
    size_t histogram;
    size_t before; /* where the row before begins, or AT: there is none */
    size_t at;
    size_t end;
    uint64_t line; /* the number of the first row */
    uint64_t count;
    bool is_last; /* of the histogram */

    /* Made of the rows. */
    uint64_t total; /* of the counts */
    bool is_over;   /* it has more than 64 bits */
    size_t entry;   /* where entries of what occurs start, and end */
    size_t entry_end;
    size_t mark; /* some of them, from this mark on */
    size_t mark_end;
    struct scratch_file file; /* ends where these entries go */
};

struct state_block {
    char *byte; /* ROOM bytes, of which SIZE are read */
    size_t room;
    size_t size;
    struct state_span *span;
    size_t spans;
    size_t span_room;

    /* Made of the spans. */
    unsigned char *entry; /* entries of runs (key_run.h), ENTRY_BYTES */
    size_t entry_bytes;
    size_t entry_room;
    size_t *mark; /* where some of them start, in their span */
    size_t marks;
    size_t mark_room;
    size_t done; /* spans without an error */
    struct error error;

    /* Of the crew, and under its lock. */
    bool is_worked;
    struct state_block *next;
};

/* What is done with a block.  An error of WORK stays in the block. */
struct state_work {
    /* Any thread, several at a time. */
    void (*work)(void *context, struct state_block *block);
    /* One thread at a time, in order.  If HAS_FAILED, a block before has; else
       this returns 0, or -1 with *ERROR set. */
    int (*settle)(void *context, struct state_block *block, bool has_failed,
                  struct error *error);
    /* Any thread, after it is settled.  Returns as SETTLE. */
    int (*finish)(void *context, struct state_block *block,
                  struct error *error);
};

struct state_crew;

/*
 * Returns a crew of at most THREADS threads, with this one, whose blocks have
 * BLOCK_BYTES, or more for a longer line; 0: as many as are fast.  All blocks
 * take a part of MEMORY_LIMIT.  Returns NULL if there is no memory.
 */
struct state_crew *state_crew_new(unsigned int threads, uint64_t memory_limit,
                                  size_t block_bytes);

/* Returns the most threads. */
unsigned int state_crew_threads(const struct state_crew *crew);

/* Returns the most bytes that a line may have. */
size_t state_crew_line_max(const struct state_crew *crew);

/* Do WORK with all blocks from now on; none has a span yet. */
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

/* Whether a block has failed, so that more need not be read. */
bool state_crew_has_failed(struct state_crew *crew);

/*
 * Wait until all blocks are done.  Returns 0, or -1: one has failed, and *ERROR
 * is the failure of the first one, even if it was set before.
 */
int state_crew_settle(struct state_crew *crew, struct error *error);

/* Close the crew, whose blocks are all done or not put; it may be NULL. */
void state_crew_free(struct state_crew *crew);

#endif
