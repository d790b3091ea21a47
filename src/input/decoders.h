/* decoders.h -- the table of compressed formats, and --decompress */

#ifndef GPUHIST_DECODERS_H
#define GPUHIST_DECODERS_H

#include <stdbool.h>
#include <stddef.h>

#include "input/decoder.h"

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

    /* Whether the SIZE bytes at HEAD, at most SOURCE_HEAD_BYTES, are the
       start of data of this format. */
    bool (*is_magic)(const unsigned char *head, size_t size);

    const struct decoder_type *type; /* NULL: the library is not built in */
};

/* Returns the format of data that starts with HEAD; NULL: not compressed. */
const struct decoders_format *decoders_recognise(const unsigned char *head,
                                                 size_t size);

/* Returns the format that HOW requires; NULL: it requires none. */
const struct decoders_format *decoders_demanded(enum decompress how);

/* Returns argument I of --decompress, from 0; NULL: after the last one. */
const char *decoders_word(unsigned int i);

#endif
