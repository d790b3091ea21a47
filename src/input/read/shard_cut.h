/*
 * shard_cut.h -- limit the inputs to what a shard has of them
 *
 * A plain file is cut where a record begins: see record_begin.h.  A compressed
 * file is cut where a part starts, as parts.h says, if readers may cut it at
 * all; then the shard has the parts that start in its span.  Anything else is
 * counted whole by the shard that has its first byte: images, archives, text
 * in which a record depends on all bytes before, and compressed content that
 * has no parts, or of which an offset matters.
 */

#ifndef GPUHIST_SHARD_CUT_H
#define GPUHIST_SHARD_CUT_H

#include "input/read/claim.h"

/*
 * Give each of INPUTS its span, and count only these in the totals.  Call it
 * once, before anything is opened.  Returns 0, or -1 with *ERROR set: an input
 * is not a regular file.  If the size of one is not known, its own error is
 * set.
 */
int shard_cut_begin(struct inputs *inputs, struct error *error);

/*
 * Whether the shard may have records of INPUT, so that it must be opened.  Once
 * this is false, it remains so.
 */
bool shard_cut_needs(const struct inputs *inputs, const struct input *input);

/*
 * INPUT was opened for the reader of CLAIM: limit its content to the shard's
 * records.  Of a compressed file that is cut it sets INPUT->WALK, for
 * parts_divide(), and may open the part of CLAIM.  Returns 1; 0: there are no
 * records; or -1 with the error of its source set, or after cancel_ask().  Not
 * under the lock.
 */
int shard_cut_limit(struct inputs *inputs, struct claim *claim,
                    struct input *input);

/*
 * The shard has no records of INPUT.  If this is the first of INPUTS, it gets
 * an empty part.
 */
void shard_cut_skip(const struct inputs *inputs, struct input *input);

#endif
