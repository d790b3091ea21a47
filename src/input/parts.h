/*
 * parts.h -- parts of a compressed file that are decoded side by side
 *
 * A file is divided while it is read: see inputs.h.  The reader of a part
 * publishes the least offset that it will reach in any case; a cut is made at
 * that offset or behind it.
 */

#ifndef GPUHIST_PARTS_H
#define GPUHIST_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "input/claim.h"

/*
 * Let other readers cut the input that CLAIM has opened, if it is worth it
 * and can be done; under the lock.  CAPACITY, here and below: the room that
 * a reader has for content.
 */
void parts_divide(struct inputs *inputs, struct claim *claim, size_t capacity);

/*
 * Cut off a part of INPUT for CLAIM; under the lock, which is let go
 * meanwhile.  Returns false where there will be no more of them.
 */
bool parts_cut(struct inputs *inputs, struct input *input, struct claim *claim,
               size_t capacity);

/*
 * The reader of CLAIM has come to a place where a pause was due.  Returns
 * whether it goes on; if not, what follows is in another part.
 */
bool parts_pass_pause(struct inputs *inputs, struct claim *claim,
                      size_t capacity);

/* The reader of CLAIM, which is in a divided input, has come further. */
void parts_note_progress(struct inputs *inputs, struct claim *claim,
                         size_t capacity);

#endif
