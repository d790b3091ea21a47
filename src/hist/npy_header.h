/* SPDX-License-Identifier: MIT */
/*
 * npy_header.h -- the header of a .npy file: what its array consists of
 *
 * numpy's documentation of numpy.lib.format defines the format, versions 1.0
 * to 3.0: a magic string, the length of a literal of Python, and this literal,
 * a dictionary.  Its type becomes a record: one element, or one for each field
 * of a structured type.  The order of the axes does not matter for counting.
 *
 * Booleans are integers from 0 to 1, times integers in their unit, and a
 * complex number is two fields, real and imag.  Strings and other types that
 * are not numbers are bytes that a record skips.
 */

#ifndef GPUHIST_NPY_HEADER_H
#define GPUHIST_NPY_HEADER_H

#include <stddef.h>
#include <stdint.h>

#include "hist/record.h"

enum {
    NPY_HEADER_MAGIC_BYTES = 6,
    NPY_HEADER_START_BYTES = 12, /* enough for npy_header_bytes() */
    NPY_HEADER_BYTES_MAX = 1 << 20,
    NPY_HEADER_TYPE_BYTES = 24,
};

struct npy_header {
    struct record record; /* owned */
    /* The type of each element, as numpy writes it; owned. */
    char (*type)[NPY_HEADER_TYPE_BYTES];
    uint64_t bytes;    /* of the array */
    const char *input; /* the name of the input with this header */
};

/* An array whose header is not before it: one of a file with several. */
struct npy_array {
    const char *type; /* in messages */
    const char *code; /* the type, for record_append() */
    bool is_boolean;  /* no value is greater than 1 */
    bool is_complex;  /* an item is two elements, real and imag */
    uint64_t bytes;
};

/* The fault of a header. */
struct npy_fault {
    size_t offset; /* in the header */
    char text[160];
};

/*
 * Returns how many bytes precede the array, by the SIZE bytes that a file
 * starts with; 0: it is no .npy file, or these are fewer than
 * NPY_HEADER_START_BYTES.
 */
uint64_t npy_header_bytes(const unsigned char *data, size_t size);

/*
 * Parse the header that is the SIZE bytes at DATA, npy_header_bytes() of them.
 * Returns 0, or -1 with *FAULT set; the caller calls npy_header_close() in both
 * cases.
 */
int npy_header_parse(struct npy_header *header, const unsigned char *data,
                     size_t size, struct npy_fault *fault);

/* Make the header of ARRAY, whose elements are little-endian.  Returns 0, or
   -1: out of memory; the caller calls npy_header_close() in both cases. */
int npy_header_make(struct npy_header *header, const struct npy_array *array);

/*
 * Whether A and B have the same type.  If not, sets TEXT, of SIZE bytes, to
 * the first difference: the type in A "but" the type in B.
 */
bool npy_header_is_equal(const struct npy_header *a, const struct npy_header *b,
                         char *text, size_t size);

void npy_header_close(struct npy_header *header);

#endif
