/* SPDX-License-Identifier: MIT */
/*
 * library_members.c -- the members of tar, zip and 7z archives, by libarchive
 *
 * A warning of libarchive is an error, such as a wrong checksum.  This file
 * checks what libarchive does not: the end of a tar archive, and its maps of
 * sparse files; the directories of zip (zip.h) and 7z (sevenzip.h); the kinds
 * of files that have data; and the memory for decoding and for headers.
 */

#include <errno.h>
#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/archive/archive_api.h"
#include "input/archive/archive_bytes.h"
#include "input/archive/library_members.h"
#include "input/archive/other_format.h"
#include "input/archive/sevenzip.h"
#include "input/archive/zip.h"
#include "input/content/array_choice.h"

/* The memory that a byte of a header may take: an entry of a sparse map has 4
   bytes or more, an entry of a directory 46. */
#define TAR_HEADER_COST 20
#define ZIP_HEADER_COST 4

/* Of a header of tar: the offset of its type, and the type of a list of
   names. */
#define TAR_TYPE_AT 156
#define TAR_NAME_LIST 'D'

#define TAR_BLOCK_BYTES 512

/* A header has this at an offset, in all formats since 1988. */
#define TAR_MAGIC "ustar"
#define TAR_MAGIC_AT 257

/* The checksum, in octal, is the sum of all bytes, with blanks for its own. */
#define TAR_CHECKSUM_AT 148
#define TAR_CHECKSUM_BYTES 8

/* How far the last zeros are looked at. */
#define LOOK_BYTES (64 << 10)

struct library_members {
    struct members base;
    struct archive_bytes *bytes; /* owned */
    struct archive_api api;
    struct archive *reader;
    struct array_choice *choice; /* of files to count; NULL: all */
    struct archive_entry *entry; /* the current entry, if HAS_ENTRY */
    bool has_entry;
    bool is_7z;
    struct sevenzip sevenzip; /* with a reservation of MEMORY */
    locale_t names;    /* in which libarchive can write names of 7z; or 0 */
    bool is_zip_file;  /* starts like zip; a header tells for certain */
    int64_t header_at; /* start of the search for its header */
    uint64_t entries;  /* in the archive, so far */
    struct zip_directory directory;

    /* The current member. */
    char *name;                /* in messages; owned by the caller of next() */
    uint64_t reserved;         /* of the budget, to decode it */
    const unsigned char *data; /* DATA_BYTES of the member, ... */
    size_t data_bytes;
    uint64_t zeros;  /* ... after this many zeros */
    uint64_t done;   /* bytes delivered of the member */
    uint64_t stored; /* of DONE, not in holes */
    bool has_ended;
};

static struct library_members *
archive_of(struct members *members)
{
    return (struct library_members *)members;
}

static bool
is_cancelled(const struct library_members *archive)
{
    return cancel_is_asked(archive->bytes->file.source.cancel);
}

static bool
is_zip(const struct library_members *archive)
{
    return archive->api.archive_format(archive->reader) == ARCHIVE_FORMAT_ZIP;
}

/* Whether libarchive reads a zip archive without its directory. */
static bool
is_zip_stream(const struct library_members *archive)
{
    return is_zip(archive) && !archive->bytes->has_sought;
}

static bool
is_tar(const struct library_members *archive)
{
    return !archive->is_7z && !is_zip(archive);
}

/* Returns where libarchive is in the archive. */
static int64_t
position(const struct library_members *archive)
{
    return archive->api.archive_filter_bytes(archive->reader, 0);
}

/* ---- errors ---- */

/* Returns the end of a message: the size of the current member may follow its
   data, where libarchive may not have found the size. */
static const char *
remedy(const struct library_members *archive, const char *name)
{
    return name == archive->name && is_zip_stream(archive) &&
                   !archive->api.archive_entry_size_is_set(archive->entry) &&
                   !archive_bytes_may_seek(archive->bytes)
               ? " (a regular file is read by its directory)"
               : "";
}

/*
 * Set *ERROR: the archive is bad, in its current member if NAME is the
 * member's.  DETAIL is the reason; NULL: libarchive's text.  Returns -1; or 0
 * without an error after cancel_ask().
 */
static int
fail(struct library_members *archive, const char *name, const char *detail,
     struct error *error)
{
    struct source *source = &archive->bytes->file.source;

    if (is_cancelled(archive)) {
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
        detail = archive->api.archive_error_string(archive->reader);
    if (detail == NULL)
        detail = "it cannot be read";
    const char *method =
        archive->is_7z ? sevenzip_method(&archive->sevenzip, detail) : NULL;
    if (method != NULL) {
        error_set(error, EXIT_DATA, "%s: it is compressed by %s", name, method);
        return -1;
    }
    if (strstr(detail, "unknown error") != NULL)
        detail = "the data are damaged or cut short";
    /* Some texts of libarchive end with a newline. */
    error_set(error, EXIT_DATA, "%s: bad archive at byte %lld: %.*s%s", name,
              (long long)position(archive), (int)strcspn(detail, "\n"), detail,
              remedy(archive, name));
    return -1;
}

/* Set *ERROR: the file is a program without a zip archive. */
static void
fail_program(struct library_members *archive, struct error *error)
{
    const char *name = archive->bytes->file.source.display_name;
    bool may_seek = archive_bytes_may_seek(archive->bytes);
    uint64_t at = may_seek ? sevenzip_find(archive->bytes) : 0;

    if (!may_seek)
        error_set(error, EXIT_DATA,
                  "%s: a program: a zip archive that extracts itself can be "
                  "read from a regular file",
                  name);
    else if (at > 0)
        error_set(error, EXIT_DATA,
                  "%s: a program with a 7z archive, which tail -c +%llu copies",
                  name, (unsigned long long)at + 1);
}

/* Set *ERROR: the archive cannot be opened. */
static void
fail_open(struct library_members *archive, struct error *error)
{
    const char *name = archive->bytes->file.source.display_name;
    bool is_read = archive->bytes->file.source.error.status == EXIT_DONE &&
                   !is_cancelled(archive);
    int number = archive->api.archive_errno(archive->reader);

    if (!is_read) {
        fail(archive, name, NULL, error);
        return;
    }
    if (number == 0 || number == ENOMEM)
        error_set(error, EXIT_DATA, "%s: out of memory", name);
    else if (other_format_is_program(archive->bytes))
        fail_program(archive, error);
    const char *other = other_format_name(archive->bytes);
    if (error->status == EXIT_DONE)
        error_set(error, EXIT_DATA,
                  "%s: %s (--members counts the files in tar, zip, 7z and cpio "
                  "archives)",
                  name, other != NULL ? other : "not an archive");
}

/* ---- the data of the current member ---- */

/* A hole of BYTES is next. */
static void
start_hole(struct library_members *archive, uint64_t bytes)
{
    archive->zeros = bytes;
    progress_expect_zeros(archive->bytes->file.source.progress, bytes);
}

/*
 * The data of a file in a tar archive have ended before its size: a hole
 * follows, as the map of a sparse file says.  Returns 0, or -1 with *ERROR set.
 */
static int
end_with_hole(struct library_members *archive, uint64_t size,
              struct error *error)
{
    struct archive_entry *entry = archive->entry;
    la_int64_t offset, length;
    uint64_t mapped = 0;

    if (archive->api.archive_entry_sparse_reset(entry) == 0)
        return fail(archive, archive->name,
                    "it has fewer data than its size, and no map of holes",
                    error);
    while (archive->api.archive_entry_sparse_next(entry, &offset, &length) ==
           ARCHIVE_OK)
        mapped += (uint64_t)length;
    if (mapped != archive->stored)
        return fail(archive, archive->name, "it has fewer data than its map",
                    error);
    start_hole(archive, size - archive->done);
    return 0;
}

/* The data of the member have ended.  Returns 0, or -1 with *ERROR set. */
static int
end_data(struct library_members *archive, struct error *error)
{
    int64_t size = archive->api.archive_entry_size(archive->entry);
    bool is_sized = archive->api.archive_entry_size_is_set(archive->entry);

    archive->has_ended = true;
    if (is_zip_stream(archive))
        zip_directory_set_size(&archive->directory, archive->done);
    if (is_sized && size < 0)
        return fail(archive, archive->name, "its size is negative", error);
    if (!is_sized || archive->done == (uint64_t)size)
        return 0;
    if (!is_tar(archive) || archive->done > (uint64_t)size)
        return fail(archive, archive->name, "a file has another size", error);
    return end_with_hole(archive, (uint64_t)size, error);
}

/* Whether the current member is empty: libarchive need not decode it, and
   cannot for some formats. */
static bool
is_empty(const struct library_members *archive)
{
    return !is_tar(archive) &&
           archive->api.archive_entry_size_is_set(archive->entry) &&
           archive->api.archive_entry_size(archive->entry) == 0;
}

/*
 * Get the next data of the member from libarchive.  Returns 1; 0 after
 * cancel_ask(); or -1 with *ERROR set.
 */
static int
get_data(struct library_members *archive, struct error *error)
{
    const void *data;
    la_int64_t offset;
    int status = is_empty(archive) ? ARCHIVE_EOF
                                   : archive->api.archive_read_data_block(
                                         archive->reader, &data,
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
    start_hole(archive, (uint64_t)offset - archive->done);
    archive->stored += archive->data_bytes;
    return 1;
}

static uint64_t
data_zeros(const struct source_supply *supply)
{
    return ((const struct library_members *)supply)->zeros;
}

static void
skip_data_zeros(struct source_supply *supply, uint64_t bytes)
{
    struct library_members *archive = (struct library_members *)supply;

    archive->zeros -= bytes;
    archive->done += bytes;
    progress_add_zeros(archive->bytes->file.source.progress, bytes);
}

/* The remaining data of the current member are not read. */
static void
leave_data(struct library_members *archive)
{
    skip_data_zeros(&archive->base.supply, archive->zeros);
}

static ssize_t
read_data(struct source_supply *supply, void *buffer, size_t capacity,
          struct error *error)
{
    struct library_members *archive = (struct library_members *)supply;
    unsigned char *out = buffer;
    size_t done = 0;

    while (done < capacity) {
        size_t room = capacity - done;
        if (archive->zeros > 0) {
            size_t size = archive->zeros < room ? (size_t)archive->zeros : room;
            memset(out + done, 0, size);
            skip_data_zeros(supply, size);
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

/*
 * ---- the end of a tar archive ----
 *
 * Two blocks of zeros end an archive; another archive may follow.  libarchive
 * takes what else follows for a damaged header.
 */

/* Whether the last bytes that libarchive got, all of BYTES, end with a block of
   zeros, which starts at LEAST or later. */
static bool
tar_end_is_marked(struct archive_bytes *bytes, off_t least)
{
    unsigned char block[TAR_BLOCK_BYTES];
    off_t at = bytes->offset - TAR_BLOCK_BYTES;

    return at >= least &&
           archive_bytes_look(bytes, at, block, sizeof block) == sizeof block &&
           archive_bytes_are_zero(block, sizeof block);
}

/* Whether BLOCK is a header, perhaps damaged. */
static bool
is_header(const unsigned char *block)
{
    unsigned int sum = TAR_CHECKSUM_BYTES * ' ', said = 0;

    if (memcmp(block + TAR_MAGIC_AT, TAR_MAGIC, sizeof TAR_MAGIC - 1) == 0)
        return true;
    for (int i = 0; i < TAR_BLOCK_BYTES; i++) {
        bool is_checksum =
            i >= TAR_CHECKSUM_AT && i < TAR_CHECKSUM_AT + TAR_CHECKSUM_BYTES;
        sum += is_checksum ? 0 : block[i];
        if (is_checksum && block[i] >= '0' && block[i] <= '7')
            said = said * 8 + (unsigned int)(block[i] - '0');
    }
    return sum == said;
}

/*
 * libarchive has found no header from byte FROM on, and failed at byte AT.
 * Returns whether an end precedes bytes that are not a header; sets *FIRST to
 * the first of these bytes, or to -1 if they are zeros, less than a block.
 */
static bool
tar_end_is_before(struct archive_bytes *bytes, off_t from, off_t at,
                  off_t *first)
{
    unsigned char block[TAR_BLOCK_BYTES];
    off_t blocks =
        at - from > LOOK_BYTES ? (at - from - LOOK_BYTES) / TAR_BLOCK_BYTES : 0;
    off_t here = from + blocks * TAR_BLOCK_BYTES;
    size_t has;

    while ((has = archive_bytes_look(bytes, here, block, sizeof block)) ==
               sizeof block &&
           archive_bytes_are_zero(block, sizeof block))
        here += TAR_BLOCK_BYTES;
    if (here - from < 2 * TAR_BLOCK_BYTES || here > at ||
        here < at - TAR_BLOCK_BYTES ||
        (has == sizeof block && is_header(block)))
        return false;
    *first = archive_bytes_are_zero(block, has) ? -1 : here;
    return true;
}

/* ---- the end of an archive ---- */

/* Read the remaining bytes, which the decoder checks, too.  Returns their
   number, or -1 with the error of the file set. */
static int64_t
drain(struct library_members *archive)
{
    const unsigned char *ignored;
    int64_t bytes = 0;
    ssize_t got;

    while ((got = archive_bytes_read(archive->bytes, &ignored)) > 0)
        bytes += got;
    return got < 0 ? -1 : bytes;
}

/* Check the end of a zip archive.  Returns 0, or -1 with *ERROR set. */
static int
check_zip_end(struct library_members *archive, struct error *error)
{
    const char *name = archive->bytes->file.source.display_name;
    bool is_stream = is_zip_stream(archive);
    uint64_t at = UINT64_MAX;

    if (is_stream &&
        zip_directory_check(&archive->directory, archive->bytes,
                            (uint64_t)position(archive), &at, name, error) < 0)
        return fail(archive, name, NULL, error);
    if (!archive_bytes_may_seek(archive->bytes) && drain(archive) < 0)
        return fail(archive, name, NULL, error);
    if (is_cancelled(archive))
        return 0;
    return zip_directory_check_end(archive->bytes, archive->entries, at, name,
                                   error) < 0
               ? fail(archive, name, NULL, error)
               : 0;
}

/* The archive has been read, and its end has been looked at.  Returns 0, or -1
   with *ERROR set: a look has failed. */
static int
end_file(struct library_members *archive, struct error *error)
{
    struct source *source = &archive->bytes->file.source;

    if (source->error.status != EXIT_DONE)
        return fail(archive, source->display_name, NULL, error);
    source_identify(source);
    return 0;
}

/* libarchive has found the end.  Returns 0, or -1 with *ERROR set. */
static int
check_end(struct library_members *archive, struct error *error)
{
    struct archive_bytes *bytes = archive->bytes;
    const struct decoder *decoder = bytes->file.decoder;
    int result = 0;

    if (archive->is_7z)
        archive->base.extra_bytes +=
            (uint64_t)archive_bytes_size(bytes) - archive->sevenzip.end;
    else if (is_zip(archive))
        result = check_zip_end(archive, error);
    else
        archive->base.lacks_end = !tar_end_is_marked(bytes, archive->header_at);
    archive->base.lacks_end_mark = decoder != NULL && decoder->lacks_end_mark;
    return result == 0 ? end_file(archive, error) : result;
}

/*
 * libarchive has failed to read a header: other bytes may follow the end of a
 * tar archive.  Returns 0, or -1 with *ERROR set.
 */
static int
check_tail(struct library_members *archive, struct error *error)
{
    struct archive_bytes *bytes = archive->bytes;
    const char *name = bytes->file.source.display_name;
    off_t first;

    if (!is_tar(archive) || bytes->file.source.error.status != EXIT_DONE ||
        !tar_end_is_before(bytes, archive->header_at, position(archive),
                           &first))
        return fail(archive, name, NULL, error);
    if (drain(archive) < 0)
        return fail(archive, name, NULL, error);
    if (first >= 0)
        archive->base.extra_bytes += (uint64_t)(bytes->offset - first);
    return end_file(archive, error);
}

/* ---- members ---- */

/* Whether RESULT, of reading a header, warns that the locale lacks characters
   of a name. */
static bool
is_strange_name(const struct library_members *archive, int result)
{
    const char *text = archive->api.archive_error_string(archive->reader);

    return result == ARCHIVE_WARN && text != NULL &&
           strstr(text, " to current locale") != NULL;
}

/* Returns the name of the current entry, or NULL: it has none. */
static const char *
entry_path(const struct library_members *archive)
{
    const struct archive_api *api = &archive->api;
    const char *path = api->archive_entry_pathname(archive->entry);

    return path != NULL ? path
                        : api->archive_entry_pathname_utf8(archive->entry);
}

/* Returns a new text: the name of the current entry in messages, or NULL. */
static char *
make_name(const struct library_members *archive)
{
    const char *file = archive->bytes->file.source.display_name;
    const char *path = entry_path(archive);
    char *name;
    bool has_name = path != NULL && *path != '\0';
    int length = has_name ? asprintf(&name, "%s: %s", file, path)
                          : asprintf(&name, "%s: member %llu", file,
                                     (unsigned long long)archive->entries);
    return length < 0 ? NULL : name;
}

/* Whether the current entry is a list of the names in a directory, which GNU
   tar writes to incremental archives. */
static bool
is_name_list(struct library_members *archive)
{
    unsigned char type = 0;
    off_t header = (off_t)position(archive) - TAR_BLOCK_BYTES;

    return is_tar(archive) && header >= 0 &&
           archive_bytes_look(archive->bytes, header + TAR_TYPE_AT, &type, 1) ==
               1 &&
           type == TAR_NAME_LIST;
}

/* Returns the fault of the current entry, which is not a file; or NULL. */
static const char *
find_fault(struct library_members *archive)
{
    struct archive_entry *entry = archive->entry;

    if (archive->api.archive_entry_hardlink(entry) != NULL)
        return NULL;
    switch (archive->api.archive_entry_filetype(entry)) {
    case AE_IFLNK:
        return NULL;
    case AE_IFDIR:
        return archive->api.archive_entry_size(entry) > 0 &&
                       !is_name_list(archive)
                   ? "a directory has data"
                   : NULL;
    case AE_IFCHR:
    case AE_IFBLK:
    case AE_IFIFO:
    case AE_IFSOCK:
        return archive->api.archive_entry_size(entry) > 0 ? "a device has data"
                                                          : NULL;
    default:
        return "the type of the file does not exist";
    }
}

/* The current entry is not a member.  Returns 0, or -1 with *ERROR set. */
static int
skip_entry(struct library_members *archive, struct error *error)
{
    const char *detail = find_fault(archive);

    archive->base.others++;
    if (detail == NULL)
        return 0;
    char *name = make_name(archive);
    int result = fail(
        archive, name != NULL ? name : archive->bytes->file.source.display_name,
        detail, error);
    free(name);
    return result;
}

/* Reserve the memory that libarchive takes to decode the current member.
   Returns 0, or -1 with *ERROR set. */
static int
reserve(struct library_members *archive, struct error *error)
{
    uint64_t bytes =
        is_zip(archive) ? zip_memory_bytes(
                              archive->bytes, (off_t)position(archive),
                              archive->api.archive_format_name(archive->reader))
                        : 0;

    if (bytes == 0)
        return 0;
    if (!budget_take(&archive->bytes->share, bytes)) {
        error_set(error, EXIT_DATA,
                  "%s: needs %llu bytes of memory, more than --memory-limit "
                  "leaves (%llu)",
                  archive->name, (unsigned long long)bytes,
                  (unsigned long long)budget_total(&archive->bytes->share));
        return -1;
    }
    archive->reserved = bytes;
    return 0;
}

/* Note the current entry.  Returns 0, or -1 with *ERROR set. */
static int
note_entry(struct library_members *archive, bool is_file, struct error *error)
{
    const char *name = archive->bytes->file.source.display_name;

    archive->entries++;
    archive->has_entry = true;
    if (!is_zip_stream(archive) ||
        zip_directory_add(&archive->directory, &archive->bytes->share,
                          (uint64_t)archive->header_at, is_file) == 0)
        return 0;
    error_set(error, EXIT_DATA,
              "%s: has more files than fit into --memory-limit", name);
    return -1;
}

/* Whether the current entry, a file, is to be counted. */
static bool
is_chosen(const struct library_members *archive)
{
    const char *path = entry_path(archive);

    return archive->choice == NULL ||
           (path != NULL && array_choice_takes(archive->choice, path, true));
}

/* Returns 1 if the current entry is a member; 0 if not; -1: *ERROR is set. */
static int
start_entry(struct library_members *archive, char **name, struct error *error)
{
    struct archive_entry *entry = archive->entry;
    unsigned int type = archive->api.archive_entry_filetype(entry);
    bool is_file = (type == 0 || type == AE_IFREG) &&
                   archive->api.archive_entry_hardlink(entry) == NULL;

    if (note_entry(archive, is_file, error) < 0)
        return -1;
    if (!is_file)
        return skip_entry(archive, error);
    *name = make_name(archive);
    archive->name = *name;
    if (*name == NULL) {
        error_set(error, EXIT_DATA, "%s: out of memory",
                  archive->bytes->file.source.display_name);
        return -1;
    }
    bool is_counted = is_chosen(archive);
    archive->base.count += is_counted;
    archive->base.unchosen += !is_counted;
    archive->data_bytes = 0;
    archive->zeros = 0;
    archive->done = 0;
    archive->stored = 0;
    archive->has_ended = false;
    if (is_counted && archive->api.archive_entry_is_data_encrypted(entry)) {
        error_set(error, EXIT_DATA, "%s: it is encrypted", *name);
        return -1;
    }
    /* A file of a stream is decoded even if it is left out. */
    if ((is_counted || is_zip_stream(archive)) && reserve(archive, error) < 0)
        return -1;
    if (!is_counted) {
        free(*name);
        *name = NULL;
        archive->name = NULL;
    }
    return is_counted;
}

/* Return the memory that reserve() has taken. */
static void
give_back(struct library_members *archive)
{
    if (archive->reserved > 0)
        budget_return(&archive->bytes->share, archive->reserved);
    archive->reserved = 0;
}

/* Skip the remaining data of the current entry.  Returns 0, or -1 with *ERROR
   set. */
static int
end_entry(struct library_members *archive, struct error *error)
{
    const char *name = archive->name != NULL
                           ? archive->name
                           : archive->bytes->file.source.display_name;

    leave_data(archive);
    give_back(archive);
    if (!archive->has_entry)
        return 0;
    if (archive->api.archive_read_data_skip(archive->reader) != ARCHIVE_OK)
        return fail(archive, name, NULL, error);
    archive->has_entry = false;
    return 0;
}

/* Let libarchive read the next header.  Returns its status. */
static int
ask_header(struct library_members *archive)
{
    const struct archive_api *api = &archive->api;

    /* libarchive takes a 7z directory without files for damage. */
    if (archive->is_7z && archive->sevenzip.files == 0)
        return ARCHIVE_EOF;
    locale_t before =
        archive->names != (locale_t)0 ? uselocale(archive->names) : (locale_t)0;
    int status =
        api->archive_read_next_header2(archive->reader, archive->entry);
    if (before != (locale_t)0)
        uselocale(before);
    return status;
}

/* Read the next header.  Returns the status of libarchive. */
static int
read_header(struct library_members *archive)
{
    bool is_directory = archive->api.archive_format(archive->reader) == 0
                            ? archive->is_zip_file
                            : is_zip(archive);
    bool may_seek = archive_bytes_may_seek(archive->bytes);
    unsigned int cost = archive->is_7z  ? 0
                        : !is_directory ? TAR_HEADER_COST
                        : may_seek      ? ZIP_HEADER_COST
                                        : 0;

    archive->header_at = position(archive);
    archive_bytes_start_header(archive->bytes, cost, is_directory);
    int status = ask_header(archive);
    archive_bytes_end_header(archive->bytes);
    return status;
}

/* Set *ERROR: the header of the current entry takes too much memory. */
static int
fail_header(struct library_members *archive, struct error *error)
{
    char *name = make_name(archive);
    const char *file = archive->bytes->file.source.display_name;

    error_set(error, EXIT_DATA,
              "%s: bad archive at byte %lld: its header needs more memory than "
              "--memory-limit leaves (%llu)",
              name != NULL ? name : file, (long long)position(archive),
              (unsigned long long)budget_total(&archive->bytes->share));
    free(name);
    return -1;
}

static int
next_member(struct members *members, char **name, struct error *error)
{
    struct library_members *archive = archive_of(members);
    int result = 0;

    *name = NULL;
    while (result == 0 && !is_cancelled(archive)) {
        if (end_entry(archive, error) < 0)
            return -1;
        int status = read_header(archive);
        bool is_good = status == ARCHIVE_OK || is_strange_name(archive, status);
        if (archive->bytes->is_too_large)
            return fail_header(archive, error);
        archive->name = NULL;
        if (status == ARCHIVE_EOF)
            return check_end(archive, error);
        if (!is_good)
            return check_tail(archive, error);
        result = start_entry(archive, name, error);
    }
    return result;
}

/* ---- opening and closing ---- */

static void
close_members(struct members *members)
{
    struct library_members *archive = archive_of(members);

    if (archive->entry != NULL)
        archive->api.archive_entry_free(archive->entry);
    if (archive->reader != NULL)
        archive->api.archive_read_free(archive->reader);
    give_back(archive);
    if (archive->names != (locale_t)0)
        freelocale(archive->names);
    if (archive->sevenzip.memory > 0)
        budget_return(&archive->bytes->share, archive->sevenzip.memory);
    zip_directory_close(&archive->directory, &archive->bytes->share);
    archive_bytes_close(archive->bytes);
    free(archive);
}

static const struct members_type library_members_type;

/* Whether the file starts as a zip archive does. */
static bool
starts_as_zip(struct library_members *archive)
{
    unsigned char start[2];

    return archive_bytes_look(archive->bytes, 0, start, sizeof start) ==
               sizeof start &&
           memcmp(start, "PK", 2) == 0;
}

/* Let libarchive read the format of the archive.  Returns 0, or -1: no
   memory. */
static int
support_format(struct library_members *archive)
{
    const struct archive_api *api = &archive->api;
    struct archive *reader = archive->reader;

    if (archive->is_7z)
        return api->archive_read_support_format_7zip(reader) == ARCHIVE_OK ? 0
                                                                           : -1;
    bool starts = starts_as_zip(archive);
    archive->is_zip_file = starts || other_format_is_program(archive->bytes);
    if (starts && archive_bytes_may_seek(archive->bytes))
        archive->bytes->end = zip_directory_end(archive->bytes);
    return api->archive_read_support_format_tar(reader) == ARCHIVE_OK &&
                   api->archive_read_support_format_zip(reader) == ARCHIVE_OK &&
                   api->archive_read_set_format_option(
                       reader, "tar", "read_concatenated_archives", "1") ==
                       ARCHIVE_OK
               ? 0
               : -1;
}

/* Make the reader of ARCHIVE, whose file is open.  Returns 0, or -1: no
   memory. */
static int
make_reader(struct library_members *archive)
{
    archive->reader = archive->api.archive_read_new();
    if (archive->reader == NULL)
        return -1;
    /* libarchive does not check that its own entry got memory. */
    archive->entry = archive->api.archive_entry_new2(archive->reader);
    return archive->entry != NULL && support_format(archive) == 0 &&
                   archive_bytes_attach(archive->bytes, archive->reader)
               ? 0
               : -1;
}

/* The file starts as a 7z archive: read its directory, and reserve memory.
   Returns 0, or -1 with *ERROR set; after cancel_ask() without an error. */
static int
start_7z(struct library_members *archive, struct error *error)
{
    struct archive_bytes *bytes = archive->bytes;
    const char *name = bytes->file.source.display_name;
    struct sevenzip found;

    archive->is_7z = true;
    if (!archive_bytes_may_seek(bytes)) {
        error_set(error, EXIT_DATA,
                  "%s: a 7z archive, whose directory is at its end, can be "
                  "read only from a regular file that is not compressed",
                  name);
        return -1;
    }
    if (sevenzip_check(bytes, &found, error) < 0 || is_cancelled(archive))
        return -1;
    if (found.memory > 0 && !budget_take(&bytes->share, found.memory)) {
        error_set(error, EXIT_DATA,
                  "%s: needs %llu bytes of memory, more than --memory-limit "
                  "leaves (%llu)",
                  name, (unsigned long long)found.memory,
                  (unsigned long long)budget_total(&bytes->share));
        return -1;
    }
    archive->sevenzip = found;
    return 0;
}

struct members *
library_members_open(struct archive_bytes *bytes, struct array_choice *choice,
                     struct error *error)
{
    const char *name = bytes->file.source.display_name;
    struct library_members *archive = calloc(1, sizeof *archive);
    const char *missing =
        archive != NULL ? archive_api_load(&archive->api) : "out of memory";

    if (missing != NULL) {
        error_set(error, EXIT_DATA, "%s: %s", name, missing);
        free(archive);
        archive_bytes_close(bytes);
        return NULL;
    }
    archive->bytes = bytes;
    bytes->api = &archive->api;
    archive->choice = choice;
    archive->names = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    archive->base = (struct members){
        .type = &library_members_type,
        .supply = {.read = read_data,
                   .zeros = data_zeros,
                   .skip = skip_data_zeros},
        .share = &bytes->share,
        .seems = bytes->file.seems,
    };
    if (sevenzip_starts(bytes) && start_7z(archive, error) < 0) {
        close_members(&archive->base);
        return NULL;
    }
    if (make_reader(archive) < 0) {
        error_set(error, EXIT_DATA, "%s: out of memory", name);
        close_members(&archive->base);
        return NULL;
    }
    if (archive->api.archive_read_open1(archive->reader) != ARCHIVE_OK) {
        fail_open(archive, error);
        close_members(&archive->base);
        return NULL;
    }
    bytes->has_sought = false;
    return &archive->base;
}

static const struct members_type library_members_type = {
    .next = next_member,
    .close = close_members,
};
