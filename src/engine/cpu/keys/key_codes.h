/* SPDX-License-Identifier: MIT */
/*
 * key_codes.h -- the tuples of a batch of records, as keys
 *
 * A thread writes the fields of each record as one key (hist/key_code.h) to a
 * buffer, from which key_counter_add() counts them.
 *
 * Where --range=auto looks for the range, a component is not the row of a bin
 * but one of its edges, as a number: the edge that belongs to the bin.  Each
 * thread has its own growing lattice.  Each bin of a thread's lattice is inside
 * one bin of the last lattice, and so is its edge (fields/count_tuples.c).  An
 * infinity is that of a flow cell.
 */

#ifndef GPUHIST_KEY_CODES_H
#define GPUHIST_KEY_CODES_H

#include <pthread.h>

#include "engine/cpu/keys/number_field.h"
#include "hist/key_memory.h"
#include "hist/lattice.h"
#include "hist/spec.h"
#include "text/text_slice.h"

/* What all threads have found of an axis of numbers. */
struct code_range {
    struct extent extent; /* if its range is found while counting */
    uint64_t numbers;
};

struct code_ranges {
    pthread_mutex_t lock;
    struct code_range *range; /* of each axis; under the lock */
};

/* Prepare for the axes of SPEC.  Returns 0, or -1: out of memory.  The caller
   calls code_ranges_close() in both cases. */
int code_ranges_open(struct code_ranges *ranges, const struct spec *spec);

/* Forget all numbers.  No thread is counting. */
void code_ranges_restart(struct code_ranges *ranges, const struct spec *spec);

void code_ranges_close(struct code_ranges *ranges);

struct code_axis;

/* They stay in the second-level cache, and are thousands of usual tuples. */
#define KEY_CODES_ROOM ((size_t)256 << 10)

/* The most records of a call of key_codes_make(). */
#define KEY_CODES_BATCH 1024

/* All 0: no buffer. */
struct key_codes {
    unsigned char *byte; /* ROOM of them */
    size_t room; /* KEY_CODES_ROOM, or more for one tuple that does not fit */
    const struct spec *spec;
    struct code_ranges *ranges;
    struct code_axis *axis; /* of each axis of SPEC */
};

/*
 * Allocate the buffer for tuples of SPEC, which is sparse.  SPEC and RANGES
 * outlive CODES.  The caller calls key_codes_close() in any case.
 */
enum key_result key_codes_open(struct key_codes *codes, const struct spec *spec,
                               struct code_ranges *ranges);

/*
 * Write the tuples of histogram I of RECORDS records.  FIELD has the fields of
 * the spec, record by record, in the chunk at DATA.  CODE gets where the tuples
 * are in codes->byte, and *COUNT their number: as many as there is room for,
 * KEY_CODES_BATCH at most, and at least one if RECORDS is not 0.
 */
enum key_result key_codes_make(struct key_codes *codes, size_t i,
                               const unsigned char *data,
                               const struct text_slice *field, size_t records,
                               struct text_slice *code, size_t *count);

/* The same of RECORDS binary records at DATA.  Returns the number of tuples
   written. */
size_t key_codes_make_samples(struct key_codes *codes, size_t i,
                              const unsigned char *data, size_t records,
                              struct text_slice *code);

/* COUNT numbers of AXIS have been counted without codes. */
void key_codes_add_numbers(struct key_codes *codes, size_t axis,
                           uint64_t count);

/* Returns AXIS as this thread sees it: with --range=auto, its lattice so far,
   which any other function may change. */
const struct binning_axis *key_codes_axis(const struct key_codes *codes,
                                          size_t axis);

/* Widen the lattice of AXIS to hold EXTENT. */
void key_codes_widen(struct key_codes *codes, size_t axis,
                     const struct extent *extent);

/*
 * Write the component of a tuple for CELL of AXIS, a field of text, at AT,
 * which has KEY_CODE_ROOM.  GROWS: the axis has a lattice.  Returns its end.
 */
unsigned char *key_codes_put_cell(const struct binning_axis *axis, bool grows,
                                  uint64_t cell, unsigned char *at);

/* Add the numbers and lattices of CODES to its ranges, and take over the
   lattices of the ranges. */
void key_codes_settle(struct key_codes *codes);

/* Forget all numbers; they are settled. */
void key_codes_restart(struct key_codes *codes);

void key_codes_close(struct key_codes *codes);

#endif
