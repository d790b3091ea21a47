/* SPDX-License-Identifier: MIT */
/*
 * counter.h -- the interface between the engine of fields and its counters
 *
 * A run has one counter for each histogram.  Its kind (counted_histogram.h)
 * decides what counts: keys, numbers, tuples or k-mers.  All CPU threads share
 * the counter; each thread joins the counter and gets a seat, whose buffers and
 * caches no other thread touches.  A thread adds a batch without a lock, or
 * with the locks of the tables that the seat leads to.
 *
 *     open -> [join -> add ... -> leave, in each thread] -> settle
 *          -> list or spectrum -> put -> restart or close
 *
 * A kind is a file fields/count_*.c with one struct counter_type, and a row in
 * fields/field_counts.c.  A function that a kind does not need is NULL, if its
 * comment allows NULL.
 *
 * A function that returns KEY_FAILED has set *COUNTER->failure, the error of a
 * temporary file.
 */

#ifndef GPUHIST_COUNTER_H
#define GPUHIST_COUNTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "hist/key_names.h"
#include "hist/key_table.h"
#include "hist/spec.h"
#include "text/text_slice.h"

struct code_ranges;     /* keys/key_codes.h */
struct key_codes;       /* keys/key_codes.h */
struct key_counts;      /* keys/key_counts.h */
struct text_dictionary; /* engine/text_dictionary.h */

/* Memory that the seats of one thread share: a seat may use the memory during a
   call, and leaves nothing there. */
struct counter_buffers {
    struct text_slice *key;  /* room for a batch */
    int64_t *key_weight;     /* of each key; NULL: no weights and no counts */
    struct key_codes *codes; /* NULL: no histogram has tuples */
};

/*
 * The elements of a call.  SLICE has their fields, element by element, as many
 * as the spec has.  If the counter takes runs, each slice is a run of bases
 * instead.  If SLICE is NULL, DATA has COUNT binary records.
 */
struct counter_batch {
    const unsigned char *data; /* the chunk, which may be reused afterwards; or
                                  derived values ... */
    const unsigned char *runs; /* ... and the chunk, of sequences only */
    struct text_slice *slice;
    size_t count;
    bool are_plain; /* field_values_are_plain() of the slices */
    const struct key_weights *weights; /* NULL: each element counts once */
};

/* The memory and the temporary files of a counter. */
struct counter_use {
    uint64_t memory; /* of the tables now, in bytes */
    uint64_t spills; /* how often tables were written to a file */
    uint64_t spilled_bytes;
};

/* The common head of the counters of all kinds. */
struct counter {
    const struct counter_type *type;
    const struct spec *spec;                 /* outlives the counter */
    size_t histogram;                        /* of SPEC ... */
    const struct counted_histogram *counted; /* ... and what was decided */
    unsigned int threads;
    size_t memory_limit;        /* of the tables, in bytes */
    struct code_ranges *ranges; /* of all axes: where tuples find theirs */
    const struct error *failure;
    struct key_counts *keys; /* the tables of keys, set by open(), or NULL */
};

/* The common head of the seats of all kinds. */
struct counter_seat {
    const struct counter_type *type;
    const struct counter_buffers *buffers; /* outlive the seat */
};

struct counter_type {
    size_t bytes;    /* of a counter */
    bool takes_runs; /* of bases (struct counter_batch) */

    /*
     * Open COUNTER: its head is set, and all other fields are 0.  The caller
     * calls close() in any case.
     */
    enum key_result (*open)(struct counter *counter);
    void (*close)(struct counter *counter);

    /* ---- one thread ---- */

    /* Returns the seat of another thread, or NULL: out of memory. */
    struct counter_seat *(*join)(struct counter *counter,
                                 const struct counter_buffers *buffers);

    /* Count the elements of BATCH.  add() may change the slices.  After a
       failure some elements are counted. */
    enum key_result (*add)(struct counter_seat *seat,
                           const struct counter_batch *batch);

    /* NULL: nothing to do.  After the last batch of a chunk. */
    enum key_result (*end_chunk)(struct counter_seat *seat);

    /* NULL: nothing to do.  After the thread's last chunk: add the seat's
       caches to the tables, to leave less to settle(). */
    void (*settle_seat)(struct counter_seat *seat);

    /* Release SEAT.  Counts that are not settled are lost. */
    void (*leave)(struct counter_seat *seat);

    /* ---- all threads; none may be counting ---- */

    /* Count element I of BATCH batch->weights->weight[I] times, without a seat.
       NULL: nothing but seats counts. */
    enum key_result (*add_counted)(struct counter *counter,
                                   const struct counter_buffers *buffers,
                                   const struct counter_batch *batch);

    /* Count COUNT binary records of zeros.  NULL: the kind is of text. */
    enum key_result (*add_zeros)(struct counter *counter, uint64_t count);

    /* A device has counted CELL[c] elements for each cell c, and NONE elements
       without one: add all.  May change CELL.  NULL: no device does so. */
    void (*add_cells)(struct counter *counter, uint64_t *cell, uint64_t none);

    /* A device has counted the keys of DICTIONARY in HISTOGRAM, and NONE
       records without a key: add all.  NULL: devices count texts instead. */
    enum key_result (*add_keys)(struct counter *counter,
                                const struct histogram *histogram,
                                const struct text_dictionary *dictionary,
                                uint64_t none);

    /* Add the caches of all seats to the tables.  IS_COUNTING as below. */
    enum key_result (*settle)(struct counter *counter, bool is_counting);

    /* After settle(): set the range of AXIS of the spec, which has numbers, in
       SHOWN.  Returns how many numbers were counted.  NULL: no numbers. */
    uint64_t (*find_range)(const struct counter *counter, size_t axis,
                           struct binning_axis *shown);

    /*
     * After settle(), when all ranges are found: sort the keys that occur, and
     * make the list of the histogram in NAMES.  If IS_COUNTING, the threads
     * continue afterwards; otherwise COUNTER can only be put, restarted or
     * closed.  NULL: a cell for each bin, and no list.
     */
    enum key_result (*list)(struct counter *counter, bool is_counting,
                            struct key_names *names);

    /*
     * Likewise make ARRAY, in MEMORY, of the multiplicities, and set *TOTAL to
     * the number of elements, with and without a key.  NULL: as list().
     */
    enum key_result (*make_spectrum)(struct counter *counter, bool is_counting,
                                     struct key_memory *memory,
                                     struct key_array *array, uint64_t *total);

    /*
     * Set the cells of SUM from BASE on, which are 0, to the counts and to the
     * sums of weights, but those of the listed keys, which the caller has set.
     * NULL: there are no others.
     */
    void (*put)(struct counter *counter, bool is_counting,
                const struct key_names *names, struct histogram *sum,
                uint64_t base);

    /* Forget all counts, which are settled. */
    void (*restart)(struct counter *counter);

    /* Add to USE what is neither cells nor the tables of keys.  NULL:
       nothing. */
    void (*add_use)(const struct counter *counter, struct counter_use *use);
};

#endif
