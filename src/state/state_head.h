/*
 * state_head.h -- what a state says in front of its rows
 *
 * gpuhist-format(5) describes the lines.  Only what a merge cannot find in the
 * counts themselves is here.
 */

#ifndef GPUHIST_STATE_HEAD_H
#define GPUHIST_STATE_HEAD_H

#include <stdint.h>

#include "base/error.h"
#include "hist/snapshot.h"
#include "state/state_lines.h"

/* The version of the format that is written, and the only one that is read.
   States of version 1 have other counts of lines that do not fit --clf. */
#define STATE_VERSION 2

/* The lists of lines, in the order in which a state has them. */
enum state_list {
    STATE_OPTIONS,  /* "option": what decides what is counted, as typed */
    STATE_NAMES,    /* "name": of a header of text, or none */
    STATE_ELEMENTS, /* "element": type and name, of a .npy file, or none */
    STATE_IMAGE,    /* "image": channels, bytes of a sample, maxval, or none */
    STATE_SPEC,     /* "spec": state_spec.h */
    STATE_LATTICES, /* "lattice": state_lattice.h */
    STATE_PORTIONS, /* "part": an input, or a part of one */
    STATE_LISTS
};

/* All 0: nothing yet. */
struct state_head {
    char *by; /* the program that wrote the state; owned */
    struct state_lines list[STATE_LISTS];
    /* The totals, as those of a snapshot. */
    uint64_t bytes;
    uint64_t elements[SEQUENCE_UNITS];
    uint64_t unweighted;
    uint64_t left_out;
};

/* Returns the first word of the lines of LIST. */
const char *state_head_word(enum state_list list);

/*
 * Check that OTHER, the head of the state NAME_OTHER, counts the same as HEAD,
 * that of the state NAME: names, elements, images and specs are equal.  Returns
 * 0, or -1 with *ERROR set to the first line that differs.
 */
int state_head_match(const struct state_head *head, const char *name,
                     const struct state_head *other, const char *name_other,
                     struct error *error);

/* Also of a HEAD that is all 0, which it is afterwards. */
void state_head_close(struct state_head *head);

#endif
