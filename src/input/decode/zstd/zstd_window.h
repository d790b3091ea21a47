/* SPDX-License-Identifier: MIT */
/*
 * zstd_window.h -- the content of a zstd frame, made of its sequences
 *
 * The content goes round slots of memory.  A slot has room for the window and
 * for the content that was made last, so a match reaches content of its own
 * slot or of the slot before.  A slot is filled only if nothing of it is
 * leased.  If no other slot is free, the content starts again in the same slot,
 * which then is a ring.
 */

#ifndef GPUHIST_ZSTD_WINDOW_H
#define GPUHIST_ZSTD_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/zstd/zstd_block.h"
#include "sync/lease.h"

enum {
    /* Readable bytes after literals, and writable bytes after content. */
    ZSTD_WINDOW_MARGIN = 32,
    ZSTD_WINDOW_SLOTS = 6, /* the most */
};

/* The parts of a block, as zstd_block.h decodes it. */
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
    struct zstd_slots *slots; /* NULL: closed */

    /* Private. */
    size_t room;
    size_t most; /* bytes of the window */

    /* Of a frame. */
    struct zstd_offsets offsets; /* at the start of the next block */
    unsigned int slot;
    unsigned char *memory;       /* of the slot */
    size_t at;                   /* where the next content is put */
    bool is_leased;              /* something of this slot was leased */
    const unsigned char *before; /* the memory of the slot before, ... */
    size_t before_end;           /* ... and where its content ends */
    uint64_t made;               /* bytes of content */
};

/* Returns the memory of each slot for a window of WINDOW bytes, which keeps
   the last KEPT bytes of content, too. */
uint64_t zstd_window_bytes(uint64_t window, size_t kept);

/* Allocate the window, with SLOTS, for a frame.  Returns 0, or -1: out of
   memory. */
int zstd_window_open(struct zstd_window *window, uint64_t bytes, size_t kept,
                     unsigned int slots);

/* Make the content of a block.  Returns the content, or NULL: an offset is not
   allowed.  The content stays unchanged for KEPT more bytes, or while it is
   leased. */
unsigned char *zstd_window_add(struct zstd_window *window,
                               const struct zstd_parts *parts);

/*
 * Lend CONTENT of the last block, with the preceding FRONT_BYTES, which are at
 * FRONT, before it.  Returns whether *LEASE is set, except for BYTES.
 */
bool zstd_window_lease(struct zstd_window *window, unsigned char *content,
                       const unsigned char *front, size_t front_bytes,
                       struct lease *lease);

/* Copy the window, or all content if that is less, to TO.  Returns its size. */
size_t zstd_window_copy(const struct zstd_window *window, unsigned char *to);

/* Release the memory, but not leased memory.  May be called twice. */
void zstd_window_close(struct zstd_window *window);

#endif
