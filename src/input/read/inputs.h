/*
 * inputs.h -- distributes the inputs of a run among the readers
 *
 * One reader reads a pipe from start to end.  A large plain file is split into
 * ranges, which any reader may claim (ranges.h).  Histograms are sums, so the
 * order of the inputs and of the ranges does not matter, and a reader packs
 * several small inputs into one chunk.
 *
 * A compressed file starts as one part, of the reader that opened it.  A reader
 * that finds nothing else to claim scans the last part (struct decoder_walk)
 * for a place to cut it.  The bytes after the cut become the reader's own
 * part, which another reader may cut again.  So decoding starts at once, and
 * the number of parts need not be known in advance.  A cut is always at the
 * start of a record.
 *
 * A record is never divided, unless its framing has pieces: readers get whole
 * records of one input.  An incomplete record at the end of an input is an
 * error, or is dropped.
 *
 * All bytes up to the end of a file count, even if it grows during the run.
 * Ranges end at the size that the file had when it was opened, and the reader
 * of the last range reads on from there, as cat does.  If a file with ranges
 * becomes shorter during the run, that is an error.
 */

#ifndef GPUHIST_INPUTS_H
#define GPUHIST_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/read/reader.h"

/*
 * Prepare to read the COUNT files PATHS; "-" is standard input, and so is NULL
 * for PATHS.  The paths must stay in place.  Opens no file yet: a reader
 * reports a file that cannot be opened.  BUDGET limits the memory of all
 * decoders together.  Records have one byte, unless the caller sets
 * INPUTS->framing before the first inputs_read().  Records are as long as the
 * capacity of a buffer at most, unless the caller sets INPUTS->chunk_bytes and
 * record_max.  An input that is one of READING->written is an error.  Returns
 * 0, or -1 with *ERROR set.
 */
int inputs_open(struct inputs *inputs, char *const *paths, size_t count,
                const struct reading *reading, struct budget *budget,
                struct error *error);

/* Returns the memory for each name beside its bytes: a pointer to it, and what
   is kept of its input. */
size_t inputs_name_bytes(void);

/*
 * Let the readers pass GATE from now on.  What has been read already has
 * passed.  If INPUTS->is_per_input is set, no input or member is opened before
 * inputs_end_report() for the one before, and GATE is shut for that; otherwise
 * there is one reader.
 */
void inputs_set_gate(struct inputs *inputs, struct snapshot_gate *gate);

/*
 * While the gate is shut for a report: returns the name of the input that has
 * ended, which the caller frees, or NULL: out of memory.  It is the path, or
 * "-"; of a member also its name in the archive, after ": ".  Sets *START_BYTES
 * to its bytes before the first record.
 */
char *inputs_unreported(struct inputs *inputs, uint64_t *start_bytes);

/* Whether all bytes of an input that is not reported are claimed and read. */
bool inputs_have_read_one(struct inputs *inputs);

/* The input is reported: open the next one as soon as the gate is open. */
void inputs_end_report(struct inputs *inputs);

/*
 * Fill BUFFER with whole records for READER.  CAPACITY is
 * a multiple of the record's size, and at least READER->wanted: the start of a
 * record may have been kept, and needs more room than it had.  Returns the
 * number of bytes, which is less than CAPACITY only when the reader has
 * finished, after cancel_ask(), or if READER->has_more is set.  With a CAPACITY
 * above INPUTS->chunk_bytes it opens no input and takes no part, so it waits
 * only for readers that are inside of inputs_read() and wait for no memory.
 * Errors are left to inputs_error(); after an error the other inputs are still
 * read, unless there is a gate.  READER->made tells how many of the bytes are
 * made up, in front of pieces of records and behind them.
 *
 * If READER->lease is not NULL, the bytes may be lent: then this is set, which
 * is 0 before, and they are at its DATA instead of in BUFFER.
 */
size_t inputs_read(struct inputs *inputs, struct input_reader *reader,
                   void *buffer, size_t capacity);

/*
 * Leave the gate (snapshot_gate.h), so that a snapshot may be taken.  Call it
 * once the BYTES that inputs_read() returned are in the pool or counted, or if
 * they are 0.
 */
void inputs_hand_over(const struct inputs *inputs, struct input_reader *reader,
                      size_t bytes);

/*
 * READER ends, perhaps before its input does: release what it
 * holds, for which others may wait.
 */
void inputs_leave(struct inputs *inputs, struct input_reader *reader);

/*
 * Whether another reader would help: READER decodes, and
 * there is more to claim.
 */
bool inputs_want_reader(struct inputs *inputs,
                        const struct input_reader *reader);

/*
 * Returns how many records of zeros have been skipped since
 * inputs_end_report(), if INPUTS->skips_zeros is set: those in holes of sparse
 * files, which need not be read to be counted.  A reader gets the last one of
 * each hole.
 */
static inline uint64_t
inputs_zero_records(const struct inputs *inputs)
{
    return atomic_load(&inputs->zero_records);
}

/* Whether any input has failed so far, or has a wrong record.  May be called at
   any time. */
bool inputs_have_failed(struct inputs *inputs);

/*
 * Returns the error of input I, if any, once the readers have finished and what
 * they have read is counted.  A wrong record comes before anything else, but
 * not before damage of a part in front of it.
 */
const struct error *inputs_error(const struct inputs *inputs, size_t i);

void inputs_close(struct inputs *inputs);

#endif
