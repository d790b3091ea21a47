/* SPDX-License-Identifier: MIT */
/*
 * safetensors_header.h -- the header of a safetensors file: its arrays
 *
 * The documentation of safetensors (github.com/huggingface/safetensors)
 * defines the format: the length of the header, eight bytes; the header, an
 * object of JSON that has the type, the shape and the offsets of each array;
 * then the bytes of all arrays, without gaps.  All numbers are little-endian.
 *
 * A header is checked as the reference implementation (0.8) does, and more
 * strictly in two points: a name may occur once, and an array has no members
 * but these three.
 */

#ifndef GPUHIST_SAFETENSORS_HEADER_H
#define GPUHIST_SAFETENSORS_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/npy_header.h"

enum {
    SAFETENSORS_LENGTH_BYTES = 8, /* the length of the header */
    SAFETENSORS_HEADER_MAX = 100000000,
};

/* An array of the file. */
struct safetensors_array {
    const char *name; /* in UTF-8, without NUL; of the header */
    size_t at;        /* the offset of the name in the header */
    uint64_t start;   /* the offset of the first byte after the header */
    uint64_t bytes;
    unsigned int type; /* see safetensors_array_type() */
};

struct safetensors_header {
    struct safetensors_array *array; /* COUNT of them, by START; owned */
    size_t count;
    uint64_t bytes; /* of all arrays */
    char *names;    /* owned */
};

/*
 * Parse the header that is the SIZE bytes at DATA, without its length.  SIZE is
 * at most SAFETENSORS_HEADER_MAX.  Returns 0, or -1 with *FAULT set; the caller
 * calls safetensors_header_close() in both cases.  Takes at most three times
 * SIZE of memory.
 */
int safetensors_header_parse(struct safetensors_header *header,
                             const unsigned char *data, size_t size,
                             struct npy_fault *fault);

/* Returns the name of ARRAY's type, such as "BF16". */
const char *safetensors_array_type(const struct safetensors_array *array);

/*
 * Describe ARRAY, for npy_header_make().  Returns whether its type is one that
 * is counted: not a number of 4 or 6 bits, nor one of the rare ones of 8 bits.
 */
bool safetensors_array_describe(const struct safetensors_array *array,
                                struct npy_array *described);

void safetensors_header_close(struct safetensors_header *header);

#endif
