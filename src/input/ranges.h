/*
 * ranges.h -- the ranges of a plain file, which readers claim one by one
 *
 * A range of records of one size has whole ones.  Of records with ends, it ends
 * after the last end in a buffer's length.
 */

#ifndef GPUHIST_RANGES_H
#define GPUHIST_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "input/claim.h"

/* Whether ranges of INPUT are worth while.  Under the lock. */
bool ranges_are_worth(const struct inputs *inputs, const struct input *input,
                      size_t capacity);

/* Let all readers claim ranges of INPUT.  Under the lock. */
void ranges_share(struct inputs *inputs, struct input *input);

/*
 * Claim a range of INPUT, which is shared, for a buffer of CAPACITY bytes of
 * which ROOM are free.  Returns false if there is none: the run has failed or,
 * with CLAIM->has_more, a buffer with more room is needed.  Under the lock,
 * which is released meanwhile.
 */
bool ranges_claim(struct inputs *inputs, struct claim *claim,
                  struct input *input, size_t room, size_t capacity);

/*
 * Read the range of INPUT that CLAIM has.  Puts whole records to byte AT of
 * BUFFER.  Returns how many bytes they have; 0: a failure.
 *
 * The reader of the last range continues in sequence, for an incomplete record
 * and for bytes that were appended to the file meanwhile.
 */
size_t ranges_read(struct inputs *inputs, struct claim *claim,
                   struct input *input, unsigned char *buffer, size_t at);

#endif
