/* portion_line.c -- a portion as a line of a state */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "state/portion_line.h"

/* Room for all of the first field but the marks. */
#define TEXT_BYTES 256

#define MARK_DIGITS 4

int
portion_line_add(struct state_lines *lines, const struct portion *portion)
{
    char text[TEXT_BYTES + MARK_DIGITS * PORTION_MARKS_MAX];
    size_t at = (size_t)snprintf(
        text, TEXT_BYTES, "size=%" PRIu64 " range=%" PRIu64 "-%" PRIu64 " ",
        portion->size, portion->begin, portion->end);

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

/* Read the marks of PORTION, up to the end.  Returns as portion_line_read(). */
static int
read_marks(const char *at, struct portion *portion)
{
    size_t marks = strlen(at) / MARK_DIGITS;

    if (marks == 0 || marks > PORTION_MARKS_MAX)
        return 1;
    portion->mark = malloc(marks * sizeof *portion->mark);
    if (portion->mark == NULL)
        return -1;
    for (uint64_t mark; portion->marks < marks;) {
        if (!read_hex(&at, MARK_DIGITS, &mark))
            return 1;
        portion->mark[portion->marks++] = (uint16_t)mark;
    }
    return *at == '\0' ? 0 : 1;
}

/* Read the first field, TEXT, to PORTION.  Returns as portion_line_read(). */
static int
read_text(const char *text, struct portion *portion)
{
    const char *at = text;

    portion->shard = 1;
    portion->shards = 1;
    if (!skip(&at, "size=") || !read_number(&at, &portion->size, " range=") ||
        !read_number(&at, &portion->begin, "-") ||
        !read_number(&at, &portion->end, " "))
        return 1;
    if (skip(&at, "shard=") &&
        (!read_number(&at, &portion->shard, "/") ||
         !read_number(&at, &portion->shards, " run=") || portion->shards < 2 ||
         !read_hex(&at, 16, &portion->run) || !skip(&at, " ")))
        return 1;
    portion->is_empty = skip(&at, "empty ");
    if (!skip(&at, "head=") || !read_hex(&at, 16, &portion->head) ||
        !skip(&at, " hash=") || !read_hex(&at, 16, &portion->digest.high) ||
        !read_hex(&at, 16, &portion->digest.low) ||
        portion->begin > portion->end || portion->end > portion->size ||
        portion->shard < 1 || portion->shard > portion->shards)
        return 1;
    int result = skip(&at, " marks=") ? read_marks(at, portion) : *at != '\0';
    /* As many as identity_complete() makes. */
    size_t marks = portion->begin == 0 && portion->end > 0
                       ? portion_segment(portion->end)
                       : 0;
    return result == 0 && portion->marks != marks ? 1 : result;
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
portion_line_read(const struct state_lines *lines, size_t i,
                  struct portion *portion)
{
    size_t size;
    const char *line = state_lines_at(lines, i, &size);
    const char *name = memchr(line, '\t', size);
    bool is_wrong = false;

    *portion = (struct portion){0};
    if (name == NULL || memchr(line, '\0', size) != NULL)
        return 1;
    name++;
    size_t left = size - (size_t)(name - line);
    if (memchr(name, '\t', left) != NULL)
        return 1;
    char *text = copy_field(line, size - left - 1, &is_wrong);
    portion->name = copy_field(name, left, &is_wrong);
    int result = -1;
    if (text != NULL && portion->name != NULL)
        result = is_wrong ? 1 : read_text(text, portion);
    free(text);
    if (result != 0)
        portion_close(portion);
    return result;
}
