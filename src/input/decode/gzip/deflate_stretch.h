/*
 * deflate_stretch.h -- a stretch of deflate data, decoded before its window
 *
 * A stretch begins with a block, and may refer to a window of 32 KiB of content
 * before it.  So its content consists of symbols of 16 bits first: bytes, and
 * places in the window.  When the window is known, it becomes bytes.
 *
 * This decoder refuses what it does not understand; then a library decodes the
 * stretch and says what is wrong.
 */

#ifndef GPUHIST_DEFLATE_STRETCH_H
#define GPUHIST_DEFLATE_STRETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/decode/gzip/deflate_codes.h"
#include "input/decode/gzip/inflate.h"

/* How many bytes behind the data must be readable. */
#define DEFLATE_STRETCH_MARGIN DEFLATE_HEADER_BYTES

/* The first symbol that is a place in the window. */
#define DEFLATE_WINDOW_AT (UINT8_MAX + 1)

/* What each symbol stands for. */
struct deflate_window {
    unsigned char of_symbol[DEFLATE_WINDOW_AT + INFLATE_WINDOW_BYTES];
};

struct deflate_stretch {
    uint16_t *memory; /* the window as symbols, ROOM symbols, and some more */
    size_t room;
    size_t content_bytes; /* after deflate_stretch_decode() */
};

/* Returns the memory of a stretch with ROOM bytes of content. */
uint64_t deflate_stretch_memory(size_t room);

/*
 * Allocate a stretch.  Returns 0, or -1: out of memory.  Call
 * deflate_stretch_close() in any case.
 */
int deflate_stretch_open(struct deflate_stretch *stretch, size_t room);

void deflate_stretch_close(struct deflate_stretch *stretch);

/*
 * Decode the bits of DATA from BEGIN, less than 8, up to END, where
 * DEFLATE_STRETCH_MARGIN bytes more can be read.  CODES is working memory.
 * Returns whether a block that is not the last one ends at END, all blocks are
 * well-formed, and the content fits.
 */
bool deflate_stretch_decode(struct deflate_stretch *stretch,
                            struct deflate_codes *codes,
                            const unsigned char *data, unsigned int begin,
                            uint64_t end);

/* Returns the bytes of WINDOW. */
unsigned char *deflate_window_bytes(struct deflate_window *window);

/* Set all of WINDOW but its bytes. */
void deflate_window_make(struct deflate_window *window);

/*
 * Set the bytes of AFTER to the window behind STRETCH, which is not resolved;
 * the window before it is BEFORE.
 */
void deflate_stretch_pass(const struct deflate_stretch *stretch,
                          const struct deflate_window *before,
                          struct deflate_window *after);

/* Make bytes of the content, whose window is WINDOW. */
void deflate_stretch_resolve(struct deflate_stretch *stretch,
                             const struct deflate_window *window);

/* Returns the content, after deflate_stretch_resolve(). */
const unsigned char *
deflate_stretch_content(const struct deflate_stretch *stretch);

#endif
