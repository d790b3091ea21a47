/*
 * field_counts.h -- the tables of keys of a run, which its CPU threads share
 *
 * There is one set of tables for each histogram.
 */

#ifndef GPUHIST_FIELD_COUNTS_H
#define GPUHIST_FIELD_COUNTS_H

#include <stdatomic.h>

#include "engine/cpu/fields/first_values.h"
#include "engine/cpu/fields/wrong_amount.h"
#include "engine/cpu/keys/group_cache.h"
#include "engine/cpu/keys/joint_counts.h"
#include "engine/cpu/keys/key_codes.h"
#include "engine/cpu/keys/key_counter.h"
#include "engine/cpu/keys/number_counts.h"
#include "engine/cpu/kmers/kmer_counts.h"
#include "engine/cpu/sequences/sequence_counts.h"
#include "hist/snapshot.h"
#include "text/scan.h"

/* The keys or numbers of one field; or the tuples of one histogram. */
struct key_field {
    bool has_keys;
    struct key_counts counts;     /* if it HAS_KEYS */
    bool has_groups;              /* in front of COUNTS ... */
    struct group_caches groups;   /* ... are these */
    atomic_uint_fast64_t missing; /* records without this field; 0 if sparse */
    atomic_uint_fast64_t invalid; /* records of another format; 0 if
                                     sparse */
    struct decimal_sum missing_sum; /* of their weights; under the lock */

    bool has_numbers; /* if it HAS_KEYS, these are the codes of numbers */
    struct number_counts numbers; /* if it HAS_NUMBERS */

    bool has_folded; /* ranges are found while counting codes, which ... */
    struct key_counts folded; /* ... are folded to these at the end */

    bool has_kmers; /* and neither keys nor numbers */
    struct kmer_counts kmers;

    bool has_joint; /* it is the only one, and has neither of these */
    struct joint_counts joint;
};

/* What the threads of a run share. */
struct field_counts {
    const struct spec *spec;
    struct scan scan;
    struct key_field *field; /* FIELDS of them */
    size_t fields;
    unsigned int threads;
    size_t memory_limit;               /* of all tables, in bytes */
    struct code_ranges ranges;         /* if sparse */
    struct sequence_counts sequences;  /* all 0: other text */
    struct key_memory spectrum_memory; /* without a limit: they are small */

    /* What the engines have counted, and left out; a comment is no record. */
    atomic_uint_fast64_t elements[SEQUENCE_UNITS];
    atomic_uint_fast64_t left_out; /* of the records, by conditions */
    atomic_uint_fast64_t met;      /* see struct snapshot */
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
 * Prepare to count the fields of SPEC, which outlives SHARING, with THREADS
 * engines.  All tables together take at most MEMORY_LIMIT bytes; keys beyond
 * that are in temporary files.  Returns 0, or -1 with *ERROR set; the caller
 * calls field_counts_close() in both cases.
 */
int field_counts_open(struct field_counts *sharing, const struct spec *spec,
                      unsigned int threads, size_t memory_limit,
                      struct error *error);

/*
 * Set *ERROR to why keys could not be counted: RESULT, which is not KEY_OK.
 * FAILURE is that of what counts them; it may be NULL unless RESULT is
 * KEY_FAILED.  Returns -1.
 */
int field_counts_fail(enum key_result result,
                      const struct field_counts *sharing,
                      const struct error *failure, struct error *error);

/* Tell SHARING that COUNT records have been read, and of these LEFT_OUT ones do
   not meet the conditions. */
void field_counts_tell(struct field_counts *sharing, uint64_t count,
                       uint64_t left_out);

/* Returns how many keys the tables have, also while engines count; those in
   temporary files are not among them. */
uint64_t field_counts_keys(struct field_counts *sharing);

/*
 * Sort the keys while no engine counts, and set *COUNTS, which the caller
 * closes before SHARING.  If IS_COUNTING, the engines continue afterwards;
 * otherwise this is the last call.  Returns 0, or -1 with *ERROR set.
 */
int field_counts_finish(struct field_counts *sharing, bool is_counting,
                        struct snapshot *counts, struct error *error);

/*
 * After field_counts_finish(), whose counts are closed: forget all that is
 * counted, except comments and misfits, to count the next input.  All engines
 * start over (engine.h).
 */
void field_counts_restart(struct field_counts *sharing);

/*
 * Returns how often keys were written to a temporary file, and sets *BYTES to
 * the bytes of that.  No thread may be counting.
 */
uint64_t field_counts_spills(const struct field_counts *sharing,
                             uint64_t *bytes);

/* Release everything; all engines and counts are closed. */
void field_counts_close(struct field_counts *sharing);

#endif
