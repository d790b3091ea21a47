/*
 * source.h -- one input as it is: a file, a pipe or standard input
 *
 * Here are the bytes that the system delivers.  What they mean is told by
 * content.h: they may be compressed, or only a part of them may count.
 */

#ifndef GPUHIST_SOURCE_H
#define GPUHIST_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "sync/cancel.h"
#include "sync/progress.h"
#include "sync/snapshot_gate.h"
#include "util/error.h"

/* The first bytes of an input decide which format it has. */
enum {
    SOURCE_HEAD_BYTES = 4
};

/*
 * One thread at a time owns a source, except that several may be in
 * source_read_at() at once.  A failure is recorded in ERROR; what has been
 * read of the source before is then worth nothing.
 *
 * Once CANCEL is asked, the source ends where it is, and that is no failure:
 * source_open() may then return -1 without an error.
 */
struct source {
    const char *path;         /* as given; NULL: standard input */
    const char *display_name; /* for messages */
    struct error error;

    /* From source_open() on. */
    struct progress *progress;  /* to count what is read; NULL: not counted */
    struct cancel *cancel;      /* may ask for an end before the end; or NULL */
    struct snapshot_gate *gate; /* interrupts source_read(); or NULL */
    int fd;
    bool is_regular;
    off_t first;  /* of a regular file: the offset of the first byte ... */
    off_t size;   /* ... and behind the last one when it was opened */
    bool is_part; /* of another source, whose descriptor it uses */

    /* Only for the owner: what a sequential reader has seen so far. */
    off_t offset; /* bytes read, counted from the file's begin */
    bool has_ended;
    bool is_interrupted; /* the gate was shut during the last source_read() */
    unsigned char head[SOURCE_HEAD_BYTES]; /* read ahead to look at ... */
    size_t head_used;                      /* ... so many of it ... */
    size_t head_given; /* ... and so many of those handed on already */
};

/*
 * Open the source; PROGRESS and CANCEL may be NULL.  Returns 0, or -1 with
 * SOURCE->error set; source_close() is due in both cases.
 */
int source_open(struct source *source, struct progress *progress,
                struct cancel *cancel);

/*
 * Let PART be what the regular file WHOLE holds from OFFSET on.  It reads
 * beside WHOLE and other parts of it, all in threads of their own; WHOLE must
 * stay open.
 */
void source_open_part(struct source *part, const struct source *whole,
                      off_t offset);

/*
 * Have the first bytes in SOURCE->head, as many as there are.  source_read()
 * hands them on.  Waits for those of a pipe.  Returns 0, or -1 with
 * SOURCE->error set.
 */
int source_read_head(struct source *source);

/*
 * Read the next bytes into BUFFER, up to CAPACITY.  Returns how many, which
 * may be fewer than CAPACITY at any time; 0 only at the end, or when it
 * IS_INTERRUPTED; -1 with SOURCE->error set.
 */
ssize_t source_read(struct source *source, void *buffer, size_t capacity);

/*
 * Whether what has just been read of the source is less than was wanted, but
 * not because of its end: it was interrupted, or it was asked to stop.
 */
bool source_is_cut_short(const struct source *source);

/*
 * Ranges will be read from the first byte on: what was read to look at it
 * does not count twice as progress.
 */
void source_begin_ranges(const struct source *source);

/*
 * Let source_read() go on at OFFSET of a regular file.  Returns 0, or -1 with
 * SOURCE->error set.
 */
int source_seek(struct source *source, off_t offset);

/* Tell the system that SIZE bytes at OFFSET of a regular file will be read. */
void source_announce(const struct source *source, off_t offset, off_t size);

/*
 * Read SIZE bytes at OFFSET of a regular file.  Returns 0; or -1 with *ERROR
 * set, also when the file ends too early.
 */
int source_read_at(const struct source *source, void *buffer, size_t size,
                   off_t offset, struct error *error);

/*
 * Look at up to SIZE bytes at OFFSET of a regular file.  Returns how many there
 * are; 0 also where they cannot be read, which is for the reader to report.
 */
size_t source_look_at(const struct source *source, void *buffer, size_t size,
                      off_t offset);

/* Record that the data at OFFSET are bad: WHAT, then DETAIL. */
void source_set_bad(struct source *source, off_t offset, const char *what,
                    const char *detail);

/* Release what reading needs; the error stays.  May be called twice. */
void source_close(struct source *source);

#endif
