/*
 * recognition.h -- which compressed format an input has
 *
 * The first bytes say it, except that a skippable frame, which zstd and lz4
 * have in common, says nothing: the first other frame does.
 */

#ifndef GPUHIST_RECOGNITION_H
#define GPUHIST_RECOGNITION_H

#include "input/decode/decoders.h"
#include "input/source.h"

/*
 * Set *FORMAT to the format of SOURCE, which was opened and not read; NULL:
 * count the bytes as they are, because HOW says so or no format is recognised.
 * Then *SEEMS is the format that the name of SOURCE says, for a warning, or
 * NULL.  Waits for the first bytes of a pipe, and leaves skippable frames at
 * its start out.  Returns 0, or -1 with the error of SOURCE set; after
 * cancel_ask() it returns -1 without an error.
 */
int recognition_find(struct source *source, enum decompress how,
                     const struct decoders_format **format, const char **seems);

#endif
