/* SPDX-License-Identifier: MIT */
/*
 * decoding.h -- files and pipes, compressed or not, as readers get them
 *
 * What the fuzz targets of all compressed formats share.
 */

#ifndef GPUHIST_FUZZ_DECODING_H
#define GPUHIST_FUZZ_DECODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fuzz.h"

/* What all decoders may take together. */
#define DECODING_BUDGET ((size_t)16 << 20)

enum decoding_outcome {
    DECODING_GOOD,
    DECODING_BAD,
    DECODING_LONG,   /* the content does not fit */
    DECODING_UNSURE, /* another library may accept what this one refuses */
};

/* A format, and its library as the oracle. */
struct decoding {
    const char *name; /* of the format, as in --decompress */

    /*
     * Decode all of DATA, with the library alone, into the CAPACITY bytes of
     * CONTENT, and set *CONTENT_SIZE.  Data without the magic number are bad.
     */
    enum decoding_outcome (*decode)(const uint8_t *data, size_t size,
                                    unsigned char *content, size_t capacity,
                                    size_t *content_size);

    /* The memory that a decoder reserves for the part at DATA. */
    uint64_t (*memory)(const uint8_t *data, size_t size);

    /* Whether two messages report the same error at the same byte. */
    bool (*is_same_error)(const char *a, const char *b);
};

/*
 * Read the SIZE bytes at DATA as CHOICES say, of which five bytes are taken,
 * and compare.
 */
void decoding_check(const struct decoding *decoding, struct fuzz *choices,
                    const uint8_t *data, size_t size);

#endif
