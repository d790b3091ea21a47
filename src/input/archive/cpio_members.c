/* SPDX-License-Identifier: MIT */
/*
 * cpio_members.c -- the members of cpio archives
 *
 * libarchive would search for the next header behind damage, check no sums, end
 * after the first of several archives, and take a file whose data come with its
 * last name for a link.  So these archives are read here.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/xxh.h"
#include "input/archive/cpio_bytes.h"
#include "input/archive/cpio_header.h"
#include "input/archive/cpio_links.h"
#include "input/archive/cpio_members.h"
#include "input/content/array_choice.h"

/* The longest name, with its NUL. */
#define NAME_BYTES_MAX ((size_t)64 << 10)

/* A header of tar, which might start as one of cpio does. */
#define TAR_BLOCK_BYTES 512
#define TAR_MAGIC "ustar"
#define TAR_MAGIC_AT 257

struct cpio_members {
    struct members base;
    struct cpio_bytes bytes;
    struct array_choice *choice; /* of files to count; NULL: all */
    struct cpio_links links;     /* of the current archive of several */
    uint64_t entries;            /* so far */
    bool is_behind; /* the trailer of an archive, and the data of it */
    bool has_ended;

    /* The current entry. */
    struct cpio_header header;
    char *path;     /* owned */
    char *name;     /* in messages; owned by the caller of next() */
    uint64_t start; /* of its header */
    uint64_t left;  /* bytes of the data ... */
    size_t pad;     /* ... and after the data */
    uint32_t sum;   /* of the data so far */
    bool has_sum;   /* to be compared with the header's */
    bool is_same;   /* another name of LINK: the data must be the same */
    struct cpio_link *link; /* of a file with several names, or NULL */
    struct xxh64 hash;      /* if LINK is not NULL */
};

static const struct members_type cpio_members_type;

static struct cpio_members *
archive_of(struct members *members)
{
    return (struct cpio_members *)members;
}

/* ---- errors ---- */

/*
 * Set *ERROR: the archive is bad at byte AT, in its current entry if it has a
 * name.  Returns -1; or 0 without an error after cancel_ask().
 */
static int
fail_at(const struct cpio_members *archive, uint64_t at, const char *detail,
        struct error *error)
{
    const char *path = archive->path;

    if (cpio_bytes_are_cancelled(&archive->bytes))
        return 0;
    error_set(error, EXIT_DATA, "%s%s%s: bad archive at byte %llu: %s",
              cpio_bytes_name(&archive->bytes), path != NULL ? ": " : "",
              path != NULL ? path : "", (unsigned long long)at, detail);
    return -1;
}

/* As fail_at(), where the next byte is. */
static int
fail(const struct cpio_members *archive, const char *detail,
     struct error *error)
{
    return fail_at(archive, archive->bytes.at, detail, error);
}

/* As fail_at(), where the header of the current entry starts. */
static int
fail_header(const struct cpio_members *archive, const char *detail,
            struct error *error)
{
    return fail_at(archive, archive->start, detail, error);
}

static int
fail_memory(const struct cpio_members *archive, struct error *error)
{
    error_set(error, EXIT_DATA,
              "%s: has more files with several names than fit into "
              "--memory-limit",
              cpio_bytes_name(&archive->bytes));
    return -1;
}

/* ---- the data of the current entry ---- */

/* All data are passed.  Returns 0, or -1 with *ERROR set. */
static int
check_data(struct cpio_members *archive, struct error *error)
{
    if (archive->has_sum && archive->sum != archive->header.sum)
        return fail(archive, "the checksum of its data is wrong", error);
    if (archive->link == NULL)
        return 0;
    uint64_t hash = xxh64_end(&archive->hash);
    if (archive->is_same && archive->link->hash != hash)
        return fail(archive,
                    "it has the device and inode number of a file before it, "
                    "but other data",
                    error);
    archive->link->hash = hash;
    archive->link = NULL;
    return 0;
}

/*
 * Pass the next data, at most CAPACITY bytes, and copy them to OUT unless OUT
 * is NULL.  Returns their number, 0 at the end or after cancel_ask(), or -1
 * with *ERROR set.
 */
static ssize_t
pass_data(struct cpio_members *archive, unsigned char *out, uint64_t capacity,
          struct error *error)
{
    uint64_t most = capacity < archive->left ? capacity : archive->left;
    const unsigned char *data;
    char text[80];

    if (most == 0)
        return 0;
    ssize_t got = cpio_bytes_pass(&archive->bytes, &data, most, error);
    if (got < 0)
        return -1;
    if (got == 0) {
        snprintf(text, sizeof text,
                 "it is cut short: %llu bytes of its data are missing",
                 (unsigned long long)archive->left);
        return fail(archive, text, error);
    }
    size_t size = (size_t)got;
    if (out != NULL)
        memcpy(out, data, size);
    if (archive->link != NULL)
        xxh64_add(&archive->hash, data, size);
    if (archive->has_sum) {
        for (size_t i = 0; i < size; i++)
            archive->sum += data[i];
    }
    archive->left -= size;
    return archive->left > 0 || check_data(archive, error) == 0 ? got : -1;
}

static ssize_t
read_data(struct source_supply *supply, void *buffer, size_t capacity,
          struct error *error)
{
    return pass_data((struct cpio_members *)supply, buffer, capacity, error);
}

/* No zeros are known without reading. */
static uint64_t
data_zeros(const struct source_supply *supply)
{
    (void)supply;
    return 0;
}

/* Pass COUNT bytes that mean nothing.  Returns 1; 0 after cancel_ask(); or -1
   with *ERROR set. */
static int
pass_pad(struct cpio_members *archive, size_t count, struct error *error)
{
    int64_t got = cpio_bytes_take(&archive->bytes, NULL, count, error);

    if (got < 0)
        return -1;
    return got == (int64_t)count
               ? 1
               : fail(archive, "it is cut short after the data", error);
}

/* Pass the remaining data of the current entry.  Returns as pass_pad(). */
static int
end_entry(struct cpio_members *archive, struct error *error)
{
    ssize_t got;

    archive->name = NULL;
    while ((got = pass_data(archive, NULL, UINT64_MAX, error)) > 0)
        continue;
    if (got < 0 || cpio_bytes_are_cancelled(&archive->bytes))
        return (int)got;
    int result = pass_pad(archive, archive->pad, error);
    archive->pad = 0;
    free(archive->path);
    archive->path = NULL;
    return result;
}

/* ---- headers ---- */

/* The archive ends in a header.  Returns -1 with *ERROR set; 0 after
   cancel_ask(). */
static int
fail_cut(const struct cpio_members *archive, struct error *error)
{
    return fail(archive, "it is cut short: a header is not whole", error);
}

/* Read the header of an entry, without the name.  Returns as pass_pad(). */
static int
read_header(struct cpio_members *archive, struct error *error)
{
    unsigned char data[CPIO_HEADER_BYTES];

    archive->start = archive->bytes.at;
    int64_t got =
        cpio_bytes_take(&archive->bytes, data, CPIO_MAGIC_BYTES, error);

    if (got < 0)
        return -1;
    if (got == 0)
        return fail(archive, "it is cut short: no trailer ends it", error);
    if (got < CPIO_MAGIC_BYTES)
        return fail_cut(archive, error);
    size_t size = cpio_header_bytes(data);
    if (size == 0)
        return fail_header(archive, "a header or the trailer should be here",
                           error);
    size -= CPIO_MAGIC_BYTES;
    got =
        cpio_bytes_take(&archive->bytes, data + CPIO_MAGIC_BYTES, size, error);
    if (got < 0)
        return -1;
    if (got < (int64_t)size)
        return fail_cut(archive, error);
    if (!cpio_header_read(&archive->header, data))
        return fail_header(archive, "a header is damaged", error);
    return 1;
}

/* Read the name of the entry.  Returns as pass_pad(). */
static int
read_path(struct cpio_members *archive, struct error *error)
{
    size_t size = archive->header.name_bytes;
    char *path = size <= NAME_BYTES_MAX ? malloc(size) : NULL;

    if (size > NAME_BYTES_MAX)
        return fail_header(archive, "a header is damaged: its name is too long",
                           error);
    if (path == NULL)
        return error_fail_memory(error);
    int64_t got =
        cpio_bytes_take(&archive->bytes, (unsigned char *)path, size, error);
    if (got < (int64_t)size || path[size - 1] != '\0') {
        free(path);
        return got < 0 ? -1
               : got < (int64_t)size
                   ? fail_cut(archive, error)
                   : fail_header(archive,
                                 "a header is damaged: its name does not end",
                                 error);
    }
    archive->path = path;
    return pass_pad(archive, archive->header.name_pad, error);
}

/* ---- entries ---- */

/* Returns a new text: the name of the current entry in messages, or NULL. */
static char *
make_name(const struct cpio_members *archive)
{
    const char *file = cpio_bytes_name(&archive->bytes);
    char *name;
    int length = *archive->path != '\0'
                     ? asprintf(&name, "%s: %s", file, archive->path)
                     : asprintf(&name, "%s: member %llu", file,
                                (unsigned long long)archive->entries);

    return length < 0 ? NULL : name;
}

/* Make the current entry the member, if it is chosen.  Returns 1 if so; 0 if
   not; -1: *ERROR is set. */
static int
start_member(struct cpio_members *archive, struct error *error)
{
    if (archive->choice != NULL &&
        !array_choice_takes(archive->choice, archive->path, true)) {
        archive->base.unchosen++;
        return 0;
    }
    archive->base.count++;
    archive->name = make_name(archive);
    return archive->name != NULL ? 1 : error_fail_memory(error);
}

/* Leave out the current entry, not a file.  Returns 0, or -1 with *ERROR
   set. */
static int
skip_entry(struct cpio_members *archive, struct error *error)
{
    bool has_data = archive->header.size > 0;

    archive->base.others++;
    switch (archive->header.mode & S_IFMT) {
    case S_IFLNK:
        return 0;
    case S_IFDIR:
        return has_data ? fail_header(archive, "a directory has data", error)
                        : 0;
    case S_IFCHR:
    case S_IFBLK:
    case S_IFIFO:
    case S_IFSOCK:
        return has_data ? fail_header(archive, "a device has data", error) : 0;
    default:
        return fail_header(archive, "the type of the file does not exist",
                           error);
    }
}

/*
 * Start the current entry, a file with several names.  In newc and crc, only
 * the last name has the data, and the others have none; in odc and bin each has
 * the same data.  Returns as start_member().
 */
static int
start_linked(struct cpio_members *archive, struct error *error)
{
    const struct cpio_header *header = &archive->header;
    struct budget *share = archive->base.share;
    struct cpio_link *link =
        cpio_links_find(&archive->links, share, header->dev, header->ino);

    if (link == NULL)
        return fail_memory(archive, error);
    bool is_found = link->names > 0 && link->path == NULL;
    bool is_empty = header->is_new && header->size == 0;
    link->names++;
    if (is_found && !is_empty && header->size != link->size)
        return start_member(archive, error); /* inode numbers may be cut */
    if (is_found || (is_empty && link->names < header->links)) {
        archive->base.others++;
        if (!is_found && link->path == NULL &&
            !cpio_links_keep(&archive->links, share, link, archive->path))
            return fail_memory(archive, error);
        if (is_found && !is_empty && header->size > 0) {
            archive->link = link;
            archive->is_same = true;
            xxh64_start(&archive->hash);
        }
        return 0;
    }
    cpio_links_found(link);
    link->size = header->size;
    archive->link = header->size > 0 ? link : NULL;
    xxh64_start(&archive->hash);
    return start_member(archive, error);
}

/* Start the entry whose header is read.  Returns as start_member(). */
static int
start_entry(struct cpio_members *archive, struct error *error)
{
    const struct cpio_header *header = &archive->header;
    unsigned int type = header->mode & S_IFMT;

    archive->entries++;
    archive->left = header->size;
    archive->pad = header->data_pad;
    archive->sum = 0;
    archive->has_sum = false;
    archive->link = NULL;
    archive->is_same = false;
    if (strcmp(archive->path, CPIO_TRAILER) == 0) {
        archive->is_behind = true;
        return 0;
    }
    if (type != 0 && type != S_IFREG)
        return skip_entry(archive, error);
    archive->has_sum = header->has_sum && header->size > 0;
    return header->links > 1 ? start_linked(archive, error)
                             : start_member(archive, error);
}

/* ---- behind the trailer ---- */

/* Leave out the bytes that follow, of no archive.  Returns 0, or -1 with *ERROR
   set. */
static int
leave_out(struct cpio_members *archive, struct error *error)
{
    const unsigned char *data;
    ssize_t got;

    while ((got = cpio_bytes_pass(&archive->bytes, &data, UINT64_MAX, error)) >
           0)
        archive->base.extra_bytes += (uint64_t)got;
    return (int)got;
}

/*
 * An archive has ended.  Go to the next archive, after zeros or in compressed
 * data.  Returns 1 if one follows; 0 if none; -1: *ERROR is set.
 */
static int
find_archive(struct cpio_members *archive, struct error *error)
{
    struct cpio_bytes *bytes = &archive->bytes;
    unsigned char magic[CPIO_MAGIC_BYTES];

    for (;;) {
        int result = cpio_bytes_pass_zeros(bytes, error);
        if (result <= 0)
            return result;
        int64_t got = cpio_bytes_take(bytes, magic, sizeof magic, error);
        if (got < 0)
            return -1;
        cpio_bytes_return(bytes, magic, (size_t)got);
        if (got == CPIO_MAGIC_BYTES && cpio_header_bytes(magic) > 0)
            return 1;
        result = cpio_bytes_unpack(bytes, error);
        if (result < 0)
            return -1;
        if (result == 0)
            return leave_out(archive, error);
    }
}

/* The next member, behind a trailer: a file whose data were not found is empty.
   Returns as start_member(), and ends the archive if all are found. */
static int
start_unfound(struct cpio_members *archive, struct error *error)
{
    archive->path = cpio_links_take(&archive->links);
    if (archive->path != NULL) {
        archive->base.others--;
        return start_member(archive, error);
    }
    cpio_links_clear(&archive->links, archive->base.share);
    int result = find_archive(archive, error);
    if (result > 0)
        archive->is_behind = false;
    else if (result == 0 && !cpio_bytes_are_cancelled(&archive->bytes)) {
        archive->has_ended = true;
        archive->base.lacks_end_mark =
            cpio_bytes_lack_end_mark(&archive->bytes);
        source_identify(&archive->bytes.outer->file.source);
    }
    return result < 0 ? -1 : 0;
}

static int
next_member(struct members *members, char **name, struct error *error)
{
    struct cpio_members *archive = archive_of(members);
    int result = 0;

    while (result == 0 && !archive->has_ended &&
           !cpio_bytes_are_cancelled(&archive->bytes)) {
        int ended = end_entry(archive, error);
        if (ended <= 0)
            result = ended;
        else if (archive->is_behind)
            result = start_unfound(archive, error);
        else if ((ended = read_header(archive, error)) > 0 &&
                 (ended = read_path(archive, error)) > 0)
            result = start_entry(archive, error);
        else
            result = ended;
    }
    *name = archive->name;
    return result;
}

/* ---- opening and closing ---- */

static void
close_members(struct members *members)
{
    struct cpio_members *archive = archive_of(members);

    cpio_links_clear(&archive->links, archive->base.share);
    cpio_bytes_close(&archive->bytes);
    free(archive->path);
    free(archive);
}

bool
cpio_members_fit(struct archive_bytes *bytes)
{
    unsigned char start[TAR_BLOCK_BYTES] = {0};
    size_t has = archive_bytes_look(bytes, 0, start, sizeof start);
    size_t size = has >= CPIO_MAGIC_BYTES ? cpio_header_bytes(start) : 0;
    struct cpio_header header;

    if (size == 0 || has < size)
        return size > 0;
    /* A name in tar may start as a header of cpio does. */
    bool is_tar =
        memcmp(start + TAR_MAGIC_AT, TAR_MAGIC, sizeof TAR_MAGIC - 1) == 0;
    return !is_tar || cpio_header_read(&header, start);
}

struct members *
cpio_members_open(struct archive_bytes *bytes, const struct reading *reading,
                  struct error *error)
{
    struct cpio_members *archive = calloc(1, sizeof *archive);

    if (archive == NULL) {
        error_set(error, EXIT_DATA, "%s: out of memory",
                  bytes->file.source.display_name);
        archive_bytes_close(bytes);
        return NULL;
    }
    archive->bytes.outer = bytes;
    archive->bytes.reading = reading;
    archive->choice = reading->arrays;
    archive->base = (struct members){
        .type = &cpio_members_type,
        .supply = {.read = read_data, .zeros = data_zeros},
        .share = &bytes->share,
        .seems = bytes->file.seems,
    };
    return &archive->base;
}

static const struct members_type cpio_members_type = {
    .next = next_member,
    .close = close_members,
};
