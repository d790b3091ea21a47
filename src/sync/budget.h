/* SPDX-License-Identifier: MIT */
/* budget.h -- limits on memory and threads, shared by threads */

#ifndef GPUHIST_BUDGET_H
#define GPUHIST_BUDGET_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A decoder reserves the memory of a window before it allocates the window, so
 * all decoders together stay within --memory-limit.  A thread holds at most one
 * reservation and requests no second reservation meanwhile: otherwise two
 * threads could wait for each other for ever.
 *
 * A thread with several reservations has a share, which is a budget, too: for
 * the decoders of an archive and of a file in the archive.  The thread waits
 * for more as long as some thread holds a reservation and does not wait.
 */
struct budget {
    uint64_t total; /* bytes; constant once other threads use the budget */
    /* How many threads may decode the same data as others, in case this helps;
       constant, too. */
    unsigned int guessers;
    /* Whether a device reads the chunks: faster than it could read content that
       the threads of a decoder have decoded, since chunks are pinned; constant,
       too. */
    bool feeds_device;
    /* Devices that decode for some decoders at a time, or NULL; only their
       decoders know their type.  Constant, too.  Shares have none: the file in
       an archive might lack what the devices take. */
    void *devices;
    pthread_mutex_t lock;
    pthread_cond_t returned;
    /* All below, except in a share: under the lock. */
    unsigned int helpers; /* threads for decoders to start */
    uint64_t left;        /* bytes not reserved */
    uint64_t returns;     /* how often some came back */
    uint64_t stuck;       /* bytes of shares, waiting for more since then */
    atomic_bool refuses;  /* see budget_refuses(); without the lock */

    /* Of a share, for its thread only.  A share uses none of the fields
       above. */
    struct budget *whole; /* NULL: not a share */
    uint64_t held;        /* bytes */
};

/* Make a budget of TOTAL free bytes. */
void budget_open(struct budget *budget, uint64_t total);

/*
 * Change the total to TOTAL bytes, or to the reserved bytes if these are more.
 * Only before other threads use the budget.
 */
void budget_resize(struct budget *budget, uint64_t total);

void budget_close(struct budget *budget);

/* Make a share of WHOLE for one thread.  A share needs no budget_close(). */
void budget_open_share(struct budget *share, struct budget *whole);

/* Returns the total of BUDGET, or of the whole if BUDGET is a share. */
uint64_t budget_total(const struct budget *budget);

/*
 * Wait until BYTES are free, and reserve BYTES.  Returns true, or false at once
 * if BYTES, with the bytes of a share, exceed the total.  For a share that
 * holds bytes, also returns false if waiting shares hold all reserved bytes.
 */
bool budget_take(struct budget *budget, uint64_t bytes);

/*
 * Reserve BYTES if free now.  Returns whether BYTES are reserved.  A thread may
 * call this while it holds a reservation, because the call does not wait.
 */
bool budget_try(struct budget *budget, uint64_t bytes);

/* Whether budget_take() has returned false. */
bool budget_refuses(const struct budget *budget);

/* End a reservation of BYTES. */
void budget_return(struct budget *budget, uint64_t bytes);

/* Let decoders start COUNT more threads, or as many as have ended. */
void budget_return_helpers(struct budget *budget, unsigned int count);

/*
 * Returns how many threads, up to MOST, a decoder may start now.  The decoder
 * ends these threads before budget_return_helpers().
 */
unsigned int budget_take_helpers(struct budget *budget, unsigned int most);

/* Helpers and memory of one decoder.  All 0: nothing. */
struct budget_loan {
    struct budget *budget;
    unsigned int helpers;
    uint64_t bytes;
};

/* Give all of LOAN back, whose helpers have ended. */
void budget_loan_return(struct budget_loan *loan);

#endif
