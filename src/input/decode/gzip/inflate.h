/* SPDX-License-Identifier: MIT */
/*
 * inflate.h -- decode raw deflate data (RFC 1951) with a library
 *
 * inflate_isal.c uses ISA-L, and inflate_zlib.c uses zlib where ISA-L is
 * missing: one of them is built in.
 */

#ifndef GPUHIST_INFLATE_H
#define GPUHIST_INFLATE_H

#include <stddef.h>
#include <stdint.h>

struct inflate;

/* How far back deflate data may refer. */
#define INFLATE_WINDOW_BYTES ((size_t)32 << 10)

enum inflate_result {
    INFLATE_MORE, /* it needs more input, or more room */
    INFLATE_END,  /* the end of the deflate data */
    INFLATE_BAD,
    INFLATE_NO_MEMORY,
};

/* Pieces of input and output; inflate_run() moves both past the used bytes. */
struct inflate_span {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
};

/*
 * Returns a decoder of about 100 KiB for inflate_close(), or NULL: out of
 * memory.
 */
struct inflate *inflate_open(void);

/* INFLATE may be NULL. */
void inflate_close(struct inflate *inflate);

/* The next inflate_run() starts at the first byte of deflate data. */
void inflate_start(struct inflate *inflate);

/*
 * Decode a piece.  Up to 8 bytes of the input may be left although already
 * seen; the next call must have them again, and more.
 */
enum inflate_result inflate_run(struct inflate *inflate,
                                struct inflate_span *span);

/*
 * The next inflate_run() starts at bit BIT, from 0 to 7, of the first byte of
 * SPAN, where a block starts.  The content before it ends with the
 * INFLATE_WINDOW_BYTES at WINDOW.  Moves SPAN past the byte if BIT is not 0.
 */
void inflate_start_at(struct inflate *inflate, struct inflate_span *span,
                      unsigned int bit, const unsigned char *window);

/*
 * After an inflate_run() that has left room: returns how many last bits of the
 * input so far follow the end of a block that has just ended; or -1 within a
 * block.  The input must end with the byte of the block's last bit, and the
 * next block must have codes of its own.
 */
int inflate_bits_after_block(const struct inflate *inflate);

/*
 * Decode all of the deflate data at SPAN->in, after inflate_start().  Returns
 * INFLATE_MORE if the input or the room is too small; SPAN has no meaning then,
 * and inflate_start() must be called.
 */
enum inflate_result inflate_all(struct inflate *inflate,
                                struct inflate_span *span);

/* Continue CRC, which is 0 at first, the CRC-32 of gzip, with SIZE bytes. */
uint32_t inflate_crc(uint32_t crc, const unsigned char *data, size_t size);

/* Continue ADLER, which is 1 at first, the Adler-32 of zlib, likewise. */
uint32_t inflate_adler(uint32_t adler, const unsigned char *data, size_t size);

#endif
