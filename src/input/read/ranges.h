/* SPDX-License-Identifier: MIT */
/*
 * ranges.h -- the ranges of a plain file, which readers claim one by one
 *
 * A range has whole records if all records have one size.  If records have
 * ends, a range ends after the last end within a buffer's length.
 *
 * Where records depend on all earlier bytes, a record may go on after the end
 * of a range: in CSV the end byte may be inside of quotes, and a range of FASTA
 * or FASTQ ends anywhere if no record seems to start in its last bytes.  Such a
 * record belongs to the range in which the record ends.  The reader of this
 * range reads the record again from its start: the deferred record.  The
 * readers find out in the order of the file where records start: see
 * range_order.h.
 *
 * A record that may be cut is never deferred: each range has its own piece,
 * after a preface for which the reader leaves room before the data.
 *
 * A reader waits for earlier ranges only in ranges_read().  The reader of each
 * earlier range reads, scans, and then waits for still earlier ones, but never
 * for a buffer.  So the reader of the first range never waits.
 */

#ifndef GPUHIST_RANGES_H
#define GPUHIST_RANGES_H

#include <stdbool.h>
#include <stddef.h>

#include "input/read/claim.h"

/* Whether ranges of INPUT are worth while.  Under the lock. */
bool ranges_are_worth(const struct inputs *inputs, const struct input *input,
                      size_t capacity);

/* Let all readers claim ranges of INPUT.  Under the lock. */
void ranges_share(struct inputs *inputs, struct input *input);

/*
 * Claim a range of INPUT, which is shared, for a buffer of CAPACITY bytes of
 * which ROOM are free.  Returns false without a range: INPUT has failed or,
 * with CLAIM->reader->has_more, a buffer with more room is needed.  Otherwise
 * the reader holds INPUT until ranges_read() returns.  Under the lock, which is
 * released meanwhile.
 */
bool ranges_claim(struct inputs *inputs, struct claim *claim,
                  struct input *input, size_t room, size_t capacity);

/*
 * Read the range of INPUT that CLAIM has.  Puts whole records to byte AT of
 * BUFFER.  Returns the number of bytes, which may be 0.  May set
 * CLAIM->deferred.
 *
 * The reader of the last range continues in sequence, for an incomplete record
 * and for bytes that were appended to the file meanwhile.
 */
size_t ranges_read(struct inputs *inputs, struct claim *claim,
                   struct input *input, unsigned char *buffer, size_t at);

/*
 * Read the deferred record of CLAIM to byte AT of BUFFER, which has CAPACITY.
 * Returns its size; or 0: after a failure, or, with CLAIM->reader->has_more, if
 * the record does not fit.
 */
size_t ranges_read_deferred(struct inputs *inputs, struct claim *claim,
                            unsigned char *buffer, size_t at, size_t capacity);

#endif
