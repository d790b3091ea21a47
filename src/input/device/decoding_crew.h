/* SPDX-License-Identifier: MIT */
/*
 * decoding_crew.h -- threads that help the owner of a device that decodes
 *
 * The threads fill batches: one thread walks through the file, and others read
 * for the walk (decoding_reads.h).  They do other work of the format, and copy
 * content.  A waiting owner does any of this that nobody else does.
 */

#ifndef GPUHIST_DECODING_CREW_H
#define GPUHIST_DECODING_CREW_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/device/decoding_device.h"
#include "input/device/decoding_reads.h"
#include "sync/budget.h"

enum {
    /* One fills, one or several do other work, and the others read. */
    DECODING_CREW_HELPERS = 6,
};

struct decoding_crew;

/* What a format gives. */
struct decoding_crew_type {
    /* Fill BATCH, which will be number NUMBER.  Returns whether BATCH has any
       blocks.  Sets *IS_OVER if no more batches follow.  One thread at a time,
       without the lock. */
    bool (*fill)(struct decoding_crew *crew, struct decoding_batch *batch,
                 uint64_t number, bool *is_over);

    /* Whether there is other work, and do a piece of it, under the lock, which
       work() releases meanwhile.  NULL: the format has no other work. */
    bool (*can_work)(struct decoding_crew *crew);
    void (*work)(struct decoding_crew *crew);
};

/* Content to copy, slice by slice. */
struct decoding_crew_copy {
    unsigned char *to;
    const unsigned char *from;
    size_t size;
    size_t next;          /* first byte that no thread copies yet */
    unsigned int copying; /* threads */
};

/* The first member of a crew of a format. */
struct decoding_crew {
    /* Constant. */
    const struct decoding_crew_type *type;
    struct decoding_belt *belt;
    pthread_t helper[DECODING_CREW_HELPERS]; /* HELPERS of them */
    unsigned int helpers;

    struct decoding_reads reads; /* for the thread that IS_FILLING */

    pthread_cond_t has_work; /* or IS_CLOSING; IDLE helpers wait */
    /* Under the lock of the device. */
    unsigned int idle;
    bool is_closing;
    bool is_filling;
    bool is_walked; /* all batches are filled */
    struct decoding_crew_copy copy;
};

/* Open CREW of BELT, whose owner it helps, for SOURCE, a regular file. */
void decoding_crew_open(struct decoding_crew *crew,
                        const struct decoding_crew_type *type,
                        struct decoding_belt *belt,
                        const struct source *source);

/* Start the helpers that are useful for one owner, as many as the budget of
   LOAN has, and note them there. */
void decoding_crew_start(struct decoding_crew *crew, struct budget_loan *loan);

/* End the helpers, and drop all batches of the belt. */
void decoding_crew_close(struct decoding_crew *crew);

/*
 * Start *LEASE at LEFT in the content of BATCH, which the owner has, after the
 * SIZE bytes at FRONT.  Returns whether the lease has started: there is room
 * for FRONT, and a slot that nobody leases is left.
 */
bool decoding_crew_lease(struct decoding_crew *crew,
                         const struct decoding_batch *batch,
                         unsigned char *left, const unsigned char *front,
                         size_t size, struct lease *lease);

/*
 * ---- under the lock of the device, which those that work or wait release ----
 */

/* Wake helpers if there is something to fill, or other work. */
void decoding_crew_wake(struct decoding_crew *crew);

/* Copy SIZE bytes, with the help of the crew. */
void decoding_crew_copy(struct decoding_crew *crew, unsigned char *to,
                        const unsigned char *from, size_t size);

/* The owner waits for something: do any work that nobody else does, or help to
   read. */
void decoding_crew_wait(struct decoding_crew *crew);

/* The owner waits for other work to be done: do some of it, or wait. */
void decoding_crew_wait_for_work(struct decoding_crew *crew);

/* Something has changed that the owner may wait for. */
void decoding_crew_tell_owner(struct decoding_crew *crew);

#endif
