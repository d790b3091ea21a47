/*
 * inputs.h -- all inputs of a run, shared out among the readers
 *
 * A pipe is read from begin to end by one reader; a big plain file is cut
 * into ranges that any reader may claim.  Histograms add up, so neither the
 * order of the inputs nor that of the ranges matters, and a reader packs
 * small inputs one behind the other into a chunk.
 *
 * A compressed file is one part at first, for the reader that opened it.  A
 * reader that finds nothing else to do walks (struct decoder_walk) to where
 * the part that goes to the end of the file can be divided, and cuts it in two
 * there: what follows is its own part, until another reader cuts that.  So
 * decoding begins at once, and the number of parts need not be known before.
 * A part is cut only where a record begins.
 *
 * A record is never divided: what is handed out is whole records of one
 * input, and what is left over at an input's end is an error, or dropped.
 *
 * A file counts for what it holds when a reader gets to its end: ranges are
 * claimed up to the size that it had when it was opened, and whoever claims
 * the last one reads on from there, as cat would.  A file with ranges that
 * has become shorter by then is an error.
 */

#ifndef GPUHIST_INPUTS_H
#define GPUHIST_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "input/claim.h"

/*
 * Take the inputs named by PATHS; "-" is standard input, as is COUNT == 0.
 * The paths must stay in place.  Opens nothing yet: a file that cannot be
 * opened is found by its reader.  BUDGET bounds the memory of all decoders
 * together.  Records are of one byte, until the caller sets another framing
 * before the first inputs_read().  Returns 0, or -1 with *ERROR set.
 */
int inputs_open(struct inputs *inputs, char *const *paths, size_t count,
                const struct reading *reading, struct budget *budget,
                struct error *error);

/*
 * Open the first input, an image, to learn the format that all images must
 * have: it is in INPUTS->reading from then on.  Returns 0, or -1: then the
 * others have been looked at, too, and inputs_error() knows the bad ones.
 */
int inputs_read_header(struct inputs *inputs);

/*
 * Fill BUFFER with whole records, for the reader that owns CLAIM; CAPACITY is
 * a multiple of their size.  Returns how many bytes there are; fewer than
 * CAPACITY only when this reader has no more to do, when INPUTS->reading.cancel
 * is asked, or when CLAIM->has_more.  A bad input does not stop the others,
 * unless there is a gate: see inputs_error().
 */
size_t inputs_read(struct inputs *inputs, struct claim *claim, void *buffer,
                   size_t capacity);

/*
 * To be called once the BYTES that inputs_read() returned are where snapshots
 * find them, or are 0: what happens next holds no snapshot up (snapshot_gate.h).
 */
void inputs_hand_over(const struct inputs *inputs, struct claim *claim,
                      size_t bytes);

/*
 * Whether the reader that owns CLAIM is kept busy by decoding while there is
 * something left for another one to do.
 */
bool inputs_want_reader(struct inputs *inputs, const struct claim *claim);

/* Whether an input is known to be bad, at any moment. */
bool inputs_have_failed(struct inputs *inputs);

/* What is wrong with input I, once the readers have finished. */
const struct error *inputs_error(const struct inputs *inputs, size_t i);

/*
 * How many inputs look like text although values are wide, once the readers
 * have finished; *FIRST is the name of the first one.
 */
size_t inputs_count_texts(const struct inputs *inputs, const char **first);

void inputs_close(struct inputs *inputs);

#endif
