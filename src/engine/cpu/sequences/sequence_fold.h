/* SPDX-License-Identifier: MIT */
/*
 * sequence_fold.h -- the histograms of sequences, from dense tables
 *
 * A cell of a table (sequence_counts.h) stands for the fields of an element.
 * So a cell can be counted by any axes, bins and other options.
 */

#ifndef GPUHIST_SEQUENCE_FOLD_H
#define GPUHIST_SEQUENCE_FOLD_H

#include "engine/cpu/counter.h"
#include "engine/cpu/keys/key_codes.h"
#include "engine/cpu/sequences/sequence_counts.h"

/* Histograms whose tuples may be in order (position_tuples.h). */
enum sequence_order {
    SEQUENCE_ALL,       /* they are added as the others */
    SEQUENCE_UNORDERED, /* only the others */
    SEQUENCE_ORDERED,   /* only these; their counters are settled */
};

/*
 * Add the tables COUNTS, which are settled, to COUNTER, one for each histogram
 * of SPEC, of those that ORDER says.  RANGES are the ranges of SPEC, if it is
 * sparse.  Nobody is counting.  Returns KEY_OK, or why it failed at the
 * histogram *FAILED.
 */
enum key_result sequence_fold(struct sequence_counts *counts,
                              const struct spec *spec,
                              struct code_ranges *ranges,
                              struct counter *const *counter,
                              enum sequence_order order, size_t *failed);

#endif
