/* SPDX-License-Identifier: MIT */
/* json_line.c -- one line of JSON, byte by byte: what is in it, or is wrong
 *
 * There is no recursion: a bit for each open bracket says which one it is.
 */

#include "text/json_line.h"
#include "text/json_walk.h"

enum state {
    NAME_OR_END, /* after the bracket of an object */
    NAME,
    ELEMENT_OR_END, /* after the bracket of an array */
    ELEMENT,
    VALUE,
    AFTER, /* a value */
};

struct line {
    struct json_walk walk;
    uint32_t at;
    uint32_t end;
    enum state state;
    uint32_t node;      /* of the next value */
    const char *reason; /* the error from AT on, or NULL */
    uint64_t *is_array; /* a bit for each open bracket */
};

static bool
fail(struct line *line, const char *reason)
{
    line->reason = reason;
    return false;
}

static void
skip_blanks(struct line *line)
{
    while (line->at < line->end && json_is_blank(line->walk.data[line->at]))
        line->at++;
}

/* Whether the innermost bracket is that of an array. */
static bool
is_in_array(const struct line *line)
{
    uint32_t i = line->walk.depth - 1;

    return (line->is_array[i / 64] >> i % 64 & 1) != 0;
}

static bool
open_bracket(struct line *line, bool is_array)
{
    uint32_t i = line->walk.depth;
    uint64_t bit = (uint64_t)1 << i % 64;

    if (i == JSON_DEPTH_MAX)
        return fail(line, "is deeper than 1000000 brackets");
    if (is_array)
        line->is_array[i / 64] |= bit;
    else
        line->is_array[i / 64] &= ~bit;
    json_walk_open(&line->walk, line->node, line->at++);
    line->state = is_array ? ELEMENT_OR_END : NAME_OR_END;
    return true;
}

static void
close_bracket(struct line *line)
{
    json_walk_close(&line->walk, line->at++);
    line->state = AFTER;
}

/* Read a name and its colon. */
static bool
read_name(struct line *line)
{
    const unsigned char *data = line->walk.data;
    uint32_t start = line->at;

    if (data[start] != '"')
        return fail(line, "is not the name of a member");
    line->at = json_string_end(data, start, line->end, &line->reason);
    if (line->reason != NULL)
        return false;
    line->node = json_walk_name(&line->walk, start, line->at, true);
    skip_blanks(line);
    if (line->at < line->end && data[line->at] != ':')
        return fail(line, "is not the colon after a name");
    line->at += line->at < line->end;
    line->state = VALUE;
    return true;
}

static bool
read_value(struct line *line)
{
    const unsigned char *data = line->walk.data;
    uint32_t start = line->at;
    bool is_string = data[start] == '"';

    if (data[start] == '{' || data[start] == '[')
        return open_bracket(line, data[start] == '[');
    line->at = is_string
                   ? json_string_end(data, start, line->end, &line->reason)
                   : json_scalar_end(data, start, line->end, &line->reason);
    if (line->reason != NULL)
        return false;
    if (line->node != JSON_NONE && is_string)
        json_walk_set(&line->walk, line->node,
                      json_walk_string(data, start, line->at, true));
    else if (line->node != JSON_NONE)
        json_walk_set(&line->walk, line->node,
                      (struct text_slice){start, line->at - start});
    line->state = AFTER;
    return true;
}

static bool
read_after(struct line *line)
{
    bool is_array = is_in_array(line);
    unsigned char byte = line->walk.data[line->at];

    if (byte == (is_array ? ']' : '}')) {
        close_bracket(line);
        return true;
    }
    if (byte != ',')
        return fail(line, is_array
                              ? "is neither a comma nor the end of an array"
                              : "is neither a comma nor the end of an object");
    line->state = is_array ? ELEMENT : NAME;
    line->at++;
    return true;
}

/* Read the token at AT. */
static bool
read_next(struct line *line)
{
    unsigned char byte = line->walk.data[line->at];

    if ((line->state == NAME_OR_END && byte == '}') ||
        (line->state == ELEMENT_OR_END && byte == ']')) {
        close_bracket(line);
        return true;
    }
    switch (line->state) {
    case NAME_OR_END:
    case NAME:
        return read_name(line);
    case ELEMENT_OR_END:
    case ELEMENT:
        line->node = json_walk_element(&line->walk);
        return read_value(line);
    case VALUE:
        return read_value(line);
    case AFTER:
        break;
    }
    return read_after(line);
}

static bool
read_object(struct line *line, struct text_slice *out)
{
    uint32_t start;

    skip_blanks(line);
    start = line->at;
    if (start == line->end || line->walk.data[start] != '{')
        return fail(line, "is no object of JSON");
    json_walk_start(&line->walk, line->at++, out);
    line->state = NAME_OR_END;
    while (line->walk.depth > 0) {
        skip_blanks(line);
        if (line->at == line->end) {
            line->at = start;
            return fail(line, "is an object of JSON without an end");
        }
        if (!read_next(line))
            return false;
    }
    skip_blanks(line);
    return line->at == line->end || fail(line, "follows the object of a line");
}

bool
json_line_read(const struct json_paths *paths, const unsigned char *data,
               uint32_t start, uint32_t end, struct text_slice *out,
               struct json_wrong *wrong)
{
    /* A bit is set when its bracket opens, and need not be 0 before. */
    uint64_t is_array[JSON_DEPTH_MAX / 64 + 1];
    struct json_level level[JSON_STEPS_MAX + 1];
    struct line line = {
        .walk = {.paths = paths, .data = data, .size = end, .level = level},
        .at = start,
        .end = end,
        .is_array = is_array,
    };

    is_array[0] = 0;
    wrong->reason = NULL;
    if (read_object(&line, out))
        return true;
    wrong->slice = (struct text_slice){line.at, end - line.at};
    wrong->reason = line.reason;
    return false;
}
