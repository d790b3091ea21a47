/* SPDX-License-Identifier: MIT */
/*
 * deflate_stretch.h -- a stretch of deflate data, decoded before its window
 *
 * A stretch starts with a block, and may refer to a window of 32 KiB of earlier
 * content.  So the content consists of symbols of 16 bits at first: bytes, and
 * places in the window.  Once the window is known, the symbols become bytes.
 *
 * This decoder refuses data that it does not understand; then a library decodes
 * the stretch and reports errors.
 */

#ifndef GPUHIST_DEFLATE_STRETCH_H
#define GPUHIST_DEFLATE_STRETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/decode/gzip/deflate_codes.h"
#include "input/decode/gzip/inflate.h"

/* The readable bytes that must follow the data. */
#define DEFLATE_STRETCH_MARGIN DEFLATE_HEADER_BYTES

/* The first symbol that is a place in the window. */
#define DEFLATE_WINDOW_AT (UINT8_MAX + 1)

/* The byte of each symbol. */
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
 * Decode the bits of DATA from START, less than 8, up to END, after which
 * DEFLATE_STRETCH_MARGIN bytes can be read.  CODES is working memory.  Returns
 * whether a block that is not the last one ends at END, all blocks are
 * well-formed, and the content fits.
 */
bool deflate_stretch_decode(struct deflate_stretch *stretch,
                            struct deflate_codes *codes,
                            const unsigned char *data, unsigned int start,
                            uint64_t end);

/* Returns the bytes of WINDOW. */
unsigned char *deflate_window_bytes(struct deflate_window *window);

/* Set all of WINDOW except its bytes. */
void deflate_window_make(struct deflate_window *window);

/*
 * Set the bytes of AFTER to the window after STRETCH, which is not resolved
 * yet; BEFORE is the window before STRETCH.
 */
void deflate_stretch_pass(const struct deflate_stretch *stretch,
                          const struct deflate_window *before,
                          struct deflate_window *after);

/* Turn the symbols of the content into bytes, with WINDOW. */
void deflate_stretch_resolve(struct deflate_stretch *stretch,
                             const struct deflate_window *window);

/* Returns the content, after deflate_stretch_resolve(). */
const unsigned char *
deflate_stretch_content(const struct deflate_stretch *stretch);

#endif
