/* SPDX-License-Identifier: MIT */
/*
 * shard_cut.h -- limit the inputs to the records of a shard
 *
 * A plain file is cut where a record starts; so are the arrays of a plain file
 * of arrays.  A compressed file is cut where a part starts, as parts.h says, if
 * readers may cut the file at all; the shard has the parts that start in its
 * span.  Any other input is counted whole by the shard that has its first byte:
 * images, archives, text whose records depend on all earlier bytes, and
 * compressed content without parts, or whose offsets matter.
 */

#ifndef GPUHIST_SHARD_CUT_H
#define GPUHIST_SHARD_CUT_H

#include "input/read/claim.h"

/*
 * Give each of INPUTS its span, and count only the spans in the totals.  Call
 * this function once, before anything is opened.  Returns 0, or -1 with *ERROR
 * set: an input is not a regular file.  If the size of an input is not known,
 * the input's own error is set.
 */
int shard_cut_start(struct inputs *inputs, struct error *error);

/* Whether the shard may have records of INPUT, so that INPUT must be opened.
   False once is false for ever. */
bool shard_cut_needs(const struct inputs *inputs, const struct input *input);

/*
 * INPUT was opened for the reader of CLAIM: limit its content to the shard's
 * records.  For a compressed file that is cut, sets INPUT->WALK, for
 * parts_divide(), and may open the part of CLAIM.  Returns 1; 0: no records; or
 * -1 with the error of its source set, or after cancel_ask().  Not under the
 * lock.
 */
int shard_cut_limit(struct inputs *inputs, struct claim *claim,
                    struct input *input);

/* The shard has no records of INPUT.  The first of INPUTS gets an empty
   portion. */
void shard_cut_skip(const struct inputs *inputs, struct input *input);

#endif
