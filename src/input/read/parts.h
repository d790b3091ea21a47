/* SPDX-License-Identifier: MIT */
/*
 * parts.h -- decode the parts of a compressed file in parallel
 *
 * A file is divided while it is read: see inputs.h.  The reader of a part
 * publishes a minimum end offset (kept_to); splits happen only at or after this
 * offset.
 *
 * If records such as lines may start in the middle of a part, nobody knows
 * whether a cut is inside of a record.  So the reader of a part, except the
 * first part, starts after the first end of a record.  The reader of a part,
 * except the last part, goes on after the cut until the record ends that starts
 * before the cut or right there.  A part without an end of a record has no
 * records of its own.
 *
 * CAPACITY is the size of a reader's buffer for content, in bytes.
 */

#ifndef GPUHIST_PARTS_H
#define GPUHIST_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "input/read/claim.h"

/*
 * Let other readers cut the input that CLAIM has opened, if the input is large
 * enough and its format has parts.  Under the lock, which is released
 * meanwhile.
 */
void parts_divide(struct inputs *inputs, struct claim *claim, size_t capacity);

/*
 * Whether DECODER, of an input that the reader of CLAIM has opened, is to
 * decode all parts, because it is faster than several decoders.  Under the
 * lock, which is released meanwhile.
 */
bool parts_are_taken(struct inputs *inputs, const struct claim *claim,
                     struct decoder *decoder);

/*
 * Cut off a part of INPUT for CLAIM.  Under the lock, which is released
 * meanwhile.  Returns false if INPUT has no more parts or cannot be read.
 */
bool parts_cut(struct inputs *inputs, struct input *input, struct claim *claim,
               size_t capacity);

/*
 * The decoder of CLAIM has paused.  Returns whether the reader goes on; if
 * not, the bytes that follow belong to another part.
 */
bool parts_pass_pause(struct inputs *inputs, struct claim *claim,
                      size_t capacity);

/* The next SIZE bytes are read, to DATA.  Moves the bytes of CLAIM's records to
   the front.  Returns how many bytes these are. */
size_t parts_take(const struct inputs *inputs, struct claim *claim,
                  unsigned char *data, size_t size);

/* Publish how far the reader of CLAIM has read in a divided input. */
void parts_note_progress(struct inputs *inputs, struct claim *claim,
                         size_t capacity);

#endif
