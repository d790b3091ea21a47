/* SPDX-License-Identifier: MIT */
/*
 * sequence_counts.h -- dense tables of the usual fields of sequences
 *
 * Each thread counts its reads in tables of small integers: lengths, pairs of
 * GC and length, and combinations of base, position and quality.  The axes of
 * the histograms do not matter here.  The tables of all threads are added up,
 * those whose rows are positions by a few rows at a time, and each cell is
 * added once, with its count, to the histograms that have the table as their
 * source (sequence_fold.h).
 *
 * Elements without a cell in a table are leftovers: the caller counts them as
 * other text.
 */

#ifndef GPUHIST_SEQUENCE_COUNTS_H
#define GPUHIST_SEQUENCE_COUNTS_H

#include <pthread.h>

#include "engine/cpu/sequences/position_tail.h"
#include "engine/sequence_source.h"
#include "kernels/seq/sequence_tables.h"
#include "sync/thread_list.h"

/* In the table of qualities alone, the cell of bases without one: no line of
   qualities has this byte. */
#define SEQUENCE_QUALITY_NONE '\n'

struct sequence_table {
    size_t width; /* of a row, in cells; 0: no histogram needs the table */
    size_t rows;  /* so far */
    uint64_t *count;
};

/* The bases of a record, from number FIRST on, that are left. */
struct sequence_leftover {
    uint32_t record;
    uint32_t first;
};

struct sequence_counter;

struct sequence_counts {
    const struct spec *spec;
    enum sequence_source *source;               /* of each histogram */
    bool is_used;                               /* some histogram has a table */
    bool has[SEQUENCE_UNITS][SEQUENCE_SOURCES]; /* some histogram has both */
    size_t rows_max[SEQUENCE_SOURCES];
    size_t tail_max; /* the most elements beyond these rows, of a thread */
    struct thread_list counters;
    /* All below: under the lock of the list. */
    struct sequence_table sum[SEQUENCE_SOURCES];
    /* The bases beyond ROWS_MAX, in order if settled. */
    struct position_tail tail[SEQUENCE_SOURCES];
};

/*
 * Choose the tables for SPEC, which is of sequences and outlives COUNTS.  The
 * tables of each of THREADS threads take a small part of MEMORY_LIMIT.  Returns
 * 0, or -1: out of memory.  The caller calls sequence_counts_close() in both
 * cases.
 */
int sequence_counts_open(struct sequence_counts *counts,
                         const struct spec *spec, unsigned int threads,
                         size_t memory_limit);

/*
 * Add the tables of all counters to counts->sum, those whose rows are positions
 * excepted: sequence_counts_read() has these.  No thread may be counting.
 * Returns 0, or -1: out of memory.
 */
int sequence_counts_settle(struct sequence_counts *counts);

/* Returns the rows of the table SOURCE of COUNTS, which are settled. */
size_t sequence_counts_rows(struct sequence_counts *counts,
                            enum sequence_source source);

/*
 * Set COUNT to POSITION_BLOCK rows of the table SOURCE, whose rows are
 * positions, from FIRST on, a multiple of that.  COUNTS are settled.
 */
void sequence_counts_read(struct sequence_counts *counts,
                          enum sequence_source source, size_t first,
                          uint64_t *count);

/*
 * Add ROWS rows of the table SOURCE at COUNT, which another device has counted,
 * to counts->sum.  Returns 0, or -1: out of memory.
 */
int sequence_counts_add(struct sequence_counts *counts,
                        enum sequence_source source, uint64_t *count,
                        size_t rows);

/* Clear all that is settled. */
void sequence_counts_clear(struct sequence_counts *counts);

/* Release everything.  All counters are closed.  Also of COUNTS all 0. */
void sequence_counts_close(struct sequence_counts *counts);

/* ---- one thread ---- */

/* The most records of a call of sequence_counter_add(). */
#define SEQUENCE_COUNTER_RECORDS 1024

/* Returns the tables of another thread, or NULL: out of memory. */
struct sequence_counter *sequence_counter_new(struct sequence_counts *counts);

/*
 * Count COUNT records of DATA.  They are joined (sequence_join.h), unless no
 * histogram has a position or a quality.  Returns 0, or -1: out of memory.
 */
int sequence_counter_add(struct sequence_counter *counter,
                         const unsigned char *data,
                         const struct sequence_record *record, size_t count);

/*
 * Returns the leftovers of the last call of SOURCE: *COUNT leftovers of
 * records, in their order.  Of lengths and GC, the reads; for positions alone,
 * too.
 */
const struct sequence_leftover *
sequence_counter_leftovers(const struct sequence_counter *counter,
                           enum sequence_source source, size_t *count);

/* Release COUNTER.  Counts that are not settled are lost; those by position are
   COUNTER's until sequence_counts_clear(). */
void sequence_counter_close(struct sequence_counter *counter);

#endif
