/* SPDX-License-Identifier: MIT */
/* state_lines.c -- lines of a state: fields with a TAB between them */

#include <stdlib.h>
#include <string.h>

#include "state/state_field.h"
#include "state/state_lines.h"

/* Make room for SIZE bytes more.  Returns the place of these bytes, or NULL. */
static char *
reserve(struct state_lines *lines, size_t size)
{
    if (lines->has_failed)
        return NULL;
    if (lines->byte == NULL || size > lines->byte_room - lines->size) {
        size_t room = 2 * lines->byte_room + size + 64;
        char *byte = realloc(lines->byte, room);
        if (byte == NULL) {
            lines->has_failed = true;
            return NULL;
        }
        lines->byte = byte;
        lines->byte_room = room;
    }
    return lines->byte + lines->size;
}

/* Returns the start of the unfinished line. */
static size_t
last_end(const struct state_lines *lines)
{
    return lines->count > 0 ? lines->end[lines->count - 1] : 0;
}

void
state_lines_put(struct state_lines *lines, const void *field, size_t size)
{
    const char *from = field;
    char *at = reserve(lines, 2 * size + 1);

    if (at == NULL)
        return;
    if (lines->has_field)
        *at++ = '\t';
    lines->has_field = true;
    for (size_t i = 0; i < size; i++) {
        char letter = state_field_letter(from[i]);
        if (letter != '\0')
            *at++ = '\\';
        *at++ = letter != '\0' ? letter : from[i];
    }
    lines->size = (size_t)(at - lines->byte);
}

void
state_lines_put_text(struct state_lines *lines, const char *field)
{
    state_lines_put(lines, field, strlen(field));
}

int
state_lines_end(struct state_lines *lines)
{
    if (!lines->has_failed && lines->count == lines->end_room) {
        size_t room = 2 * lines->end_room + 8;
        size_t *end = realloc(lines->end, room * sizeof *end);
        lines->has_failed = end == NULL;
        if (end != NULL) {
            lines->end = end;
            lines->end_room = room;
        }
    }
    lines->has_field = false;
    if (lines->has_failed) {
        lines->size = last_end(lines);
        lines->has_failed = false;
        return -1;
    }
    lines->end[lines->count++] = lines->size;
    return 0;
}

int
state_lines_add_text(struct state_lines *lines, const char *field)
{
    state_lines_put_text(lines, field);
    return state_lines_end(lines);
}

int
state_lines_add(struct state_lines *lines, const char *line, size_t size)
{
    char *at = reserve(lines, size);

    if (at != NULL && size > 0)
        memcpy(at, line, size);
    lines->size += at != NULL ? size : 0;
    return state_lines_end(lines);
}

const char *
state_lines_at(const struct state_lines *lines, size_t i, size_t *size)
{
    size_t start = i > 0 ? lines->end[i - 1] : 0;

    *size = lines->end[i] - start;
    return *size > 0 ? lines->byte + start : "";
}

char *
state_lines_field(const struct state_lines *lines, size_t i, size_t f,
                  size_t *size)
{
    size_t left;
    const char *field = state_lines_at(lines, i, &left);
    const char *tab;

    while ((tab = memchr(field, '\t', left)) != NULL && f > 0) {
        left -= (size_t)(tab + 1 - field);
        field = tab + 1;
        f--;
    }
    if (f > 0)
        return NULL;
    left = tab != NULL ? (size_t)(tab - field) : left;
    char *text = malloc(left + 1);
    ptrdiff_t bytes = text != NULL ? state_field_read(field, left, text) : -1;
    if (bytes < 0) {
        free(text);
        return NULL;
    }
    text[bytes] = '\0';
    if (size != NULL)
        *size = (size_t)bytes;
    return text;
}

bool
state_lines_differ(const struct state_lines *a, const struct state_lines *b,
                   size_t *at)
{
    size_t count = a->count < b->count ? a->count : b->count;

    for (*at = 0; *at < count; ++*at) {
        size_t size;
        size_t other;
        const char *line = state_lines_at(a, *at, &size);
        const char *more = state_lines_at(b, *at, &other);
        if (size != other || memcmp(line, more, size) != 0)
            return true;
    }
    return a->count != b->count;
}

void
state_lines_close(struct state_lines *lines)
{
    free(lines->byte);
    free(lines->end);
    *lines = (struct state_lines){0};
}
