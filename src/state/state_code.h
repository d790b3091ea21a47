/* SPDX-License-Identifier: MIT */
/*
 * state_code.h -- keys, numbers and tuples as fields of a state
 *
 * The entries of a list are keys, codes of numbers, or codes of tuples
 * (hist/key_code.h).  A state has a field for each component.
 */

#ifndef GPUHIST_STATE_CODE_H
#define GPUHIST_STATE_CODE_H

#include "base/writer.h"
#include "hist/spec.h"
#include "state/state_field.h"
#include "state/state_lattice.h"

/* Put the components of KEY, an entry of histogram I, with TABs between them.
   Returns 0, or -1: out of memory, or KEY is damaged. */
int state_code_put(struct writer *out, const struct spec *spec, size_t i,
                   const struct key_entry *key);

/*
 * Widen USED[A], of each axis A of histogram I with a lattice, to the bin of
 * KEY.  USED starts at 0.
 */
void state_code_use(const struct spec *spec, size_t i,
                    const struct key_entry *key, uint64_t *used);

/* The bytes of a code; owned.  All 0: none. */
struct state_code {
    unsigned char *byte;
    size_t size;
    size_t room;
};

/*
 * Set CODE to the entry of histogram I that the fields of ROW name.  LATTICE[A]
 * must use the bins of an axis A with a lattice.  Returns 1; 0: the fields are
 * damaged; or -1: out of memory.
 */
int state_code_read(struct state_code *code, const struct spec *spec, size_t i,
                    const struct state_row *row,
                    const struct state_lattice *lattice);

/* Set CODE to KEY, of histogram I, in the lattices NEW instead of OLD.  Returns
   the same. */
int state_code_move(struct state_code *code, const struct spec *spec, size_t i,
                    const struct key_entry *key,
                    const struct state_lattice *old,
                    const struct state_lattice *new);

/* Returns less than 0, 0, or more, as A is before, is, or is after B. */
int state_code_compare(const struct state_code *a, const struct state_code *b);

void state_code_close(struct state_code *code);

#endif
