/*
 * archive_members.c -- the members of tar and zip archives, by libarchive
 *
 * libarchive gets the decoded bytes of an input, so that our decoders, limits
 * and messages apply.  It may seek only in a regular file that is not
 * compressed: then it reads the directory of a zip archive.
 *
 * What libarchive calls a warning is an error: a wrong checksum is one.  Two
 * things that it does not check are checked here.  A tar archive ends with a
 * block of zeros, otherwise it is cut short.  A zip archive ends with a record
 * that has the number of its files.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <archive.h>
#include <archive_entry.h>

#include "input/members.h"
#include "util/little_endian.h"

/* What libarchive gets at once; tar has blocks of TAR_BLOCK_BYTES. */
#define BLOCK_BYTES ((size_t)128 << 10)
#define TAR_BLOCK_BYTES 512

/* The last record of a zip archive, with a comment behind it. */
#define ZIP_END "PK\005\006"
#define ZIP_END_BYTES 22
#define ZIP_END_ENTRIES 10  /* offset of the number of files: 2 bytes ... */
#define ZIP_END_MANY 0xffff /* ... of which this says that they are too few */
#define ZIP_END_SIZE 12     /* offset of the directory's size: 4 bytes ... */
#define ZIP_END_BEGIN 16    /* ... and of where it begins: 4 bytes */
#define ZIP_END_FAR 0xffffffff
#define ZIP_END_COMMENT 20 /* offset of the length of the comment: 2 bytes */
#define ZIP_END_BYTES_MAX (ZIP_END_BYTES + 0xffff)

struct archive_members {
    struct members base;
    struct content file; /* the archive */
    struct archive *reader;
    struct archive_entry *entry; /* the current one */

    /* Bytes of FILE: libarchive uses block[CURRENT], the one before is kept. */
    unsigned char *block[2];
    size_t block_bytes[2];
    unsigned int current;
    off_t offset;     /* of the next ones */
    uint64_t entries; /* of the archive, so far */

    /* The current member. */
    char *name;                /* in messages; owned by the caller of next() */
    const unsigned char *data; /* DATA_BYTES of it, ... */
    size_t data_bytes;
    uint64_t zeros; /* ... after that many zeros */
    uint64_t done;  /* bytes of it that were delivered */
    bool has_ended;
};

static struct archive_members *
archive_of(struct members *members)
{
    return (struct archive_members *)members;
}

/* Whether libarchive may seek in FILE. */
static bool
may_seek(const struct archive_members *archive)
{
    return archive->file.source.is_regular && archive->file.decoder == NULL;
}

static bool
is_cancelled(const struct archive_members *archive)
{
    return cancel_is_asked(archive->file.source.cancel);
}

/* Returns the size of FILE, in which one may seek. */
static off_t
file_size(const struct archive_members *archive)
{
    const struct source *source = &archive->file.source;

    return source->size > source->first ? source->size - source->first : 0;
}

/* ---- the callbacks of libarchive ---- */

/* Read up to SIZE bytes at the offset of a file in which one may seek. */
static ssize_t
read_there(struct archive_members *archive, unsigned char *data, size_t size)
{
    struct source *source = &archive->file.source;
    size_t done = 0;

    while (done < size && !is_cancelled(archive)) {
        ssize_t got =
            source_peek(source, data + done, size - done,
                        source->first + archive->offset + (off_t)done);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        progress_add(source->progress, (uint64_t)got);
        if (source->identity != NULL)
            identity_add_at(source->identity, source->fd, data + done,
                            (size_t)got,
                            source->first + archive->offset + (off_t)done);
        done += (size_t)got;
    }
    archive->offset += (off_t)done;
    return (ssize_t)done;
}

static la_ssize_t
read_block(struct archive *reader, void *context, const void **block)
{
    struct archive_members *archive = context;
    unsigned int next = 1 - archive->current;
    ssize_t got =
        may_seek(archive)
            ? read_there(archive, archive->block[next], BLOCK_BYTES)
            : content_read(&archive->file, archive->block[next], BLOCK_BYTES);

    if (got < 0) {
        archive_set_error(reader, EIO, "read error");
        return ARCHIVE_FATAL;
    }
    if (got > 0) {
        archive->offset += may_seek(archive) ? 0 : (off_t)got;
        archive->current = next;
        archive->block_bytes[next] = (size_t)got;
    }
    *block = archive->block[archive->current];
    return got;
}

static la_int64_t
seek(struct archive *reader, void *context, la_int64_t offset, int whence)
{
    struct archive_members *archive = context;
    off_t size = file_size(archive);
    off_t base = whence == SEEK_END   ? size
                 : whence == SEEK_CUR ? archive->offset
                                      : 0;

    if (offset < -base || offset > size - base) {
        archive_set_error(reader, EINVAL, "Truncated archive");
        return ARCHIVE_FATAL;
    }
    archive->offset = base + offset;
    return archive->offset;
}

/* ---- errors ---- */

/*
 * Set *ERROR: the archive is bad, in its current member if NAME is that.  Why
 * is DETAIL; NULL: what libarchive says.  Returns -1; or 0 without an error
 * after cancel_ask().
 */
static int
fail(struct archive_members *archive, const char *name, const char *detail,
     struct error *error)
{
    struct source *source = &archive->file.source;

    if (is_cancelled(archive)) {
        error_clear(&source->error);
        return 0;
    }
    if (source->error.status != EXIT_DONE) {
        error_move(error, &source->error);
        return -1;
    }
    if (detail == NULL)
        detail = archive_error_string(archive->reader);
    if (detail == NULL)
        detail = "unknown error";
    /* Some texts of libarchive end with a newline. */
    error_set(error, EXIT_DATA, "%s: bad archive at byte %lld: %.*s", name,
              (long long)archive_filter_bytes(archive->reader, 0),
              (int)strcspn(detail, "\n"), detail);
    return -1;
}

static struct archive_members *
fail_memory(struct archive_members *archive, const char *name,
            struct error *error)
{
    error_set(error, EXIT_DATA, "%s: out of memory", name);
    archive_members_type.close(&archive->base);
    return NULL;
}

/* Set *ERROR: the archive cannot be opened. */
static void
fail_open(struct archive_members *archive, struct error *error)
{
    const char *name = archive->file.source.display_name;
    bool is_read = archive->file.source.error.status == EXIT_DONE &&
                   !is_cancelled(archive);
    int number = archive_errno(archive->reader);

    if (is_read && (number == 0 || number == ENOMEM))
        error_set(error, EXIT_DATA, "%s: out of memory", name);
    else if (is_read)
        error_set(error, EXIT_DATA,
                  "%s: not a tar or zip archive (--members counts the files in "
                  "archives)",
                  name);
    else
        fail(archive, name, NULL, error);
}

/* ---- the end of an archive ---- */

/*
 * Whether the bytes that libarchive got last end with a block of zeros, behind
 * the last file, which may end with zeros, too.
 */
static bool
ends_with_zeros(const struct archive_members *archive)
{
    const unsigned char *block = archive->block[archive->current];
    size_t size = archive->block_bytes[archive->current];

    if (size < TAR_BLOCK_BYTES ||
        archive->offset <
            archive_read_header_position(archive->reader) + TAR_BLOCK_BYTES)
        return false;
    for (size_t i = size - TAR_BLOCK_BYTES; i < size; i++) {
        if (block[i] != 0)
            return false;
    }
    return true;
}

/*
 * Copy up to ZIP_END_BYTES_MAX of the last bytes of a zip archive, all of which
 * libarchive has read or may seek in, to TAIL.  Returns how many they are, or
 * -1 with the error of FILE set.
 */
static ssize_t
copy_tail(struct archive_members *archive, unsigned char *tail)
{
    size_t last = archive->block_bytes[archive->current];
    ssize_t done = 0;

    if (may_seek(archive)) {
        off_t size = file_size(archive);
        archive->offset =
            size > ZIP_END_BYTES_MAX ? size - ZIP_END_BYTES_MAX : 0;
        return read_there(archive, tail, ZIP_END_BYTES_MAX);
    }
    for (unsigned int i = 0; i < 2; i++) {
        unsigned int which = i == 0 ? 1 - archive->current : archive->current;
        const unsigned char *block = archive->block[which];
        size_t size = archive->block_bytes[which];
        size_t room = ZIP_END_BYTES_MAX;
        if (i == 0)
            room -= last < room ? last : room;
        size_t used = size < room ? size : room;
        memcpy(tail + done, block + size - used, used);
        done += (ssize_t)used;
    }
    return done;
}

/*
 * Whether the directory ends AT, where the last record, RECORD, is: otherwise
 * there is another archive in front, which libarchive would count instead.
 */
static bool
is_behind_directory(const unsigned char *record, uint64_t at)
{
    uint64_t size = little_endian_32(record + ZIP_END_SIZE);
    uint64_t begin = little_endian_32(record + ZIP_END_BEGIN);

    return size == ZIP_END_FAR || begin == ZIP_END_FAR ||
           little_endian_16(record + ZIP_END_ENTRIES) == ZIP_END_MANY ||
           begin + size == at;
}

/* Returns the last record among the SIZE bytes of TAIL, or NULL. */
static const unsigned char *
find_zip_end(const unsigned char *tail, size_t size)
{
    for (size_t behind = ZIP_END_BYTES; behind <= size; behind++) {
        const unsigned char *record = tail + size - behind;
        if (memcmp(record, ZIP_END, sizeof ZIP_END - 1) == 0 &&
            little_endian_16(record + ZIP_END_COMMENT) ==
                behind - ZIP_END_BYTES)
            return record;
    }
    return NULL;
}

/* Check the last record of a zip archive.  Returns 0, or -1 with *ERROR set. */
static int
check_zip_end(struct archive_members *archive, struct error *error)
{
    const char *name = archive->file.source.display_name;
    unsigned char *tail = malloc(ZIP_END_BYTES_MAX);

    if (tail == NULL) {
        error_set(error, EXIT_DATA, "%s: out of memory", name);
        return -1;
    }
    ssize_t size = copy_tail(archive, tail);
    const unsigned char *record =
        size > 0 ? find_zip_end(tail, (size_t)size) : NULL;
    bool has_end = record != NULL;
    unsigned int entries =
        has_end ? little_endian_16(record + ZIP_END_ENTRIES) : 0;
    bool is_first =
        !has_end || may_seek(archive) ||
        is_behind_directory(
            record, (uint64_t)(archive->offset - (tail + size - record)));
    free(tail);
    if (size < 0 || is_cancelled(archive))
        return fail(archive, name, NULL, error);
    if (!has_end)
        error_set(error, EXIT_DATA,
                  "%s: bad archive: it does not end as a zip archive", name);
    else if (!is_first)
        error_set(error, EXIT_DATA,
                  "%s: bad archive: its directory is not at its place", name);
    else if (entries != ZIP_END_MANY && entries != (archive->entries & 0xffff))
        error_set(error, EXIT_DATA,
                  "%s: bad archive: its directory has %u entr%s, but %llu are "
                  "there",
                  name, entries, entries == 1 ? "y" : "ies",
                  (unsigned long long)archive->entries);
    return error->status == EXIT_DONE ? 0 : -1;
}

/* Check the end as the format has it.  Returns 0, or -1 with *ERROR set. */
static int
check_format_end(struct archive_members *archive, struct error *error)
{
    const char *name = archive->file.source.display_name;
    const void *ignored;
    la_ssize_t got;

    if (archive_format(archive->reader) != ARCHIVE_FORMAT_ZIP)
        return ends_with_zeros(archive)
                   ? 0
                   : fail(archive, name, "a tar archive without an end", error);
    /* The decoder checks what follows the last member, too. */
    while (!may_seek(archive) &&
           (got = read_block(archive->reader, archive, &ignored)) != 0) {
        if (got < 0)
            return fail(archive, name, NULL, error);
    }
    return is_cancelled(archive) ? 0 : check_zip_end(archive, error);
}

/* libarchive has found the end.  Returns 0, or -1 with *ERROR set. */
static int
check_end(struct archive_members *archive, struct error *error)
{
    const struct decoder *decoder = archive->file.decoder;
    int result = check_format_end(archive, error);

    archive->base.lacks_end_mark = decoder != NULL && decoder->lacks_end_mark;
    return result;
}

/* ---- members ---- */

/*
 * Whether RESULT, that of reading a header, is a warning that a name has
 * characters which the locale lacks.
 */
static bool
is_strange_name(const struct archive_members *archive, int result)
{
    const char *text = archive_error_string(archive->reader);

    return result == ARCHIVE_WARN && text != NULL &&
           strstr(text, " to current locale") != NULL;
}

/* Returns a new text: the name of the current member in messages, or NULL. */
static char *
make_name(const struct archive_members *archive)
{
    const char *file = archive->file.source.display_name;
    const char *path = archive_entry_pathname(archive->entry);
    char *name;

    if (path == NULL)
        path = archive_entry_pathname_utf8(archive->entry);
    int length = path != NULL ? asprintf(&name, "%s: %s", file, path)
                              : asprintf(&name, "%s: member %llu", file,
                                         (unsigned long long)archive->entries);
    return length < 0 ? NULL : name;
}

/* Returns 1 if the current entry is a member; 0 if not; -1: *ERROR is set. */
static int
begin_entry(struct archive_members *archive, char **name, struct error *error)
{
    struct archive_entry *entry = archive->entry;
    unsigned int type = archive_entry_filetype(entry);

    archive->entries++;
    if ((type != 0 && type != AE_IFREG) ||
        archive_entry_hardlink(entry) != NULL) {
        archive->base.others++;
        return 0;
    }
    *name = make_name(archive);
    archive->name = *name;
    if (*name == NULL) {
        error_set(error, EXIT_DATA, "%s: out of memory",
                  archive->file.source.display_name);
        return -1;
    }
    archive->base.count++;
    archive->data_bytes = 0;
    archive->zeros = 0;
    archive->done = 0;
    archive->has_ended = false;
    if (!archive_entry_is_data_encrypted(entry))
        return 1;
    error_set(error, EXIT_DATA, "%s: it is encrypted", *name);
    return -1;
}

static int
next_member(struct members *members, char **name, struct error *error)
{
    struct archive_members *archive = archive_of(members);
    const char *file = archive->file.source.display_name;
    int result = 0;

    *name = NULL;
    while (result == 0 && !is_cancelled(archive)) {
        int status = archive_read_next_header2(archive->reader, archive->entry);
        if (status == ARCHIVE_EOF) {
            result = check_end(archive, error);
            if (result == 0)
                source_identify(&archive->file.source);
            return result;
        }
        if (status != ARCHIVE_OK && !is_strange_name(archive, status))
            return fail(archive, file, NULL, error);
        result = begin_entry(archive, name, error);
    }
    return result;
}

/* The data of the member have ended.  Returns 0, or -1 with *ERROR set. */
static int
end_data(struct archive_members *archive, struct error *error)
{
    int64_t size = archive_entry_size(archive->entry);
    bool is_sized = archive_entry_size_is_set(archive->entry) && size >= 0;
    bool is_zip = archive_format(archive->reader) == ARCHIVE_FORMAT_ZIP;

    archive->has_ended = true;
    if (!is_sized || archive->done == (uint64_t)size)
        return 0;
    if (is_zip || archive->done > (uint64_t)size)
        return fail(archive, archive->name, "a file has another size", error);
    /* A sparse file in a tar archive ends with a hole. */
    archive->zeros = (uint64_t)size - archive->done;
    return 0;
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
    int status = archive_read_data_block(archive->reader, &data,
                                         &archive->data_bytes, &offset);

    if (status != ARCHIVE_OK)
        archive->data_bytes = 0;
    if (status == ARCHIVE_EOF)
        return end_data(archive, error) < 0 ? -1 : 1;
    if (status != ARCHIVE_OK)
        return fail(archive, archive->name, NULL, error);
    if (offset < 0 || (uint64_t)offset < archive->done)
        return fail(archive, archive->name, "its parts overlap", error);
    archive->data = data;
    archive->zeros = (uint64_t)offset - archive->done;
    return 1;
}

static ssize_t
read_member(struct source_supply *supply, void *buffer, size_t capacity,
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
            archive->zeros -= size;
            archive->done += size;
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
            int more = archive->has_ended || is_cancelled(archive)
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

static void
close_members(struct members *members)
{
    struct archive_members *archive = archive_of(members);

    archive_entry_free(archive->entry);
    if (archive->reader != NULL)
        archive_read_free(archive->reader);
    content_free(&archive->file);
    free(archive->block[0]);
    free(archive->block[1]);
    free(archive);
}

static struct members *
open_members(const struct source *file, const struct reading *reading,
             struct budget *budget, struct error *error)
{
    const char *name = file->display_name;
    struct archive_members *archive = calloc(1, sizeof *archive);

    if (archive == NULL) {
        error_set(error, EXIT_DATA, "%s: out of memory", name);
        return NULL;
    }
    archive->base.type = &archive_members_type;
    archive->base.supply.read = read_member;
    budget_open_share(&archive->base.share, budget);
    archive->file.source = (struct source){.path = file->path,
                                           .display_name = name,
                                           .wrong = file->wrong,
                                           .identity = file->identity,
                                           .fd = -1};
    if (content_open_archive(&archive->file, reading, &archive->base.share) <
        0) {
        error_move(error, &archive->file.source.error);
        close_members(&archive->base);
        return NULL;
    }
    archive->base.seems = archive->file.seems;
    archive->reader = archive_read_new();
    /* Of its own entry libarchive does not check that there was memory. */
    if (archive->reader != NULL)
        archive->entry = archive_entry_new2(archive->reader);
    archive->block[0] = malloc(BLOCK_BYTES);
    archive->block[1] = malloc(BLOCK_BYTES);
    if (archive->entry == NULL || archive->block[0] == NULL ||
        archive->block[1] == NULL ||
        archive_read_support_format_tar(archive->reader) != ARCHIVE_OK ||
        archive_read_support_format_zip(archive->reader) != ARCHIVE_OK ||
        archive_read_set_format_option(archive->reader, "tar",
                                       "read_concatenated_archives",
                                       "1") != ARCHIVE_OK ||
        archive_read_set_read_callback(archive->reader, read_block) !=
            ARCHIVE_OK ||
        archive_read_set_callback_data(archive->reader, archive) !=
            ARCHIVE_OK) {
        fail_memory(archive, name, error);
        return NULL;
    }
    if (may_seek(archive))
        archive_read_set_seek_callback(archive->reader, seek);
    if (archive_read_open1(archive->reader) != ARCHIVE_OK) {
        fail_open(archive, error);
        close_members(&archive->base);
        return NULL;
    }
    return &archive->base;
}

const struct members_type archive_members_type = {
    .open = open_members,
    .next = next_member,
    .close = close_members,
};
