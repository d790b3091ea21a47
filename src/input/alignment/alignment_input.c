/* SPDX-License-Identifier: MIT */
/* alignment_input.c -- buffered reading of BAM and SAM */

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "input/alignment/alignment_input.h"

/* The buffer at first: some blocks of BGZF. */
#define ROOM_BYTES ((size_t)256 << 10)

void
alignment_input_open(struct alignment_input *input, alignment_read_fn *read,
                     void *context, size_t bytes_max, unsigned char *data,
                     size_t size)
{
    *input = (struct alignment_input){
        .read = read,
        .context = context,
        .bytes_max = bytes_max,
        .buffer = data,
        .room = size,
        .end = size,
    };
}

void
alignment_input_close(struct alignment_input *input)
{
    free(input->buffer);
    input->buffer = NULL;
}

enum alignment_bytes
alignment_input_fail(struct alignment_input *input, uint64_t offset,
                     const char *format, ...)
{
    va_list args;
    size_t size = 0;

    if (input->record > 0)
        size =
            (size_t)snprintf(input->error, sizeof input->error, "record %llu ",
                             (unsigned long long)input->record);
    va_start(args, format);
    (void)vsnprintf(input->error + size, sizeof input->error - size, format,
                    args);
    va_end(args);
    input->error_offset = offset;
    input->has_failed = true;
    return ALIGNMENT_FAILED;
}

enum alignment_bytes
alignment_input_fail_long(struct alignment_input *input, uint64_t offset)
{
    return alignment_input_fail(
        input, offset, "%s more than %zu bytes (--memory-limit)",
        input->record > 0 ? "has" : "the header has", input->bytes_max);
}

enum alignment_bytes
alignment_input_fail_cigar(struct alignment_input *input, uint64_t offset,
                           size_t length, uint64_t bases)
{
    return alignment_input_fail(input, offset,
                                "has %zu bases, but its CIGAR string is of "
                                "%llu",
                                length, (unsigned long long)bases);
}

/* Make room for more bytes after the last one.  Returns 0, or -1. */
static int
make_room(struct alignment_input *input)
{
    size_t has = alignment_input_has(input);

    if (input->next > 0 && has > 0)
        memmove(input->buffer, input->buffer + input->next, has);
    input->next = 0;
    input->end = has;
    if (has < input->room / 2)
        return 0;
    size_t room = input->room < ROOM_BYTES / 2 ? ROOM_BYTES : 2 * input->room;
    unsigned char *grown = realloc(input->buffer, room);
    if (grown == NULL) {
        (void)alignment_input_fail(input, input->offset, "%s",
                                   input->record > 0 ? "does not fit into "
                                                       "memory"
                                                     : "out of memory");
        return -1;
    }
    input->buffer = grown;
    input->room = room;
    return 0;
}

/* Returns how many bytes to read next, ROOM at most: not beyond the start of a
   page, and not beyond the end of a set. */
static size_t
read_max(const struct alignment_input *input, size_t room)
{
    const struct alignment_sets *sets = input->sets;
    struct alignment_place place;

    if (sets == NULL || !sets->find(sets->context, &place) ||
        place.at == place.size)
        return room;
    const struct alignment_page *page = place.page;
    const size_t stop = place.at < page->start ? page->start : place.size;
    return stop - place.at < room ? stop - place.at : room;
}

enum alignment_bytes
alignment_input_need(struct alignment_input *input, size_t wanted)
{
    while (alignment_input_has(input) < wanted) {
        if (input->has_ended)
            return ALIGNMENT_ENDED;
        if (make_room(input) < 0)
            return ALIGNMENT_FAILED;
        ssize_t got = input->read(input->context, input->buffer + input->end,
                                  read_max(input, input->room - input->end),
                                  &input->has_ended);
        if (got < 0) {
            input->has_failed = true;
            return ALIGNMENT_FAILED;
        }
        input->end += (size_t)got;
        if (got == 0 && !input->has_ended)
            return ALIGNMENT_LATER;
    }
    return ALIGNMENT_THERE;
}

void
alignment_input_take(struct alignment_input *input, size_t size)
{
    input->next += size;
    input->offset += size;
}

enum alignment_bytes
alignment_input_skip(struct alignment_input *input, uint64_t *size)
{
    while (*size > 0) {
        enum alignment_bytes bytes = alignment_input_need(input, 1);
        if (bytes != ALIGNMENT_THERE)
            return bytes;
        size_t has = alignment_input_has(input);
        size_t step = has < *size ? has : (size_t)*size;
        alignment_input_take(input, step);
        *size -= step;
    }
    return ALIGNMENT_THERE;
}
