/* SPDX-License-Identifier: MIT */
/* syslog_line.c -- lines of syslog in three forms */

#include <string.h>

#include "base/ascii.h"
#include "kernels/text/clf.h"
#include "text/pattern/syslog_line.h"

/* A line that is read. */
struct syslog_line {
    const unsigned char *data;
    uint32_t at; /* where the unread bytes start */
    uint32_t end;
    struct text_slice *value;
};

/* Move past BYTE.  Returns false if another byte is next. */
static bool
skip_byte(struct syslog_line *line, unsigned char byte)
{
    if (line->at == line->end || line->data[line->at] != byte)
        return false;
    line->at++;
    return true;
}

/* Move past digits.  Returns whether there are LEAST to MOST of them. */
static bool
skip_digits(struct syslog_line *line, uint32_t least, uint32_t most)
{
    uint32_t start = line->at;

    while (line->at < line->end && ascii_is_digit(line->data[line->at]))
        line->at++;
    return line->at - start >= least && line->at - start <= most;
}

/* Read the bytes before the next blank, or before the end, as FIELD.  Returns
   whether there is a byte. */
static bool
read_word(struct syslog_line *line, enum syslog_field field)
{
    uint32_t start = line->at;
    const unsigned char *blank =
        memchr(line->data + start, ' ', line->end - start);

    line->at = blank != NULL ? (uint32_t)(blank - line->data) : line->end;
    line->value[field] = (struct text_slice){start, line->at - start};
    return line->at > start;
}

/* Read the rest of the line as the message. */
static void
read_message(struct syslog_line *line)
{
    line->value[SYSLOG_MESSAGE] =
        (struct text_slice){line->at, line->end - line->at};
}

/* ---- times ---- */

/* Move past HH:MM:SS, which may have a fraction. */
static bool
skip_clock(struct syslog_line *line)
{
    return skip_digits(line, 2, 2) && skip_byte(line, ':') &&
           skip_digits(line, 2, 2) && skip_byte(line, ':') &&
           skip_digits(line, 2, 2) &&
           ((!skip_byte(line, '.') && !skip_byte(line, ',')) ||
            skip_digits(line, 1, 9));
}

/* Move past Mmm dd HH:MM:SS. */
static bool
skip_short_time(struct syslog_line *line)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    size_t month = 0;

    if (line->end - line->at < 3)
        return false;
    while (month < sizeof months - 1 &&
           memcmp(months + month, line->data + line->at, 3) != 0)
        month += 3;
    line->at += 3;
    if (month == sizeof months - 1 || !skip_byte(line, ' '))
        return false;
    (void)skip_byte(line, ' ');
    return skip_digits(line, 1, 2) && skip_byte(line, ' ') && skip_clock(line);
}

/* Move past YYYY-MM-DDTHH:MM:SS and a zone, if any. */
static bool
skip_iso_time(struct syslog_line *line)
{
    if (!skip_digits(line, 4, 4) || !skip_byte(line, '-') ||
        !skip_digits(line, 2, 2) || !skip_byte(line, '-') ||
        !skip_digits(line, 2, 2) || !skip_byte(line, 'T') || !skip_clock(line))
        return false;
    if (skip_byte(line, 'Z') ||
        (!skip_byte(line, '+') && !skip_byte(line, '-')))
        return true;
    uint32_t zone = line->at;
    return skip_digits(line, 2, 4) && line->at - zone != 3 &&
           (!skip_byte(line, ':') ||
            (line->at - zone == 3 && skip_digits(line, 2, 2)));
}

/* Read a time before a blank or the end.  Returns false, and stays there, if
   none is next. */
static bool
read_time(struct syslog_line *line)
{
    uint32_t start = line->at;
    bool is_iso = start < line->end && ascii_is_digit(line->data[start]);

    if (!(is_iso ? skip_iso_time(line) : skip_short_time(line)) ||
        (line->at < line->end && line->data[line->at] != ' ')) {
        line->at = start;
        return false;
    }
    line->value[SYSLOG_TIME] = (struct text_slice){start, line->at - start};
    return true;
}

/* ---- RFC 5424 ---- */

/* Move past the rest of an element of structured data, after its [; values are
   between quotes, where a backslash protects the next byte. */
static bool
skip_element(struct syslog_line *line)
{
    const unsigned char *data = line->data;
    bool is_quoted = false;

    for (; line->at < line->end; line->at++) {
        unsigned char byte = data[line->at];
        if (byte == '"')
            is_quoted = !is_quoted;
        else if (is_quoted && byte == '\\' && line->end - line->at > 1)
            line->at++;
        else if (!is_quoted && byte == ']')
            break;
    }
    return skip_byte(line, ']');
}

/* Move past the structured data: -, or elements in brackets.  Returns whether a
   blank or the end follows. */
static bool
skip_data(struct syslog_line *line)
{
    bool is_there = skip_byte(line, '-');

    while (skip_byte(line, '[')) {
        is_there = skip_element(line);
        if (!is_there)
            break;
    }
    return is_there && (line->at == line->end || line->data[line->at] == ' ');
}

/* Read the fields after the version.  Returns NULL, or the reason why they are
   wrong. */
static const char *
read_rfc5424(struct syslog_line *line)
{
    static const unsigned char mark[] = {0xef, 0xbb, 0xbf};

    if (line->end - line->at >= 2 &&
        memcmp(line->data + line->at, "- ", 2) == 0)
        (void)read_word(line, SYSLOG_TIME);
    else if (!read_time(line))
        return "is no time";
    for (int field = SYSLOG_HOST; field < SYSLOG_DATA; field++) {
        if (!skip_byte(line, ' ') || !read_word(line, (enum syslog_field)field))
            return "lacks fields of RFC 5424";
    }
    uint32_t start = line->at + 1;
    if (!skip_byte(line, ' ') || !skip_data(line))
        return "has no structured data of RFC 5424";
    line->value[SYSLOG_DATA] = (struct text_slice){start, line->at - start};
    if (!skip_byte(line, ' '))
        return NULL;
    if (line->end - line->at >= sizeof mark &&
        memcmp(line->data + line->at, mark, sizeof mark) == 0)
        line->at += sizeof mark;
    read_message(line);
    return NULL;
}

/* ---- other lines ---- */

/* Read the program and the process before the message, if they are there. */
static void
read_tag(struct syslog_line *line)
{
    uint32_t start = line->at;
    struct text_slice process = clf_missing();

    while (line->at < line->end &&
           memchr(" :[", line->data[line->at], 3) == NULL)
        line->at++;
    uint32_t stop = line->at;
    if (skip_byte(line, '[')) {
        process.at = line->at;
        while (line->at < line->end && line->data[line->at] != ' ' &&
               line->data[line->at] != ']')
            line->at++;
        process.size = line->at - process.at;
    }
    bool has_process = stop < line->at && skip_byte(line, ']');
    bool has_colon = (has_process || stop == line->at) && skip_byte(line, ':');
    bool is_ended = line->at == line->end || line->data[line->at] == ' ';
    if (stop == start ||
        !(has_process ? has_colon || is_ended : has_colon && is_ended)) {
        line->at = start;
    } else {
        line->value[SYSLOG_PROGRAM] = (struct text_slice){start, stop - start};
        if (has_process)
            line->value[SYSLOG_PID] = process;
        (void)skip_byte(line, ' ');
    }
    read_message(line);
}

/* Whether the next word is the name of a host. */
static bool
has_host(const struct syslog_line *line)
{
    uint32_t at = line->at;

    while (at < line->end && line->data[at] != ' ' && line->data[at] != '[')
        at++;
    return at > line->at && (at == line->end || line->data[at] != '[') &&
           line->data[at - 1] != ':';
}

/* As read_rfc5424(), for the time and what follows it. */
static const char *
read_other(struct syslog_line *line)
{
    if (!read_time(line))
        return "is no time of syslog";
    if (!skip_byte(line, ' '))
        return "lacks a host";
    if (has_host(line)) {
        (void)read_word(line, SYSLOG_HOST);
        if (!skip_byte(line, ' '))
            return NULL;
    }
    read_tag(line);
    return NULL;
}

/* ---- all lines ---- */

/* Read the priority, if any.  Returns whether a version of RFC 5424 follows. */
static bool
read_priority(struct syslog_line *line)
{
    struct syslog_line next = *line;

    if (!skip_byte(&next, '<') || !skip_digits(&next, 1, 3) ||
        !skip_byte(&next, '>'))
        return false;
    line->value[SYSLOG_PRI] =
        (struct text_slice){line->at + 1, next.at - line->at - 2};
    line->at = next.at;
    bool has_version = skip_digits(&next, 1, 3) && skip_byte(&next, ' ');
    if (has_version)
        line->at = next.at;
    return has_version;
}

void
syslog_line_read_tag(const unsigned char *data, uint32_t at, uint32_t end,
                     struct text_slice *value)
{
    struct syslog_line line = {data, at, end, value};

    read_tag(&line);
}

bool
syslog_line_match(const struct pattern *pattern, const unsigned char *data,
                  uint32_t at, uint32_t end, struct text_slice *value,
                  struct pattern_fault *fault)
{
    struct syslog_line line = {data, at, end, value};

    (void)pattern;
    for (size_t i = 0; i < SYSLOG_FIELDS; i++)
        value[i] = clf_missing();
    fault->reason =
        read_priority(&line) ? read_rfc5424(&line) : read_other(&line);
    fault->at = line.at;
    return fault->reason == NULL;
}
