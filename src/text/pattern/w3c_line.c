/* SPDX-License-Identifier: MIT */
/* w3c_line.c -- lines of the Extended Log File Format of the W3C */

#include <stdlib.h>
#include <string.h>

#include "text/pattern/csv_line.h"
#include "text/pattern/w3c_line.h"

/* ---- names ---- */

/* Of IIS and others, which log milliseconds. */
static const struct pattern_known of_w3c[] = {
    {.own = "time", .mapped = "time"},
    {.own = "c-ip", .mapped = "host"},
    {.own = "cs-username", .mapped = "user"},
    {.own = "cs-method", .mapped = "method"},
    {.own = "cs-uri", .mapped = "target"},
    {.own = "cs-uri-stem", .mapped = "path"},
    {.own = "cs-uri-query", .mapped = "query"},
    {.own = "cs-version", .mapped = "protocol"},
    {.own = "sc-status", .mapped = "status", .check = PATTERN_NUMBER},
    {.own = "sc-bytes", .mapped = "bytes", .check = PATTERN_BYTES},
    {.own = "time-taken", .mapped = "duration", .chain = "duration=ms"},
    {.own = "cs(Referer)", .mapped = "referer"},
    {.own = "cs(User-Agent)", .mapped = "agent"},
    {.own = "cs(Host)", .mapped = "vhost"},
    {.own = "cs-host", .mapped = "vhost"},
    {.own = NULL},
};

/* Of CloudFront, which logs seconds; a tab is between the date and the time. */
static const struct pattern_known of_cloudfront[] = {
    {.own = "time", .mapped = "time", .chain = "second"},
    {.own = "c-ip", .mapped = "host"},
    {.own = "cs-method", .mapped = "method"},
    {.own = "cs-uri-stem", .mapped = "path"},
    {.own = "cs-uri-query", .mapped = "query"},
    {.own = "cs-protocol-version", .mapped = "protocol"},
    {.own = "sc-status", .mapped = "status", .check = PATTERN_STATUS},
    {.own = "sc-bytes", .mapped = "bytes", .check = PATTERN_BYTES},
    {.own = "time-taken", .mapped = "duration", .chain = "duration"},
    {.own = "cs(Referer)", .mapped = "referer"},
    {.own = "cs(User-Agent)", .mapped = "agent"},
    {.own = "cs(Host)", .mapped = "vhost"},
    {.own = NULL},
};

/* Returns whether NAME, a string, is the word at AT; if so, and if AFTER is not
   NULL, sets *AFTER to the next word. */
static bool
is_word(const char *at, const char *name, const char **after)
{
    size_t size = strlen(name);

    if (strncmp(at, name, size) != 0 || (at[size] != ' ' && at[size] != '\0'))
        return false;
    if (after != NULL)
        *after = at + size + (at[size] == ' ');
    return true;
}

/* Returns the next word after the one at AT. */
static const char *
next_word(const char *at)
{
    at += strcspn(at, " ");
    return at + (*at == ' ');
}

/* Returns where the fields date and time are next to each other in NAMES, or
   NULL. */
static const char *
find_date(const char *names)
{
    const char *time;

    while (*names != '\0' &&
           !(is_word(names, "date", &time) && is_word(time, "time", NULL)))
        names = next_word(names);
    return *names != '\0' ? names : NULL;
}

/* Write the pattern of NAMES to TEXT. */
static void
put_names(const char *names, char *text)
{
    const char *date = find_date(names);
    const char *time = date != NULL ? next_word(date) : NULL;

    for (const char *at = names; *at != '\0'; at = next_word(at)) {
        size_t size = strcspn(at, " ");
        if (at > names)
            *text++ = ' ';
        text = stpcpy(text, "%{");
        text = at == time ? stpcpy(text, "time-of-day")
                          : (char *)mempcpy(text, at, size);
        text = stpcpy(text, "}");
    }
    if (date != NULL)
        text = stpcpy(text, " %{time}");
    *text = '\0';
}

int
w3c_line_make(struct pattern *pattern, const char *names, struct error *error)
{
    bool is_cloudfront =
        strncmp(names, "x-edge-", 7) == 0 || strstr(names, " x-edge-") != NULL;
    /* A name of one byte and a blank become five bytes; two texts are longer
       than the names. */
    char *text =
        malloc(5 * strlen(names) + sizeof " %{time}" + sizeof "time-of-day");

    *pattern = (struct pattern){0};
    if (text == NULL)
        return error_fail_memory(error);
    put_names(names, text);
    int result = pattern_parse(pattern, is_cloudfront ? of_cloudfront : of_w3c,
                               text, error);
    free(text);
    pattern->match = w3c_line_match;
    pattern->needed = pattern->count - (find_date(names) != NULL);
    return result;
}

bool
w3c_line_changes(const char *names, const unsigned char *data, uint32_t at,
                 uint32_t end)
{
    static const char directive[] = "#Fields:";

    if (end - at < sizeof directive - 1 ||
        memcmp(data + at, directive, sizeof directive - 1) != 0)
        return false;
    at += (uint32_t)sizeof directive - 1;
    for (;;) {
        while (at < end && (data[at] == ' ' || data[at] == '\t'))
            at++;
        size_t size = strcspn(names, " ");
        if (at == end || size == 0)
            return at < end || size > 0;
        if (end - at < size || memcmp(data + at, names, size) != 0)
            return true;
        at += (uint32_t)size;
        if (at < end && data[at] != ' ' && data[at] != '\t')
            return true;
        names = next_word(names);
    }
}

/* ---- lines ---- */

static bool
is_blank(const unsigned char *data, uint32_t at, uint32_t end)
{
    return at < end && data[at] == ' ';
}

/* Move *AT past the tab or the blanks between two values.  Returns false if
   none is there. */
static bool
skip_between(const unsigned char *data, uint32_t *at, uint32_t end,
             bool has_tabs)
{
    uint32_t start = *at;

    if (has_tabs) {
        *at += start < end && data[start] == '\t';
        return *at > start;
    }
    while (is_blank(data, *at, end))
        ++*at;
    return *at > start && *at < end;
}

/* Read the value at *AT in quotes.  Returns false if it has no end. */
static bool
read_quoted(const unsigned char *data, uint32_t *at, uint32_t end,
            struct text_slice *value)
{
    uint32_t start = *at + 1;
    uint32_t stop = csv_line_find_quote(data, start, end);

    if (stop == end || (end - stop > 1 && data[stop + 1] != ' '))
        return false;
    *value = (struct text_slice){start, stop - start};
    *at = stop + 1;
    return true;
}

/* Read the value at *AT up to BYTE. */
static void
read_bare(const unsigned char *data, uint32_t *at, uint32_t end,
          unsigned char byte, struct text_slice *value)
{
    const unsigned char *stop = memchr(data + *at, byte, end - *at);
    uint32_t size = stop != NULL ? (uint32_t)(stop - data) - *at : end - *at;

    *value = (struct text_slice){*at, size};
    *at += size;
}

/* Set the value of "time", the last field of PATTERN. */
static void
join_time(const struct pattern *pattern, struct text_slice *value)
{
    size_t i = 0;

    while (strcmp(pattern->field[i].own, "date") != 0 ||
           strcmp(pattern->field[i + 1].own, "time-of-day") != 0)
        i++;
    value[pattern->needed] = (struct text_slice){
        value[i].at, value[i + 1].at + value[i + 1].size - value[i].at};
}

/* Whether a tab follows the first value of the line. */
static bool
has_tab(const unsigned char *data, uint32_t at, uint32_t end)
{
    while (at < end && data[at] != ' ' && data[at] != '\t')
        at++;
    return at < end && data[at] == '\t';
}

bool
w3c_line_match(const struct pattern *pattern, const unsigned char *data,
               uint32_t at, uint32_t end, struct text_slice *value,
               struct pattern_fault *fault)
{
    bool has_tabs = has_tab(data, at, end);

    for (size_t i = 0; i < pattern->needed; i++) {
        *fault = (struct pattern_fault){at, "has fewer values than #Fields:"};
        if (i > 0 && !skip_between(data, &at, end, has_tabs))
            return false;
        *fault = (struct pattern_fault){at, "has a quote without an end"};
        if (has_tabs || at == end || data[at] != '"')
            read_bare(data, &at, end, has_tabs ? '\t' : ' ', &value[i]);
        else if (!read_quoted(data, &at, end, &value[i]))
            return false;
        fault->reason = pattern_wrong_value(&pattern->field[i],
                                            data + value[i].at, value[i].size);
        if (fault->reason != NULL)
            return false;
    }
    while (!has_tabs && is_blank(data, at, end))
        at++;
    *fault = (struct pattern_fault){at, "has more values than #Fields:"};
    if (at < end)
        return false;
    if (pattern->count > pattern->needed)
        join_time(pattern, value);
    return true;
}
