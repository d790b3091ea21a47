/* SPDX-License-Identifier: MIT */
/*
 * gzip_stretches.h -- decode a gzip member at several places at once
 *
 * The member is cut into stretches of a few hundred KiB.  Helpers look for a
 * block in each, and decode from there to the block found in the next stretch,
 * without the content before it (deflate_stretch.h).  Once this content is
 * known, its last 32 KiB go from stretch to stretch, and helpers resolve the
 * symbols that refer to them.
 *
 * The owner decodes the member as always until it is exactly where a stretch
 * starts.  Then it joins: it takes the content of this stretch and of the
 * following stretches, in order.  A stretch that was not decoded, for any
 * reason, is left to the owner, which goes on from the last good stretch with a
 * decoder that knows the window.  So helpers never report an error: only the
 * owner's decoder says what is wrong with a member.  Each step is a stage of a
 * ring (sync/ring.h).
 */

#ifndef GPUHIST_GZIP_STRETCHES_H
#define GPUHIST_GZIP_STRETCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/decode/gzip/deflate_find.h"
#include "input/decode/gzip/deflate_stretch.h"
#include "input/source.h"
#include "sync/ring.h"

/* No start. */
#define GZIP_STRETCHES_NONE DEFLATE_FIND_NONE

struct gzip_stretches_sizes {
    size_t packed_least;        /* compressed bytes of a stretch ... */
    size_t packed_most;         /* ... depending on how far they expand */
    size_t content_room;        /* of a stretch */
    unsigned int stretches_bad; /* of late, with which the owner gives up */
};

struct gzip_stretch {
    /* Set by the owner before any helper sees the stretch. */
    off_t from; /* the start is one of the bytes from here ... */
    off_t to;   /* ... and before this one */

    /* For the helper that works on the stretch. */
    unsigned char *packed;
    uint64_t start;      /* of the first block: a bit of the file, or NONE */
    uint64_t next_start; /* of the next stretch */
    struct deflate_stretch deflate;
    struct deflate_window *window; /* before the content, if HAS_WINDOW */
    bool has_window;
    uint32_t crc; /* of the content */
    bool is_done; /* the content and CRC can be used */
};

/* All 0 before gzip_stretches_open(). */
struct gzip_stretches {
    /* Constant while it is open. */
    struct gzip_stretches_sizes sizes;
    struct gzip_stretch *stretch; /* the slots of RING */
    struct deflate_codes *codes;  /* of each helper */
    struct deflate_finder finder;
    const struct source *source; /* constant while there are stretches */

    /* For the owner only. */
    off_t next_from;    /* of the next stretch */
    size_t packed_size; /* of the next stretch */
    unsigned int bad;   /* more bad stretches than good ones of late */
    bool is_complete;   /* no stretch will follow */

    struct ring_crew crew;
    struct ring ring;
};

/* Returns the memory that HELPERS use. */
uint64_t gzip_stretches_bytes(const struct gzip_stretches_sizes *sizes,
                              unsigned int helpers);

/*
 * Start up to HELPERS threads; fewer if the system refuses more.  Returns 0, or
 * -1: out of memory, or no thread could be started.
 */
int gzip_stretches_open(struct gzip_stretches *stretches,
                        const struct gzip_stretches_sizes *sizes,
                        unsigned int helpers);

/*
 * Look for stretches of SOURCE, a regular file that stays open, from the byte
 * FROM on.  Before it PACKED bytes have expanded to CONTENT bytes.
 */
void gzip_stretches_open_at(struct gzip_stretches *stretches,
                            const struct source *source, off_t from,
                            uint64_t packed, uint64_t content);

/*
 * Returns the bit of the file where the first stretch starts, or NONE: no
 * stretch is left.
 */
uint64_t gzip_stretches_start(struct gzip_stretches *stretches);

/*
 * The content up to the start of the first stretch ends with the
 * INFLATE_WINDOW_BYTES at WINDOW.
 */
void gzip_stretches_join(struct gzip_stretches *stretches,
                         const unsigned char *window);

/*
 * Wait for the first stretch, after gzip_stretches_join() or a stretch that was
 * done.  Returns the stretch.  If it is not done, the owner must decode it,
 * with the window of the stretch.
 */
struct gzip_stretch *gzip_stretches_await(struct gzip_stretches *stretches);

/* The owner has used the first stretch, or does not need it. */
void gzip_stretches_release(struct gzip_stretches *stretches);

/* Whether too many stretches were bad for helpers to be of use. */
bool gzip_stretches_are_bad(const struct gzip_stretches *stretches);

/* Stop all work and forget all stretches.  STRETCHES need not be open. */
void gzip_stretches_discard(struct gzip_stretches *stretches);

/* End the helpers and release all memory.  May be called twice. */
void gzip_stretches_close(struct gzip_stretches *stretches);

#endif
