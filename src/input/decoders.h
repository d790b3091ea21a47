/* decoders.h -- the compressed formats, and which of them is decoded */

#ifndef GPUHIST_DECODERS_H
#define GPUHIST_DECODERS_H

#include <stdbool.h>
#include <stddef.h>

#include "input/decoder.h"

/*
 * What --decompress says.  From DECOMPRESS_ONLY on: only the format of that
 * number in the table, anything else is an error.
 */
enum decompress {
    DECOMPRESS_AUTO, /* what the content says */
    DECOMPRESS_NONE, /* every byte as it is */
    DECOMPRESS_ONLY,
};

/* One row of the table. */
struct decoders_format {
    const char *name; /* for messages, and the word of --decompress */

    /* Whether the SIZE bytes at HEAD, SOURCE_HEAD_BYTES of them at most,
       begin data of this format. */
    bool (*is_magic)(const unsigned char *head, size_t size);

    const struct decoder_type *type; /* NULL: the library is not built in */
};

/* The format of what begins with these SIZE bytes; NULL: not compressed. */
const struct decoders_format *decoders_recognise(const unsigned char *head,
                                                 size_t size);

/* The one that HOW demands; NULL: it demands none. */
const struct decoders_format *decoders_demanded(enum decompress how);

/* Word number I of --decompress, from 0; NULL behind the last one. */
const char *decoders_word(unsigned int i);

/* Find what WORD of --decompress means.  Returns 0 with *HOW set, or -1. */
int decoders_find_word(const char *word, enum decompress *how);

#endif
