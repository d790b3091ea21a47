/* SPDX-License-Identifier: MIT */
/* sevenzip.c -- what libarchive does not check of a 7z archive */

#include <lzma.h>
#include <stdlib.h>
#include <string.h>

#include "base/little_endian.h"
#include "input/archive/sevenzip.h"
#include "input/archive/sevenzip_directory.h"

/* The first header: the rest of it has a checksum. */
#define HEADER_BYTES 32
#define HEADER_VERSION 6 /* offset of the major version: 1 byte */
#define HEADER_CRC 8     /* offset of the checksum of the rest: 4 bytes */
#define HEADER_START 12  /* offset of where the directory starts: 8 bytes ... */
#define HEADER_SIZE 20   /* ... of its size: 8 bytes ... */
#define HEADER_DIGEST 28 /* ... and of its checksum: 4 bytes */

/* How far programs are searched for an archive, and at a time. */
#define SEARCH_BYTES ((uint64_t)8 << 20)
#define SEARCH_STEP ((size_t)64 << 10)

struct first_header {
    uint64_t start; /* of the directory, in the file ... */
    uint64_t size;
    uint32_t digest;
};

/* The bytes of a directory, with a reservation. */
struct text {
    unsigned char *data;
    size_t size;
    uint64_t reserved;
};

/* ---- errors ---- */

/* Set *ERROR: the archive is bad at byte AT.  Returns -1; or 0 without an error
   after cancel_ask(). */
static int
fail(struct archive_bytes *bytes, uint64_t at, const char *detail,
     struct error *error)
{
    struct source *source = &bytes->file.source;

    if (cancel_is_asked(source->cancel)) {
        error_clear(&source->error);
        return 0;
    }
    if (source->error.status != EXIT_DONE)
        error_move(error, &source->error);
    else
        error_set(error, EXIT_DATA, "%s: bad archive at byte %llu: %s",
                  source->display_name, (unsigned long long)at, detail);
    return -1;
}

/* Set *ERROR: the directory takes BYTES_WANTED of memory; 0: unknown.  Returns
   -1. */
static int
fail_memory(const struct archive_bytes *bytes, uint64_t wanted,
            struct error *error)
{
    error_set(error, EXIT_DATA,
              "%s: its directory needs %llu bytes of memory, more than "
              "--memory-limit leaves (%llu)",
              bytes->file.source.display_name, (unsigned long long)wanted,
              (unsigned long long)budget_total(&bytes->share));
    return -1;
}

/* ---- the first header ---- */

/* Whether the HEADER_BYTES at DATA are a first header. */
static bool
is_header(const unsigned char *data)
{
    return memcmp(data, SEVENZIP_SIGNATURE, SEVENZIP_SIGNATURE_BYTES) == 0 &&
           lzma_crc32(data + HEADER_START, HEADER_BYTES - HEADER_START, 0) ==
               little_endian_32(data + HEADER_CRC);
}

uint64_t
sevenzip_find(struct archive_bytes *bytes)
{
    unsigned char *data = malloc(SEARCH_STEP + HEADER_BYTES);
    uint64_t found = 0;

    for (uint64_t at = 0; data != NULL && found == 0 && at < SEARCH_BYTES;
         at += SEARCH_STEP) {
        size_t has = archive_bytes_look(bytes, (off_t)at, data,
                                        SEARCH_STEP + HEADER_BYTES);
        for (size_t i = 0; i + HEADER_BYTES <= has && found == 0; i++) {
            if (data[i] == '7' && is_header(data + i))
                found = at + i;
        }
        if (has < SEARCH_STEP + HEADER_BYTES)
            break;
    }
    free(data);
    return found;
}

/* Read the first header.  Returns 1; 0 after cancel_ask(); or -1 with *ERROR
   set. */
static int
read_first(struct archive_bytes *bytes, struct first_header *header,
           struct error *error)
{
    unsigned char data[HEADER_BYTES];
    uint64_t has = (uint64_t)archive_bytes_size(bytes);
    char text[160];

    if (archive_bytes_look(bytes, 0, data, sizeof data) < sizeof data)
        return fail(bytes, has, "it is cut short", error);
    if (!is_header(data))
        return fail(bytes, HEADER_CRC, "its first header is damaged", error);
    if (data[HEADER_VERSION] != 0)
        return fail(bytes, HEADER_VERSION, "its version is unknown", error);
    *header = (struct first_header){
        .start = HEADER_BYTES + little_endian_64(data + HEADER_START),
        .size = little_endian_64(data + HEADER_SIZE),
        .digest = little_endian_32(data + HEADER_DIGEST),
    };
    if (header->start < HEADER_BYTES || header->size > UINT64_MAX / 2 ||
        header->start > UINT64_MAX / 2)
        return fail(bytes, HEADER_START, "its first header is damaged", error);
    if (has >= header->start + header->size)
        return 1;
    snprintf(text, sizeof text,
             "it is cut short: it should have %llu bytes (of several volumes, "
             ".001 and so on, this is the first: cat joins them)",
             (unsigned long long)(header->start + header->size));
    return fail(bytes, has, text, error);
}

/* ---- the directory ---- */

static void
free_text(struct archive_bytes *bytes, struct text *text)
{
    free(text->data);
    if (text->reserved > 0)
        budget_return(&bytes->share, text->reserved);
    *text = (struct text){.data = NULL};
}

/* Make TEXT have room for SIZE bytes, and reserve MORE.  Returns 0, or -1 with
   *ERROR set. */
static int
make_text(struct archive_bytes *bytes, struct text *text, uint64_t size,
          uint64_t more, struct error *error)
{
    uint64_t wanted = size < UINT64_MAX - more ? size + more : UINT64_MAX;

    *text = (struct text){.data = NULL};
    if (size > SIZE_MAX || !budget_take(&bytes->share, wanted))
        return fail_memory(bytes, wanted, error);
    text->reserved = wanted;
    text->size = (size_t)size;
    text->data = malloc(text->size + 1);
    return text->data != NULL ? 0 : error_fail_memory(error);
}

/* Copy the SIZE bytes from AT on to TEXT.  Returns 1; 0 after cancel_ask(); or
   -1 with *ERROR set. */
static int
read_text(struct archive_bytes *bytes, struct text *text, uint64_t at,
          uint64_t size, struct error *error)
{
    if (make_text(bytes, text, size, 0, error) < 0)
        return -1;
    size_t got = archive_bytes_look(bytes, (off_t)at, text->data, text->size);
    return got == text->size ? 1
                             : fail(bytes, at + got, "it is cut short", error);
}

/* Decode the PACKED bytes as FOLDER says to UNPACKED, which has room.  Returns
   whether the data were good. */
static bool
decode(const struct sevenzip_folder *folder, const struct text *packed,
       struct text *unpacked)
{
    lzma_filter filters[2] = {
        {.id = folder->method == SEVENZIP_LZMA ? LZMA_FILTER_LZMA1
                                               : LZMA_FILTER_LZMA2},
        {.id = LZMA_VLI_UNKNOWN},
    };
    lzma_stream stream = LZMA_STREAM_INIT;

    if (folder->method == SEVENZIP_COPY) {
        if (packed->size == unpacked->size)
            memcpy(unpacked->data, packed->data, packed->size);
        return packed->size == unpacked->size;
    }
    if (lzma_properties_decode(&filters[0], NULL, folder->props,
                               folder->props_bytes) != LZMA_OK)
        return false;
    /* Data without a mark of their end are not known to have ended. */
    lzma_ret status = lzma_raw_decoder(&stream, filters);
    stream.next_in = packed->data;
    stream.avail_in = packed->size;
    stream.next_out = unpacked->data;
    stream.avail_out = unpacked->size;
    while (status == LZMA_OK && stream.avail_out > 0)
        status = lzma_code(&stream, LZMA_RUN);
    bool is_good = stream.avail_out == 0 &&
                   (status == LZMA_OK || status == LZMA_STREAM_END);
    lzma_end(&stream);
    free(filters[0].options);
    return is_good;
}

/* Replace TEXT, which DIRECTORY describes and starts AT, by the directory that
   it has in compressed form.  Returns as read_text(). */
static int
unpack(struct archive_bytes *bytes, struct text *text, uint64_t at,
       const struct sevenzip_directory *directory, struct error *error)
{
    const struct sevenzip_folder *folder = &directory->folder[0];
    uint64_t start = HEADER_BYTES + directory->start;
    struct text packed = {.data = NULL}, unpacked = {.data = NULL};

    if (folder->is_encrypted) {
        error_set(error, EXIT_DATA, "%s: it is encrypted, with its directory",
                  bytes->file.source.display_name);
        return -1;
    }
    if (folder->coders != 1 ||
        (folder->method != SEVENZIP_LZMA && folder->method != SEVENZIP_LZMA2 &&
         folder->method != SEVENZIP_COPY))
        return fail(bytes, at,
                    "its directory is compressed by a method that is not "
                    "supported",
                    error);
    if (directory->start > at || directory->bytes > at - directory->start)
        return fail(bytes, at, "its directory is damaged", error);
    int result = read_text(bytes, &packed, start, directory->bytes, error);
    if (result > 0)
        result = make_text(bytes, &unpacked, folder->unpacked, folder->memory,
                           error) < 0
                     ? -1
                     : 1;
    if (result > 0 &&
        (!decode(folder, &packed, &unpacked) ||
         (folder->has_digest &&
          lzma_crc32(unpacked.data, unpacked.size, 0) != folder->digest)))
        result = fail(bytes, start, "its directory is damaged", error);
    free_text(bytes, &packed);
    free_text(bytes, text);
    *text = unpacked;
    return result;
}

/* Read the directory in TEXT, AT in the file.  Returns as read_text(). */
static int
read_directory(struct archive_bytes *bytes, struct text *text, uint64_t at,
               struct sevenzip_directory *directory, struct error *error)
{
    switch (sevenzip_directory_read(directory, &bytes->share, text->data,
                                    text->size)) {
    case SEVENZIP_GOOD:
        return 1;
    case SEVENZIP_NO_MEMORY:
        return fail_memory(bytes, directory->memory, error);
    default:
        return fail(bytes, at, "its directory is damaged", error);
    }
}

/* Set *ERROR if libarchive cannot read a folder of DIRECTORY.  Returns 1, or
   -1. */
static int
check_folders(const struct archive_bytes *bytes,
              const struct sevenzip_directory *directory, struct error *error)
{
    for (uint64_t i = 0; i < directory->folders; i++) {
        if (directory->folder[i].coders <= SEVENZIP_CODERS_MAX)
            continue;
        error_set(error, EXIT_DATA, "%s: it has files that are %s",
                  bytes->file.source.display_name,
                  directory->folder[i].is_encrypted
                      ? "encrypted"
                      : "compressed by more than four methods together, which "
                        "libarchive does not read");
        return -1;
    }
    return 1;
}

/* Read the directory that HEADER names to *DIRECTORY.  Returns as
   read_text(). */
static int
read_whole(struct archive_bytes *bytes, const struct first_header *header,
           struct sevenzip_directory *directory, struct text *text,
           struct error *error)
{
    uint64_t at = header->start;
    int result = read_text(bytes, text, at, header->size, error);

    if (result > 0 && lzma_crc32(text->data, text->size, 0) != header->digest)
        result = fail(bytes, at, "its directory is damaged", error);
    if (result > 0)
        result = read_directory(bytes, text, at, directory, error);
    if (result <= 0 || !directory->is_packed)
        return result;
    uint64_t decoder = directory->memory;
    result = unpack(bytes, text, at, directory, error);
    sevenzip_directory_close(directory);
    if (result > 0)
        result = read_directory(bytes, text, at, directory, error);
    if (result > 0 && directory->is_packed)
        result = fail(bytes, at, "its directory is compressed twice", error);
    directory->memory += decoder;
    return result;
}

int
sevenzip_check(struct archive_bytes *bytes, struct sevenzip *found,
               struct error *error)
{
    struct first_header header = {.size = 0};
    struct sevenzip_directory directory = {.folder = NULL};
    struct text text = {.data = NULL};
    int result = read_first(bytes, &header, error);

    *found = (struct sevenzip){
        .end = header.size > 0 ? header.start + header.size : HEADER_BYTES};
    if (result <= 0 || header.size == 0)
        return result < 0 ? -1 : 0;
    result = read_whole(bytes, &header, &directory, &text, error);
    if (result > 0)
        result = check_folders(bytes, &directory, error);
    found->files = directory.files;
    found->memory = directory.memory;
    found->method = directory.odd_method;
    sevenzip_directory_close(&directory);
    free_text(bytes, &text);
    return result < 0 ? -1 : 0;
}

/* ---- methods ---- */

/* Returns the name of METHOD, which this libarchive does not read. */
static const char *
method_name(uint64_t method)
{
    static const struct {
        uint32_t method;
        const char *name;
    } methods[] = {
        {0x04f71101, "zstd, which this libarchive does not read"},
        {0x04f71102, "brotli, which libarchive does not read"},
        {0x04f71104, "lz4, which libarchive does not read"},
        {0x040109, "Deflate64, which libarchive does not read"},
        {0x0a, "a filter for ARM64, which this libarchive does not read"},
        {0x0b, "a filter for RISC-V, which this libarchive does not read"},
    };

    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        if (methods[i].method == method)
            return methods[i].name;
    }
    return "a method that libarchive does not read";
}

const char *
sevenzip_method(const struct sevenzip *found, const char *message)
{
    static const struct {
        const char *part; /* of a message */
        const char *text; /* NULL: the method */
    } messages[] = {
        {"codec ID", NULL},
        {"codec is unsupported", NULL},
        {"Unsupported filter", "methods that libarchive does not combine"},
        {"many filters", "more filters than libarchive combines"},
        {"form of BCJ2", "a form of BCJ2 that libarchive does not read"},
    };

    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        if (strstr(message, messages[i].part) != NULL)
            return messages[i].text != NULL ? messages[i].text
                                            : method_name(found->method);
    }
    return NULL;
}
