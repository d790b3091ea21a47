/* SPDX-License-Identifier: MIT */
/* decoders.h -- the table of compressed formats, and --decompress */

#ifndef GPUHIST_DECODERS_H
#define GPUHIST_DECODERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "input/decodable.h"
#include "input/decoder.h"
#include "input/magic.h"

/*
 * The argument of --decompress.  DECOMPRESS_ONLY + I: only row I of the table
 * of formats; any other content is an error.
 */
enum decompress {
    DECOMPRESS_AUTO, /* by the magic number */
    DECOMPRESS_NONE, /* count the bytes as they are */
    DECOMPRESS_ONLY,
};

/* One row of the table. */
struct decoders_format {
    const char *name; /* for messages, and the word of --decompress */

    /* Whether data that starts with the SIZE bytes at HEAD have this format:
       SOURCE_MAGIC_BYTES are always enough.  NULL: the format has no magic
       number ... */
    enum magic (*match)(const unsigned char *head, size_t size);

    /* ... and if the format is not required, data have it where this function
       says so.  NULL: never. */
    enum magic (*guess)(const unsigned char *head, size_t size);

    const struct decoder_type *type; /* NULL: the library is not built in */
    const char *library;             /* its name, for --version */
    const char *(*version)(void);    /* its version.  NULL: not known */

    /* See decoders_survey().  NULL: no device decodes this format. */
    void (*survey)(struct decodable *decodable, int fd, off_t start,
                   uint64_t bytes, uint64_t least);
};

/*
 * Find the format of data that start with the SIZE bytes at HEAD.  Returns
 * MAGIC_YES and sets *FORMAT; MAGIC_NO: no format, or not the format that HOW
 * requires; MAGIC_SHORT: still uncertain, and data that end here have no
 * format.
 */
enum magic decoders_match(enum decompress how, const unsigned char *head,
                          size_t size, const struct decoders_format **format);

/* Returns the format NAME of the table, or NULL. */
const struct decoders_format *decoders_find(const char *name);

/* Returns the format that HOW requires, or NULL. */
const struct decoders_format *decoders_demanded(enum decompress how);

/*
 * Returns argument I of --decompress, from 0; NULL: after the last one.  May
 * set *REMARK to a remark on it.
 */
const char *decoders_word(unsigned int i, const char **remark);

/*
 * Add the regular file FD, which has BYTES from START on, to DECODABLE, if a
 * device could decode it.  A frame of LEAST bytes is long.
 */
void decoders_survey(struct decodable *decodable, int fd, off_t start,
                     uint64_t bytes, uint64_t least);

/* Print one line for --version: the formats and their libraries, with
   the versions of those that are loaded. */
void decoders_put(FILE *out);

#endif
