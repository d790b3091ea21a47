/* SPDX-License-Identifier: MIT */
/*
 * sevenzip.h -- what libarchive does not check of a 7z archive
 *
 * libarchive checks no checksum of the first header, and allocates what the
 * directory asks for.  So the directory is read here first: how much memory
 * libarchive takes for it and for the decoders of its folders.  A folder is a
 * stream of files that are compressed together.  Source: 7zFormat.txt of the
 * LZMA SDK.
 */

#ifndef GPUHIST_SEVENZIP_H
#define GPUHIST_SEVENZIP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "input/archive/archive_bytes.h"

#define SEVENZIP_SIGNATURE "7z\xbc\xaf\x27\x1c"
#define SEVENZIP_SIGNATURE_BYTES 6

/* Whether BYTES, which are not read yet, start as a 7z archive. */
static inline bool
sevenzip_starts(struct archive_bytes *bytes)
{
    unsigned char start[SEVENZIP_SIGNATURE_BYTES];

    return archive_bytes_look(bytes, 0, start, sizeof start) == sizeof start &&
           memcmp(start, SEVENZIP_SIGNATURE, sizeof start) == 0;
}

struct sevenzip {
    uint64_t end;    /* of the archive, in the file */
    uint64_t files;  /* with directories */
    uint64_t memory; /* that libarchive takes */
    uint64_t method; /* one that not every libarchive reads, or 0 */
};

#ifdef HAVE_LZMA

/* Returns where a 7z archive starts in BYTES, in which libarchive may seek,
   within the first mebibytes of a program; 0: none was found. */
uint64_t sevenzip_find(struct archive_bytes *bytes);

/* Read the directory of BYTES, a 7z archive, to *FOUND.  Returns 0, or -1 with
   *ERROR set; after cancel_ask() without an error. */
int sevenzip_check(struct archive_bytes *bytes, struct sevenzip *found,
                   struct error *error);

/* Returns by what a file is compressed, if MESSAGE, libarchive's, says that it
   does not read the method: a static text.  NULL: it says something else. */
const char *sevenzip_method(const struct sevenzip *found, const char *message);

#else

/* Nearly all directories are compressed by LZMA. */

static inline uint64_t
sevenzip_find(struct archive_bytes *bytes)
{
    (void)bytes;
    return 0;
}

static inline int
sevenzip_check(struct archive_bytes *bytes, struct sevenzip *found,
               struct error *error)
{
    (void)found;
    error_set(error, EXIT_DATA,
              "%s: a 7z archive, but this gpuhist is built without lzma",
              bytes->file.source.display_name);
    return -1;
}

static inline const char *
sevenzip_method(const struct sevenzip *found, const char *message)
{
    (void)found;
    (void)message;
    return NULL;
}

#endif

#endif
