/* part_line.c -- a part as a line of a state */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "state/part_line.h"

/* Room for all of the first field but the marks. */
#define TEXT_BYTES 256

#define MARK_DIGITS 4

int
part_line_add(struct state_lines *lines, const struct part *part)
{
    char text[TEXT_BYTES + MARK_DIGITS * PART_MARKS_MAX];
    size_t at = (size_t)snprintf(
        text, TEXT_BYTES, "size=%" PRIu64 " range=%" PRIu64 "-%" PRIu64 " ",
        part->size, part->begin, part->end);

    if (part->shards > 1)
        at += (size_t)snprintf(text + at, TEXT_BYTES - at,
                               "shard=%" PRIu64 "/%" PRIu64 " run=%016" PRIx64
                               " ",
                               part->shard, part->shards, part->run);
    at += (size_t)snprintf(
        text + at, TEXT_BYTES - at,
        "%shead=%016" PRIx64 " hash=%016" PRIx64 "%016" PRIx64 "%s",
        part->is_empty ? "empty " : "", part->head, part->digest.high,
        part->digest.low, part->marks > 0 ? " marks=" : "");
    for (size_t i = 0; i < part->marks; i++) {
        for (unsigned int digit = MARK_DIGITS; digit-- > 0;)
            text[at++] = escape_digit(part->mark[i] >> 4 * digit & 15);
    }
    state_lines_put(lines, text, at);
    state_lines_put_text(lines, part->name);
    return state_lines_end(lines);
}

/* ---- reading ---- */

/* If TEXT at *AT begins with WORD, go behind it. */
static bool
skip(const char **at, const char *word)
{
    size_t size = strlen(word);

    if (strncmp(*at, word, size) != 0)
        return false;
    *at += size;
    return true;
}

/* Read a number below 2^63 and the WORD behind it.  Returns whether they are
   there. */
static bool
read_number(const char **at, uint64_t *number, const char *word)
{
    const char *begin = *at;

    *number = 0;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        uint64_t digit = (uint64_t)(**at - '0');
        if (*number > (INT64_MAX - digit) / 10)
            return false;
        *number = *number * 10 + digit;
    }
    return *at > begin && (*begin != '0' || *at == begin + 1) && skip(at, word);
}

/* Read DIGITS hexadecimal ones.  Returns whether they are there. */
static bool
read_hex(const char **at, unsigned int digits, uint64_t *number)
{
    *number = 0;
    for (; digits > 0; digits--, ++*at) {
        char digit = **at;
        if (digit >= '0' && digit <= '9')
            *number = *number << 4 | (uint64_t)(digit - '0');
        else if (digit >= 'a' && digit <= 'f')
            *number = *number << 4 | (uint64_t)(digit - 'a' + 10);
        else
            return false;
    }
    return true;
}

/* Read the marks of PART, up to the end.  Returns as part_line_read(). */
static int
read_marks(const char *at, struct part *part)
{
    size_t marks = strlen(at) / MARK_DIGITS;

    if (marks == 0 || marks > PART_MARKS_MAX)
        return 1;
    part->mark = malloc(marks * sizeof *part->mark);
    if (part->mark == NULL)
        return -1;
    for (uint64_t mark; part->marks < marks;) {
        if (!read_hex(&at, MARK_DIGITS, &mark))
            return 1;
        part->mark[part->marks++] = (uint16_t)mark;
    }
    return *at == '\0' ? 0 : 1;
}

/* Read the first field, TEXT, to PART.  Returns as part_line_read(). */
static int
read_text(const char *text, struct part *part)
{
    const char *at = text;

    part->shard = 1;
    part->shards = 1;
    if (!skip(&at, "size=") || !read_number(&at, &part->size, " range=") ||
        !read_number(&at, &part->begin, "-") ||
        !read_number(&at, &part->end, " "))
        return 1;
    if (skip(&at, "shard=") &&
        (!read_number(&at, &part->shard, "/") ||
         !read_number(&at, &part->shards, " run=") || part->shards < 2 ||
         !read_hex(&at, 16, &part->run) || !skip(&at, " ")))
        return 1;
    part->is_empty = skip(&at, "empty ");
    if (!skip(&at, "head=") || !read_hex(&at, 16, &part->head) ||
        !skip(&at, " hash=") || !read_hex(&at, 16, &part->digest.high) ||
        !read_hex(&at, 16, &part->digest.low) || part->begin > part->end ||
        part->end > part->size || part->shard < 1 || part->shard > part->shards)
        return 1;
    int result = skip(&at, " marks=") ? read_marks(at, part) : *at != '\0';
    /* As many as identity_complete() makes. */
    size_t marks =
        part->begin == 0 && part->end > 0 ? part_segment(part->end) : 0;
    return result == 0 && part->marks != marks ? 1 : result;
}

/* Returns the SIZE bytes of FIELD without escapes, for free(), or NULL.  Sets
   *IS_WRONG to whether an escape is. */
static char *
copy_field(const char *field, size_t size, bool *is_wrong)
{
    char *text = malloc(size + 1);
    ptrdiff_t bytes = text != NULL ? state_field_read(field, size, text) : 0;

    *is_wrong |= bytes < 0;
    if (text != NULL)
        text[bytes > 0 ? bytes : 0] = '\0';
    return text;
}

int
part_line_read(const struct state_lines *lines, size_t i, struct part *part)
{
    size_t size;
    const char *line = state_lines_at(lines, i, &size);
    const char *name = memchr(line, '\t', size);
    bool is_wrong = false;

    *part = (struct part){0};
    if (name == NULL || memchr(line, '\0', size) != NULL)
        return 1;
    name++;
    size_t left = size - (size_t)(name - line);
    if (memchr(name, '\t', left) != NULL)
        return 1;
    char *text = copy_field(line, size - left - 1, &is_wrong);
    part->name = copy_field(name, left, &is_wrong);
    int result = -1;
    if (text != NULL && part->name != NULL)
        result = is_wrong ? 1 : read_text(text, part);
    free(text);
    if (result != 0)
        part_close(part);
    return result;
}
