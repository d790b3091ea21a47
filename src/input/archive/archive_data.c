/* archive_data.c -- the data of a file in an archive */

#include <string.h>

#include "input/archive/archive_data.h"

/*
 * Returns the end of a message: the size of the current member follows its
 * data, and libarchive may not have found it.
 */
static const char *
remedy(const struct archive_members *archive, const char *name)
{
    return name == archive->name && archive_is_zip_stream(archive) &&
                   !archive_entry_size_is_set(archive->entry) &&
                   !archive_bytes_may_seek(&archive->bytes)
               ? " (a regular file is read by its directory)"
               : "";
}

int
archive_fail(struct archive_members *archive, const char *name,
             const char *detail, struct error *error)
{
    struct source *source = &archive->bytes.file.source;

    if (archive_is_cancelled(archive)) {
        error_clear(&source->error);
        return 0;
    }
    if (source->error.status != EXIT_DONE) {
        error_move(error, &source->error);
        return -1;
    }
    if (error->status != EXIT_DONE)
        return -1;
    if (detail == NULL)
        detail = archive_error_string(archive->reader);
    if (detail == NULL)
        detail = "it cannot be read";
    if (strstr(detail, "unknown error") != NULL)
        detail = "the data are damaged or cut short";
    /* Some texts of libarchive end with a newline. */
    error_set(error, EXIT_DATA, "%s: bad archive at byte %lld: %.*s%s", name,
              (long long)archive_at(archive), (int)strcspn(detail, "\n"),
              detail, remedy(archive, name));
    return -1;
}

/* A hole of BYTES is next. */
static void
begin_hole(struct archive_members *archive, uint64_t bytes)
{
    archive->zeros = bytes;
    progress_expect_zeros(archive->bytes.file.source.progress, bytes);
}

/*
 * The data of a file in a tar archive have ended before its size: the rest is a
 * hole, which the map of a sparse file has.  Returns 0, or -1 with *ERROR set.
 */
static int
end_with_hole(struct archive_members *archive, uint64_t size,
              struct error *error)
{
    struct archive_entry *entry = archive->entry;
    la_int64_t offset, length;
    uint64_t mapped = 0;

    if (archive_entry_sparse_reset(entry) == 0)
        return archive_fail(
            archive, archive->name,
            "it has fewer data than its size, and no map of holes", error);
    while (archive_entry_sparse_next(entry, &offset, &length) == ARCHIVE_OK)
        mapped += (uint64_t)length;
    if (mapped != archive->stored)
        return archive_fail(archive, archive->name,
                            "it has fewer data than its map", error);
    begin_hole(archive, size - archive->done);
    return 0;
}

/* The data of the member have ended.  Returns 0, or -1 with *ERROR set. */
static int
end_data(struct archive_members *archive, struct error *error)
{
    int64_t size = archive_entry_size(archive->entry);
    bool is_sized = archive_entry_size_is_set(archive->entry) && size >= 0;

    archive->has_ended = true;
    if (archive_is_zip_stream(archive))
        zip_directory_set_size(&archive->directory, archive->done);
    if (!is_sized || archive->done == (uint64_t)size)
        return 0;
    if (archive_is_zip(archive) || archive->done > (uint64_t)size)
        return archive_fail(archive, archive->name, "a file has another size",
                            error);
    return end_with_hole(archive, (uint64_t)size, error);
}

/* Whether the current member is empty: libarchive need not decode it, and
   cannot for some formats. */
static bool
is_empty(const struct archive_members *archive)
{
    return archive_is_zip(archive) &&
           archive_entry_size_is_set(archive->entry) &&
           archive_entry_size(archive->entry) == 0;
}

/*
 * Get the next data of the member from libarchive.  Returns 1; 0 after
 * cancel_ask(); or -1 with *ERROR set.
 */
static int
get_data(struct archive_members *archive, struct error *error)
{
    const void *data;
    la_int64_t offset;
    int status = is_empty(archive)
                     ? ARCHIVE_EOF
                     : archive_read_data_block(archive->reader, &data,
                                               &archive->data_bytes, &offset);

    if (status != ARCHIVE_OK)
        archive->data_bytes = 0;
    if (status == ARCHIVE_EOF)
        return end_data(archive, error) < 0 ? -1 : 1;
    if (status != ARCHIVE_OK)
        return archive_fail(archive, archive->name, NULL, error);
    if (offset < 0 || (uint64_t)offset < archive->done)
        return archive_fail(archive, archive->name, "its parts overlap", error);
    archive->data = data;
    begin_hole(archive, (uint64_t)offset - archive->done);
    archive->stored += archive->data_bytes;
    return 1;
}

uint64_t
archive_data_zeros(const struct source_supply *supply)
{
    return ((const struct archive_members *)supply)->zeros;
}

void
archive_data_skip(struct source_supply *supply, uint64_t bytes)
{
    struct archive_members *archive = (struct archive_members *)supply;

    archive->zeros -= bytes;
    archive->done += bytes;
    progress_add_zeros(archive->bytes.file.source.progress, bytes);
}

void
archive_data_leave(struct archive_members *archive)
{
    archive_data_skip(&archive->base.supply, archive->zeros);
}

ssize_t
archive_data_read(struct source_supply *supply, void *buffer, size_t capacity,
                  struct error *error)
{
    struct archive_members *archive = (struct archive_members *)supply;
    unsigned char *out = buffer;
    size_t done = 0;

    while (done < capacity) {
        size_t room = capacity - done;
        if (archive->zeros > 0) {
            size_t size = archive->zeros < room ? (size_t)archive->zeros : room;
            memset(out + done, 0, size);
            archive_data_skip(supply, size);
            done += size;
        } else if (archive->data_bytes > 0) {
            size_t size =
                archive->data_bytes < room ? archive->data_bytes : room;
            memcpy(out + done, archive->data, size);
            archive->data += size;
            archive->data_bytes -= size;
            archive->done += size;
            done += size;
        } else {
            int more = archive->has_ended || archive_is_cancelled(archive)
                           ? 0
                           : get_data(archive, error);
            if (more < 0)
                return -1;
            if (more == 0)
                break;
        }
    }
    return (ssize_t)done;
}
