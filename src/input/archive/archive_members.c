/*
 * archive_members.c -- the members of tar and zip archives, by libarchive
 *
 * What libarchive calls a warning is an error: a wrong checksum is one.  What
 * it does not check is checked here: the end of a tar archive, and its maps of
 * sparse files; the directory of a zip archive (zip_directory.h); what kind of
 * file has data; and the memory of what it decodes and keeps.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <archive.h>
#include <archive_entry.h>

#include "input/archive/archive_data.h"
#include "input/archive/tar_end.h"
#include "input/archive/zip_memory.h"

/* The memory that a byte of a header may take: an entry of a sparse map has 4
   bytes or more, and one of a directory 46. */
#define TAR_HEADER_COST 20
#define ZIP_HEADER_COST 4

/* Of a header of tar: the offset of its type, and that of a list of names. */
#define TAR_TYPE_AT 156
#define TAR_NAME_LIST 'D'

static struct archive_members *
archive_of(struct members *members)
{
    return (struct archive_members *)members;
}

/* ---- errors ---- */

static struct archive_members *
fail_memory(struct archive_members *archive, const char *name,
            struct error *error)
{
    error_set(error, EXIT_DATA, "%s: out of memory", name);
    archive_members_type.close(&archive->base);
    return NULL;
}

/* Whether the file begins as a program does, in which a zip archive may be. */
static bool
is_program(struct archive_members *archive)
{
    unsigned char start[4];

    if (archive_bytes_look(&archive->bytes, 0, start, sizeof start) <
        sizeof start)
        return false;
    return memcmp(start, "MZ", 2) == 0 || memcmp(start, "#!", 2) == 0 ||
           memcmp(start, "\177ELF", 4) == 0;
}

/* Set *ERROR: the archive cannot be opened. */
static void
fail_open(struct archive_members *archive, struct error *error)
{
    const char *name = archive->bytes.file.source.display_name;
    bool is_read = archive->bytes.file.source.error.status == EXIT_DONE &&
                   !archive_is_cancelled(archive);
    int number = archive_errno(archive->reader);

    if (is_read && (number == 0 || number == ENOMEM))
        error_set(error, EXIT_DATA, "%s: out of memory", name);
    else if (is_read && !archive_bytes_may_seek(&archive->bytes) &&
             is_program(archive))
        error_set(error, EXIT_DATA,
                  "%s: a program: a zip archive that extracts itself can be "
                  "read from a regular file",
                  name);
    else if (is_read)
        error_set(error, EXIT_DATA,
                  "%s: not a tar or zip archive (--members counts the files in "
                  "archives)",
                  name);
    else
        archive_fail(archive, name, NULL, error);
}

/* ---- the end of an archive ---- */

/* Read the rest: the decoder checks it, too.  Returns how many bytes it has, or
   -1 with the error of the file set. */
static int64_t
drain(struct archive_members *archive)
{
    const unsigned char *ignored;
    int64_t bytes = 0;
    ssize_t got;

    while ((got = archive_bytes_read(&archive->bytes, &ignored)) > 0)
        bytes += got;
    return got < 0 ? -1 : bytes;
}

/* Check the end of a zip archive.  Returns 0, or -1 with *ERROR set. */
static int
check_zip_end(struct archive_members *archive, struct error *error)
{
    const char *name = archive->bytes.file.source.display_name;
    bool is_stream = archive_is_zip_stream(archive);
    uint64_t at = UINT64_MAX;

    if (is_stream && zip_directory_check(&archive->directory, &archive->bytes,
                                         (uint64_t)archive_at(archive), &at,
                                         name, error) < 0)
        return archive_fail(archive, name, NULL, error);
    if (!archive_bytes_may_seek(&archive->bytes) && drain(archive) < 0)
        return archive_fail(archive, name, NULL, error);
    if (archive_is_cancelled(archive))
        return 0;
    return zip_directory_check_end(&archive->bytes, archive->entries, at, name,
                                   error) < 0
               ? archive_fail(archive, name, NULL, error)
               : 0;
}

/* libarchive has found the end.  Returns 0, or -1 with *ERROR set. */
static int
check_end(struct archive_members *archive, struct error *error)
{
    struct archive_bytes *bytes = &archive->bytes;
    const struct decoder *decoder = bytes->file.decoder;
    int result = 0;

    if (archive_is_zip(archive))
        result = check_zip_end(archive, error);
    else
        archive->base.lacks_end = !tar_end_is_marked(bytes, archive->header_at);
    archive->base.lacks_end_mark = decoder != NULL && decoder->lacks_end_mark;
    if (result == 0)
        source_identify(&bytes->file.source);
    return result;
}

/*
 * libarchive has failed to read a header: other bytes may follow the end of a
 * tar archive.  Returns 0, or -1 with *ERROR set.
 */
static int
check_rest(struct archive_members *archive, struct error *error)
{
    struct archive_bytes *bytes = &archive->bytes;
    const char *name = bytes->file.source.display_name;
    off_t first;

    if (archive_is_zip(archive) ||
        bytes->file.source.error.status != EXIT_DONE ||
        !tar_end_is_before(bytes, archive->header_at, archive_at(archive),
                           &first))
        return archive_fail(archive, name, NULL, error);
    if (drain(archive) < 0)
        return archive_fail(archive, name, NULL, error);
    if (first >= 0)
        archive->base.rest_bytes += (uint64_t)(bytes->offset - first);
    source_identify(&bytes->file.source);
    return 0;
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

/* Returns a new text: the name of the current entry in messages, or NULL. */
static char *
make_name(const struct archive_members *archive)
{
    const char *file = archive->bytes.file.source.display_name;
    const char *path = archive_entry_pathname(archive->entry);
    char *name;

    if (path == NULL)
        path = archive_entry_pathname_utf8(archive->entry);
    bool has_name = path != NULL && *path != '\0';
    int length = has_name ? asprintf(&name, "%s: %s", file, path)
                          : asprintf(&name, "%s: member %llu", file,
                                     (unsigned long long)archive->entries);
    return length < 0 ? NULL : name;
}

/* Whether the current entry is a list of the names in a directory, which GNU
   tar writes to incremental archives. */
static bool
is_name_list(struct archive_members *archive)
{
    unsigned char type = 0;
    off_t header = (off_t)archive_at(archive) - TAR_BLOCK_BYTES;

    return !archive_is_zip(archive) && header >= 0 &&
           archive_bytes_look(&archive->bytes, header + TAR_TYPE_AT, &type,
                              1) == 1 &&
           type == TAR_NAME_LIST;
}

/* Returns what is wrong with the current entry, which is no file; or NULL. */
static const char *
find_fault(struct archive_members *archive)
{
    struct archive_entry *entry = archive->entry;

    if (archive_entry_hardlink(entry) != NULL)
        return NULL;
    switch (archive_entry_filetype(entry)) {
    case AE_IFLNK:
        return NULL;
    case AE_IFDIR:
        return archive_entry_size(entry) > 0 && !is_name_list(archive)
                   ? "a directory has data"
                   : NULL;
    case AE_IFCHR:
    case AE_IFBLK:
    case AE_IFIFO:
    case AE_IFSOCK:
        return archive_entry_size(entry) > 0 ? "a device has data" : NULL;
    default:
        return "the type of the file does not exist";
    }
}

/* The current entry is no member.  Returns 0, or -1 with *ERROR set. */
static int
skip_entry(struct archive_members *archive, struct error *error)
{
    const char *detail = find_fault(archive);

    archive->base.others++;
    if (detail == NULL)
        return 0;
    char *name = make_name(archive);
    int result = archive_fail(
        archive, name != NULL ? name : archive->bytes.file.source.display_name,
        detail, error);
    free(name);
    return result;
}

/* Reserve the memory that libarchive takes to decode the current member.
   Returns 0, or -1 with *ERROR set. */
static int
reserve(struct archive_members *archive, struct error *error)
{
    uint64_t bytes =
        archive_is_zip(archive)
            ? zip_memory_bytes(&archive->bytes, (off_t)archive_at(archive),
                               archive_format_name(archive->reader))
            : 0;

    if (bytes == 0)
        return 0;
    if (!budget_take(&archive->base.share, bytes)) {
        error_set(error, EXIT_DATA,
                  "%s: needs %llu bytes of memory, more than --memory-limit "
                  "leaves (%llu)",
                  archive->name, (unsigned long long)bytes,
                  (unsigned long long)budget_total(&archive->base.share));
        return -1;
    }
    archive->reserved = bytes;
    return 0;
}

/* Note the current entry.  Returns 0, or -1 with *ERROR set. */
static int
note_entry(struct archive_members *archive, bool is_file, struct error *error)
{
    const char *name = archive->bytes.file.source.display_name;

    archive->entries++;
    archive->has_entry = true;
    if (!archive_is_zip_stream(archive) ||
        zip_directory_add(&archive->directory, &archive->base.share,
                          (uint64_t)archive->header_at, is_file) == 0)
        return 0;
    error_set(error, EXIT_DATA,
              "%s: has more files than --memory-limit allows to remember",
              name);
    return -1;
}

/* Returns 1 if the current entry is a member; 0 if not; -1: *ERROR is set. */
static int
begin_entry(struct archive_members *archive, char **name, struct error *error)
{
    struct archive_entry *entry = archive->entry;
    unsigned int type = archive_entry_filetype(entry);
    bool is_file = (type == 0 || type == AE_IFREG) &&
                   archive_entry_hardlink(entry) == NULL;

    if (note_entry(archive, is_file, error) < 0)
        return -1;
    if (!is_file)
        return skip_entry(archive, error);
    *name = make_name(archive);
    archive->name = *name;
    if (*name == NULL) {
        error_set(error, EXIT_DATA, "%s: out of memory",
                  archive->bytes.file.source.display_name);
        return -1;
    }
    archive->base.count++;
    archive->data_bytes = 0;
    archive->zeros = 0;
    archive->done = 0;
    archive->stored = 0;
    archive->has_ended = false;
    if (archive_entry_is_data_encrypted(entry)) {
        error_set(error, EXIT_DATA, "%s: it is encrypted", *name);
        return -1;
    }
    return reserve(archive, error) < 0 ? -1 : 1;
}

/* Return what reserve() has taken. */
static void
give_back(struct archive_members *archive)
{
    if (archive->reserved > 0)
        budget_return(&archive->base.share, archive->reserved);
    archive->reserved = 0;
}

/* Skip what is left of the current entry.  Returns 0, or -1 with *ERROR set. */
static int
end_entry(struct archive_members *archive, struct error *error)
{
    const char *name = archive->name != NULL
                           ? archive->name
                           : archive->bytes.file.source.display_name;

    archive_data_leave(archive);
    give_back(archive);
    if (!archive->has_entry)
        return 0;
    if (archive_read_data_skip(archive->reader) != ARCHIVE_OK)
        return archive_fail(archive, name, NULL, error);
    archive->has_entry = false;
    return 0;
}

/* Read the next header.  Returns the status of libarchive. */
static int
read_header(struct archive_members *archive)
{
    bool is_directory = archive_format(archive->reader) == 0
                            ? archive->is_zip_file
                            : archive_is_zip(archive);
    bool may_seek = archive_bytes_may_seek(&archive->bytes);
    unsigned int cost = !is_directory ? TAR_HEADER_COST
                        : may_seek    ? ZIP_HEADER_COST
                                      : 0;

    archive->header_at = archive_at(archive);
    archive_bytes_begin_header(&archive->bytes, cost, is_directory);
    int status = archive_read_next_header2(archive->reader, archive->entry);
    archive_bytes_end_header(&archive->bytes);
    return status;
}

/* Set *ERROR: the header of the current entry takes too much memory. */
static int
fail_header(struct archive_members *archive, struct error *error)
{
    char *name = make_name(archive);
    const char *file = archive->bytes.file.source.display_name;

    error_set(error, EXIT_DATA,
              "%s: bad archive at byte %lld: its header needs more memory than "
              "--memory-limit leaves (%llu)",
              name != NULL ? name : file, (long long)archive_at(archive),
              (unsigned long long)budget_total(&archive->base.share));
    free(name);
    return -1;
}

static int
next_member(struct members *members, char **name, struct error *error)
{
    struct archive_members *archive = archive_of(members);
    int result = 0;

    *name = NULL;
    while (result == 0 && !archive_is_cancelled(archive)) {
        if (end_entry(archive, error) < 0)
            return -1;
        int status = read_header(archive);
        bool is_good = status == ARCHIVE_OK || is_strange_name(archive, status);
        if (archive->bytes.is_too_large)
            return fail_header(archive, error);
        archive->name = NULL;
        if (status == ARCHIVE_EOF)
            return check_end(archive, error);
        if (!is_good)
            return check_rest(archive, error);
        result = begin_entry(archive, name, error);
    }
    return result;
}

/* ---- opening and closing ---- */

static void
close_members(struct members *members)
{
    struct archive_members *archive = archive_of(members);

    archive_entry_free(archive->entry);
    if (archive->reader != NULL)
        archive_read_free(archive->reader);
    give_back(archive);
    zip_directory_close(&archive->directory, &archive->base.share);
    archive_bytes_close(&archive->bytes);
    free(archive);
}

/* Whether the file begins as a zip archive does. */
static bool
starts_as_zip(struct archive_members *archive)
{
    unsigned char start[2];

    return archive_bytes_look(&archive->bytes, 0, start, sizeof start) ==
               sizeof start &&
           memcmp(start, "PK", 2) == 0;
}

/* Make the reader of ARCHIVE, whose file is open.  Returns 0, or -1: no
   memory. */
static int
make_reader(struct archive_members *archive)
{
    archive->reader = archive_read_new();
    if (archive->reader == NULL || archive_bytes_open(&archive->bytes) < 0)
        return -1;
    bool is_zip = starts_as_zip(archive);
    archive->is_zip_file = is_zip || is_program(archive);
    if (is_zip && archive_bytes_may_seek(&archive->bytes))
        archive->bytes.end = zip_directory_end(&archive->bytes);
    /* Of its own entry libarchive does not check that there was memory. */
    archive->entry = archive_entry_new2(archive->reader);
    if (archive->entry == NULL ||
        archive_read_support_format_tar(archive->reader) != ARCHIVE_OK ||
        archive_read_support_format_zip(archive->reader) != ARCHIVE_OK ||
        archive_read_set_format_option(archive->reader, "tar",
                                       "read_concatenated_archives",
                                       "1") != ARCHIVE_OK ||
        !archive_bytes_attach(&archive->bytes, archive->reader))
        return -1;
    return 0;
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
    archive->base.supply = (struct source_supply){
        .read = archive_data_read,
        .zeros = archive_data_zeros,
        .skip = archive_data_skip,
    };
    budget_open_share(&archive->base.share, budget);
    archive->bytes.share = &archive->base.share;
    archive->bytes.file.source = (struct source){.path = file->path,
                                                 .display_name = name,
                                                 .wrong = file->wrong,
                                                 .identity = file->identity,
                                                 .fd = -1};
    if (content_open_archive(&archive->bytes.file, reading,
                             &archive->base.share) < 0) {
        error_move(error, &archive->bytes.file.source.error);
        close_members(&archive->base);
        return NULL;
    }
    archive->base.seems = archive->bytes.file.seems;
    if (make_reader(archive) < 0) {
        fail_memory(archive, name, error);
        return NULL;
    }
    if (archive_read_open1(archive->reader) != ARCHIVE_OK) {
        fail_open(archive, error);
        close_members(&archive->base);
        return NULL;
    }
    archive->bytes.has_sought = false;
    return &archive->base;
}

const struct members_type archive_members_type = {
    .open = open_members,
    .next = next_member,
    .close = close_members,
};
