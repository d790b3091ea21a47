/* SPDX-License-Identifier: MIT */
/*
 * block_ranges.h -- the blocks of a compressed file as ranges of its content
 *
 * A block of BGZF states the size of its content.  So the position of the next
 * block's content is known before decoding, and readers can claim ranges of
 * content even if records depend on all earlier bytes: see ranges.h.  A range
 * is a series of blocks whose content fits into a buffer.  The reader of the
 * last range goes on in sequence to the end of the file.
 *
 * The walk over the blocks is one block ahead of the claims, so a range starts
 * with a block.
 */

#ifndef GPUHIST_BLOCK_RANGES_H
#define GPUHIST_BLOCK_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "input/read/claim.h"

/*
 * Let all readers claim ranges of INPUT, which the reader of CLAIM has opened,
 * if INPUT has blocks and is large enough, and no device decodes it.  Returns
 * whether they can.  Under the lock, which is released meanwhile.
 */
bool block_ranges_share(struct inputs *inputs, struct claim *claim,
                        struct input *input);

/*
 * Claim the next blocks of INPUT, for a buffer with ROOM bytes.  Returns false
 * if the buffer has no room for a block, or if another reader may have claimed
 * all.  Under the lock, which is released meanwhile.
 */
bool block_ranges_claim(struct inputs *inputs, struct claim *claim,
                        struct input *input, size_t room);

/*
 * Decode the range of CLAIM to DATA, which has room for a byte more; the last
 * range only later.  Returns 0, or -1 with *FAILURE set, unless the run was
 * cancelled.
 */
int block_ranges_read(struct claim *claim, unsigned char *data,
                      struct error *failure);

/*
 * Go on in sequence after the range of CLAIM, of INPUT, in the middle of a long
 * record (long_record.h).  HEAD has the first bytes of the record; the claim
 * owns HEAD from now on.
 */
void block_ranges_go_on_long(struct inputs *inputs, struct claim *claim,
                             struct input *input, unsigned char *head);

/* The range of CLAIM is known, and is the last one of INPUT: go on in sequence.
   The bytes of the record that goes on there become the tail of CLAIM. */
void block_ranges_go_on(const struct inputs *inputs, struct claim *claim,
                        struct input *input);

#endif
