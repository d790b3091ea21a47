/* SPDX-License-Identifier: MIT */
/*
 * key_names.h -- the keys of a snapshot, and the spec of their axes
 *
 * Keys are found while counting, so each snapshot has bins of its own.  Keys
 * are never removed: a later snapshot has the keys of an earlier snapshot and
 * new keys between them, all in the order of their bytes.
 */

#ifndef GPUHIST_KEY_NAMES_H
#define GPUHIST_KEY_NAMES_H

#include "hist/group_numbers.h"
#include "hist/histogram.h"
#include "hist/key_file.h"
#include "hist/key_list.h"
#include "hist/key_order.h"
#include "hist/spec.h"

struct key_names {
    struct spec spec;        /* its shown axes have the keys */
    struct key_list *list;   /* of each histogram, whose keys are in its: */
    struct key_order *order; /* of each histogram: the keys in memory */
    struct key_file *file;   /* of each histogram: the keys in files */
    struct key_array *array; /* of each histogram: k-mers, multiplicities */
    struct group_numbers *numbers; /* of each histogram: those that tuples stand
                                      for, or all 0 */
    struct exact_sums *sums; /* of each histogram; NULL: none is COUNTED_SUMS */
};

/*
 * Returns names for SPEC, whose axes have no keys yet, or NULL: out of memory.
 * The arrays of SPEC must outlive the names.
 */
struct key_names *key_names_new(const struct spec *spec);

/* Sorted keys are in the order of histogram I: make the list of them. */
void key_names_list(struct key_names *names, size_t i);

/* All histograms have a list: give the spec its bins. */
void key_names_complete(struct key_names *names);

/*
 * Move the counts of HISTOGRAM, which has the bins of BEFORE, to the bins of
 * NOW, later names of the same run.  Returns 0, or -1 with *ERROR set.
 */
int key_names_move(const struct key_names *before, const struct key_names *now,
                   struct histogram *histogram, struct error *error);

/* Release NAMES, which may be NULL. */
void key_names_close(struct key_names *names);

#endif
