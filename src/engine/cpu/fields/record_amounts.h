/* SPDX-License-Identifier: MIT */
/*
 * record_amounts.h -- how much each record of a batch of text counts
 *
 * A record may say how often it counts: `value TAB count`, or as uniq -c prints
 * it.  Then conditions may leave it out.  Or a field of the record has a
 * weight: a decimal, exactly as it is written.  A record whose weight is
 * missing or empty has the weight 0, and is counted.
 */

#ifndef GPUHIST_RECORD_AMOUNTS_H
#define GPUHIST_RECORD_AMOUNTS_H

#include "engine/cpu/fields/wrong_amount.h"
#include "hist/key_table.h"
#include "hist/spec.h"
#include "text/derive.h"
#include "text/field_value.h"
#include "text/filter.h"

/* All 0: each record counts once, and there are no conditions. */
struct record_amounts {
    const struct spec *spec;

    /* Where the slices of the scan are: SOURCES of each record, and that of
       field I of the spec is SOURCE[I]; NULL: the fields of the spec. */
    size_t sources;
    const uint32_t *source;
    struct derive derive;      /* of the fields of conditions, if SOURCE */
    struct text_slice *values; /* ... and their values, of a batch; owned */
    struct derive *list;       /* of each condition, if it is on a list */
    size_t lists;              /* as many as conditions, or 0 */
    struct text_slice *parts;  /* the values of some elements; owned */
    uint32_t *owner;           /* the record of each; owned */
    const unsigned char *data; /* the chunk ... */
    const struct text_slice *batch; /* ... and the slices of its batch */
    bool are_plain; /* field_values_are_plain() of the batch; set by the owner,
                       false at first */

    /* Of each record of the last batch: as in struct key_weights.  NULL: no
       weights and no counts. */
    int64_t *weight;
    struct decimal_sum *wide; /* WIDE_COUNT of them, room for WIDE_ROOM */
    size_t wide_count;
    size_t wide_room;
    struct field_text field; /* of the weight */
    struct filter filter;    /* if there are conditions */

    /* So far; the owner may reset them: */
    uint64_t counted;    /* the sum of the counts, modulo 2^64 */
    bool overflows;      /* ... which was more */
    uint64_t unweighted; /* records without a weight */
    uint64_t left_out;   /* elements, by conditions; it may wrap around */
};

/*
 * Prepare for batches of BATCH records, of SPEC, which is not of sequences and
 * outlives AMOUNTS, as PLAN, whose fields are those of SPEC; NULL: nothing is
 * derived.  Returns 0, or -1: out of memory.  The caller calls
 * record_amounts_close() in both cases.
 */
int record_amounts_open(struct record_amounts *amounts, const struct spec *spec,
                        const struct derive_plan *plan, size_t batch);

/* The same for batches of elements of sequences: only weights, if SPEC has
   some.  SPEC is of sequences. */
int record_amounts_open_numbers(struct record_amounts *amounts,
                                const struct spec *spec, size_t batch);

/* Set the weights of COUNT elements of sequences, whose fields are in SLICE. */
void record_amounts_weigh_numbers(struct record_amounts *amounts,
                                  const struct text_slice *slice, size_t count);

/* Returns the bytes that the conditions of SPEC take. */
uint64_t record_amounts_filter_bytes(const struct spec *spec);

/*
 * Read how often the *RECORDS of a batch count, and leave out those that count
 * 0 times or do not meet the conditions.  SLICE has the slices of a scan,
 * record by record, in the chunk at DATA; the slices of the kept *RECORDS move
 * to its start.  A field that stands for none is missing then, and a slice has
 * no count before its value.  Returns false if a record is wrong: *WRONG tells
 * the first one; its reason is NULL if memory runs out.
 */
bool record_amounts_choose(struct record_amounts *amounts,
                           const unsigned char *data, struct text_slice *slice,
                           size_t *records, struct wrong_amount *wrong);

/*
 * Read the weights of RECORDS chosen records, if the spec has weights; SLICE
 * has the fields of the spec, in the values at DATA.  Returns how many are
 * read: all, or the records before the first wrong one, which *WRONG tells; or
 * SIZE_MAX: out of memory.
 */
size_t record_amounts_weigh(struct record_amounts *amounts,
                            const unsigned char *data,
                            const struct text_slice *slice, size_t records,
                            struct wrong_amount *wrong);

/* Returns the amounts of the last batch, which are not NULL. */
static inline struct key_weights
record_amounts_weights(const struct record_amounts *amounts)
{
    return (struct key_weights){amounts->weight, amounts->wide,
                                amounts->spec->adds == ADDS_COUNT};
}

/* Also of AMOUNTS that are all 0. */
void record_amounts_close(struct record_amounts *amounts);

#endif
