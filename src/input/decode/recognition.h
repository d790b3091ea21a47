/* SPDX-License-Identifier: MIT */
/*
 * recognition.h -- which compressed format an input has
 *
 * The first bytes tell the format.  But skippable frames occur in several
 * formats: the first other frame tells.
 */

#ifndef GPUHIST_RECOGNITION_H
#define GPUHIST_RECOGNITION_H

#include "input/decode/decoders.h"
#include "input/source.h"

/*
 * Set *FORMAT to the format of SOURCE, which was opened and not read; NULL:
 * count the bytes as they are, because HOW demands it or no format is
 * recognised.  Then *SEEMS is the format of the name of SOURCE, for a warning,
 * or NULL.  Waits for the first bytes of a pipe, and leaves out skippable
 * frames at the start.  Returns 0, or -1 with the error of SOURCE set; after
 * cancel_ask() it returns -1 without an error.
 */
int recognition_find(struct source *source, enum decompress how,
                     const struct decoders_format **format, const char **seems);

#endif
