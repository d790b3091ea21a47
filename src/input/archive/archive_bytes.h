/* SPDX-License-Identifier: MIT */
/*
 * archive_bytes.h -- the bytes of an archive, as libarchive gets them
 *
 * libarchive gets the decoded bytes of an input, so that our decoders, limits
 * and messages apply. libarchive may seek only in a regular file that is not
 * compressed: then it reads the directory of a zip archive.
 *
 * libarchive keeps headers in memory: a sparse map of tar, a directory of zip.
 * The bytes of a header beyond the first block are reserved in the budget of
 * the archive before libarchive gets them.
 */

#ifndef GPUHIST_ARCHIVE_BYTES_H
#define GPUHIST_ARCHIVE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/archive/archive_api.h"
#include "input/content/content.h"
#include "sync/budget.h"

/* The size of a block, which libarchive gets at a time. */
#define ARCHIVE_BLOCK_BYTES ((size_t)128 << 10)

struct archive_bytes {
    const struct archive_api *api; /* of the library that reads the bytes */
    struct content file;           /* the archive */
    struct budget share;           /* for all decoders of the archive */

    /* libarchive uses block[CURRENT].  The other block has the bytes before or,
       if HAS_AHEAD, the bytes after, AHEAD_BYTES or -1: an error. */
    unsigned char *block[2];
    size_t block_bytes[2];
    unsigned int current;
    bool has_ahead;
    ssize_t ahead_bytes;
    off_t offset; /* of the next bytes for libarchive */

    off_t end;       /* of the bytes in which libarchive may seek */
    bool has_sought; /* libarchive has called the seek callback */

    /* Of the header that libarchive is reading. */
    bool is_header;
    bool is_first_block;
    unsigned int cost; /* bytes of memory for a byte of the header */
    uint64_t reserved; /* of SHARE, for headers */
    bool is_too_large; /* SHARE has no more */
};

/*
 * Open the archive FILE, a path and a name, decompressed as READING says, with
 * a share of BUDGET.  Returns it, for archive_bytes_close(), or NULL with
 * *ERROR set; after cancel_ask() without an error.
 */
struct archive_bytes *archive_bytes_open(const struct source *file,
                                         const struct reading *reading,
                                         struct budget *budget,
                                         struct error *error);

/* Whether libarchive may seek. */
bool archive_bytes_may_seek(const struct archive_bytes *bytes);

/* Returns the size of the archive, if libarchive may seek in it. */
off_t archive_bytes_size(const struct archive_bytes *bytes);

/* Let READER read BYTES.  Returns whether READER accepts. */
bool archive_bytes_attach(struct archive_bytes *bytes, struct archive *reader);

/*
 * Read the next block, as libarchive does: sets *DATA.  Returns its bytes, 0 at
 * the end or after cancel_ask(), or -1 with the error of FILE set.
 */
ssize_t archive_bytes_read(struct archive_bytes *bytes,
                           const unsigned char **data);

/* Go to OFFSET, where libarchive may seek. */
void archive_bytes_go(struct archive_bytes *bytes, off_t offset);

/*
 * Copy the SIZE bytes from AT on to OUT.  If libarchive may not seek, they must
 * be in the last two blocks, or follow them.  Returns how many are copied:
 * fewer at the end, or if the error of FILE is set.
 */
size_t archive_bytes_look(struct archive_bytes *bytes, off_t at,
                          unsigned char *out, size_t size);

/* Whether all SIZE bytes at DATA are 0, as those between archives. */
bool archive_bytes_are_zero(const unsigned char *data, size_t size);

/*
 * libarchive starts to read a header: each byte may take COST bytes of memory.
 * Unless libarchive KEEPS earlier headers, the memory of these returns to the
 * budget.
 */
void archive_bytes_start_header(struct archive_bytes *bytes, unsigned int cost,
                                bool keeps);
void archive_bytes_end_header(struct archive_bytes *bytes);

/* Release everything. */
void archive_bytes_close(struct archive_bytes *bytes);

#endif
