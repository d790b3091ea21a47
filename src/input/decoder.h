/*
 * decoder.h -- what every decoder of compressed data is
 *
 * A decoder is one file, with a struct decoder_type, and one row of the table
 * in decoders.c.  It reads the bytes of a source, several members one behind
 * the other if the format has such, and delivers one stream of content.  It
 * may use threads of its own.
 *
 * A member that says where it ends without being decoded, and that needs
 * nothing of what lies before it, is a part that another decoder can decode
 * at the same time: see struct decoder_walk and parts.h.
 */

#ifndef GPUHIST_DECODER_H
#define GPUHIST_DECODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/source.h"
#include "sync/budget.h"

/* A PAUSE_AT that is never reached. */
#define DECODER_NO_PAUSE INT64_MAX

struct decoder_type;

/* The begin of each decoder's own struct.  One thread at a time uses it. */
struct decoder {
    const struct decoder_type *type;

    /* From decoder_open() on. */
    struct source *source;
    struct budget *budget;
    uint64_t reserved; /* of the budget */

    /* The bytes of the source that are not decoded yet: see decoder_fill(). */
    unsigned char *input;
    size_t input_capacity; /* room for so many; set by type->open() */
    size_t input_end;      /* there are so many, ... */
    size_t input_next;     /* ... and so many of them are used up */
    off_t input_offset;    /* of input[0] in the source */
    bool source_has_ended;

    /* The owner of a part sets PAUSE_AT between two calls. */
    off_t pause_at; /* stop before the first part at it or behind ... */
    bool is_paused; /* ... as the last decoder_read() did: it is at it now */
};

/*
 * Where the parts of a regular file begin: the begin of a struct that the
 * format has for it, from malloc().
 */
struct decoder_walk {
    const struct decoder_type *type; /* set by decoder_walk_open() */
    off_t offset;                    /* of what comes next */
    bool is_sized;          /* all members so far said their content's size: */
    uint64_t content_bytes; /* the decoded bytes before the end of this one */
};

struct decoder_type {
    /*
     * A decoder, all zero but for INPUT_CAPACITY, of its own struct from
     * malloc().  NULL: out of memory.
     */
    struct decoder *(*open)(void);

    /*
     * Start where DECODER->source is.  What was read before was read to its
     * end, or it may have been left anywhere.
     */
    void (*begin)(struct decoder *decoder);

    /*
     * Decode into BUFFER, up to CAPACITY bytes.  Returns how many; fewer than
     * CAPACITY only at the end, at a pause or when the source is cut short;
     * -1 with the source's error set.  The end must be that of a member.
     */
    ssize_t (*read)(struct decoder *decoder, void *buffer, size_t capacity);

    /* Release what the decoder itself holds, but not its struct. */
    void (*close)(struct decoder *decoder);

    /*
     * See decoder_walk_open().  Without this function the format's files are
     * one part.
     */
    struct decoder_walk *(*walk_open)(int fd, off_t offset);

    /*
     * Go on, past a member or a piece of one.  Returns 0; or -1 when nothing
     * more can be found: where the file ends, cannot be read or is bad.
     */
    int (*walk_step)(struct decoder_walk *walk);

    /* Whether a part begins at WALK->offset. */
    bool (*walk_is_at_part)(struct decoder_walk *walk);
};

/*
 * A decoder of TYPE for SOURCE, from where it is; SOURCE must stay in place.
 * It is *SPARE, if there is one of this TYPE; it must not have failed.  In any
 * case *SPARE becomes NULL.  The decoder's memory comes out of BUDGET.  NULL
 * with SOURCE->error set.
 */
struct decoder *decoder_open(const struct decoder_type *type,
                             struct source *source, struct budget *budget,
                             struct decoder **spare);

/* See struct decoder_type. */
ssize_t decoder_read(struct decoder *decoder, void *buffer, size_t capacity);

/* Accepts NULL. */
void decoder_close(struct decoder *decoder);

/*
 * Walk from OFFSET, where a part begins, through the regular file FD, which
 * is read but not moved in.  NULL: out of memory, or TYPE knows no parts.
 * Free it with free().
 */
struct decoder_walk *decoder_walk_open(const struct decoder_type *type, int fd,
                                       off_t offset);

/* ---- for decoders ---- */

/*
 * Have at least WANTED bytes in the input, or all that the source has, or can
 * deliver now.  Returns 0, or -1 with the source's error set.
 */
int decoder_fill(struct decoder *decoder, size_t wanted);

/* The offset in the source of the next byte of the input. */
off_t decoder_offset(const struct decoder *decoder);

/*
 * To be called where a part may begin.  Returns whether to pause there: then
 * decoder_read() is to return.
 */
bool decoder_pauses(struct decoder *decoder);

/*
 * Reserve BYTES of memory in place of all that is reserved now, which must
 * have been released.  WHAT needs them, in a message: the member that begins
 * at decoder_offset().  Returns 0, or -1 with the source's error set.
 */
int decoder_reserve(struct decoder *decoder, uint64_t bytes, const char *what);

#endif
