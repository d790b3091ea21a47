/* SPDX-License-Identifier: MIT */
/*
 * spool.h -- text that waits: a little in memory, more in a temporary file
 *
 *     spool_open(&spool, what, &error);
 *     ... put bytes to spool.writer ...
 *     spool_end(&spool, &error);
 *     for (at = 0; at < spool.size; at += size)
 *         spool_piece(&spool, at, &bytes, &size, &error);
 *     spool_close(&spool);
 */

#ifndef GPUHIST_SPOOL_H
#define GPUHIST_SPOOL_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/scratch_file.h"
#include "base/writer.h"

struct spool {
    struct writer writer; /* to print to */
    uint64_t size;        /* after spool_end(): bytes that were printed */
    const char *what;     /* the text, for messages */
    char *room;           /* the buffer of WRITER */
    struct scratch_file file;
    struct error failure; /* of the file */
};

/*
 * Open SPOOL, which must not move, for a text that messages call WHAT, which
 * outlives SPOOL.  Returns 0, or -1 with *ERROR set; the caller calls
 * spool_close() in both cases.
 */
int spool_open(struct spool *spool, const char *what, struct error *error);

/* Returns 0, or -1 with *ERROR set: the temporary file could not be written. */
int spool_check(const struct spool *spool, struct error *error);

/* Nothing more is printed.  Returns as spool_check() does. */
int spool_end(struct spool *spool, struct error *error);

/*
 * Set *BYTES to some bytes of the ended SPOOL from AT on, AT < SPOOL->size, and
 * *SIZE to their number, which is not 0.  They are valid until the next call.
 * Returns 0, or -1 with *ERROR set.
 */
int spool_piece(struct spool *spool, uint64_t at, const char **bytes,
                size_t *size, struct error *error);

/* Release everything.  SPOOL may be all 0, and is all 0 afterwards. */
void spool_close(struct spool *spool);

#endif
