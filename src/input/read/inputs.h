/* SPDX-License-Identifier: MIT */
/*
 * inputs.h -- distributes the inputs of a run among the readers
 *
 * One reader reads a pipe from start to end.  A large plain file is split into
 * ranges, which any reader may claim (ranges.h).  Histograms are sums, so the
 * order of the inputs and of the ranges does not matter, and a reader packs
 * several small inputs into one chunk.  Of many small inputs, a reader claims a
 * batch at a time.
 *
 * A compressed file starts as one part, which the reader that opened the file
 * reads.  A reader that finds nothing else to claim scans the last part (struct
 * decoder_walk) for a place to cut.  The bytes after the cut become the
 * reader's own part, which another reader may cut again.  So decoding starts at
 * once, and nobody needs to know the number of parts in advance.  A cut is
 * always at the start of a record.
 *
 * A record is never divided, unless its framing has pieces: readers get whole
 * records of one input.  An incomplete record at the end of an input is an
 * error, or is dropped.
 *
 * All bytes up to the end of a file count, even if the file grows during the
 * run.  Ranges end at the size of the file when it was opened; the reader of
 * the last range reads on from there, as cat does.  A file with ranges that
 * becomes shorter during the run is an error.
 */

#ifndef GPUHIST_INPUTS_H
#define GPUHIST_INPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/read/reader.h"

/*
 * Prepare to read the COUNT files PATHS; "-" is standard input, and so is NULL
 * for PATHS.  The paths must stay in place.  Opens no file yet: readers report
 * files that cannot be opened.  BUDGET limits the memory of all decoders
 * together.  Records have one byte, unless the caller sets INPUTS->framing
 * before the first inputs_read().  Records are at most as long as the capacity
 * of a buffer, unless the caller sets INPUTS->chunk_bytes and record_max.  An
 * input that READING->written lists is an error.  Returns 0, or -1 with *ERROR
 * set.
 */
int inputs_open(struct inputs *inputs, char *const *paths, size_t count,
                const struct reading *reading, struct budget *budget,
                struct error *error);

/* Returns the memory for each name beside its bytes: a pointer and a slot. */
size_t inputs_name_bytes(void);

/*
 * Let the readers pass GATE from now on; earlier bytes have passed.  If
 * INPUTS->is_per_input is set, GATE is shut at the end of each input or member,
 * and the next one is opened after inputs_end_report().  Otherwise the run has
 * one reader.
 */
void inputs_set_gate(struct inputs *inputs, struct snapshot_gate *gate);

/*
 * While the gate is shut for a report: returns the name of the input that has
 * ended, which the caller frees, or NULL: out of memory.  The name is the path,
 * or "-"; a member's name follows the archive's after ": ".  Sets *START_BYTES
 * to the bytes before the first record.
 */
char *inputs_unreported(struct inputs *inputs, uint64_t *start_bytes);

/* Whether all bytes of an input that is not reported are claimed and read. */
bool inputs_have_read_one(struct inputs *inputs);

/* Returns how many readers wait and have nothing to read, as far as is known:
   those that are about to claim ranges of a file do not count. */
unsigned int inputs_idle_readers(struct inputs *inputs);

/* The input is reported: open the next one as soon as the gate is open. */
void inputs_end_report(struct inputs *inputs);

/*
 * Fill BUFFER with whole records for READER.  CAPACITY is a multiple of the
 * record's size, and at least READER->wanted: the kept start of a record may
 * need more room than before.  Returns the number of bytes.  The number is less
 * than CAPACITY only when the reader has finished, after cancel_ask(), or if
 * READER->has_more is set.  With a CAPACITY above INPUTS->chunk_bytes, the
 * function opens no input and takes no part, so it waits only for readers that
 * are inside of inputs_read() and wait for no memory.  Errors are left to
 * inputs_error(); after an error the other inputs are still read, unless a gate
 * is set.  READER->synthetic counts the synthetic bytes, before and after
 * pieces of records.
 *
 * If READER->lease is not NULL, it must be all 0, and the bytes may be leased.
 * If READER->lease is set on return, the bytes are at its DATA, not in BUFFER.
 */
size_t inputs_read(struct inputs *inputs, struct input_reader *reader,
                   void *buffer, size_t capacity);

/*
 * Leave the gate (snapshot_gate.h), so that a snapshot may be taken.  Call this
 * function after the BYTES of inputs_read() are in the pool or counted, or if
 * BYTES is 0.
 */
void inputs_hand_over(const struct inputs *inputs, struct input_reader *reader,
                      size_t bytes);

/* READER ends, perhaps before its input: release everything that READER holds,
   because others may wait for it. */
void inputs_leave(struct inputs *inputs, struct input_reader *reader);

/*
 * Whether another reader would help: READER decodes, and more can be claimed.
 */
bool inputs_want_reader(struct inputs *inputs,
                        const struct input_reader *reader);

/*
 * Returns how many records of zeros have been skipped since
 * inputs_end_report(), if INPUTS->skips_zeros is set: records in holes of
 * sparse files are counted without reading.  A reader gets the last record of
 * each hole.
 */
static inline uint64_t
inputs_zero_records(const struct inputs *inputs)
{
    return atomic_load(&inputs->zero_records);
}

/*
 * Returns the sums over the bytes of all contents in their order, since
 * inputs_end_report(), if INPUTS->sums_series is set.  A content that is not
 * read to its end counts as if it ended there.  No reader is inside of
 * inputs_read().
 */
struct series_total inputs_series(struct inputs *inputs);

/* Whether INPUTS may have tracks: all are files that are opened by name, each
   with one content, to be read whole. */
bool inputs_may_have_tracks(const struct inputs *inputs);

/*
 * Make TRACK of INPUTS, which are set up: it will read every STEP-th input from
 * number FIRST on, and nobody else reads these.  Its readers wait until
 * inputs_start_track() says STEP.  The slots are shared, so INPUTS must
 * outlive TRACK.  Returns 0, or -1: out of memory; the caller calls
 * inputs_close_track() in both cases.
 */
int inputs_open_track(struct inputs *track, const struct inputs *inputs,
                      size_t first);

/* Let the readers of TRACK read every STEP-th input. */
void inputs_start_track(struct inputs *track, size_t step);

/* No reader of TRACK gets more to read, nor waits for a report. */
void inputs_stop_track(struct inputs *track);

/*
 * All tracks are stopped, and the run ends with TRACK, at input number COUNT -
 * 1: let INPUTS have its errors, and be the first COUNT inputs only, as if
 * nobody had read the others.
 */
void inputs_end_at_track(struct inputs *inputs, const struct inputs *track,
                         size_t count);

void inputs_close_track(struct inputs *track);

/* Whether any input has failed so far, or has a wrong record.  May be called at
   any time. */
bool inputs_have_failed(struct inputs *inputs);

/*
 * Returns the error of input I, if any, after the readers have finished and
 * their bytes are counted.  A wrong record comes before any other error, except
 * damage of an earlier part.
 */
const struct error *inputs_error(const struct inputs *inputs, size_t i);

void inputs_close(struct inputs *inputs);

#endif
