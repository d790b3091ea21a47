/* SPDX-License-Identifier: MIT */
/*
 * cpio_bytes.h -- the bytes of cpio archives, in order
 *
 * After the archives of an initramfs a compressed archive may follow: the bytes
 * go on with its content.
 */

#ifndef GPUHIST_CPIO_BYTES_H
#define GPUHIST_CPIO_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "input/archive/archive_bytes.h"
#include "input/archive/cpio_header.h"

/* Bytes in memory: LEFT at BLOCK, and then NEXT_LEFT at NEXT_BLOCK. */
struct cpio_window {
    const unsigned char *block;
    size_t left;
    const unsigned char *next_block;
    size_t next_left;
};

/* The compressed archive after others. */
struct cpio_packed {
    struct source_supply supply; /* of the compressed bytes */
    struct archive_bytes *outer;
    struct cpio_window window; /* of the compressed bytes */
    struct content content;
    unsigned char *block;
    char *name; /* in messages */
};

struct cpio_bytes {
    struct archive_bytes *outer;   /* owned */
    const struct reading *reading; /* of the outer bytes; the owner's */
    struct cpio_packed *packed;    /* NULL: not reached */
    uint64_t at; /* of the next byte, in OUTER or the content of PACKED */

    struct cpio_window window;            /* from AT on */
    unsigned char back[CPIO_MAGIC_BYTES]; /* bytes that are given again */
};

/* Returns the name of the file read, for messages. */
const char *cpio_bytes_name(const struct cpio_bytes *bytes);

bool cpio_bytes_are_cancelled(const struct cpio_bytes *bytes);

/*
 * Set *DATA to the next bytes, up to SIZE, and pass them.  Returns their
 * number, 0 at the end or after cancel_ask(), or -1 with *ERROR set.
 */
ssize_t cpio_bytes_pass(struct cpio_bytes *bytes, const unsigned char **data,
                        uint64_t size, struct error *error);

/* Copy the next SIZE bytes to OUT; NULL: drop them.  Returns their number,
   fewer at the end or after cancel_ask(); or -1 with *ERROR set. */
int64_t cpio_bytes_take(struct cpio_bytes *bytes, unsigned char *out,
                        uint64_t size, struct error *error);

/* Give the last COUNT bytes at DATA again, at most CPIO_MAGIC_BYTES. */
void cpio_bytes_return(struct cpio_bytes *bytes, const unsigned char *data,
                       size_t count);

/* Pass zeros.  Returns 1 if another byte is next; 0 at the end or after
   cancel_ask(); or -1 with *ERROR set. */
int cpio_bytes_pass_zeros(struct cpio_bytes *bytes, struct error *error);

/*
 * If compressed data start here, go on with their content.  Returns 1 if so; 0
 * if not, or after cancel_ask(); or -1 with *ERROR set.
 */
int cpio_bytes_unpack(struct cpio_bytes *bytes, struct error *error);

/* Whether the data lack the mark of their end: see struct decoder. */
bool cpio_bytes_lack_end_mark(const struct cpio_bytes *bytes);

/* Release everything. */
void cpio_bytes_close(struct cpio_bytes *bytes);

#endif
