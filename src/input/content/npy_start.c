/* npy_start.c -- the start of a .npy file, before its array */

#include <stdlib.h>
#include <string.h>

#include "input/content/npy_start.h"

/* Numpy writes headers of 128 bytes, unless a type has many fields. */
#define START_BYTES ((size_t)4096)

/* Set the source's error to DETAIL, at byte OFFSET of the header. */
static int
fail(struct content *content, uint64_t offset, const char *what,
     const char *detail)
{
    return source_fail(&content->source, (off_t)(content->skipped + offset),
                       what, detail);
}

/*
 * Read until *DATA, for free(), has WANTED of its *SIZE bytes, or until the end
 * of the content.  Returns 0, or -1 with the source's error set.
 */
static int
read_to(struct content *content, unsigned char **data, size_t *size,
        size_t wanted)
{
    struct source *source = &content->source;
    size_t room = wanted > START_BYTES ? wanted : START_BYTES;
    unsigned char *grown = realloc(*data, room);

    if (grown == NULL)
        return source_fail_memory(source);
    *data = grown;
    while (*size < wanted) {
        ssize_t got = content_read_start(content, *data, *size, room);
        if (got < 0)
            return -1;
        /* A look at a plain file does not say why it failed. */
        if (got == 0 && content_has_ranges(content) &&
            source->first + (off_t)*size < source->size) {
            if (source_read_at(source, *data + *size, 1,
                               source->first + (off_t)*size,
                               &source->error) < 0)
                return -1;
            got = 1;
        }
        if (got == 0)
            break;
        *size += (size_t)got;
    }
    return 0;
}

/* Returns what begins with the SIZE bytes at DATA, which is no .npy file. */
static const char *
what_is(const unsigned char *data, size_t size)
{
    static const char zip[] = {'P', 'K', 3, 4};

    if (size == 0)
        return "the input is empty";
    if (size >= sizeof zip && memcmp(data, zip, sizeof zip) == 0)
        return "a zip archive, like .npz (unzip -p FILE NAME.npy prints an "
               "array)";
    return size < NPY_HEADER_START_BYTES ? "it is too short"
                                         : "no magic string";
}

/* As npy_start_read(), with the content's first *SIZE bytes in *DATA. */
static int
read_header(struct content *content, unsigned char **data, size_t *size,
            struct npy_header *header, uint64_t *bytes)
{
    struct npy_fault fault;

    if (read_to(content, data, size, NPY_HEADER_START_BYTES) < 0)
        return -1;
    *bytes = npy_header_bytes(*data, *size);
    if (*bytes == 0)
        return fail(content, 0, "not a .npy file", what_is(*data, *size));
    if (*bytes > NPY_HEADER_BYTES_MAX)
        return fail(content, 8, "bad .npy header",
                    "it is longer than a mebibyte");
    if (read_to(content, data, size, (size_t)*bytes) < 0)
        return -1;
    if (*size < *bytes)
        return fail(content, *size, "bad .npy header", "it is cut off");
    if (npy_header_parse(header, *data, (size_t)*bytes, &fault) < 0)
        return fail(content, fault.offset, "bad .npy header", fault.text);
    return 0;
}

int
npy_start_read(struct content *content, struct npy_header *header)
{
    unsigned char *data = NULL;
    size_t size = 0;
    uint64_t bytes = 0;

    *header = (struct npy_header){0};
    if (read_header(content, &data, &size, header, &bytes) < 0) {
        free(data);
        return -1;
    }
    return content_end_start(content, data, size, (size_t)bytes) < 0
               ? -1
               : content_expect(content, header->bytes);
}

int
npy_start_check(struct content *content, const struct npy_header *first)
{
    struct npy_header header;
    char difference[640];
    int result = npy_start_read(content, &header);

    if (result == 0 &&
        !npy_header_is_equal(&header, first, difference, sizeof difference)) {
        error_set(&content->source.error, EXIT_DATA, "%s: %s in %s",
                  content->source.display_name, difference, first->input);
        result = -1;
    }
    npy_header_close(&header);
    return result;
}
