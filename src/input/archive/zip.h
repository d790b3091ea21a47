/*
 * zip.h -- what libarchive does not check of a zip archive
 *
 * Only the directory at the end tells what kind of file an entry is.
 * libarchive reads it where it may seek.  Of a pipe it reads the entries alone,
 * so each that it has found is noted, and compared with the directory when that
 * comes.
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

/* The size of a file is not known: it has not been read to its end. */
#define ZIP_SIZE_UNKNOWN UINT64_MAX

/* An entry as it was found. */
struct zip_found {
    uint64_t from; /* its header begins here or later */
    uint64_t size; /* of the file, or ZIP_SIZE_UNKNOWN */
    bool is_file;  /* it was counted */
    bool is_listed;
};

struct zip_directory {
    struct zip_found *found; /* in the order of the archive; owned */
    size_t count;
    size_t room;
    uint64_t listed;   /* entries of the directory */
    uint64_t reserved; /* of the budget */
};

/* Note an entry whose header begins at FROM or later.  Returns 0, or -1: there
   is no memory in SHARE. */
int zip_directory_add(struct zip_directory *directory, struct budget *share,
                      uint64_t from, bool is_file);

/* The entry that was noted last is a file of SIZE bytes. */
void zip_directory_set_size(struct zip_directory *directory, uint64_t size);

/*
 * Compare the directory, which starts in BYTES at FROM or later, with the
 * entries that were found; sets *AT to its start.  The bytes are read in order.
 * NAME is the archive's.  Returns 0, or -1 with *ERROR set, or with that of the
 * file.
 */
int zip_directory_check(struct zip_directory *directory,
                        struct archive_bytes *bytes, uint64_t from,
                        uint64_t *at, const char *name, struct error *error);

/*
 * All of BYTES is read, or one may seek: check the last record, for an archive
 * with ENTRIES, whose directory is at AT; UINT64_MAX: anywhere.  Returns as
 * above.
 */
int zip_directory_check_end(struct archive_bytes *bytes, uint64_t entries,
                            uint64_t at, const char *name, struct error *error);

/*
 * BYTES, in which one may seek, start as a zip archive: returns the end of the
 * last record if its comment is longer than libarchive looks back; otherwise
 * that of the file.
 */
off_t zip_directory_end(struct archive_bytes *bytes);

/* Release everything. */
void zip_directory_close(struct zip_directory *directory, struct budget *share);

/*
 * Returns the bytes of memory that decoding a file takes, as its first bytes
 * say; 0: few.  Its data start AT in BYTES.  FORMAT is the format's name, by
 * libarchive.
 */
uint64_t zip_memory_bytes(struct archive_bytes *bytes, off_t at,
                          const char *format);

#endif
