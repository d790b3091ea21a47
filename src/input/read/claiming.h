/* SPDX-License-Identifier: MIT */
/* claiming.h -- find something to claim for a reader */

#ifndef GPUHIST_CLAIMING_H
#define GPUHIST_CLAIMING_H

#include <stddef.h>

#include "input/read/claim.h"

/*
 * Claim something to read: a range of a shared file, for a buffer of CAPACITY
 * bytes of which ROOM are free; or an input or part to read in sequence, in
 * CLAIM->input.  Returns the input; or NULL: nothing is left for this reader
 * or, with CLAIM->reader->has_more, for this buffer.
 */
struct input *claiming_next(struct inputs *inputs, struct claim *claim,
                            size_t room, size_t capacity);

#endif
