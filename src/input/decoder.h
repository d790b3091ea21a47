/* SPDX-License-Identifier: MIT */
/*
 * decoder.h -- the interface of a decoder of compressed data
 *
 * A decoder is one file that defines a struct decoder_type, and one row of the
 * table in decoders.c.  A decoder reads the bytes of a source, which may be
 * several concatenated members, and delivers one stream of content.  It may use
 * its own threads.
 *
 * A member is a part if its end can be found without decoding and the member
 * does not depend on earlier bytes.  Several decoders can decode the parts of a
 * file at the same time: see struct decoder_walk and parts.h.
 */

#ifndef GPUHIST_DECODER_H
#define GPUHIST_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/source.h"
#include "sync/budget.h"
#include "sync/lease.h"

/* A PAUSE_AT that is never reached. */
#define DECODER_NO_PAUSE INT64_MAX

struct decoder_type;

/*
 * How the helpers of a decoder write a page of each set of content that they
 * have decoded, such as its text.  PAGE_WRITE may be called by several threads
 * at once, for different pages.
 */
struct decoder_writer {
    void *context;
    size_t page_bytes;        /* of memory */
    void *(*page_open)(void); /* returns NULL: out of memory */
    void (*page_write)(void *context, void *page, unsigned char *data,
                       size_t size); /* leaves the data as they are */
    void (*page_close)(void *page);  /* may be NULL */
};

/* The next byte of content, of a set with a page. */
struct decoder_place {
    void *page;
    size_t at;   /* of the byte in the set ... */
    size_t size; /* ... which has so many bytes, and is damaged after them if AT
                    is SIZE */
};

/* The first member of each decoder's struct.  One thread at a time uses it. */
struct decoder {
    const struct decoder_type *type;

    /* From decoder_open() on. */
    struct source *source;
    struct budget *budget;
    uint64_t reserved; /* bytes of the budget */

    /* The bytes of the source that are not decoded yet: see decoder_fill(). */
    unsigned char *input;
    size_t input_end;   /* bytes of INPUT that are filled ... */
    size_t input_next;  /* ... and consumed */
    off_t input_offset; /* of input[0] in the source */
    bool source_has_ended;
    bool lacks_end_mark; /* the source ended without the format's end mark */

    /* The owner of a part sets PAUSE_AT between two calls. */
    off_t pause_at; /* stop before the first part that starts here or later */
    bool is_paused; /* the last decoder_read() stopped at PAUSE_AT */
    bool is_finishing; /* only the end of a record is wanted */

    const struct decoder_writer *writer; /* or NULL: no pages are written */

    struct decoder *kept; /* a decoder of another type, for the next source, and
                             so on; owned; or NULL */
};

/*
 * A scan for the starts of the parts of a regular file.  The first member of a
 * struct of the format, from malloc().
 */
struct decoder_walk {
    const struct decoder_type *type; /* set by decoder_walk_open() */
    off_t offset;                    /* of the next bytes to look at */
    bool is_sized;          /* all members so far state a decoded size: */
    uint64_t content_bytes; /* the sum of these sizes */
};

/* Whether a decoder decodes all following parts. */
enum decoder_remainder {
    DECODER_REMAINDER_TAKEN,
    DECODER_REMAINDER_BUSY, /* later, when others have ended */
    DECODER_REMAINDER_LEFT,
};

struct decoder_type {
    size_t struct_bytes;   /* of the decoder's struct, all 0 at first */
    size_t input_capacity; /* bytes of INPUT */
    bool is_kept; /* opening takes long, and after start() it has no helpers:
                     kept while a source of another type is decoded */

    /*
     * Start decoding at the position of DECODER->source.  The decoder may have
     * been used before, and may have stopped anywhere in that source.
     */
    void (*start)(struct decoder *decoder);

    /*
     * Go on decoding, with up to CAPACITY bytes into BUFFER, and set *SIZE to
     * the number of bytes, if any.  Returns 1: go on; 0: the end, a pause, or
     * source_is_cut_short(); or -1 with the source's error set.  A source that
     * ends within a member is an error.
     */
    int (*step)(struct decoder *decoder, unsigned char *buffer, size_t capacity,
                size_t *size);

    /* See decoder_lease().  NULL: the decoder never leases. */
    int (*lease)(struct decoder *decoder, const unsigned char *front,
                 size_t front_bytes, size_t capacity, struct lease *lease);

    /* See decoder_find_page() and decoder_skip().  NULL: no pages are written.
     */
    bool (*find_page)(struct decoder *decoder, struct decoder_place *place);
    void (*skip)(struct decoder *decoder, size_t size);

    /* See decoder_check().  NULL: nothing to check. */
    int (*check)(struct decoder *decoder);

    /* Release what the decoder's struct owns, but not the struct. */
    void (*close)(struct decoder *decoder);

    /*
     * Whether DECODER, at the start of a part, wants to decode all following
     * parts, because it is faster than several decoders.  NULL: it never wants
     * to.
     */
    bool (*wants_remainder)(struct decoder *decoder);

    /* Prepare to decode all following parts. */
    enum decoder_remainder (*take_remainder)(struct decoder *decoder);

    /* The result was BUSY: wait until it may have changed, or for some time. */
    void (*wait_for_remainder)(struct decoder *decoder);

    /* See decoder_walk_open().  NULL: the format has no parts. */
    struct decoder_walk *(*walk_open)(int fd, off_t offset);

    /* The bytes that the decoder of a part reserves, once; 0: the number
       depends on the part, or content of parts is not sized. */
    uint64_t part_bytes;

    /* Advance past one member or some of it.  Returns 0, or -1 if the file
       ends, cannot be read or is bad. */
    int (*walk_step)(struct decoder_walk *walk);

    /* Whether a part starts at WALK->offset. */
    bool (*walk_is_at_part)(struct decoder_walk *walk);

    /*
     * DECODER, which has started at WALK->offset, decodes a part.  It may use
     * WALK, which other threads advance, until the next start() or close().
     * NULL: the bytes of a part suffice.
     */
    void (*start_part)(struct decoder *decoder,
                       const struct decoder_walk *walk);
};

/*
 * Open a decoder of TYPE at the position of SOURCE, which must stay in place.
 * Reuses *SPARE, or what *SPARE keeps, if it is of TYPE.  Otherwise the decoder
 * keeps *SPARE for a later source, or closes it.  *SPARE is NULL afterwards,
 * and must not have failed.  The decoder's memory is reserved in BUDGET.
 * Returns the decoder, or NULL with SOURCE->error set.
 */
struct decoder *decoder_open(const struct decoder_type *type,
                             struct source *source, struct budget *budget,
                             struct decoder **spare);

/*
 * Decode up to CAPACITY bytes into BUFFER.  Returns the number of bytes, or -1
 * with the source's error set.  The number is less than CAPACITY only at the
 * end, at a pause, or when source_is_cut_short().
 */
ssize_t decoder_read(struct decoder *decoder, void *buffer, size_t capacity);

/*
 * Decode up to CAPACITY bytes, which is not 0, and lease them: set *LEASE,
 * which must be all 0.  The FRONT_BYTES at FRONT, which precede the bytes, are
 * copied to the space before them.  Returns 0, or -1 with the source's error
 * set.  If nothing is leased, decoder_read() goes on.
 */
int decoder_lease(struct decoder *decoder, const unsigned char *front,
                  size_t front_bytes, size_t capacity, struct lease *lease);

/* Let the helpers of DECODER, which have not started, write pages by WRITER,
   until decoder_end_pages(); or none, if its type writes none. */
void decoder_start_pages(struct decoder *decoder,
                         const struct decoder_writer *writer);

/* End the helpers that write pages.  DECODER is not read any more. */
void decoder_end_pages(struct decoder *decoder);

/*
 * Set *PLACE to the next byte of content, if helpers have decoded it, or will,
 * and written a page.  Returns whether it is set.
 */
bool decoder_find_page(struct decoder *decoder, struct decoder_place *place);

/* Skip the next SIZE bytes of content, in the set that decoder_find_page() has
   found. */
void decoder_skip(struct decoder *decoder, size_t size);

/*
 * The last content makes no sense: check whether the block that it came from is
 * damaged, of which only some content may have been delivered.  Returns 0, or
 * -1 with the source's error set.
 */
int decoder_check(struct decoder *decoder);

/* Release everything, including DECODER, which may be NULL, and what it keeps.
 */
void decoder_close(struct decoder *decoder);

/*
 * Start a walk through the regular file FD at OFFSET, where a part starts.
 * The file position of FD does not change.  Returns a walk for free(), or
 * NULL: out of memory, or TYPE has no parts.
 */
struct decoder_walk *decoder_walk_open(const struct decoder_type *type, int fd,
                                       off_t offset);

/* See struct decoder_type. */
bool decoder_wants_remainder(struct decoder *decoder);
enum decoder_remainder decoder_take_remainder(struct decoder *decoder);
void decoder_wait_for_remainder(struct decoder *decoder);
void decoder_start_part(struct decoder *decoder,
                        const struct decoder_walk *walk);

/* ---- for decoders ---- */

/* For messages: the first bytes are damaged, or the input is something else. */
#define DECODER_HINT_NONE "(--decompress=none counts the bytes as they are)"

/*
 * Fill DECODER->input until at least WANTED bytes are not consumed, or the
 * source ends or is cut short.  Returns 0, or -1 with the source's error set.
 */
int decoder_fill(struct decoder *decoder, size_t wanted);

/* Consume the zeros that come next in DECODER->input and, at its end, the zeros
   that follow in the source. */
void decoder_skip_zeros(struct decoder *decoder);

/*
 * As decoder_fill(), but returns 1: the bytes are there; 0: the source is cut
 * short, so the bytes may follow; or -1, also if the source ends before the
 * bytes, within WHAT.
 */
int decoder_need(struct decoder *decoder, size_t wanted, const char *what);

/*
 * Consume up to SIZE bytes into BUFFER.  Returns the number of bytes, or -1
 * with the source's error set.  The number is less than SIZE only if the source
 * ends or is cut short.
 */
ssize_t decoder_take(struct decoder *decoder, void *buffer, size_t size);

/* Returns the next byte to consume: the first of decoder_left(). */
static inline const unsigned char *
decoder_next(const struct decoder *decoder)
{
    return decoder->input + decoder->input_next;
}

/* Returns how many bytes of DECODER->input are not consumed. */
static inline size_t
decoder_left(const struct decoder *decoder)
{
    return decoder->input_end - decoder->input_next;
}

/* Returns the offset in the source of the next byte to consume. */
static inline off_t
decoder_offset(const struct decoder *decoder)
{
    return decoder->input_offset + (off_t)decoder->input_next;
}

/*
 * Go on at OFFSET of the source, a regular file.  Other threads read the bytes
 * in between with source_read_at().  Returns 0, or -1 with the source's error
 * set.
 */
int decoder_seek(struct decoder *decoder, off_t offset);

/* Set the source's error to WHAT at the next byte: DETAIL.  Returns -1. */
int decoder_fail(struct decoder *decoder, const char *what, const char *detail);

/*
 * The bytes in DECODER->input are too few.  Returns 0: the source is cut short,
 * so more may follow; or -1 with the source's error set: the source ends within
 * WHAT.
 */
int decoder_fail_short(struct decoder *decoder, const char *what);

/* Call this function wherever a part may start.  Returns whether to pause: then
   type->step() must return. */
bool decoder_pauses(struct decoder *decoder);

/*
 * Replace the reservation of memory by a reservation of BYTES.  The caller has
 * freed the memory reserved before.  WHAT names the member at decoder_offset()
 * in a message.  Returns 0, or -1 with the source's error set.
 */
int decoder_reserve(struct decoder *decoder, uint64_t bytes, const char *what);

#endif
