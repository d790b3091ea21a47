/* SPDX-License-Identifier: MIT */
/* zip.c -- what libarchive does not check of a zip archive */

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/little_endian.h"
#include "input/archive/zip.h"

#define SIGNATURE_BYTES 4

/* An entry of the directory; its name, extra fields and comment follow. */
#define ENTRY "PK\001\002"
#define ENTRY_BYTES 46
#define ENTRY_SYSTEM 5       /* offset of the system that made it: 1 byte */
#define ENTRY_SIZE 24        /* offset of the file's size: 4 bytes */
#define ENTRY_NAME 28        /* offset of the length of its name: 2 bytes ... */
#define ENTRY_EXTRA 30       /* ... of extra fields ... */
#define ENTRY_COMMENT 32     /* ... and of the comment */
#define ENTRY_ATTRIBUTES 38  /* offset of the attributes: 4 bytes */
#define ENTRY_START 42       /* offset of where the entry starts: 4 bytes */
#define ENTRY_FAR 0xffffffff /* of 4 bytes: the number is in the zip64 field */
#define ENTRY_BYTES_MAX (ENTRY_BYTES + 2 * 0xffff)

/* Extra fields start with an ID and a size, of 2 bytes. */
#define EXTRA_BYTES 4
#define EXTRA_ZIP64 1

/* The system that made an entry, and its attributes. */
#define SYSTEM_DOS 0
#define SYSTEM_UNIX 3
#define DOS_DIRECTORY 0x10
#define UNIX_SHIFT 16

/* The last record of a zip archive, which a comment follows. */
#define END "PK\005\006"
#define END_ENTRIES 10  /* offset of the number of files: 2 bytes ... */
#define END_MANY 0xffff /* ... or this, if it needs later features */
#define END_SIZE 12     /* offset of the directory's size: 4 bytes ... */
#define END_START 16    /* ... and of its start: 4 bytes */
#define END_COMMENT 20  /* offset of the length of the comment: 2 bytes */

/* Before it, a locator of a longer record may stand. */
#define LOCATOR "PK\006\007"
#define LOCATOR_BYTES 20
#define LOCATOR_AT 8 /* offset of the longer record's offset: 8 bytes */
#define END64 "PK\006\006"
#define END64_BYTES 56
#define END64_LENGTH 4 /* offset of its length after these 12 bytes: 8 bytes */
#define END64_BEFORE 12
#define END64_ENTRIES 32
#define END64_SIZE 40
#define END64_START 48

/* The bytes that are looked at: the longest comment, and the records before. */
#define TAIL_BYTES (ZIP_END_BYTES_MAX + 4096)

/* libarchive looks for the last record in this many bytes at the end. */
#define LIBRARY_TAIL_BYTES 16384

/* Room for entries without a reservation; it doubles when needed. */
#define STEP_ENTRIES 4096

/* ---- found entries ---- */

int
zip_directory_add(struct zip_directory *directory, struct budget *share,
                  uint64_t from, bool is_file)
{
    if (directory->count == directory->room) {
        size_t room = directory->room == 0 ? STEP_ENTRIES : 2 * directory->room;
        uint64_t more = (room - directory->room) * sizeof *directory->found;
        if (directory->room > 0 && !budget_take(share, more))
            return -1;
        directory->reserved += directory->room > 0 ? more : 0;
        struct zip_found *grown =
            realloc(directory->found, room * sizeof *directory->found);
        if (grown == NULL)
            return -1;
        directory->found = grown;
        directory->room = room;
    }
    directory->found[directory->count++] = (struct zip_found){
        .from = from, .size = ZIP_SIZE_UNKNOWN, .is_file = is_file};
    return 0;
}

void
zip_directory_set_size(struct zip_directory *directory, uint64_t size)
{
    if (directory->count > 0)
        directory->found[directory->count - 1].size = size;
}

void
zip_directory_close(struct zip_directory *directory, struct budget *share)
{
    free(directory->found);
    if (directory->reserved > 0)
        budget_return(share, directory->reserved);
    *directory = (struct zip_directory){.found = NULL};
}

/* ---- entries of the directory ---- */

struct listed {
    const char *name; /* NAME_BYTES of them */
    int name_bytes;
    uint64_t size; /* of the file */
    uint64_t at;   /* where the entry starts */
    unsigned int type;
};

/* If *VALUE, of 4 bytes, refers to the zip64 field, set it to the next 8 bytes
   there. */
static void
take_far(uint64_t *value, const unsigned char **far, const unsigned char *end)
{
    if (*value != ENTRY_FAR || end - *far < 8)
        return;
    *value = little_endian_64(*far);
    *far += 8;
}

/* Read the numbers for which 4 bytes are too few, from the extra fields between
   DATA and END. */
static void
read_extra(struct listed *listed, uint64_t packed, const unsigned char *data,
           const unsigned char *end)
{
    while (end - data >= EXTRA_BYTES) {
        size_t size = little_endian_16(data + 2);
        const unsigned char *next = data + EXTRA_BYTES;
        if (size > (size_t)(end - next))
            return;
        if (little_endian_16(data) == EXTRA_ZIP64) {
            const unsigned char *field = next;
            take_far(&listed->size, &field, next + size);
            take_far(&packed, &field, next + size);
            take_far(&listed->at, &field, next + size);
            return;
        }
        data = next + size;
    }
}

/* Returns the type, as of stat(), of a file with ATTRIBUTES made by SYSTEM, as
   libarchive would. */
static unsigned int
type_of(unsigned int system, uint32_t attributes, const char *name, size_t size)
{
    unsigned int type = S_IFREG;

    if (system == SYSTEM_UNIX && (attributes >> UNIX_SHIFT & S_IFMT) != 0)
        type = attributes >> UNIX_SHIFT & S_IFMT;
    else if (system == SYSTEM_DOS && (attributes & DOS_DIRECTORY) != 0)
        type = S_IFDIR;
    /* zip has read the file from a pipe. */
    if (type == S_IFIFO)
        type = S_IFREG;
    return size > 0 && name[size - 1] == '/' ? S_IFDIR : type;
}

/* Read the entry at DATA, which is whole. */
static void
read_entry(struct listed *listed, const unsigned char *data)
{
    const unsigned char *name = data + ENTRY_BYTES;
    size_t name_bytes = little_endian_16(data + ENTRY_NAME);

    *listed = (struct listed){
        .name = (const char *)name,
        .name_bytes = (int)name_bytes,
        .size = little_endian_32(data + ENTRY_SIZE),
        .at = little_endian_32(data + ENTRY_START),
        .type = type_of(data[ENTRY_SYSTEM],
                        little_endian_32(data + ENTRY_ATTRIBUTES),
                        (const char *)name, name_bytes),
    };
    read_extra(listed, little_endian_32(data + ENTRY_SIZE - 4),
               name + name_bytes,
               name + name_bytes + little_endian_16(data + ENTRY_EXTRA));
}

static const char *
type_name(unsigned int type)
{
    switch (type) {
    case S_IFLNK:
        return "a symbolic link";
    case S_IFDIR:
        return "a directory";
    case S_IFREG:
        return "a file";
    default:
        return "no regular file";
    }
}

/* Returns the end of a message: only the directory says something else. */
static const char *
remedy_of(const struct archive_bytes *bytes)
{
    return archive_bytes_may_seek(bytes) ? "" : "; a regular file can be read";
}

/* Returns the entry that was found at AT, or NULL. */
static struct zip_found *
find(const struct zip_directory *directory, uint64_t at)
{
    size_t low = 0, high = directory->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (directory->found[middle].from <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &directory->found[low - 1] : NULL;
}

/* Compare LISTED with the entry found.  Returns 0, or -1 with *ERROR set. */
static int
compare(const struct zip_directory *directory, const struct listed *listed,
        const struct archive_bytes *bytes, const char *name,
        struct error *error)
{
    struct zip_found *found = find(directory, listed->at);
    const char *remedy = remedy_of(bytes);
    bool is_file = listed->type == S_IFREG;

    if (found == NULL || found->is_listed)
        error_set(error, EXIT_DATA,
                  "%s: %.*s: bad archive: its directory shows a file at byte "
                  "%llu, where none was found%s",
                  name, listed->name_bytes, listed->name,
                  (unsigned long long)listed->at, remedy);
    else if (found->is_file != is_file)
        error_set(
            error, EXIT_DATA,
            "%s: %.*s: the directory of the archive shows %s, which was "
            "%s%s",
            name, listed->name_bytes, listed->name, type_name(listed->type),
            is_file ? "not counted" : "counted as a file",
            is_file || listed->type == S_IFLNK || listed->size == 0 ? remedy
                                                                    : "");
    else if (found->size != ZIP_SIZE_UNKNOWN && found->size != listed->size)
        error_set(error, EXIT_DATA,
                  "%s: %.*s: bad archive: its directory says %llu bytes, but "
                  "the file has %llu",
                  name, listed->name_bytes, listed->name,
                  (unsigned long long)listed->size,
                  (unsigned long long)found->size);
    else if (!is_file && listed->type != S_IFLNK && listed->size > 0)
        error_set(error, EXIT_DATA,
                  "%s: %.*s: bad archive: it is %s, but has %llu bytes", name,
                  listed->name_bytes, listed->name, type_name(listed->type),
                  (unsigned long long)listed->size);
    else
        found->is_listed = true;
    return error->status == EXIT_DONE ? 0 : -1;
}

/* ---- the directory ---- */

/* Bytes of an archive that are read in order. */
struct reach {
    struct archive_bytes *bytes;
    unsigned char *data; /* USED bytes of it, from GIVEN on */
    size_t given;
    size_t used;
};

#define REACH_BYTES (ENTRY_BYTES_MAX + 2 * ARCHIVE_BLOCK_BYTES)

/* Get SIZE bytes to REACH->data + given, or fewer at the end.  Returns their
   number, or -1 with the error of the file set. */
static ssize_t
have(struct reach *reach, size_t size)
{
    while (reach->used - reach->given < size) {
        const unsigned char *block;
        memmove(reach->data, reach->data + reach->given,
                reach->used - reach->given);
        reach->used -= reach->given;
        reach->given = 0;
        ssize_t got = archive_bytes_read(reach->bytes, &block);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        memcpy(reach->data + reach->used, block, (size_t)got);
        reach->used += (size_t)got;
    }
    return (ssize_t)(reach->used - reach->given);
}

/* Set *ERROR: the directory has LISTED entries, and the archive ENTRIES.
   Returns -1. */
static int
fail_count(const char *name, uint64_t listed, uint64_t entries,
           const char *remedy, struct error *error)
{
    error_set(error, EXIT_DATA,
              "%s: bad archive: its directory has %llu entr%s, but %llu are "
              "there%s",
              name, (unsigned long long)listed, listed == 1 ? "y" : "ies",
              (unsigned long long)entries, remedy);
    return -1;
}

/* Read the directory from REACH on.  Returns 0, or -1. */
static int
check_entries(struct zip_directory *directory, struct reach *reach,
              const char *name, struct error *error)
{
    directory->listed = 0;

    for (;;) {
        struct listed listed;
        ssize_t has = have(reach, ENTRY_BYTES);
        const unsigned char *entry = reach->data + reach->given;
        if (has < 0)
            return -1;
        if (has < ENTRY_BYTES || memcmp(entry, ENTRY, 4) != 0)
            return 0;
        size_t size = ENTRY_BYTES + little_endian_16(entry + ENTRY_NAME) +
                      little_endian_16(entry + ENTRY_EXTRA);
        has = have(reach, size);
        entry = reach->data + reach->given;
        if (has < 0)
            return -1;
        if ((size_t)has < size)
            return 0;
        read_entry(&listed, entry);
        if (compare(directory, &listed, reach->bytes, name, error) < 0)
            return -1;
        directory->listed++;
        size += little_endian_16(entry + ENTRY_COMMENT);
        has = have(reach, size);
        if (has < 0)
            return -1;
        reach->given += (size_t)has < size ? (size_t)has : size;
    }
}

/*
 * Go to the directory or, without a directory, to the last record, as
 * libarchive does.  Returns how many bytes are skipped, or -1 with the error of
 * the file set.
 */
static ssize_t
find_directory(struct reach *reach)
{
    ssize_t skipped = 0;
    ssize_t has;

    while ((has = have(reach, SIGNATURE_BYTES)) >= SIGNATURE_BYTES) {
        const unsigned char *here = reach->data + reach->given;
        if (memcmp(here, ENTRY, SIGNATURE_BYTES) == 0 ||
            memcmp(here, END, SIGNATURE_BYTES) == 0 ||
            memcmp(here, END64, SIGNATURE_BYTES) == 0)
            break;
        reach->given++;
        skipped++;
    }
    return has < 0 ? -1 : skipped;
}

int
zip_directory_check(struct zip_directory *directory,
                    struct archive_bytes *bytes, uint64_t from, uint64_t *at,
                    const char *name, struct error *error)
{
    struct reach reach = {.bytes = bytes, .data = malloc(REACH_BYTES)};

    if (reach.data == NULL) {
        error_set(error, EXIT_DATA, "%s: out of memory", name);
        return -1;
    }
    /* The bytes of the directory that are read already. */
    size_t has = (size_t)(bytes->offset - (off_t)from);
    reach.used = archive_bytes_look(
        bytes, (off_t)from, reach.data,
        has < 2 * ARCHIVE_BLOCK_BYTES ? has : 2 * ARCHIVE_BLOCK_BYTES);
    ssize_t skipped = find_directory(&reach);
    *at = from + (uint64_t)skipped;
    int result =
        skipped < 0 ? -1 : check_entries(directory, &reach, name, error);
    free(reach.data);
    if (result < 0 || directory->listed == directory->count ||
        cancel_is_asked(bytes->file.source.cancel))
        return result;
    return fail_count(name, directory->listed, directory->count,
                      remedy_of(bytes), error);
}

/* ---- the last record ---- */

/*
 * Copy up to TAIL_BYTES of the last bytes of BYTES to TAIL.  Returns their
 * number, and sets *AT to their offset; or -1 with the error of the file set.
 */
static ssize_t
copy_tail(struct archive_bytes *bytes, unsigned char *tail, off_t *at)
{
    off_t end = archive_bytes_may_seek(bytes) ? archive_bytes_size(bytes)
                                              : bytes->offset;
    size_t size = end > TAIL_BYTES ? TAIL_BYTES : (size_t)end;

    *at = end - (off_t)size;
    return (ssize_t)archive_bytes_look(bytes, *at, tail, size);
}

/* Returns the last record among the SIZE bytes of TAIL, or NULL. */
static const unsigned char *
find_end(const unsigned char *tail, size_t size)
{
    size_t most = size < ZIP_END_BYTES_MAX ? size : ZIP_END_BYTES_MAX;

    for (size_t behind = ZIP_END_BYTES; behind <= most; behind++) {
        const unsigned char *record = tail + size - behind;
        if (memcmp(record, END, sizeof END - 1) == 0 &&
            little_endian_16(record + END_COMMENT) == behind - ZIP_END_BYTES)
            return record;
    }
    return NULL;
}

/* The last record of an archive, or the longer record before it. */
struct said {
    uint64_t entries;
    uint64_t start; /* of the directory ... */
    uint64_t end;   /* ... and its end, where the records start */
    uint64_t at;    /* start of these records */
    bool is_short;  /* numbers may be too large for the record */
};

/* Read the longer record to *SAID, if RECORD, AT in the archive, has one within
   the BEFORE bytes that precede RECORD.  Returns whether it has. */
static bool
read_longer(struct said *said, const unsigned char *record, uint64_t at,
            size_t before)
{
    const unsigned char *locator = record - LOCATOR_BYTES;

    if (before < LOCATOR_BYTES || memcmp(locator, LOCATOR, 4) != 0)
        return false;
    uint64_t there = little_endian_64(locator + LOCATOR_AT);
    uint64_t back = at - there;
    if (there > at || back > before || back < LOCATOR_BYTES + END64_BYTES)
        return false;
    const unsigned char *longer = record - back;
    if (memcmp(longer, END64, 4) != 0 ||
        little_endian_64(longer + END64_LENGTH) !=
            back - LOCATOR_BYTES - END64_BEFORE)
        return false;
    said->entries = little_endian_64(longer + END64_ENTRIES);
    said->start = little_endian_64(longer + END64_START);
    said->end = said->start + little_endian_64(longer + END64_SIZE);
    said->at = there;
    said->is_short = false;
    return true;
}

/* Read RECORD, as above. */
static struct said
read_end(const unsigned char *record, uint64_t at, size_t before)
{
    struct said said;

    if (read_longer(&said, record, at, before))
        return said;
    said.entries = little_endian_16(record + END_ENTRIES);
    said.start = little_endian_32(record + END_START);
    said.end = said.start + little_endian_32(record + END_SIZE);
    said.at = at;
    said.is_short = true;
    return said;
}

/* Whether the directory is AT, and its end at the records. */
static bool
is_at_place(const struct said *said, uint64_t at)
{
    bool is_far = said->is_short && (said->start == ENTRY_FAR ||
                                     said->end - said->start == ENTRY_FAR ||
                                     said->entries == END_MANY);

    return is_far || (said->start == at && said->end == said->at);
}

/* Whether the number of entries is ENTRIES. */
static bool
are_entries(const struct said *said, uint64_t entries)
{
    return said->is_short ? said->entries == END_MANY ||
                                said->entries == (entries & END_MANY)
                          : said->entries == entries;
}

int
zip_directory_check_end(struct archive_bytes *bytes, uint64_t entries,
                        uint64_t at, const char *name, struct error *error)
{
    unsigned char *tail = malloc(TAIL_BYTES);
    off_t start;
    int result;

    if (tail == NULL) {
        error_set(error, EXIT_DATA, "%s: out of memory", name);
        return -1;
    }
    ssize_t size = copy_tail(bytes, tail, &start);
    const unsigned char *record =
        size > 0 ? find_end(tail, (size_t)size) : NULL;
    if (record == NULL) {
        error_set(error, EXIT_DATA,
                  "%s: bad archive: it does not end as a zip archive", name);
        result = -1;
    } else {
        size_t before = (size_t)(record - tail);
        struct said said = read_end(record, (uint64_t)start + before, before);
        result = 0;
        if (at != UINT64_MAX && !is_at_place(&said, at)) {
            error_set(error, EXIT_DATA,
                      "%s: bad archive: its directory is not at its place",
                      name);
            result = -1;
        } else if (!are_entries(&said, entries)) {
            result = fail_count(name, said.entries, entries, "", error);
        }
    }
    free(tail);
    return result;
}

off_t
zip_directory_end(struct archive_bytes *bytes)
{
    off_t start, end = bytes->end;

    if (bytes->end <= LIBRARY_TAIL_BYTES)
        return end;
    unsigned char *tail = malloc(TAIL_BYTES);
    if (tail == NULL)
        return end;
    ssize_t size = copy_tail(bytes, tail, &start);
    const unsigned char *record =
        size > 0 ? find_end(tail, (size_t)size) : NULL;
    if (record != NULL && size - (record - tail) > LIBRARY_TAIL_BYTES)
        end = start + (record - tail) + ZIP_END_BYTES;
    free(tail);
    return end;
}

/* ---- the memory that libarchive needs to decode a file ---- */

/* Buffers and tables beside the dictionary. */
#define OTHER_BYTES ((uint64_t)512 << 10)

/* Data of LZMA start with a version and the size of five bytes. */
#define LZMA_DICTIONARY_AT 5
#define LZMA_BYTES 9

/* Data of xz: the header of the stream, and the first block's. */
#define XZ_STREAM_BYTES 12
#define XZ_BLOCK_BYTES 64
#define XZ_LZMA2 0x21
#define XZ_DICTIONARY_MAX 40

/* Data of PPMd start with two bytes: order, megabytes and method. */
#define PPMD_BYTES 2
#define PPMD_SHIFT 4

/* Returns the dictionary's size of LZMA2 in the COUNT filters from byte AT on
   of an xz block, whose header has SIZE bytes at DATA; 0: not found. */
static uint64_t
find_lzma2(const unsigned char *data, size_t size, size_t at,
           unsigned int count)
{
    for (; count > 0 && at + 2 < size; count--) {
        if (data[at] == XZ_LZMA2) {
            unsigned int bits = data[at + 2];
            return bits < XZ_DICTIONARY_MAX
                       ? (uint64_t)(2 | (bits & 1)) << (bits / 2 + 11)
                       : UINT32_MAX;
        }
        at += 2 + (size_t)data[at + 1];
    }
    return 0;
}

/* As find_lzma2(), for the block that starts in the SIZE bytes at DATA. */
static uint64_t
xz_dictionary(const unsigned char *data, size_t size)
{
    size_t at = XZ_STREAM_BYTES + 2;

    if (size <= at)
        return 0;
    unsigned int flags = data[XZ_STREAM_BYTES + 1];
    /* The sizes of the block, if any, have any length. */
    for (unsigned int bit = 0x40; bit <= 0x80; bit <<= 1) {
        if ((flags & bit) == 0)
            continue;
        while (at < size && (data[at] & 0x80) != 0)
            at++;
        at++;
    }
    return find_lzma2(data, size, at, (flags & 3) + 1);
}

uint64_t
zip_memory_bytes(struct archive_bytes *bytes, off_t at, const char *format)
{
    unsigned char data[XZ_STREAM_BYTES + XZ_BLOCK_BYTES];
    uint64_t dictionary = 0;

    if (format == NULL)
        return 0;
    if (strstr(format, "(lzma") == NULL && strstr(format, "(xz") == NULL &&
        strstr(format, "(ppmd") == NULL)
        return 0;
    size_t size = archive_bytes_look(bytes, at, data, sizeof data);
    if (strstr(format, "(lzma") != NULL && size >= LZMA_BYTES)
        dictionary = little_endian_32(data + LZMA_DICTIONARY_AT);
    else if (strstr(format, "(xz") != NULL)
        dictionary = xz_dictionary(data, size);
    else if (strstr(format, "(ppmd") != NULL && size >= PPMD_BYTES)
        dictionary =
            (uint64_t)((little_endian_16(data) >> PPMD_SHIFT & 0xff) + 1) << 20;
    return dictionary > 0 ? dictionary + OTHER_BYTES : 0;
}
