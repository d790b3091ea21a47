/* SPDX-License-Identifier: MIT */
/*
 * source.h -- the raw bytes of one input: a file, a pipe or standard input
 *
 * A file in an archive is a source, too; its bytes come from a supply.
 *
 * content.h interprets the bytes: content is decompressed, and only some of it
 * is counted.
 */

#ifndef GPUHIST_SOURCE_H
#define GPUHIST_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "base/scratch_file.h"
#include "input/identity.h"
#include "sync/cancel.h"
#include "sync/progress.h"
#include "sync/snapshot_gate.h"
#include "sync/wrong_record.h"

enum {
    /* A magic number, or the whole header of a skippable frame or a .lzma file:
       enough to recognise a format, and all that is read ahead of a pipe. */
    SOURCE_MAGIC_BYTES = 16,

    /* What sniff.h and a short header look at in a named file, too. */
    SOURCE_HEAD_BYTES = 512
};

/* Delivers the bytes of a file in an archive. */
struct source_supply {
    /* As source_read(), with *ERROR set. */
    ssize_t (*read)(struct source_supply *supply, void *buffer, size_t capacity,
                    struct error *error);

    /* Returns how many of the next bytes are known to be 0, which takes no
       reading. */
    uint64_t (*zeros)(const struct source_supply *supply);

    /* Skip BYTES of these. */
    void (*skip)(struct source_supply *supply, uint64_t bytes);
};

/*
 * The bytes of a pipe that are read twice.  The first source that is opened
 * with the copy writes the bytes that it reads; once IS_COMPLETE is set, a
 * source reads the copy instead, as it would read the pipe.
 */
struct source_copy {
    struct scratch_file file; /* not open: the source is a regular file */
    bool is_complete;
};

/*
 * One thread at a time owns a source, but several threads may call
 * source_read_at() at once.  A failure is recorded in ERROR, and makes all
 * earlier bytes of the source invalid.
 *
 * After cancel_ask() the source ends at its position, without a failure.  If
 * WRONG is watched, the source also ends when a wrong record is found.
 */
struct source {
    const char *path;             /* as given; NULL: standard input */
    const char *display_name;     /* for messages */
    struct source_supply *supply; /* NULL: a descriptor delivers the bytes */
    const struct wrong_record *wrong; /* of the input, or NULL */
    struct identity *identity; /* gets the bytes of the descriptor; or NULL */
    struct source_copy *copy;  /* NULL: read once */
    struct error error;

    /* From source_open() on. */
    struct progress *progress;  /* counts the bytes read; or NULL */
    struct cancel *cancel;      /* may ask to stop early; or NULL */
    struct snapshot_gate *gate; /* interrupts source_read(); or NULL */
    int fd;
    bool is_regular;
    off_t first;  /* of a regular file: the offset of the first byte ... */
    off_t size;   /* ... and of the end, at opening */
    bool is_part; /* uses the descriptor of another source */

    /* Only for the owner: the state of sequential reading. */
    off_t offset; /* of the next byte to read from FD */
    bool has_ended;
    bool is_interrupted; /* the gate was shut during the last source_read() */
    unsigned char head[SOURCE_HEAD_BYTES]; /* read ahead: HEAD_USED bytes ... */
    off_t head_offset;                     /* ... from here on */
    size_t head_used;
    size_t head_given; /* bytes of HEAD that source_read() has delivered */
};

/* Returns a source of the same input as SOURCE, to be opened. */
struct source source_again(const struct source *source);

/*
 * Open the source, unless it is a part, which is open.  PROGRESS and CANCEL may
 * be NULL.  Returns 0, or -1 with SOURCE->error set; after cancel_ask() the
 * error is meaningless.  The caller calls source_close() in both cases.
 */
int source_open(struct source *source, struct progress *progress,
                struct cancel *cancel);

/*
 * Make PART the bytes of the regular file WHOLE from OFFSET on.  WHOLE must
 * stay open.  WHOLE and its parts may be read by different threads at once.
 */
void source_open_part(struct source *part, const struct source *whole,
                      off_t offset);

/* As source_open_part(), but RANGE ends at byte END of WHOLE. */
void source_open_range(struct source *range, const struct source *whole,
                       off_t offset, off_t end);

/*
 * Read the first bytes, or more of them, into SOURCE->head; source_read() will
 * deliver these again.  Waits for one byte of a pipe, no more.  Returns the
 * number of bytes, 0 at the end or if HEAD is full, or -1 with SOURCE->error
 * set.
 */
ssize_t source_read_head(struct source *source);

/* Forget the first BYTES of HEAD, so that source_read_head() has room for the
   bytes after HEAD. */
void source_drop_head(struct source *source, size_t bytes);

/*
 * Read up to CAPACITY of the next bytes into BUFFER.  Returns the number of
 * bytes, or -1 with SOURCE->error set.  The number may be less than CAPACITY
 * at any time; it is 0 only at the end or if source_is_cut_short().
 */
ssize_t source_read(struct source *source, void *buffer, size_t capacity);

/* Returns how many of the next bytes are known to be 0: they are in a hole. */
uint64_t source_zeros(const struct source *source);

/* Skip BYTES of these. */
void source_skip_zeros(struct source *source, uint64_t bytes);

/* Whether source_read() returns without waiting for who writes to a pipe. */
bool source_is_ready(const struct source *source);

/*
 * Whether reading stopped before the end of the source, because the gate was
 * shut or the run was cancelled.
 */
bool source_is_cut_short(const struct source *source);

/*
 * Prepare to read ranges from the first byte on.  Subtracts the bytes in HEAD
 * from the progress, because a range includes them.
 */
void source_start_ranges(const struct source *source);

/*
 * Let source_read() continue at OFFSET of a regular file.  Returns 0, or -1
 * with SOURCE->error set.
 */
int source_seek(struct source *source, off_t offset);

/* Advise the kernel to read SIZE bytes at OFFSET of a regular file ahead. */
void source_announce(const struct source *source, off_t offset, off_t size);

/* Read SIZE bytes at OFFSET of a regular file.  Returns 0, or -1 with *ERROR
   set; a shorter file is an error. */
int source_read_at(const struct source *source, void *buffer, size_t size,
                   off_t offset, struct error *error);

/* As source_read_at(), for bytes that the progress has counted before. */
int source_read_again(const struct source *source, void *buffer, size_t size,
                      off_t offset, struct error *error);

/*
 * Read up to SIZE bytes at OFFSET of a regular file, before reading it in
 * sequence or in ranges.  Returns the number of bytes, 0 only at the end, or -1
 * with SOURCE->error set.
 */
ssize_t source_peek(struct source *source, void *buffer, size_t size,
                    off_t offset);

/* Look at up to SIZE bytes at OFFSET of a regular file.  Returns the number of
   bytes, 0 also after an error: reading the content will report the error. */
size_t source_look_at(const struct source *source, void *buffer, size_t size,
                      off_t offset);

/* Set the error to "NAME: WHAT at byte OFFSET: DETAIL".  Returns -1. */
int source_fail(struct source *source, off_t offset, const char *what,
                const char *detail);

/* Set the error to "NAME: out of memory".  Returns -1. */
int source_fail_memory(struct source *source);

/* SOURCE is read to its end: complete its identity, if any.  Does nothing for a
   part, after an error or after cancel_ask(). */
void source_identify(const struct source *source);

/* Close the descriptor; the error stays.  May be called twice. */
void source_close(struct source *source);

/* As source_close(), but returns the descriptor for the caller to close; or -1:
   there is none. */
int source_release(struct source *source);

#endif
