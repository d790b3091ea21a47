/* SPDX-License-Identifier: MIT */
/* portion_line.c -- a portion as a line of a state */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "state/portion_line.h"
#include "state/state_field.h"

/* Room for all of the first field but the marks. */
#define TEXT_BYTES 256

#define MARK_DIGITS 4

int
portion_line_add(struct state_lines *lines, const struct portion *portion)
{
    char text[TEXT_BYTES + MARK_DIGITS * PORTION_MARKS_MAX];
    size_t at = (size_t)snprintf(
        text, TEXT_BYTES, "size=%" PRIu64 " range=%" PRIu64 "-%" PRIu64 " ",
        portion->size, portion->start, portion->end);

    if (portion->shards > 1)
        at += (size_t)snprintf(text + at, TEXT_BYTES - at,
                               "shard=%" PRIu64 "/%" PRIu64 " run=%016" PRIx64
                               " ",
                               portion->shard, portion->shards, portion->run);
    at += (size_t)snprintf(
        text + at, TEXT_BYTES - at,
        "%shead=%016" PRIx64 " hash=%016" PRIx64 "%016" PRIx64 "%s",
        portion->is_empty ? "empty " : "", portion->head, portion->digest.high,
        portion->digest.low, portion->marks > 0 ? " marks=" : "");
    for (size_t i = 0; i < portion->marks; i++) {
        for (unsigned int digit = MARK_DIGITS; digit-- > 0;)
            text[at++] = escape_digit(portion->mark[i] >> 4 * digit & 15);
    }
    state_lines_put(lines, text, at);
    state_lines_put_text(lines, portion->name);
    return state_lines_end(lines);
}

/* ---- reading ---- */

/* Read a number below 2^63 and the WORD after it.  Returns whether both are
   next in TEXT. */
static bool
read_number(struct state_text *text, uint64_t *number, const char *word)
{
    return state_text_number(text, number) && *number <= INT64_MAX &&
           state_text_word(text, word);
}

/* Read the marks of PORTION, up to the end.  Returns as portion_line_read(). */
static int
read_marks(struct state_text *text, struct portion *portion)
{
    size_t marks = text->size / MARK_DIGITS;

    if (marks == 0 || marks > PORTION_MARKS_MAX)
        return 1;
    portion->mark = malloc(marks * sizeof *portion->mark);
    if (portion->mark == NULL)
        return -1;
    for (uint64_t mark; portion->marks < marks;) {
        if (!state_text_hex(text, MARK_DIGITS, &mark))
            return 1;
        portion->mark[portion->marks++] = (uint16_t)mark;
    }
    return text->size == 0 ? 0 : 1;
}

/* Read the first field, TEXT, to PORTION.  Returns as portion_line_read(). */
static int
read_field(struct state_text text, struct portion *portion)
{
    portion->shard = 1;
    portion->shards = 1;
    if (!state_text_word(&text, "size=") ||
        !read_number(&text, &portion->size, " range=") ||
        !read_number(&text, &portion->start, "-") ||
        !read_number(&text, &portion->end, " "))
        return 1;
    if (state_text_word(&text, "shard=") &&
        (!read_number(&text, &portion->shard, "/") ||
         !read_number(&text, &portion->shards, " run=") ||
         portion->shards < 2 || !state_text_hex(&text, 16, &portion->run) ||
         !state_text_word(&text, " ")))
        return 1;
    portion->is_empty = state_text_word(&text, "empty ");
    if (!state_text_word(&text, "head=") ||
        !state_text_hex(&text, 16, &portion->head) ||
        !state_text_word(&text, " hash=") ||
        !state_text_hex(&text, 16, &portion->digest.high) ||
        !state_text_hex(&text, 16, &portion->digest.low) ||
        portion->start > portion->end || portion->end > portion->size ||
        portion->shard < 1 || portion->shard > portion->shards)
        return 1;
    int result = state_text_word(&text, " marks=") ? read_marks(&text, portion)
                                                   : text.size > 0;
    /* As many as identity_complete() makes. */
    size_t marks = portion->start == 0 && portion->end > 0
                       ? portion_segment(portion->end)
                       : 0;
    return result == 0 && portion->marks != marks ? 1 : result;
}

int
portion_line_read(const struct state_lines *lines, size_t i,
                  struct portion *portion)
{
    size_t size;
    const char *line = state_lines_at(lines, i, &size);
    const char *name = memchr(line, '\t', size);

    *portion = (struct portion){0};
    if (name == NULL || memchr(line, '\0', size) != NULL)
        return 1;
    struct state_text text = {line, (size_t)(name++ - line)};
    size_t left = size - text.size - 1;
    if (memchr(name, '\t', left) != NULL)
        return 1;
    portion->name = malloc(left + 1);
    if (portion->name == NULL)
        return -1;
    ptrdiff_t bytes = state_field_read(name, left, portion->name);
    portion->name[bytes > 0 ? bytes : 0] = '\0';
    int result = bytes < 0 ? 1 : read_field(text, portion);
    if (result != 0)
        portion_close(portion);
    return result;
}
