/*
 * record_weights.h -- the weights of a batch of records of text
 *
 * They are decimals, exactly as the field has them.  A record whose field is
 * missing or empty has the weight 0, and is counted.  Where records say how
 * often they count, these counts stand in place of the weights.
 */

#ifndef GPUHIST_RECORD_WEIGHTS_H
#define GPUHIST_RECORD_WEIGHTS_H

#include "engine/cpu/fields/wrong_amount.h"
#include "hist/key_table.h"
#include "hist/spec.h"
#include "text/field_text.h"

struct record_weights {
    const struct spec *spec;
    int64_t *weight;          /* of each record: as in struct key_weights */
    struct decimal_sum *wide; /* WIDE_COUNT of them, room for WIDE_ROOM */
    size_t wide_count;
    size_t wide_room;
    bool are_counts;  /* WEIGHT has those of record_counts.h */
    uint64_t missing; /* records without a weight, so far */
    struct field_text field;
};

/*
 * Make room for batches of RECORDS, of SPEC, which has weights or counts
 * and outlives WEIGHTS.  Returns
 * 0, or -1: out of memory.  The caller calls record_weights_close() in both
 * cases.
 */
int record_weights_open(struct record_weights *weights, const struct spec *spec,
                        size_t records);

/*
 * Read the weights of RECORDS: SLICE has the fields of SPEC, record by record,
 * in the chunk at DATA.  Returns how many are read: all, or those before the
 * first one that is wrong, which *WRONG tells; or SIZE_MAX: out of memory.
 */
size_t record_weights_read(struct record_weights *weights,
                           const unsigned char *data,
                           const struct text_slice *slice, size_t records,
                           struct wrong_amount *wrong);

/* Returns the weights from record FIRST on. */
static inline struct key_weights
record_weights_from(const struct record_weights *weights, size_t first)
{
    return (struct key_weights){weights->weight + first, weights->wide,
                                weights->are_counts};
}

/* Also of WEIGHTS that are all 0. */
void record_weights_close(struct record_weights *weights);

#endif
