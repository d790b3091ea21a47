/*
 * sequence_fold.h -- the histograms of sequences, from dense tables
 *
 * A cell of a table (sequence_counts.h) is the fields of an element.  These are
 * what the axes of a histogram have, for any bins and any other options.
 */

#ifndef GPUHIST_SEQUENCE_FOLD_H
#define GPUHIST_SEQUENCE_FOLD_H

#include "engine/cpu/keys/joint_counts.h"
#include "engine/cpu/keys/key_codes.h"
#include "engine/cpu/keys/key_counts.h"
#include "engine/cpu/keys/number_counts.h"
#include "engine/cpu/sequences/sequence_counts.h"

/* What counts for a histogram; NULL: it has no such counts. */
struct sequence_target {
    struct key_counts *keys;
    struct number_counts *numbers;
    struct joint_counts *joint;
};

/*
 * Add what the threads have counted in the tables COUNTS, which are settled, to
 * TARGET, one for each histogram of SPEC, and clear the tables.  RANGES are
 * those of SPEC if it is sparse.  Nobody is counting.  Returns KEY_OK, or why
 * it failed at the histogram *FAILED.
 */
enum key_result sequence_fold(struct sequence_counts *counts,
                              const struct spec *spec,
                              struct code_ranges *ranges,
                              const struct sequence_target *target,
                              size_t *failed);

#endif
