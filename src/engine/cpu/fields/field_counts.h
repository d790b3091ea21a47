/* SPDX-License-Identifier: MIT */
/*
 * field_counts.h -- the counts of fields of a run, which its CPU threads share
 *
 * There is one counter (counter.h) for each histogram.
 */

#ifndef GPUHIST_FIELD_COUNTS_H
#define GPUHIST_FIELD_COUNTS_H

#include <stdatomic.h>

#include "engine/cpu/counter.h"
#include "engine/cpu/fields/first_values.h"
#include "engine/cpu/fields/wrong_amount.h"
#include "engine/cpu/keys/key_codes.h"
#include "engine/cpu/sequences/sequence_counts.h"
#include "hist/snapshot.h"
#include "text/derive.h"
#include "text/scan.h"

/* What the threads of a run share. */
struct field_counts {
    const struct spec *spec;
    struct scan scan;
    struct derive_plan derive; /* all 0: no field is derived */
    struct counter **counter;  /* of each histogram; COUNTERS of them */
    size_t counters;
    unsigned int threads;
    size_t memory_limit;               /* of all tables, in bytes */
    struct code_ranges ranges;         /* of numbers in tuples */
    struct sequence_counts sequences;  /* all 0: other text */
    struct key_memory spectrum_memory; /* without a limit: they are small */

    /* Counted and left out by the engines; a comment is not a record. */
    atomic_uint_fast64_t elements[COUNTED_UNITS];
    atomic_uint_fast64_t left_out; /* of the records, by conditions */
    atomic_uint_fast64_t checksum[ALIGNMENT_CHECKSUMS];
    atomic_uint_fast64_t met; /* see struct snapshot */
    atomic_uint_fast64_t fulfilled;
    atomic_bool matches;
    atomic_uint_fast64_t comments;
    atomic_bool overflows; /* more than 2^64 - 1 elements */
    atomic_uint_fast64_t bytes;
    atomic_uint_fast64_t unweighted; /* records whose weight is missing */

    struct first_values first; /* of fields of numbers */

    pthread_mutex_t lock;
    struct misfits misfits;     /* of the inputs that are counted; under LOCK */
    struct misfits all_misfits; /* of those before */
};

/*
 * Prepare to count the fields of SPEC, which outlives FIELDS, with THREADS
 * engines.  All tables together take at most MEMORY_LIMIT bytes; keys beyond
 * that are in temporary files.  Returns 0, or -1 with *ERROR set; the caller
 * calls field_counts_close() in both cases.
 */
int field_counts_open(struct field_counts *fields, const struct spec *spec,
                      unsigned int threads, size_t memory_limit,
                      struct error *error);

/*
 * Set *ERROR to why keys could not be counted: RESULT, which is not KEY_OK.
 * FAILURE is the failure of their counter; it may be NULL unless RESULT is
 * KEY_FAILED.  Returns -1.
 */
int field_counts_fail(enum key_result result, const struct field_counts *fields,
                      const struct error *failure, struct error *error);

/* Add COUNT records that have been read; LEFT_OUT of the records do not meet
   the conditions. */
void field_counts_tell(struct field_counts *fields, uint64_t count,
                       uint64_t left_out);

/* Add COUNT elements of the list UNIT in these records. */
void field_counts_tell_elements(struct field_counts *fields, size_t unit,
                                uint64_t count);

/*
 * Count RECORDS binary records of zeros.  No thread may be counting.  Returns
 * 0, or -1 with *ERROR set.
 */
int field_counts_add_zeros(struct field_counts *fields, uint64_t records,
                           struct error *error);

/* Returns how many keys the tables have, also while engines count; keys in
   temporary files are not included. */
uint64_t field_counts_keys(struct field_counts *fields);

/*
 * Sort the keys while no engine counts, and set *COUNTS, which the caller
 * closes before FIELDS.  If IS_COUNTING, the engines continue afterwards;
 * otherwise this is the last call.  Returns 0, or -1 with *ERROR set.
 */
int field_counts_finish(struct field_counts *fields, bool is_counting,
                        struct snapshot *counts, struct error *error);

/*
 * After field_counts_finish(), whose counts are closed: forget all that is
 * counted, except comments and misfits, to count the next input.  All engines
 * start over (engine.h).
 */
void field_counts_restart(struct field_counts *fields);

/*
 * Returns how often keys were written to a temporary file, and sets *BYTES to
 * the bytes of that.  No thread may be counting.
 */
uint64_t field_counts_spills(const struct field_counts *fields,
                             uint64_t *bytes);

/* Release everything; all engines and counts are closed. */
void field_counts_close(struct field_counts *fields);

#endif
