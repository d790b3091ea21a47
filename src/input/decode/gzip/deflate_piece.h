/*
 * deflate_piece.h -- a piece of deflate data, decoded before what precedes it
 *
 * A piece begins with a block, and may refer to a window of 32 KiB of content
 * before it.  So its content consists of symbols of 16 bits first: bytes, and
 * places in the window.  When the window is known, it becomes bytes.
 *
 * This decoder refuses what it does not understand; then a library decodes the
 * piece and says what is wrong.
 */

#ifndef GPUHIST_DEFLATE_PIECE_H
#define GPUHIST_DEFLATE_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/decode/gzip/deflate_codes.h"
#include "input/decode/gzip/inflate.h"

/* How many bytes behind the data must be readable. */
#define DEFLATE_PIECE_MARGIN DEFLATE_HEADER_BYTES

/* The first symbol that is a place in the window. */
#define DEFLATE_WINDOW_AT (UINT8_MAX + 1)

/* What each symbol stands for. */
struct deflate_window {
    unsigned char of_symbol[DEFLATE_WINDOW_AT + INFLATE_WINDOW_BYTES];
};

struct deflate_piece {
    uint16_t *memory; /* the window as symbols, ROOM symbols, and some more */
    size_t room;
    size_t content_bytes; /* after deflate_piece_decode() */
};

/* Returns the memory of a piece with ROOM bytes of content. */
uint64_t deflate_piece_memory(size_t room);

/*
 * Allocate a piece.  Returns 0, or -1: out of memory.  Call
 * deflate_piece_close() in any case.
 */
int deflate_piece_open(struct deflate_piece *piece, size_t room);

void deflate_piece_close(struct deflate_piece *piece);

/*
 * Decode the bits of DATA from BEGIN, less than 8, up to END, where
 * DEFLATE_PIECE_MARGIN bytes more can be read.  CODES is working memory.
 * Returns whether a block that is not the last one ends at END, all blocks are
 * well-formed, and the content fits.
 */
bool deflate_piece_decode(struct deflate_piece *piece,
                          struct deflate_codes *codes,
                          const unsigned char *data, unsigned int begin,
                          uint64_t end);

/* Returns the bytes of WINDOW. */
unsigned char *deflate_window_bytes(struct deflate_window *window);

/* Set all of WINDOW but its bytes. */
void deflate_window_make(struct deflate_window *window);

/*
 * Set the bytes of AFTER to the window behind PIECE, which is not resolved; the
 * window before it is BEFORE.
 */
void deflate_piece_pass(const struct deflate_piece *piece,
                        const struct deflate_window *before,
                        struct deflate_window *after);

/* Make bytes of the content, whose window is WINDOW. */
void deflate_piece_resolve(struct deflate_piece *piece,
                           const struct deflate_window *window);

/* Returns the content, after deflate_piece_resolve(). */
const unsigned char *deflate_piece_content(const struct deflate_piece *piece);

#endif
