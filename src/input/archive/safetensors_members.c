/* SPDX-License-Identifier: MIT */
/*
 * safetensors_members.c -- the arrays of a safetensors file
 *
 * Arrays follow in the order of the file.  In a plain regular file each array
 * is a range, so only the header and the wanted arrays are read.  From a pipe
 * or a compressed file everything is read, up to the end, which is checked.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/little_endian.h"
#include "hist/safetensors_header.h"
#include "input/archive/members.h"
#include "input/content/array_choice.h"

/* Bytes that are read at a time: of the header, and of the bytes left out. */
#define STEP_BYTES ((size_t)64 << 10)

/* What a byte of the header takes, with the header itself. */
#define HEADER_COST 4

struct safetensors_members {
    struct members base;
    struct content file;
    struct budget share;         /* of the decoder */
    struct array_choice *choice; /* NULL: all arrays */
    struct safetensors_header header;
    size_t next;   /* index of the array after the current one */
    uint64_t data; /* where the arrays start in the content */
    uint64_t reserved;
    char *name; /* of the current array; owned by the caller of next() */

    /* Without ranges: */
    uint64_t at;   /* bytes that are read of all arrays */
    uint64_t left; /* bytes of the current array, which follow */
};

static struct safetensors_members *
members_of(struct members *members)
{
    return (struct safetensors_members *)members;
}

/* ---- errors ---- */

/* Set *ERROR to the error of the file.  Returns -1; or 0 without an error after
   cancel_ask(). */
static int
fail_read(struct safetensors_members *file, struct error *error)
{
    struct source *source = &file->file.source;

    if (cancel_is_asked(source->cancel)) {
        error_clear(&source->error);
        return 0;
    }
    error_move(error, &source->error);
    return -1;
}

/* Set *ERROR: the file is bad at byte OFFSET.  Returns -1. */
static int
fail(const struct safetensors_members *file, uint64_t offset,
     const char *detail, struct error *error)
{
    error_set(error, EXIT_DATA, "%s: bad safetensors file at byte %llu: %s",
              file->file.source.display_name, (unsigned long long)offset,
              detail);
    return -1;
}

/* Set *ERROR: the file has HAS bytes, too few for its arrays.  Returns -1. */
static int
fail_shorter(const struct safetensors_members *file, uint64_t has,
             struct error *error)
{
    char text[80];

    snprintf(text, sizeof text,
             "cut short: %llu bytes of its arrays are missing",
             (unsigned long long)(file->data + file->header.bytes - has));
    return fail(file, has, text, error);
}

/* ---- the header ---- */

/*
 * Read SIZE bytes of the file to BUFFER.  Returns how many, fewer only at the
 * end or after cancel_ask(); or -1 with the error of the file set.
 */
static ssize_t
read_bytes(struct safetensors_members *file, unsigned char *buffer, size_t size)
{
    size_t done = 0;

    while (done < size) {
        ssize_t got = content_read(&file->file, buffer + done, size - done);
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

/* Returns how many bytes the file has from its first one on, if it is plain and
   regular; otherwise UINT64_MAX. */
static uint64_t
known_bytes(const struct safetensors_members *file)
{
    const struct source *source = &file->file.source;

    /* A file under /proc has size 0 but may have content. */
    return content_has_ranges(&file->file) && source->size > source->first
               ? (uint64_t)(source->size - source->first)
               : UINT64_MAX;
}

/* Read the length of the header.  Returns 1; 0 after cancel_ask(); or -1 with
   *ERROR set. */
static int
read_length(struct safetensors_members *file, uint64_t *length,
            struct error *error)
{
    unsigned char bytes[SAFETENSORS_LENGTH_BYTES];
    ssize_t got = read_bytes(file, bytes, sizeof bytes);

    if (got < 0 || cancel_is_asked(file->file.source.cancel))
        return fail_read(file, error);
    if (got == 0)
        return fail(file, 0, "the input is empty", error);
    if (got < (ssize_t)sizeof bytes)
        return fail(file, (uint64_t)got, "it is too short", error);
    *length = little_endian_64(bytes);
    if (*length > SAFETENSORS_HEADER_MAX)
        return fail(file, 0,
                    "its header would be longer than 100000000 bytes, so it is "
                    "no safetensors file",
                    error);
    if (*length > known_bytes(file) - SAFETENSORS_LENGTH_BYTES)
        return fail(file, 0, "its header would be longer than the file", error);
    return 1;
}

/*
 * Read the LENGTH bytes of the header to *DATA, for free().  Room for them is
 * made as they come, because the length may be wrong.  Returns as
 * read_length().
 */
static int
read_text(struct safetensors_members *file, size_t length, unsigned char **data,
          struct error *error)
{
    size_t size = 0;

    while (size < length) {
        size_t more = size < STEP_BYTES ? STEP_BYTES : size;
        if (more > length - size)
            more = length - size;
        unsigned char *grown = realloc(*data, size + more);
        if (grown == NULL)
            return error_fail_memory(error);
        *data = grown;
        ssize_t got = read_bytes(file, *data + size, more);
        if (got < 0 || cancel_is_asked(file->file.source.cancel))
            return fail_read(file, error);
        size += (size_t)got;
        if (got < (ssize_t)more)
            return fail(file, SAFETENSORS_LENGTH_BYTES + size,
                        "the header is cut off", error);
    }
    return 1;
}

/* Check the size of a plain file.  Returns 1, or -1 with *ERROR set. */
static int
check_size(const struct safetensors_members *file, struct error *error)
{
    uint64_t has = known_bytes(file);
    uint64_t wanted = file->data + file->header.bytes;

    if (has == UINT64_MAX || has == wanted)
        return 1;
    return has < wanted
               ? fail_shorter(file, has, error)
               : fail(file, wanted, "bytes after the last array", error);
}

/* Read the header.  Returns as read_length(). */
static int
read_header(struct safetensors_members *file, struct error *error)
{
    unsigned char *data = NULL;
    struct npy_fault fault;
    uint64_t length = 0;
    int result = read_length(file, &length, error);

    if (result <= 0)
        return result;
    if (!budget_take(&file->share, HEADER_COST * length)) {
        error_set(error, EXIT_DATA,
                  "%s: its header needs %llu bytes of memory, more than "
                  "--memory-limit leaves (%llu)",
                  file->file.source.display_name,
                  (unsigned long long)(HEADER_COST * length),
                  (unsigned long long)budget_total(&file->share));
        return -1;
    }
    file->reserved = HEADER_COST * length;
    file->data = SAFETENSORS_LENGTH_BYTES + length;
    result = read_text(file, (size_t)length, &data, error);
    if (result > 0 && safetensors_header_parse(&file->header, data,
                                               (size_t)length, &fault) < 0)
        result = fail(file, SAFETENSORS_LENGTH_BYTES + fault.offset, fault.text,
                      error);
    free(data);
    return result > 0 ? check_size(file, error) : result;
}

/* ---- arrays ---- */

static ssize_t
read_data(struct source_supply *supply, void *buffer, size_t capacity,
          struct error *error)
{
    struct safetensors_members *file = (struct safetensors_members *)supply;

    if (capacity > file->left)
        capacity = (size_t)file->left;
    if (capacity == 0)
        return 0;
    ssize_t got = content_read(&file->file, buffer, capacity);
    if (got < 0)
        return fail_read(file, error);
    file->left -= (uint64_t)got;
    file->at += (uint64_t)got;
    return got;
}

/* No zeros are known without reading. */
static uint64_t
data_zeros(const struct source_supply *supply)
{
    (void)supply;
    return 0;
}

/* Without ranges: read up to byte END of all arrays.  Returns 1; 0 after
   cancel_ask(); or -1 with *ERROR set. */
static int
pass(struct safetensors_members *file, uint64_t end, struct error *error)
{
    unsigned char *scratch = file->at < end ? malloc(STEP_BYTES) : NULL;
    int result = 1;

    if (file->at < end && scratch == NULL)
        return error_fail_memory(error);
    file->left = 0;
    while (result > 0 && file->at < end) {
        uint64_t left = end - file->at;
        ssize_t got =
            content_read(&file->file, scratch,
                         left < STEP_BYTES ? (size_t)left : STEP_BYTES);
        if (got < 0 || cancel_is_asked(file->file.source.cancel))
            result = fail_read(file, error);
        else if (got == 0)
            result = fail_shorter(file, file->data + file->at, error);
        else
            file->at += (uint64_t)got;
    }
    free(scratch);
    return result;
}

/* All arrays are passed: the file must end.  Returns 0, or -1 with *ERROR
   set. */
static int
check_end(struct safetensors_members *file, struct error *error)
{
    unsigned char byte;

    if (file->base.file == NULL) {
        int passed = pass(file, file->header.bytes, error);
        if (passed <= 0)
            return passed;
        ssize_t got = content_read(&file->file, &byte, 1);
        if (got < 0 || cancel_is_asked(file->file.source.cancel))
            return fail_read(file, error);
        if (got > 0)
            return fail(file, file->data + file->header.bytes,
                        "bytes after the last array", error);
    }
    source_identify(&file->file.source);
    return 0;
}

/* Make ARRAY the current member.  Returns 1; 0 after cancel_ask(); or -1 with
   *ERROR set. */
static int
start_array(struct safetensors_members *file,
            const struct safetensors_array *array, struct error *error)
{
    const char *path = file->file.source.display_name;

    file->base.count++;
    if (asprintf(&file->name, "%s: %s", path, array->name) < 0) {
        file->name = NULL;
        return error_fail_memory(error);
    }
    if (!safetensors_array_describe(array, &file->base.array)) {
        error_set(error, EXIT_DATA,
                  "%s: the type %s is not counted (--array=NAME selects other "
                  "arrays)",
                  file->name, safetensors_array_type(array));
        return -1;
    }
    if (file->base.file == NULL) {
        int passed = pass(file, array->start, error);
        file->left = array->bytes;
        return passed;
    }
    file->base.start =
        file->base.file->first + (off_t)(file->data + array->start);
    file->base.end = file->base.start + (off_t)array->bytes;
    return 1;
}

static int
next_array(struct members *members, char **name, struct error *error)
{
    struct safetensors_members *file = members_of(members);

    *name = NULL;
    while (file->next < file->header.count) {
        const struct safetensors_array *array =
            &file->header.array[file->next++];
        if (file->choice != NULL &&
            !array_choice_takes(file->choice, array->name, false)) {
            file->base.unchosen++;
            continue;
        }
        int result = start_array(file, array, error);
        *name = file->name;
        return result;
    }
    file->base.array = (struct npy_array){.code = NULL};
    return check_end(file, error);
}

/* ---- opening and closing ---- */

static void
close_members(struct members *members)
{
    struct safetensors_members *file = members_of(members);

    safetensors_header_close(&file->header);
    if (file->reserved > 0)
        budget_return(&file->share, file->reserved);
    content_free(&file->file);
    free(file);
}

static struct members *
open_members(const struct source *source, const struct reading *reading,
             struct budget *budget, struct error *error)
{
    struct safetensors_members *file = calloc(1, sizeof *file);

    if (file == NULL) {
        error_set(error, EXIT_DATA, "%s: out of memory", source->display_name);
        return NULL;
    }
    file->base.type = &safetensors_members_type;
    file->base.supply =
        (struct source_supply){.read = read_data, .zeros = data_zeros};
    file->choice = reading->arrays;
    budget_open_share(&file->share, budget);
    file->base.share = &file->share;
    file->file.source = source_again(source);
    int result = content_open_archive(&file->file, reading, &file->share) < 0
                     ? fail_read(file, error)
                     : read_header(file, error);
    if (result <= 0) {
        close_members(&file->base);
        return NULL;
    }
    file->base.seems = file->file.seems;
    if (known_bytes(file) != UINT64_MAX)
        file->base.file = &file->file.source;
    return &file->base;
}

const struct members_type safetensors_members_type = {
    .whole = "file",
    .noun = "array",
    .may_have_ranges = true,
    .open = open_members,
    .next = next_array,
    .close = close_members,
};
