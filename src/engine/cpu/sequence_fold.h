/*
 * sequence_fold.h -- the histograms of sequences, from dense tables
 *
 * A cell of a table (sequence_counts.h) is the fields of an element.  These are
 * what the axes of a histogram have, for any bins and any other options.
 */

#ifndef GPUHIST_SEQUENCE_FOLD_H
#define GPUHIST_SEQUENCE_FOLD_H

#include "engine/cpu/key_sharing.h"

/*
 * Add what the threads have counted in tables to all histograms of SHARING, and
 * clear the tables.  Nobody is counting.  Returns 0, or -1 with *ERROR set.
 */
int sequence_fold(struct key_sharing *sharing, struct error *error);

#endif
