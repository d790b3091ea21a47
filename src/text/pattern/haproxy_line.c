/* SPDX-License-Identifier: MIT */
/* haproxy_line.c -- lines of HAProxy: option httplog and tcplog, and errors */

#include <string.h>

#include "kernels/text/clf.h"
#include "text/pattern/haproxy_line.h"
#include "text/pattern/syslog_line.h"

/* The fields of the process, before the words. */
enum {
    PROCESS_NAME,
    PROCESS_ID,
    PROCESS_FIELDS
};

/* The fields after the words of httplog: the captured headers, the request, and
   the words of httpslog. */
enum {
    HEADER_FIELDS = 2,
    TLS_FIELDS = 8
};
#define AFTER_WORDS (HEADER_FIELDS + 1 + TLS_FIELDS)

/* A line that is read. */
struct haproxy_line {
    const struct pattern *pattern;
    const unsigned char *data;
    uint32_t at; /* where the unread bytes start */
    uint32_t end;
    struct text_slice *value;
    struct pattern_fault *fault;
};

static bool
fail(const struct haproxy_line *line, uint32_t at, const char *reason)
{
    *line->fault = (struct pattern_fault){at, reason};
    return false;
}

/* Whether the SIZE bytes of TEXT are next. */
static bool
is_next(const struct haproxy_line *line, const char *text, size_t size)
{
    return line->end - line->at >= size &&
           memcmp(line->data + line->at, text, size) == 0;
}

/* Move past the text after FIELD.  If the text is not next, the bytes from
   START on are wrong. */
static bool
skip_after(struct haproxy_line *line, const struct pattern_field *field,
           uint32_t start)
{
    if (!is_next(line, field->after, field->after_size))
        return fail(line, start, field->lacks);
    line->at += (uint32_t)field->after_size;
    return true;
}

/* Read the process, if it is there, and what syslog has before it. */
static void
read_process(struct haproxy_line *line)
{
    struct text_slice value[SYSLOG_FIELDS];
    struct pattern_fault fault;

    if (!syslog_line_match(NULL, line->data, line->at, line->end, value,
                           &fault)) {
        value[SYSLOG_PROGRAM] = value[SYSLOG_PID] = clf_missing();
        syslog_line_read_tag(line->data, line->at, line->end, value);
    }
    line->value[PROCESS_NAME] = value[SYSLOG_PROGRAM];
    line->value[PROCESS_ID] = value[SYSLOG_PID];
    if (value[SYSLOG_MESSAGE].at != TEXT_SLICE_MISSING)
        line->at = value[SYSLOG_MESSAGE].at;
}

/* Move to the end of the word of FIELD: a blank, or the text after FIELD. */
static void
find_word_end(struct haproxy_line *line, const struct pattern_field *field)
{
    size_t size = field->after_size;
    unsigned char first = size > 0 ? (unsigned char)*field->after : ' ';
    const unsigned char *data = line->data;
    uint32_t at = line->at;

    for (; at < line->end && data[at] != ' '; at++) {
        if (data[at] != first)
            continue;
        line->at = at;
        if (is_next(line, field->after, size))
            return;
    }
    line->at = at;
}

/* Read the fields from FIRST to before END, words that the pattern's texts
   separate, up to the end of the last one. */
static bool
read_words(struct haproxy_line *line, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        const struct pattern_field *field = &line->pattern->field[i];
        uint32_t start = line->at;
        find_word_end(line, field);
        uint32_t size = line->at - start;
        const char *wrong =
            size == 0 ? "is no value"
                      : pattern_wrong_value(field, line->data + start, size);
        if (wrong != NULL)
            return fail(line, start, wrong);
        line->value[i] = (struct text_slice){start, size};
        if (i + 1 < end && !skip_after(line, field, start))
            return false;
    }
    return true;
}

/* Read the process, and COUNT words. */
static bool
read_start(struct haproxy_line *line, size_t count)
{
    const struct pattern_field *last =
        &line->pattern->field[PROCESS_FIELDS - 1];

    read_process(line);
    /* The text before the first word, apart from the process. */
    size_t skipped = strlen("]: ");
    if (!is_next(line, last->after + skipped, last->after_size - skipped))
        return fail(line, line->at, "is no line of HAProxy");
    line->at += (uint32_t)(last->after_size - skipped);
    return read_words(line, PROCESS_FIELDS, PROCESS_FIELDS + count);
}

/* Move past the end of a value in marks: the byte CLOSING before a blank or the
   line's end.  Sets *VALUE.  Returns false if CLOSING is not there. */
static bool
read_marked(struct haproxy_line *line, unsigned char closing,
            struct text_slice *value)
{
    uint32_t start = line->at;
    uint32_t at = start;

    while (at < line->end &&
           (line->data[at] != closing ||
            (line->end - at > 1 && line->data[at + 1] != ' ')))
        at++;
    *value = (struct text_slice){start, at - start};
    line->at = at < line->end ? at + 1 : at;
    return at < line->end;
}

/* Read the fields after the words of httplog, from FIRST on. */
static bool
read_http_end(struct haproxy_line *line, size_t first)
{
    struct text_slice *value = line->value + first;

    for (size_t i = 0; i < AFTER_WORDS; i++)
        value[i] = clf_missing();
    for (size_t i = 0; i < HEADER_FIELDS && is_next(line, " {", 2); i++) {
        uint32_t start = line->at;
        line->at += 2;
        if (!read_marked(line, '}', &value[i]))
            return fail(line, start, "has no } after captured headers");
    }
    if (!is_next(line, " \"", 2))
        return fail(line, line->at, "is no request");
    line->at += 2;
    if (!read_marked(line, '"', &value[HEADER_FIELDS]) || line->at == line->end)
        return true;
    line->at++;
    if (!read_words(line, first + HEADER_FIELDS + 1, first + AFTER_WORDS))
        return false;
    return line->at == line->end ||
           fail(line, line->at, "follows the last value");
}

bool
haproxy_line_match_http(const struct pattern *pattern,
                        const unsigned char *data, uint32_t at, uint32_t end,
                        struct text_slice *value, struct pattern_fault *fault)
{
    struct haproxy_line line = {pattern, data, at, end, value, fault};
    size_t words = pattern->count - PROCESS_FIELDS - AFTER_WORDS;

    return read_start(&line, words) &&
           read_http_end(&line, PROCESS_FIELDS + words);
}

bool
haproxy_line_match_words(const struct pattern *pattern,
                         const unsigned char *data, uint32_t at, uint32_t end,
                         struct text_slice *value, struct pattern_fault *fault)
{
    struct haproxy_line line = {pattern, data, at, end, value, fault};
    const struct pattern_field *last = &pattern->field[pattern->count - 1];

    if (!read_start(&line, pattern->count - PROCESS_FIELDS) ||
        !skip_after(&line, last, line.at))
        return false;
    return line.at == end || fail(&line, line.at, "follows the last value");
}

bool
haproxy_line_match_error(const struct pattern *pattern,
                         const unsigned char *data, uint32_t at, uint32_t end,
                         struct text_slice *value, struct pattern_fault *fault)
{
    struct haproxy_line line = {pattern, data, at, end, value, fault};
    size_t last = pattern->count - 1;
    const struct pattern_field *before = &pattern->field[last - 1];

    if (!read_start(&line, last - PROCESS_FIELDS) ||
        !skip_after(&line, before, line.at))
        return false;
    value[last] = (struct text_slice){line.at, end - line.at};
    return true;
}
