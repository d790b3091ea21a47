/*
 * zstd_window.h -- the content of a zstd frame, made of its sequences
 *
 * The content goes round a ring, which has the window and what was made last.
 */

#ifndef GPUHIST_ZSTD_WINDOW_H
#define GPUHIST_ZSTD_WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include "zstd_block.h"

enum {
    /* Bytes behind literals that can be read, and behind content that can be
       overwritten. */
    ZSTD_WINDOW_MARGIN = 32
};

/* What a block consists of, as zstd_block.h decodes it. */
struct zstd_parts {
    const unsigned char *literal; /* with a margin */
    uint32_t literals;
    const struct zstd_sequence *sequence;
    uint32_t sequences;
    uint32_t content; /* in all, at most ZSTD_BLOCK_MAX */
    struct zstd_offsets offsets;
};

/* All 0 at first. */
struct zstd_window {
    /* Private. */
    unsigned char *memory;
    size_t room;
    size_t most; /* bytes of the window */

    /* Of a frame. */
    size_t at;      /* where the next content is put */
    size_t lap_end; /* of the content from the lap before; 0: no such */
    uint64_t made;  /* bytes of content */
    struct zstd_offsets offsets;
};

/* Returns the memory of a ring for a window of WINDOW bytes, which keeps the
   last KEPT bytes of content, too. */
uint64_t zstd_window_bytes(uint64_t window, size_t kept);

/* Allocate it, for a frame.  Returns 0, or -1: out of memory. */
int zstd_window_open(struct zstd_window *window, uint64_t bytes, size_t kept);

/* Make the content of a block.  Returns it, or NULL: an offset is not allowed.
 */
const unsigned char *zstd_window_add(struct zstd_window *window,
                                     const struct zstd_parts *parts);

/* Copy the window, or all content if that is less, to TO.  Returns its size. */
size_t zstd_window_copy(const struct zstd_window *window, unsigned char *to);

/* Release the memory.  May be called twice. */
void zstd_window_close(struct zstd_window *window);

#endif
