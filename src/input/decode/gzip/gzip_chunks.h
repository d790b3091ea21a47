/*
 * gzip_chunks.h -- decode a gzip member at several places at once
 *
 * The member is cut into chunks of a few hundred KiB.  Helpers look for a block
 * in each, and decode from there to the block found in the next chunk, without
 * the content before it (deflate_piece.h).  When that is known, its last 32 KiB
 * go from chunk to chunk, and helpers resolve what refers to them.
 *
 * The owner decodes the member as always until it is exactly where a chunk
 * starts.  Then it joins: it takes the content of this chunk and of those after
 * it, in order.  A chunk that was not decoded, for whatever reason, is left to
 * the owner, which goes on from the last good chunk with a decoder that knows
 * its window.  So what helpers find out is never an error: only the owner's
 * decoder says what is wrong with a member.
 */

#ifndef GPUHIST_GZIP_CHUNKS_H
#define GPUHIST_GZIP_CHUNKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/decode/gzip/deflate_find.h"
#include "input/decode/gzip/deflate_piece.h"
#include "input/source.h"
#include "sync/ring.h"

/* There is no start. */
#define GZIP_CHUNKS_NONE DEFLATE_FIND_NONE

struct gzip_chunks_sizes {
    size_t packed_least;     /* compressed bytes of a chunk ... */
    size_t packed_most;      /* ... depending on how far they expand */
    size_t content_room;     /* of a chunk */
    unsigned int chunks_bad; /* of late, with which the owner gives up */
};

struct gzip_chunk {
    /* Set by the owner before any helper sees the chunk. */
    off_t from; /* its start is one of the bytes from here ... */
    off_t to;   /* ... and before this one */

    /* For the helper that works on the chunk. */
    unsigned char *packed;
    uint64_t start;      /* of the first block: a bit of the file, or NONE */
    uint64_t next_start; /* of the next chunk */
    struct deflate_piece piece;
    struct deflate_window *window; /* before the content, if HAS_WINDOW */
    bool has_window;
    uint32_t crc; /* of the content */
    bool is_done; /* the content and CRC can be used */
};

/* All 0 before gzip_chunks_open(). */
struct gzip_chunks {
    /* Constant while it is open. */
    struct gzip_chunks_sizes sizes;
    struct gzip_chunk *chunk;    /* the slots of RING */
    struct deflate_codes *codes; /* of each helper */
    struct deflate_finder finder;
    const struct source *source; /* constant while there are chunks */

    /* For the owner only. */
    off_t next_from;    /* of the next chunk */
    size_t packed_size; /* of the next chunk */
    unsigned int bad;   /* more bad chunks than good ones of late */
    bool is_complete;   /* no chunk will follow */

    struct ring_crew crew;
    struct ring ring;
};

/* Returns the memory that HELPERS use. */
uint64_t gzip_chunks_bytes(const struct gzip_chunks_sizes *sizes,
                           unsigned int helpers);

/*
 * Start up to HELPERS threads; fewer if the system refuses more.  Returns 0, or
 * -1: out of memory, or no thread could be started.
 */
int gzip_chunks_open(struct gzip_chunks *chunks,
                     const struct gzip_chunks_sizes *sizes,
                     unsigned int helpers);

/*
 * Look for chunks of SOURCE, a regular file that stays open, from the byte FROM
 * on.  Before it PACKED bytes have expanded to CONTENT bytes.
 */
void gzip_chunks_begin(struct gzip_chunks *chunks, const struct source *source,
                       off_t from, uint64_t packed, uint64_t content);

/*
 * Returns the bit of the file where the first chunk starts, or NONE: there is
 * no chunk.
 */
uint64_t gzip_chunks_start(struct gzip_chunks *chunks);

/*
 * The content up to the start of the first chunk ends with the
 * INFLATE_WINDOW_BYTES at WINDOW.
 */
void gzip_chunks_join(struct gzip_chunks *chunks, const unsigned char *window);

/*
 * Wait for the first chunk, after gzip_chunks_join() or if the chunk before it
 * was done.  Returns it.  If it is not done, the owner has to decode it, and
 * its window is that before it.
 */
struct gzip_chunk *gzip_chunks_await(struct gzip_chunks *chunks);

/* The owner has used the first chunk, or does without it. */
void gzip_chunks_release(struct gzip_chunks *chunks);

/* Whether so many chunks were bad that helpers do not help. */
bool gzip_chunks_are_bad(const struct gzip_chunks *chunks);

/* Stop all work and forget all chunks.  CHUNKS need not be open. */
void gzip_chunks_discard(struct gzip_chunks *chunks);

/* End the helpers and release all memory.  May be called twice. */
void gzip_chunks_close(struct gzip_chunks *chunks);

#endif
