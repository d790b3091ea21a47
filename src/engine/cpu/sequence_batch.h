/*
 * sequence_batch.h -- the fields of the reads and of the bases of sequences
 *
 * The records of a chunk are found, and joined in place (sequence_join.h).
 * Then the elements of each unit are made into batches: for each element, a
 * slice for each wanted field, as scan_records() writes them for other text.
 */

#ifndef GPUHIST_SEQUENCE_BATCH_H
#define GPUHIST_SEQUENCE_BATCH_H

#include "hist/spec.h"
#include "sync/pool.h"
#include "text/sequence_values.h"

/* The most elements of a batch. */
#define SEQUENCE_BATCH 8192

struct sequence_batch {
    const struct spec *spec;
    struct sequence_values values;
    struct sequence_record *record; /* COUNT of them */
    size_t count;
    bool has_unit[SEQUENCE_UNITS];     /* of some histogram */
    uint64_t elements[SEQUENCE_UNITS]; /* in all records so far */

    /* The next batch. */
    enum sequence_unit unit;
    size_t next;                /* the record of its first element ... */
    binning_u32 position;       /* ... which has this number, from 0 on */
    struct text_slice *of_read; /* the fields of this record */
};

/*
 * Prepare for the fields of SPEC, which outlives BATCH.  Returns 0, or -1: out
 * of memory.  The caller calls sequence_batch_close() in both cases.
 */
int sequence_batch_open(struct sequence_batch *batch, const struct spec *spec);

/* Returns the bytes of what that allocates. */
uint64_t sequence_batch_bytes(const struct spec *spec);

/*
 * Find some more records of CHUNK, which consists of whole ones, from *DONE on,
 * and move that.  Returns 0, or -1 with *ERROR set: a record is wrong.
 */
int sequence_batch_scan(struct sequence_batch *batch, struct chunk *chunk,
                        size_t *done, struct error *error);

/*
 * Write the fields of the next elements, SEQUENCE_BATCH at most, to SLICE,
 * element by element, and set *UNIT to what they are.  Only the fields of
 * histograms of this unit are written.  Returns how many elements there are; 0:
 * no more in these records.
 */
size_t sequence_batch_next(struct sequence_batch *batch,
                           const unsigned char *data, struct text_slice *slice,
                           enum sequence_unit *unit);

void sequence_batch_close(struct sequence_batch *batch);

#endif
