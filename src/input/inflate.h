/*
 * inflate.h -- decode raw deflate data (RFC 1951) with a library
 *
 * inflate_isal.c does so with ISA-L, and inflate_zlib.c with zlib where ISA-L
 * is missing: one of them is built in.
 */

#ifndef GPUHIST_INFLATE_H
#define GPUHIST_INFLATE_H

#include <stddef.h>
#include <stdint.h>

struct inflate;

enum inflate_result {
    INFLATE_MORE, /* it needs more input, or more room */
    INFLATE_END,  /* the end of the deflate data */
    INFLATE_BAD,
    INFLATE_NO_MEMORY,
};

/* Pieces of input and output; inflate_run() moves both past what it used. */
struct inflate_span {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
};

/*
 * Returns a decoder for inflate_close(), or NULL: out of memory.  It takes
 * about 100 KiB.
 */
struct inflate *inflate_open(void);

/* INFLATE may be NULL. */
void inflate_close(struct inflate *inflate);

/* The next inflate_run() begins at the first byte of deflate data. */
void inflate_begin(struct inflate *inflate);

/*
 * Decode a piece.  Up to 8 bytes of the input may be left although they were
 * seen; the next call must have them again, and more.
 */
enum inflate_result inflate_run(struct inflate *inflate,
                                struct inflate_span *span);

/*
 * Decode all of the deflate data at SPAN->in, after inflate_begin().  Returns
 * INFLATE_MORE if the input or the room is too small; SPAN has no meaning then,
 * and inflate_begin() must be called.
 */
enum inflate_result inflate_all(struct inflate *inflate,
                                struct inflate_span *span);

/* Continue CRC, which is 0 at first, the CRC-32 of gzip, with SIZE bytes. */
uint32_t inflate_crc(uint32_t crc, const unsigned char *data, size_t size);

#endif
