/* SPDX-License-Identifier: MIT */
/*
 * code_spill.h -- counts of codes in a temporary file
 *
 * Codes (code_table.h) that the memory has no room for are written to the
 * buckets of a file, in any order, each with its count.  A code is always in
 * the same bucket, and may be there more than once: a reader adds its counts
 * up in a table.  So nothing is sorted before it is written, and a bucket is
 * read into a table that is small.
 *
 *     code_reader_open(&reader, &spill, &key, memory);
 *     code_reader_start(&reader, bucket);
 *     while (code_reader_next(&reader))
 *         ... reader.table ...
 *     code_reader_close(&reader);
 */

#ifndef GPUHIST_CODE_SPILL_H
#define GPUHIST_CODE_SPILL_H

#include <pthread.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/scratch_file.h"
#include "hist/code_table.h"

/* Consecutive bytes of the file. */
struct code_extent {
    uint64_t at;
    uint32_t bytes;
    uint32_t codes;
};

struct code_bucket {
    struct code_extent *extent;
    size_t extents;
    size_t room;
    uint64_t codes; /* of all extents */
};

struct code_spill {
    unsigned int code_bytes; /* of each code in the file */
    unsigned int words;      /* of a code in memory */
    size_t buckets;
    struct code_bucket *bucket; /* NULL: not open */
    pthread_mutex_t lock;
    /* Under the lock, as the buckets: */
    struct scratch_file file; /* opened with the first codes */
};

/*
 * Open SPILL for codes below 2^BITS, without a file yet.  Returns 0, or -1: out
 * of memory.
 */
int code_spill_open(struct code_spill *spill, size_t buckets,
                    unsigned int bits);

/* Also of a SPILL that is all 0. */
void code_spill_close(struct code_spill *spill);

/* Remove all codes, and the file. */
void code_spill_clear(struct code_spill *spill);

/* Let TO have the codes of FROM, with as many buckets, instead of its own. */
void code_spill_move(struct code_spill *to, struct code_spill *from);

/* Whether SPILL has codes.  No thread may be putting. */
static inline bool
code_spill_has_codes(const struct code_spill *spill)
{
    return spill->file.size > 0;
}

/* Returns how many codes the buckets have.  No thread may be putting. */
uint64_t code_spill_codes(const struct code_spill *spill);

/*
 * Append the codes of the SLOTS slots at SLOT whose counts are not 0 to BUCKET,
 * and set *BYTES to what they take.  Any thread may call it.  Returns 0, or -1
 * with *ERROR set: then the buckets can only be closed.
 */
int code_spill_put(struct code_spill *spill, size_t bucket,
                   const uint64_t *slot, size_t slots, uint64_t *bytes,
                   struct error *error);

/* ---- reading, while no thread is putting ---- */

struct code_reader {
    const struct code_spill *spill;
    const struct hash_key *key;
    struct key_memory memory; /* of TABLE */
    size_t bucket;
    struct kmer_code first; /* the least code that has not been read */
    bool is_done;           /* all codes have been read */

    struct code_table table; /* the codes that were read last */
    enum key_result result;  /* KEY_OK; or why the reading has ended */
    struct error error;      /* after KEY_FAILED */
};

/* Prepare to read SPILL, with a table that takes about MEMORY bytes. */
void code_reader_open(struct code_reader *reader,
                      const struct code_spill *spill,
                      const struct hash_key *key, size_t memory);

/* Start to read BUCKET. */
void code_reader_start(struct code_reader *reader, size_t bucket);

/*
 * Set the table to the counts of all codes of the bucket; or, if these do not
 * fit, to those of as many of the lowest codes as fit, and the next time to
 * those of the next codes.  The caller may sort the table.  Returns false after
 * the last codes, or after a failure: see the result.
 */
bool code_reader_next(struct code_reader *reader);

void code_reader_close(struct code_reader *reader);

#endif
