/*
 * block_ranges.h -- the blocks of a compressed file as ranges of its content
 *
 * The blocks of BGZF tell how long their content is.  So what follows a block
 * is known before it is decoded, and readers can claim ranges of the content of
 * records that depend on all bytes before: see ranges.h.  A range is a run of
 * blocks whose content fits into a buffer.  The last one goes on to the end of
 * the file in sequence.
 *
 * The walk over the blocks is one block ahead of the claims, so a range begins
 * with a block.
 */

#ifndef GPUHIST_BLOCK_RANGES_H
#define GPUHIST_BLOCK_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "input/read/claim.h"

/*
 * Let all readers claim ranges of INPUT, which the reader of CLAIM has opened,
 * if it has blocks and this is worth while.  Returns whether they can.  Under
 * the lock.
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
 * Go on in sequence after the range of CLAIM, of INPUT.  A long record, which
 * goes on there (long_record.h), is in HEAD, which the claim owns then.
 */
void block_ranges_go_on_long(struct inputs *inputs, struct claim *claim,
                             struct input *input, unsigned char *head);

/*
 * The range of CLAIM, which is known, is the last one of INPUT: go on in
 * sequence.  The bytes of the record that goes on there become the rest of
 * CLAIM.
 */
void block_ranges_go_on(const struct inputs *inputs, struct claim *claim,
                        struct input *input);

#endif
