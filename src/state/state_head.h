/* SPDX-License-Identifier: MIT */
/*
 * state_head.h -- the lines of a state before the rows
 *
 * gpuhist-state(5) describes the lines.  A head says all that a merge cannot
 * find in the counts.
 */

#ifndef GPUHIST_STATE_HEAD_H
#define GPUHIST_STATE_HEAD_H

#include <stdint.h>

#include "base/error.h"
#include "hist/snapshot.h"
#include "state/state_lines.h"

/* The version of the format.  No other version is read: states of version 1
   count lines that do not fit --clf differently. */
#define STATE_VERSION 2

/* The lists of lines, in the order of a state. */
enum state_list {
    STATE_OPTIONS,  /* "option": options that decide what is counted */
    STATE_NAMES,    /* "name": of a header of text, or none */
    STATE_ELEMENTS, /* "element": type and name, of a .npy file, or none */
    STATE_IMAGE,    /* "image": channels, bytes of a sample, maxval, or none */
    STATE_SPEC,     /* "spec": state_spec.h */
    STATE_LATTICES, /* "lattice": state_lattice.h */
    STATE_SUMS,     /* "sums": state_sums.h */
    STATE_PORTIONS, /* "part": an input, or a range of an input */
    STATE_LISTS
};

/* All 0: nothing yet. */
struct state_head {
    char *by; /* the program that made the state; owned */
    struct state_lines list[STATE_LISTS];
    /* The totals, as in a snapshot. */
    uint64_t bytes;
    uint64_t elements[COUNTED_UNITS];
    uint64_t unweighted;
    uint64_t left_out;
    uint64_t checksum[ALIGNMENT_CHECKSUMS];
};

/* Returns the first word of the lines of LIST. */
const char *state_head_word(enum state_list list);

/*
 * Check that OTHER, the head of the state NAME_OTHER, counts as HEAD of the
 * state NAME does: names, elements, images and specs are equal.  Returns 0, or
 * -1 with *ERROR about the first different line.
 */
int state_head_match(const struct state_head *head, const char *name,
                     const struct state_head *other, const char *name_other,
                     struct error *error);

/* Release HEAD, which may be all 0.  HEAD is all 0 afterwards. */
void state_head_close(struct state_head *head);

#endif
