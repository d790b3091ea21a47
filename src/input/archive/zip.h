/* SPDX-License-Identifier: MIT */
/*
 * zip.h -- what libarchive does not check of a zip archive
 *
 * Only the directory at the end tells the kind of each entry. libarchive reads
 * the directory if it may seek.  From a pipe libarchive reads the entries
 * alone, so each found entry is noted, and compared with the directory at the
 * end.
 */

#ifndef GPUHIST_ZIP_H
#define GPUHIST_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/archive/archive_bytes.h"

/* The last record of a zip archive, which a comment follows. */
#define ZIP_END_BYTES 22
#define ZIP_END_BYTES_MAX (ZIP_END_BYTES + 0xffff)

/* The size of a file that is not read to its end is unknown. */
#define ZIP_SIZE_UNKNOWN UINT64_MAX

/* A found entry. */
struct zip_found {
    uint64_t from; /* the header starts here or later */
    uint64_t size; /* of the file, or ZIP_SIZE_UNKNOWN */
    bool is_file;  /* the file was counted */
    bool is_listed;
};

struct zip_directory {
    struct zip_found *found; /* in the order of the archive; owned */
    size_t count;
    size_t room;
    uint64_t listed;   /* entries of the directory */
    uint64_t reserved; /* of the budget */
};

/* Note an entry whose header starts at FROM or later.  Returns 0, or -1: SHARE
   has no memory left. */
int zip_directory_add(struct zip_directory *directory, struct budget *share,
                      uint64_t from, bool is_file);

/* The entry that was noted last is a file of SIZE bytes. */
void zip_directory_set_size(struct zip_directory *directory, uint64_t size);

/*
 * Compare the directory, which starts in BYTES at FROM or later, with the found
 * entries; sets *AT to its start.  The bytes are read in order.  NAME is the
 * archive's.  Returns 0, or -1 with *ERROR or the error of the file set.
 */
int zip_directory_check(struct zip_directory *directory,
                        struct archive_bytes *bytes, uint64_t from,
                        uint64_t *at, const char *name, struct error *error);

/*
 * All of BYTES is read, or libarchive may seek: check the last record, for an
 * archive with ENTRIES, whose directory is at AT; UINT64_MAX: anywhere.
 * Returns as zip_directory_check().
 */
int zip_directory_check_end(struct archive_bytes *bytes, uint64_t entries,
                            uint64_t at, const char *name, struct error *error);

/*
 * BYTES start as a zip archive, and libarchive may seek in them.  Returns the
 * end of the last record if its comment is too long for libarchive to find the
 * record; otherwise the end of the file.
 */
off_t zip_directory_end(struct archive_bytes *bytes);

/* Release everything. */
void zip_directory_close(struct zip_directory *directory, struct budget *share);

/*
 * Returns the bytes of memory that decoding a file takes, by the file's first
 * bytes; 0: few.  The data start AT in BYTES.  FORMAT is libarchive's name of
 * the format.
 */
uint64_t zip_memory_bytes(struct archive_bytes *bytes, off_t at,
                          const char *format);

#endif
