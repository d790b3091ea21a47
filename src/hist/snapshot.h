/* SPDX-License-Identifier: MIT */
/* snapshot.h -- the histogram of the bytes counted so far */

#ifndef GPUHIST_SNAPSHOT_H
#define GPUHIST_SNAPSHOT_H

#include <stdint.h>

#include "hist/histogram.h"
#include "hist/key_names.h"
#include "hist/series.h"
#include "hist/spec.h"
#include "kernels/seq/alignment_words.h"

struct snapshot {
    const struct spec *spec;    /* outlives the snapshot, or is that of NAMES */
    struct key_names *names;    /* of keys; owned.  NULL: numbers */
    struct histogram histogram; /* of the counted axes of SPEC; owned */
    uint64_t bytes;             /* of input that are counted */
    uint64_t elements[COUNTED_UNITS]; /* in these bytes; at 0: records */
    struct series_total series;       /* if SPEC->sums_series */
    uint64_t unweighted; /* of the records: their weight is missing */
    uint64_t left_out;   /* records that are not elements, by conditions; or if
                            spec_chooses_elements(), elements of its unit */
    /* If SPEC->text.sums_checksums: the sums of the records that count, modulo
       2^32. */
    uint64_t checksum[ALIGNMENT_CHECKSUMS];
    uint64_t met;       /* bit I: some record has the field of condition I */
    uint64_t fulfilled; /* see struct filter; of sequences 0 */
    bool matches; /* some line matches the expression that finds the fields */
};

/*
 * Set *BEFORE to the counts since then: NOW minus BEFORE.  NOW is a later
 * snapshot of the same run.  Before the first snapshot, BEFORE has no
 * histogram.  Returns 0, or -1 with *ERROR set.
 */
int snapshot_subtract(struct snapshot *before, const struct snapshot *now,
                      struct error *error);

/* Whether each histogram has counted each of its elements exactly once for each
   axis, in a bin or in a flow cell, and the series has each byte. */
bool snapshot_adds_up(const struct snapshot *counts);

/* Returns how many values of shown axis I of COUNTS, which are folded, are in
   its flow cells. */
uint64_t snapshot_flows(const struct snapshot *counts, size_t i);

/* Free the histogram and the names.  COUNTS may be all 0. */
void snapshot_close(struct snapshot *counts);

#endif
