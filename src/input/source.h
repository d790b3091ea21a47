/* source.h -- one input, from its first byte to its last */

#ifndef GPUHIST_SOURCE_H
#define GPUHIST_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/image.h"
#include "sync/budget.h"
#include "sync/cancel.h"
#include "sync/progress.h"
#include "sync/snapshot_gate.h"
#include "util/error.h"

enum decompress {
    DECOMPRESS_AUTO, /* zstd where the content says so */
    DECOMPRESS_NONE, /* every byte as it is */
    DECOMPRESS_ZSTD, /* anything but zstd is an error */
};

/* The first bytes decide what an input is. */
enum {
    SOURCE_HEAD_BYTES = 4
};

/* A PAUSE_AT that is never reached. */
#define SOURCE_NO_PAUSE INT64_MAX

/* How the inputs of a run are to be read: the same for all. */
struct reading {
    enum decompress decompress;
    uint64_t skip_bytes;        /* of the content, from its begin */
    uint64_t read_bytes;        /* at most, behind that; UINT64_MAX: all */
    bool is_image;              /* the content is an image: its pixels count */
    struct image_format format; /* that an image must have */
    uint64_t kept_bytes_max;    /* keep the pixels, up to so many; 0: do not */
    struct progress *progress;  /* to tell what was read; NULL: nobody */
    struct cancel *cancel;      /* may ask for an end before the end; or NULL */
};

struct zstd_stream;

/*
 * One thread at a time owns a source, except that several may be in
 * source_read_at() at once.  A failure is recorded in ERROR; what has been
 * read of the source before is then worth nothing.
 *
 * Once STOP is asked, the source ends where it is, and that it does is no
 * failure: source_open() may then return -1 without an error.
 */
struct source {
    const char *path;         /* as given; NULL: standard input */
    const char *display_name; /* for messages */
    struct error error;

    /* From source_open() on. */
    struct progress *progress;
    struct cancel *cancel;
    struct snapshot_gate
        *gate; /* interrupts source_read(); NULL: nobody does */
    int fd;
    bool is_regular;
    off_t first;      /* of a regular file: the offset of the first byte ... */
    off_t size;       /* ... and behind the last one when it was opened */
    uint64_t skipped; /* bytes of the content, at its begin */
    struct zstd_stream *zstd; /* decodes the content; NULL: plain bytes */
    struct image *image;      /* finds pixels in it; NULL: no image */
    bool is_part;             /* of another source, whose descriptor it uses */

    /* Only for the owner: what a sequential reader has seen so far. */
    off_t offset;  /* raw bytes read, counted from the file's begin */
    uint64_t left; /* of the content, until --read-bytes is reached */
    bool has_ended;
    bool is_interrupted; /* the gate was shut during the last source_read() */
    off_t pause_at; /* stop before the first zstd frame at it or behind ... */
    bool is_paused; /* ... as the last source_read() did: it is at it now */
    unsigned char head[SOURCE_HEAD_BYTES]; /* read ahead to look at ... */
    size_t head_used;                      /* ... so many of it ... */
    size_t head_given; /* ... and so many of those handed on already */

    /* Of an image; they outlive source_close(), not source_free(). */
    struct image_shape shape;
    unsigned char *kept; /* the pixels, if they are to be kept */
    uint64_t kept_bytes;
    uint64_t kept_room;
    uint64_t kept_bytes_max;
};

/*
 * Open the source, find out what it is and go to the first byte to count.
 * BUDGET bounds the memory of a decoder; where one is needed it is *SPARE, if
 * that is not NULL, which then becomes NULL.  Waits for the first bytes of a pipe.
 * An image's format is left to source_read_header().  Returns 0, or -1 with
 * SOURCE->error set; source_close() is due in both cases.
 */
int source_open(struct source *source, const struct reading *reading,
                struct budget *budget, struct zstd_stream **spare);

/*
 * Begin to read the source as an image; its format is in *FORMAT.  Returns 0,
 * or -1 with SOURCE->error set.
 */
int source_read_header(struct source *source, struct image_format *format);

/* Whether ranges of the source can be read in any order: a plain file. */
bool source_has_ranges(const struct source *source);

/*
 * Read, and decode, the next bytes to count into BUFFER, up to CAPACITY.  Returns
 * how many; fewer than CAPACITY only at the end (0 from then on), at a pause,
 * until SOURCE->pause_at is moved on, or when it IS_INTERRUPTED; -1 with
 * SOURCE->error set.
 */
ssize_t source_read(struct source *source, void *buffer, size_t capacity);

/*
 * Let PART be what the zstd source WHOLE holds from OFFSET on, where a frame
 * begins.  It reads beside WHOLE and other parts of it, all in threads of
 * their own; WHOLE must stay open.  BUDGET and SPARE as for source_open().
 * Returns 0, or -1 with PART->error set.
 */
int source_open_part(struct source *part, const struct source *whole,
                     off_t offset, struct budget *budget,
                     struct zstd_stream **spare);

/*
 * Take the decoder, if there is one, away from a source of which nothing more
 * will be read; for zstd_close().
 */
struct zstd_stream *source_take_decoder(struct source *source);

/*
 * Ranges will be read from the first byte on, which was looked at already:
 * it is not to be told of twice.
 */
void source_begin_ranges(const struct source *source);

/* Let source_read() go on at OFFSET of a plain regular file. */
int source_seek(struct source *source, off_t offset);

/* Tell the system that SIZE bytes at OFFSET of a regular file will be read. */
void source_announce(const struct source *source, off_t offset, off_t size);

/*
 * Read SIZE bytes at OFFSET of a plain regular file.  Returns 0; or -1 with
 * *ERROR set, also when the file ends too early.
 */
int source_read_at(const struct source *source, void *buffer, size_t size,
                   off_t offset, struct error *error);

/*
 * Whether what has just been read of the source is less than was wanted, but
 * not because of its end: it was interrupted, or it was asked to stop.
 */
bool source_is_cut_short(const struct source *source);

/*
 * The next undecoded bytes: as source_read(), but it may return fewer than
 * CAPACITY at any time; 0 only at the end, or when it IS_INTERRUPTED.
 */
ssize_t source_read_raw(struct source *source, void *buffer, size_t capacity);

/* Record that the content at the raw OFFSET is bad: WHAT, then DETAIL. */
void source_set_bad(struct source *source, off_t offset, const char *what,
                    const char *detail);

/* Release what reading needs.  May be called twice. */
void source_close(struct source *source);

/* Release all that is left. */
void source_free(struct source *source);

#endif
