/* SPDX-License-Identifier: MIT */
/*
 * shared_counts.h -- the counts of a wide table, which CPU threads share
 *
 * A table that does not fit into the cache of a core is divided into slices.
 * For each slice a thread has a list.  It appends the cells of its records to
 * the lists, as a radix partition does.  When a list is full, the thread locks
 * the slice and adds the list.  One cache miss serves several records, and no
 * addition is atomic.
 *
 * Lists are added to counts of 8 bits, which take an eighth of the memory.  A
 * count that wraps carries 256 into the histogram.
 *
 * If another thread has locked the slice, most records may belong to the slice.
 * Then the thread adds the list to its own replica of the slice.
 */

#ifndef GPUHIST_SHARED_COUNTS_H
#define GPUHIST_SHARED_COUNTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "sync/thread_list.h"

struct shared_counter;

struct shared_slice {
    _Alignas(64) pthread_mutex_t lock; /* of its cells in the table */
};

/* How a table is divided, and what each thread has. */
struct shared_layout {
    unsigned int shift; /* slice s starts with cell s << SHIFT */
    size_t slices;
    bool has_low;      /* the counts of 8 bits; only with little memory not */
    size_t replicas;   /* of each thread, at most */
    size_t list_cells; /* that a list has room for */
    size_t stride;     /* from one list to the next, in cells */
};

struct shared_counts {
    struct shared_layout layout;
    struct histogram histogram; /* complete after shared_counts_settle() */
    uint8_t *low;               /* to be added to it; or NULL */
    struct shared_slice *slice;
    unsigned int threads; /* that count */
    atomic_size_t raised; /* slices whose low counts are added */

    struct thread_list counters;
    /* All below: under the lock of the list. */
    size_t opened; /* counters so far */
};

/*
 * Returns the memory that THREADS threads take to count in a table of CELLS,
 * in bytes, beside the table: at most LIMIT, unless the least takes more.
 */
uint64_t shared_counts_bytes(uint64_t cells, unsigned int threads,
                             uint64_t limit);

/*
 * Open a table of CELLS, all 0, for THREADS threads.  With it they take
 * shared_counts_bytes(CELLS, THREADS, LIMIT).  Returns 0, or -1: out of memory;
 * the caller calls shared_counts_close() in both cases.
 */
int shared_counts_open(struct shared_counts *counts, uint64_t cells,
                       unsigned int threads, uint64_t limit);

/* Add all that threads have counted to the histogram.  No thread may be
   counting. */
void shared_counts_settle(struct shared_counts *counts);

/*
 * The histogram was taken after it was settled: open another one, all 0.  No
 * thread may be counting.  Returns 0, or -1: out of memory.
 */
int shared_counts_restart(struct shared_counts *counts);

/* Release everything.  All counters are closed. */
void shared_counts_close(struct shared_counts *counts);

/* ---- one thread ---- */

/*
 * Returns the lists of another thread that counts in COUNTS, or NULL: out of
 * memory.
 */
struct shared_counter *shared_counter_new(struct shared_counts *counts);

/* Count a record in each of the COUNT cells BASE + CELL[i]. */
void shared_counter_add(struct shared_counter *counter, uint64_t base,
                        const uint32_t *cell, size_t count);

/* Add what the thread has in lists and replicas to the slices. */
void shared_counter_settle(struct shared_counter *counter);

/* Release COUNTER.  Counts that are not settled are lost. */
void shared_counter_close(struct shared_counter *counter);

#endif
