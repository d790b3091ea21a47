/* SPDX-License-Identifier: MIT */
/*
 * sequence_batch.h -- the fields of the reads and of the bases of sequences
 *
 * The records of a chunk are found, and joined in place (sequence_join.h) where
 * that is needed.  Then batches are made of the elements of a unit: for each
 * element, a slice for each field, as scan_records() writes them.
 */

#ifndef GPUHIST_SEQUENCE_BATCH_H
#define GPUHIST_SEQUENCE_BATCH_H

#include "engine/cpu/sequences/sequence_counts.h"
#include "hist/spec.h"
#include "seq/alignment_values.h"
#include "seq/element_filter.h"
#include "seq/read_filter.h"
#include "seq/sequence_values.h"
#include "sync/pool.h"

/* The most elements of a batch. */
#define SEQUENCE_BATCH 8192

struct sequence_batch {
    const struct spec *spec;
    struct sequence_values values;
    struct sequence_record *record; /* COUNT of them */
    size_t count;
    bool joins;     /* a dense table needs bases in one piece */
    bool has_bases; /* and so does a field of batches */
    bool has_runs;  /* a histogram counts in groups of reads (read_groups.h) */
    bool writes;    /* the data of chunks may change: joined, or masked */
    int units;      /* those before this one are counted */
    uint64_t elements[SEQUENCE_UNITS]; /* in all records so far */
    struct read_filter reads;          /* of the records */
    struct element_filter filter;      /* of the elements */
    unsigned int words;                /* of a line that are needed */
    struct alignment_line *line;       /* of each record; NULL: not needed */
    uint64_t *held;    /* of each record: see read_filter_run(); NULL: none */
    uint64_t left_out; /* so far, by conditions: records, which are not
                          elements; or if there is a filter, elements of its
                          unit */
    uint64_t met;      /* see read_filter_met() */
    uint64_t checksum[ALIGNMENT_CHECKSUMS]; /* so far, as in a snapshot */

    /* The fields that are set for each read of a unit. */
    struct sequence_wanted *wanted[SEQUENCE_UNITS];
    size_t wants[SEQUENCE_UNITS];

    /* The elements that are made into batches. */
    enum sequence_unit unit;
    const struct sequence_leftover
        *leftover; /* LEFTOVERS of them; NULL: all records */
    size_t leftovers;
    size_t next;                /* the leftover of the next element ... */
    binning_u32 position;       /* ... which is this one of its record */
    struct text_slice *of_read; /* the fields of this record */
    bool has_read;              /* they are set, and so are ... */
    binning_u32 of_unit;        /* ... how many elements this record has ... */
    struct cigar_walk walk;     /* ... its operations that are put ... */
    struct cigar_walk tested;   /* ... and those that FILTER looks at */
};

/*
 * Prepare for the fields of SPEC, which outlives BATCH, of which COUNTS are the
 * tables.  Returns 0, or -1: out of memory.  The caller calls
 * sequence_batch_close() in both cases.
 */
int sequence_batch_open(struct sequence_batch *batch, const struct spec *spec,
                        const struct sequence_counts *counts);

/* Returns the bytes that sequence_batch_open() allocates. */
uint64_t sequence_batch_bytes(const struct spec *spec);

/*
 * Find more records of CHUNK, which has whole records, from *DONE on, and move
 * *DONE.  Records that do not meet the conditions are left out, and so are
 * elements that do not meet the conditions on elements.  A wrong record is
 * noted for its input; later records of the input in the chunk are left out.
 * Leased data of CHUNK that must change are copied first (pool_own()).  Returns
 * 0, or -1 with *ERROR set: the origin of a wrong record is not known.
 */
int sequence_batch_scan(struct sequence_batch *batch, struct chunk *chunk,
                        size_t *done, struct error *error);

/*
 * Start with the elements of UNIT in LEFTOVERS of the records that are found;
 * or in all LEFTOVERS records, if LEFTOVER is NULL.
 */
void sequence_batch_start(struct sequence_batch *batch, enum sequence_unit unit,
                          const struct sequence_leftover *leftover,
                          size_t leftovers);

/*
 * Write the fields of the next elements, SEQUENCE_BATCH at most, to SLICE,
 * element by element.  Fields of other units may be missing; but with has_runs,
 * reads have the runs of their bases and qualities as position and quality.
 * Returns how many elements there are; 0: no more.  Joins the records in DATA.
 */
size_t sequence_batch_next(struct sequence_batch *batch, unsigned char *data,
                           struct text_slice *slice);

/* The next window of a batch; all 0: the first one. */
struct sequence_place {
    size_t record;
    uint32_t window; /* of the record */
};

/*
 * Write the next runs of bases of the records in DATA, SEQUENCE_BATCH at most,
 * to SLICE: all windows of a run are counted, and no others.  Moves *PLACE
 * after them.  Returns the number of runs; 0: no more.
 */
size_t sequence_batch_next_runs(const struct sequence_batch *batch,
                                const unsigned char *data,
                                struct sequence_place *place,
                                struct text_slice *slice);

void sequence_batch_close(struct sequence_batch *batch);

#endif
