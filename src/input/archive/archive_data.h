/* archive_data.h -- an archive that libarchive reads, and the data in it */

#ifndef GPUHIST_ARCHIVE_DATA_H
#define GPUHIST_ARCHIVE_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <archive.h>
#include <archive_entry.h>

#include "input/archive/archive_bytes.h"
#include "input/archive/members.h"
#include "input/archive/zip_directory.h"

struct archive_members {
    struct members base;
    struct archive_bytes bytes;
    struct archive *reader;
    struct archive_entry *entry; /* the current one, if HAS_ENTRY */
    bool has_entry;
    bool is_zip_file;  /* it begins as one; a header tells for certain */
    int64_t header_at; /* where its header was looked for */
    uint64_t entries;  /* of the archive, so far */
    struct zip_directory directory;

    /* The current member. */
    char *name;                /* in messages; owned by the caller of next() */
    uint64_t reserved;         /* of the budget, to decode it */
    const unsigned char *data; /* DATA_BYTES of it, ... */
    size_t data_bytes;
    uint64_t zeros;  /* ... after that many zeros */
    uint64_t done;   /* bytes of it that were delivered */
    uint64_t stored; /* of these, not in holes */
    bool has_ended;
};

static inline bool
archive_is_cancelled(const struct archive_members *archive)
{
    return cancel_is_asked(archive->bytes.file.source.cancel);
}

static inline bool
archive_is_zip(const struct archive_members *archive)
{
    return archive_format(archive->reader) == ARCHIVE_FORMAT_ZIP;
}

/* Whether what libarchive reads is a zip archive without its directory. */
static inline bool
archive_is_zip_stream(const struct archive_members *archive)
{
    return archive_is_zip(archive) && !archive->bytes.has_sought;
}

/* Returns where libarchive is in the archive. */
static inline int64_t
archive_at(const struct archive_members *archive)
{
    return archive_filter_bytes(archive->reader, 0);
}

/*
 * Set *ERROR: the archive is bad, in its current member if NAME is that.  Why
 * is DETAIL; NULL: what libarchive says.  Returns -1; or 0 without an error
 * after cancel_ask().
 */
int archive_fail(struct archive_members *archive, const char *name,
                 const char *detail, struct error *error);

/* The supply of the current member. */
ssize_t archive_data_read(struct source_supply *supply, void *buffer,
                          size_t capacity, struct error *error);
uint64_t archive_data_zeros(const struct source_supply *supply);
void archive_data_skip(struct source_supply *supply, uint64_t bytes);

/* The rest of the current member is not read. */
void archive_data_leave(struct archive_members *archive);

#endif
