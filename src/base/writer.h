/* SPDX-License-Identifier: MIT */
/*
 * writer.h -- buffered output to a descriptor or a function
 *
 * After a failure, all further bytes are dropped, and writer_flush() returns
 * the first failure.  So callers need not check each call.  A long loop may
 * check writer_has_failed() to end early.
 */

#ifndef GPUHIST_WRITER_H
#define GPUHIST_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"

/* The most bytes that a caller may put into writer_piece(). */
#define WRITER_PIECE_BYTES 128

struct writer {
    char *room;
    char *end;  /* WRITER_PIECE_BYTES before the end of ROOM */
    char *at;   /* where the next byte goes; may be after END */
    int reason; /* error number of the first failure; 0: none */
    int fd;

    /* Take the bytes in ROOM, or set REASON.  Then AT is ROOM again. */
    void (*drain)(struct writer *writer);
    void *context; /* for DRAIN */
};

/*
 * Open a writer to the descriptor FD.  Returns 0, or -1: out of memory.  The
 * caller calls writer_close() in both cases.
 */
int writer_open(struct writer *writer, int fd);

/*
 * Open a writer to DRAIN.  The caller owns ROOM, whose SIZE is at least 2 *
 * WRITER_PIECE_BYTES.
 */
void writer_open_room(struct writer *writer, char *room, size_t size,
                      void (*drain)(struct writer *writer), void *context);

/*
 * Returns a stream that prints to WRITER, or NULL if out of memory.  The caller
 * calls fclose() before any other function of WRITER.
 */
FILE *writer_stream(struct writer *writer);

/*
 * Open WRITER to the descriptor FD, and a stream that prints to WRITER.
 * Returns the stream, for writer_close_stream(), or NULL if out of memory.
 */
FILE *writer_open_stream(struct writer *writer, int fd);

/* Close WRITER and its stream OUT.  Returns as writer_flush() does. */
int writer_close_stream(struct writer *writer, FILE *out);

/*
 * Write all bytes in the buffer.  Returns 0, or -1 with errno set if this or
 * any earlier write failed.
 */
int writer_flush(struct writer *writer);

/* Release the buffer of writer_open(), and drop the bytes in it. */
void writer_close(struct writer *writer);

/* WRITER fails: the caller is out of memory. */
void writer_fail_memory(struct writer *writer);

static inline bool
writer_has_failed(const struct writer *writer)
{
    return writer->reason != 0;
}

/* Returns room for a piece.  The caller puts bytes there and advances AT. */
static inline char *
writer_piece(struct writer *writer)
{
    if (writer->at >= writer->end)
        writer->drain(writer);
    return writer->at;
}

static inline void
writer_put_char(struct writer *writer, char byte)
{
    *writer_piece(writer) = byte;
    writer->at++;
}

void writer_put_bytes(struct writer *writer, const void *bytes, size_t size);

static inline void
writer_put_text(struct writer *writer, const char *text)
{
    size_t size = strlen(text);

    if (__builtin_constant_p(size) && size <= WRITER_PIECE_BYTES) {
        memcpy(writer_piece(writer), text, size);
        writer->at += size;
    } else {
        writer_put_bytes(writer, text, size);
    }
}

/*
 * Put the first SIZE bytes of TEXT.  All NUMBER_TEXT_BYTES bytes of TEXT must
 * be readable, because copies of a fixed size are faster; most texts are short.
 */
static inline void
writer_put_short(struct writer *writer, const char text[NUMBER_TEXT_BYTES],
                 size_t size)
{
    if (size > NUMBER_TEXT_BYTES) {
        writer_put_bytes(writer, text, size);
        return;
    }
    char *at = writer_piece(writer);
    memcpy(at, text, 16);
    if (size > 16)
        memcpy(at + 16, text + 16, NUMBER_TEXT_BYTES - 16);
    writer->at += size;
}

static inline void
writer_put_number(struct writer *writer, uint64_t value)
{
    writer->at = number_put(value, writer_piece(writer));
}

static inline void
writer_put_signed(struct writer *writer, int64_t value)
{
    writer->at =
        number_put_integer(wide_of_signed(value), writer_piece(writer));
}

static inline void
writer_put_double(struct writer *writer, double value)
{
    writer->at = number_put_double(value, writer_piece(writer));
}

static inline void
writer_put_fixed(struct writer *writer, double value, unsigned int digits)
{
    writer->at = number_put_fixed(value, digits, writer_piece(writer));
}

#endif
