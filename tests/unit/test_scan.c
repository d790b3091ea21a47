/* SPDX-License-Identifier: MIT */
/*
 * test_scan.c -- records and fields of text: examples, and all forms of a scan
 * against fields.h
 *
 * The data lie between two pages that must not be touched, so that a read of
 * one byte too many, on either side, ends the test.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../arena.h"
#include "../noise.h"
#include "../scan_check.h"
#include "../tap.h"
#include "text/field_value.h"

#define WATCHDOG_SECONDS 300
#define ARENA_BYTES ((size_t)1 << 20)
#define COUNT(table) (sizeof(table) / sizeof *(table))

static unsigned char *arena;

static void
open_scan(struct scan *scan, struct field_list *list,
          const struct text_format *format, const char *fields)
{
    struct text_format parsed = *format;
    struct text_format counting = *format;
    struct error error = ERROR_NONE;

    counting.counts_invalid = 1;
    /* Fields of CLF have numbers, too, here. */
    if (parsed.kind == TEXT_CLF &&
        strspn(fields, "1234567890NF,-") == strlen(fields))
        parsed.kind = TEXT_DELIMITED;
    if (field_list_parse(list, &parsed, "fields", fields, &error) < 0 ||
        scan_open(scan, &counting, list, &error) < 0)
        abort();
}

static void
close_scan(struct scan *scan, struct field_list *list)
{
    scan_close(scan);
    field_list_close(list);
}

/* ---- examples ---- */

/*
 * What a scan finds: fields are in <>, a missing one is -, one of a record that
 * does not fit is !, a record ends with a semicolon; quotes are removed.
 */
static const struct {
    enum text_kind kind;
    char end;
    const char *fields;
    const char *data;
    size_t size;
    const char *found;
} examples[] = {
#define DATA(text) text, sizeof text - 1
    {TEXT_LINES, '\n', "1", DATA("a b\n\nc\r\nd"), "<a b>;<>;<c\r>;<d>;"},
    {TEXT_LINES, '\n', "NF,1", DATA("ab\n"), "<ab><ab>;"},
    {TEXT_LINES, '\n', "2,NF-1", DATA("ab\n"), "--;"},
    {TEXT_LINES, '\0', "1", DATA("a\nb\0\0c\0"), "<a\nb>;<>;<c>;"},
    {TEXT_LINES, '\n', "1", DATA("#a\nb\n#"), "<b>;"},
    {TEXT_DELIMITED, '\n', "1,2,3", DATA("a\t\tc\n\nx\ty"),
     "<a><><c>;<>--;<x><y>-;"},
    {TEXT_DELIMITED, '\n', "3,1", DATA("a\tb\tc\r\n"), "<c\r><a>;"},
    {TEXT_DELIMITED, '\n', "NF,NF-1,1", DATA("a\tb\nc\n\t\n"),
     "<b><a><a>;<c>-<c>;<><><>;"},
    {TEXT_WHITESPACE, '\n', "1,2,NF", DATA("  a\t b  \n \n\nc\r\n"),
     "<a><b><b>;---;---;<c\r>-<c\r>;"},
    {TEXT_WHITESPACE, '\0', "2,NF-1", DATA("a\nb\vx\fy c\0d\n"),
     "<b\vx\fy><b\vx\fy>;--;"},
#define TIME "[29/Feb/2024:08:01:60 -0830]"
    {TEXT_CLF, '\n', "3,4,5,6,NF",
     DATA("h - \"\" " TIME " \"GET \\\"x\\\" y\" 200 - \"\"\r\n"),
     "<><29/Feb/2024:08:01:60 -0830><GET \\\"x\\\" y><200><>;"},
    {TEXT_CLF, '\n', "1,7-11",
     DATA("h - - " TIME " \"\" - 5 \"a b\"c[d\" \"e\\\n#\nh - - " TIME
          "\t\"-\"  - 5 [a]\"b\"\"[a b"),
     "<h><5><a b><c[d\"><e\\>-;<h><5><a><b><[a b>-;"},
    {TEXT_CLF, '\n', "1,9",
     DATA("\r\n \t\nh\nh - \"a b\" " TIME " \"\" 200 5\nh - - " TIME
          " \"\\\" 200 5\nh - - " TIME " \"\" 200 5x\nh - - " TIME
          " \"\"200 5\nh - - " TIME " \"\" \"200\" 5\n"),
     "--;--;!!;!!;!!;!!;!!;!!;"},
    /* Virtual hosts are no fields, but a name. */
    {TEXT_CLF, '\n', "vhost,host,user,status,+1",
     DATA("v.w:80 1.2 - u " TIME " \"\" 200 5 x\n v\t ::1 \"\" \"a\" " TIME
          " \"\" 404 - \"\" \"\" \"x\"\r\n::1 a.b u " TIME
          " \"\" 500 5\n- unix: - - " TIME " \"\" - -"),
     "<v.w><1.2><u><200><x>;<v><::1><a><404><x>;-<::1><u><500>-;"
     "<-><unix:><-><->-;"},
    {TEXT_CLF, '\n', "1,8,NF",
     DATA("v 1.2 - - " TIME " \"\" 200 5 x\n1.2 - - " TIME " \"\" 200 5\n"),
     "<1.2><x><x>;<1.2>-<5>;"},
    {TEXT_CLF, '\n', "vhost,host",
     DATA("v - - - " TIME " \"\" 200 5\nv h - - " TIME " \"\" 200 5\n"
          "v, 1.2 - - " TIME " \"\" 200 5\nv:8x 1.2 - - " TIME " \"\" 200 5\n"
          "v: 1.2 - - " TIME " \"\" 200 5\n:8 1.2 - - " TIME " \"\" 200 5\n"
          "v:8:9 1.2 - - " TIME " \"\" 200 5\n[v] 1.2 - - " TIME
          " \"\" 200 5\n\"v\" 1.2 - - " TIME " \"\" 200 5\n"),
     "!!;!!;!!;!!;!!;!!;!!;!!;!!;"},
    {TEXT_CLF, '\n', "vhost",
     DATA("v 1.2 - [x] " TIME " \"\" 200 5\nv 1.2 - a b " TIME
          " \"\" 200 5\nv w 1.2 - - " TIME " \"\" 200 5\nv 1.2 - - " TIME
          " \"\" 20 5\nv \"1.2 3\" - - " TIME " \"\" 200 5\nv 1.2 - - [\n"
          "v 1.2 - -\nv 1.2 - - " TIME "x \"\" 200 5\n"),
     "!;!;!;!;!;!;!;!;"},
#undef TIME
    {TEXT_CSV, '\n', "1,2,3", DATA("a,\"b,\nc\",\"\"\r\n\"x\"\"y\",aa\"aa\r"),
     "<a><b,\nc><>;<x\"y><aa\"aa>-;"},
    {TEXT_CSV, '\n', "1,2", DATA("\"ab\"c\"d\", \"e\"\n\n\r\n"),
     "<abc\"d\">< \"e\">;<>-;<>-;"},
    {TEXT_CSV, '\n', "1,2", DATA("#\"\na,\"b\n"), "<a><b\n>;"},
    {TEXT_CSV, '\n', "NF,NF-1", DATA("a,\"b\"\r\n\"c\""), "<b><a>;<c>-;"},
    {TEXT_CSV, '\n', "1,2", DATA("\"\"\"\",\"a\"\"\"\r\n"), "<\"><a\">;"},
    {TEXT_WORDS, '\n', "1", DATA("  a b\n\n#x c\r\n d"), "<a>;<b>;<c\r>;<d>;"},
    {TEXT_WORDS, '\0', "1", DATA("a\0b\n "), "<a>;<b>;"},
#undef DATA
};

/* Write what SLICE is.  Returns the end of the text. */
static char *
put_slice(char *text, const struct text_format *format,
          const unsigned char *data, struct text_slice slice)
{
    if (text_slice_is_missing(slice)) {
        *text++ = text_slice_is_invalid(slice) ? '!' : '-';
        return text;
    }
    *text++ = '<';
    if (format->kind == TEXT_CSV && text_is_quoted(data, slice)) {
        text += text_unquote(data, slice, (unsigned char *)text);
    } else {
        memcpy(text, data + slice.at, slice.size);
        text += slice.size;
    }
    *text++ = '>';
    return text;
}

static void
test_example(size_t e)
{
    const unsigned char *data = (const unsigned char *)examples[e].data;
    struct text_format format = text_format_of(examples[e].kind);
    struct field_list list;
    struct scan scan;
    struct scan_ledger ledger = {0};
    char found[256];
    char *at = found;
    size_t done = 0;

    format.end = (unsigned char)examples[e].end;
    format.comment = '#';
    open_scan(&scan, &list, &format, examples[e].fields);
    while (done < examples[e].size) {
        struct text_slice slice[FIELD_LIST_MAX];
        if (scan_records(&scan, data, examples[e].size, &done, slice, 1,
                         &ledger) == 0)
            break;
        for (size_t i = 0; i < list.count; i++)
            at = put_slice(at, &format, data, slice[i]);
        *at++ = ';';
    }
    *at = '\0';
    ok(strcmp(found, examples[e].found) == 0 && done == examples[e].size &&
           ledger.bytes == done &&
           scan_check(&scan, &list, data, done, 1) == NULL,
       "example %zu, fields %s", e, examples[e].fields);
    close_scan(&scan, &list);
}

/* ---- the forms ---- */

static const char *const lists[] = {
    "1",       "2",  "4",    "9",         "70",       "1,2",
    "3,1,NF",  "NF", "NF-1", "NF-3,NF-1", "1-9",      "2-3,7,66-67,NF-2",
    "10-12,1", "5",  "3",    "NF-66",     "NF,65,64",
};

/*
 * Text of which FEW in 256 bytes are special; among them, one kind of byte is
 * frequent.
 */
static void
fill(unsigned char *data, size_t size, const struct text_format *format,
     unsigned int few)
{
    const unsigned char special[] = {
        '\n',
        '\n',
        '\r',
        '\t',
        ' ',
        ' ',
        '"',
        '"',
        '\\',
        '[',
        ']',
        '\0',
        '#',
        ',',
        '\v',
        'x',
        (unsigned char)format->delimiter,
        (unsigned char)format->delimiter,
        (unsigned char)format->end,
    };
    unsigned char favourite = special[noise() % COUNT(special)];

    for (size_t i = 0; i < size; i++) {
        uint64_t random = noise() >> 16;
        if ((random & 255) >= few)
            data[i] = (unsigned char)('a' + (random >> 8) % 26);
        else if ((random >> 8 & 3) == 0)
            data[i] = favourite;
        else if ((random >> 8 & 31) == 1) /* another byte above 127 */
            data[i] = special[(random >> 16) % COUNT(special)] ^ 0x80;
        else
            data[i] = special[(random >> 16) % COUNT(special)];
    }
}

/* SIZE bytes, in all ways; returns the name of a form that is wrong. */
static const char *
check_size(enum text_kind kind, size_t size, unsigned int few)
{
    static const unsigned char delimiters[] = {'\t', ',', ';', ' ', 0xff, 'a'};
    struct text_format format = text_format_of(kind);
    struct field_list list;
    struct scan scan;
    const char *wrong;

    if (kind == TEXT_DELIMITED || kind == TEXT_CSV)
        format.delimiter = delimiters[noise() % COUNT(delimiters)];
    format.end = noise() % 4 != 0 ? '\n' : '\0';
    format.comment = noise() % 2 != 0 ? '#' : TEXT_NO_COMMENT;
    format.comment_more = (uint32_t)(noise() % 3);
    memcpy(format.comment_rest, noise() % 2 != 0 ? "##" : ",a", 2);
    format.skips_blank = kind == TEXT_CSV && noise() % 2 != 0;
    open_scan(&scan, &list, &format, lists[noise() % COUNT(lists)]);

    unsigned char *last = arena + ARENA_BYTES - size; /* ends at the page */
    fill(last, size, &format, few);
    wrong = scan_check(&scan, &list, last, size, SIZE_MAX);
    if (wrong == NULL)
        wrong = scan_check(&scan, &list, last, size, 1 + noise() % 40);
    memmove(arena, last, size);
    if (wrong == NULL)
        wrong = scan_check(&scan, &list, arena, size, SIZE_MAX);
    close_scan(&scan, &list);
    return wrong;
}

static void
test_kind(enum text_kind kind, const char *name)
{
    static const unsigned int densities[] = {0, 2, 12, 40, 90, 200, 256};
    const char *wrong = NULL;
    size_t rounds = IS_INSTRUMENTED ? 4 : 40;

    for (size_t d = 0; d < COUNT(densities); d++) {
        for (size_t size = 1; size <= 200 && wrong == NULL; size++) {
            if (IS_EMULATED && !has_turn(3))
                continue;
            for (size_t i = 0; i < rounds && wrong == NULL; i++)
                wrong = check_size(kind, size, densities[d]);
        }
        for (size_t i = 0; i < rounds / 4 && wrong == NULL; i++)
            wrong = check_size(kind, 200 + noise() % 30000, densities[d]);
    }
    ok(wrong == NULL, "%s%s%s", name,
       wrong != NULL ? ": not as fields.h: " : "", wrong != NULL ? wrong : "");
}

/* A record's end, and a delimiter, at each distance from the start. */
static void
test_distances(void)
{
    const char *wrong = NULL;

    for (int kind = TEXT_LINES; kind < TEXT_KINDS; kind++) {
        struct text_format format = text_format_of((enum text_kind)kind);
        for (size_t l = 0; l < COUNT(lists) && wrong == NULL; l++) {
            struct field_list list;
            struct scan scan;
            open_scan(&scan, &list, &format, lists[l]);
            for (size_t size = 1; size < 300 && wrong == NULL; size++) {
                if (IS_INSTRUMENTED && !has_turn(5))
                    continue;
                unsigned char *data = arena + ARENA_BYTES - size;
                memset(data, 'x', size);
                wrong = scan_check(&scan, &list, data, size, SIZE_MAX);
                data[size / 2] = (unsigned char)format.delimiter;
                if (wrong == NULL)
                    wrong = scan_check(&scan, &list, data, size, SIZE_MAX);
                data[size - 1] = '\n';
                if (wrong == NULL)
                    wrong = scan_check(&scan, &list, data, size, SIZE_MAX);
                memset(data, '\t', size);
                if (wrong == NULL)
                    wrong = scan_check(&scan, &list, data, size, SIZE_MAX);
                memset(data, '\n', size);
                if (wrong == NULL)
                    wrong = scan_check(&scan, &list, data, size, 64);
            }
            close_scan(&scan, &list);
        }
    }
    ok(wrong == NULL, "sizes around those of blocks: %s",
       wrong != NULL ? wrong : "all forms");
}

/* A record of each size with other records after it, whose fields are none of
   its own. */
static void
test_following(void)
{
    enum {
        SIZE_MAX_HERE = 300,
        AFTER = 400
    };
    const char *wrong = NULL;

    for (int kind = TEXT_LINES; kind < TEXT_KINDS; kind++) {
        for (size_t l = 0; l < COUNT(lists) && wrong == NULL; l++) {
            struct text_format format = text_format_of((enum text_kind)kind);
            struct field_list list;
            struct scan scan;
            format.end = l % 2 == 0 ? '\n' : '\0';
            open_scan(&scan, &list, &format, lists[l]);
            for (size_t size = 0; size < SIZE_MAX_HERE && wrong == NULL;
                 size++) {
                if (!has_turn(7))
                    continue;
                unsigned char *data =
                    arena + ARENA_BYTES - SIZE_MAX_HERE - AFTER;
                memset(data, 'x', SIZE_MAX_HERE + AFTER);
                for (size_t i = size + 1; i < size + AFTER; i += 2)
                    data[i] = i % 20 == 1 ? (unsigned char)format.end
                              : kind == TEXT_WHITESPACE
                                  ? ' '
                                  : (unsigned char)format.delimiter;
                data[size] = (unsigned char)format.end;
                for (size_t field = 1; field < 9 && wrong == NULL; field++) {
                    wrong = scan_check(&scan, &list, data,
                                       SIZE_MAX_HERE + AFTER, SIZE_MAX);
                    if (size > 0)
                        data[noise() % size] = kind == TEXT_WHITESPACE
                                                   ? ' '
                                                   : format.delimiter & 255;
                }
            }
            close_scan(&scan, &list);
        }
    }
    ok(wrong == NULL, "records before others: %s",
       wrong != NULL ? wrong : "all forms");
}

/* Write a time in brackets, or nearly one; most are of few minutes. */
static void
put_time(char *text)
{
    static const char *const months[] = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul",          "Aug",
        "Sep", "Oct", "Nov", "Dec", "Fev", "nov", "\xce\xe5\xe2",
    };
    static const unsigned int years[] = {1900, 2000, 2024, 2026, 9999};
    bool is_any = noise() % 4 == 0;

    sprintf(text, "[%02u/%s/%04u:%02u:%02u:%02u %c%04u]",
            is_any ? (unsigned int)(noise() % 33) : 22,
            months[is_any ? noise() % COUNT(months) : 10],
            years[is_any ? noise() % COUNT(years) : 3],
            is_any ? (unsigned int)(noise() % 25) : 10,
            is_any ? (unsigned int)(noise() % 61)
                   : (unsigned int)(noise() % 10),
            (unsigned int)(noise() % 62),
            noise() % 16 != 0 ? '+' : "-,*"[noise() % 3],
            is_any ? (unsigned int)(noise() % 10000) : 0);
    if (noise() % 16 == 0)
        text[noise() % 28] = (char)noise();
}

/* Write a line of a log, or nearly one.  Returns its end. */
static unsigned char *
put_log(unsigned char *at)
{
    static const char *const words[] = {
        "",
        "-",
        " ",
        "x",
        "[a b]",
        "\"r f\"",
        "\"\"",
        "[]",
        "\\\"",
        "\\",
        "?q=1",
        "]",
        "[",
        "\"",
        "GET ",
        "/a b",
        " HTTP/1.",
        "\r",
        "\"a\"b",
        "[c]\"d\"",
        ":",
        ",",
        ":80",
        " x ",
        "\t",
        "1234567890123456789012345",
        "7/",
        " HTTP/2\" 304 - ",
        " HTTP/2.0\" - 5 ",
        "HTTP/1.4\" 20 5 ",
    };
    static const char *const vhosts[] = {
        "www.example.org ",
        "www.example.org:443 ",
        "- ",
        "v:1234567 ",
        "v:12345678 ",
        "a\\b ",
        "v  ",
        " v\t",
        "1.2.3.4, ",
        "::1 ",
        "[::1] ",
        "\"v\" ",
        "v: ",
        ":80 ",
        "v:8x ",
        "v.w x.y ",
        "v:8 x ",
    };
    char line[1024];
    char path[256];
    char agent[256];
    char vhost[100];
    char time[64];

    put_time(time);
    memset(path, 'p', sizeof path);
    memset(agent, 'a', sizeof agent);
    path[noise() % (noise() % 4 != 0 ? 40 : sizeof path)] = '\0';
    agent[noise() % (noise() % 4 != 0 ? 90 : sizeof agent)] = '\0';
    path[sizeof path - 1] = agent[sizeof agent - 1] = '\0';
    memset(vhost, 'v', sizeof vhost);
    size_t name = noise() % (sizeof vhost - 2);
    vhost[name] = ' ';
    vhost[name + 1] = '\0';
    const char *before = noise() % 2 != 0   ? ""
                         : noise() % 4 == 0 ? vhost
                                            : vhosts[noise() % COUNT(vhosts)];
    int bytes_end;
    int size = snprintf(
        line, sizeof line,
        "%s%s%u%c1 - - %s \"GET%s%s%s%s%s\" 200 "
        "%u%n%s \"%s\" 0.5%s",
        before, noise() % 8 != 0 ? "10.0." : "", (unsigned int)(noise() % 256),
        "..:-"[noise() % 4], time, noise() % 8 != 0 ? " " : "",
        noise() % 8 != 0 ? "/" : "", path, noise() % 2 != 0 ? "?x=1" : "",
        noise() % 8 != 0 ? " HTTP/1.1" : "",
        (unsigned int)(noise() % (noise() % 8 != 0 ? 100000 : 2000000000)),
        &bytes_end, noise() % 4 != 0 ? " \"https://a.b/c d\"" : "", agent,
        noise() % 4 != 0 ? "" : " [m n] \"o\"");
    if (noise() % 3 == 0) {
        const char *word = words[noise() % COUNT(words)];
        size_t length = strlen(word);
        size_t place = noise() % ((size_t)size - length);
        memcpy(line + place, word, length);
    }
    if (noise() % 8 == 0)
        size =
            noise() % 2 != 0 ? bytes_end : (int)(noise() % (unsigned int)size);
    memcpy(at, line, (size_t)size);
    at += size;
    if (noise() % 8 == 0)
        *at++ = noise() % 2 != 0 ? '\r' : '5' + noise() % 32;
    *at++ = '\n';
    return at;
}

static void
test_logs(void)
{
    static const char *const fields[] = {
        "path",        "path,bytes",    "request,query,status,minute",
        "path,+1",     "+1,+2,agent",   "method,protocol,query",
        "target,day",  "referer,+3",    "1,5,9",
        "4,6,10-12",   "host,path",     "bytes,agent",
        "3",           "6,NF",          "vhost",
        "agent,vhost", "vhost,path,+1",
    };
    const char *wrong = NULL;
    size_t rounds = IS_EMULATED ? 4 : IS_INSTRUMENTED ? 20 : 400;

    for (size_t l = 0; l < COUNT(fields) && wrong == NULL; l++) {
        struct text_format format = text_format_of(TEXT_CLF);
        struct field_list list;
        struct scan scan;
        open_scan(&scan, &list, &format, fields[l]);
        for (size_t i = 0; i < rounds && wrong == NULL; i++) {
            /* More than a batch, so that not all lines are near the end. */
            static unsigned char text[64 * 1024];
            unsigned char *end = text;
            for (size_t lines = 1 + noise() % 60; lines > 0; lines--)
                end = put_log(end);
            size_t size = (size_t)(end - text) - noise() % 2;
            unsigned char *data = arena + ARENA_BYTES - size;
            memcpy(data, text, size);
            wrong = scan_check(&scan, &list, data, size, SIZE_MAX);
        }
        close_scan(&scan, &list);
    }
    ok(wrong == NULL, "lines of logs, and nearly such: %s",
       wrong != NULL ? wrong : "all forms");
}

/* A record of CLF with zeros instead of its time, before any time. */
static void
test_zeros(void)
{
    static const char start[] = "h - - [";
    static const char line[] =
        "\" 200 5\nh - - [22/Nov/2026:10:00:00 +0000] \"\" 200 5\n";
    struct text_format format = text_format_of(TEXT_CLF);
    struct field_list list;
    struct scan scan;
    unsigned char data[1000];
    size_t size = sizeof start - 1;

    memcpy(data, start, size);
    memset(data + size, 0, 29);
    for (size += 29; sizeof data - size > sizeof line; size += sizeof line - 1)
        memcpy(data + size, line, sizeof line);
    open_scan(&scan, &list, &format, "1,4");
    const char *wrong = scan_check(&scan, &list, data, size, SIZE_MAX);
    ok(wrong == NULL, "zeros instead of a time: %s",
       wrong != NULL ? wrong : "all forms");
    close_scan(&scan, &list);
}

/* A record of CLF that does not fit ends the scan. */
static void
test_wrong(void)
{
    static const char text[] =
        "#\n\nh - - [22/Nov/2026:10:00:00 +0000] \"\" 200 5\n"
        "h - - [22/Nov/2026:10:00:00 +0000] \"\" 20 5\n#\nh\n";
    const unsigned char *data = (const unsigned char *)text;
    struct text_format format = text_format_of(TEXT_CLF);
    struct error error = ERROR_NONE;
    struct field_list list;
    bool is_right = true;

    format.comment = '#';
    if (field_list_parse(&list, &format, "fields", "status", &error) < 0)
        abort();
    for (size_t f = 0; f < SCAN_CHECK_FORMS; f++) {
        struct scan_ledger ledger = {0};
        struct text_slice slice[8];
        struct scan scan;
        size_t done = 0;
        if (scan_check_forms[f].is_possible != NULL &&
            !scan_check_forms[f].is_possible())
            continue;
        if (scan_open(&scan, &format, &list, &error) < 0)
            abort();
        scan.run = scan_check_forms[f].run;
        size_t records = scan_records(&scan, data, sizeof text - 1, &done,
                                      slice, 8, &ledger);
        is_right &= records == 2 && ledger.records == 2 &&
                    ledger.comments == 1 && ledger.misfits == 0 &&
                    ledger.wrong.reason != NULL &&
                    ledger.wrong.slice.at == done + 38 &&
                    ledger.wrong.slice.size == 4 && slice[1].size == 3 &&
                    text_slice_is_missing(slice[0]);
        done = ledger.wrong.slice.at + 5;
        is_right &= scan_records(&scan, data, sizeof text - 1, &done, slice, 8,
                                 &ledger) == 0 &&
                    ledger.comments == 2 && ledger.wrong.reason != NULL &&
                    done == sizeof text - 3;
        scan_close(&scan);
    }
    ok(is_right, "a record that does not fit ends a scan");
    field_list_close(&list);
}

/* Write a field of CSV in quotes; some have about as many bytes as a block.
   Returns its size. */
static size_t
write_quoted(unsigned char *at)
{
    static const char *const others[] = {",", "\n", "\"\"", "\r\n", "\",\""};
    size_t size = 0;

    at[size++] = '"';
    for (uint64_t b = noise() % 8 == 0 ? 55 + noise() % 16 : noise() % 12;
         b > 0; b--)
        at[size++] = (unsigned char)('a' + noise() % 26);
    if (noise() % 4 == 0) {
        const char *other = others[noise() % 64 == 0 ? 4 : noise() % 4];
        memcpy(at + size, other, strlen(other));
        size += strlen(other);
    }
    at[size++] = '"';
    return size;
}

/* Write a record of CSV with COLUMNS, of which QUOTED in 100 have quotes; one in
   FEW is another one.  Returns its size. */
static size_t
write_row(unsigned char *at, size_t columns, uint64_t quoted, uint64_t few)
{
    static const char *const others[] = {"", "\r", "#,", "\"\"", ",", "\",\""};
    size_t size = 0;

    for (size_t c = 0; c < columns; c++) {
        if (c > 0)
            at[size++] = ',';
        if (noise() % 100 < quoted) {
            size += write_quoted(at + size);
            continue;
        }
        for (uint64_t b = noise() % 12; b > 0; b--)
            at[size++] = (unsigned char)('a' + noise() % 26);
    }
    if (noise() % few == 0) {
        const char *other = others[noise() % COUNT(others)];
        size = noise() % 2 == 0 ? 0 : size;
        memcpy(at + size, other, strlen(other));
        size += strlen(other);
    } else if (few % 2 == 0) {
        at[size++] = '\r';
    }
    at[size++] = '\n';
    return size;
}

/* Records of CSV with as many fields as the first one, and few others. */
static void
test_tables(void)
{
    const int rounds = IS_INSTRUMENTED ? 60 : 600;
    const char *wrong = NULL;

    for (int r = 0; r < rounds && wrong == NULL; r++) {
        struct text_format format = text_format_of(TEXT_CSV);
        struct field_list list;
        struct scan scan;
        const size_t columns = 1 + noise() % 12;
        const uint64_t few = 2 + noise() % 5000;
        const uint64_t quoted = noise() % 2 == 0 ? 0 : noise() % 50;
        const size_t room = 1 + noise() % 30000;
        size_t size = 0;
        format.comment = noise() % 2 != 0 ? '#' : TEXT_NO_COMMENT;
        format.skips_blank = noise() % 2 != 0;
        open_scan(&scan, &list, &format, lists[noise() % COUNT(lists)]);
        while (size < room)
            size += write_row(arena + size, columns, quoted, few);
        wrong = scan_check(&scan, &list, arena, size, SIZE_MAX);
        if (wrong == NULL)
            wrong = scan_check(&scan, &list, arena, size, 1 + noise() % 2000);
        close_scan(&scan, &list);
    }
    ok(wrong == NULL, "tables: %s", wrong != NULL ? wrong : "all forms");
}

int
main(void)
{
    static const char *const names[TEXT_KINDS] = {
        "", "lines", "delimited", "whitespace", "CLF", "CSV", "words",
    };

    alarm(WATCHDOG_SECONDS);
    arena = arena_open(ARENA_BYTES);
    for (size_t e = 0; e < COUNT(examples); e++)
        test_example(e);
    test_wrong();
    for (int kind = TEXT_LINES; kind < TEXT_KINDS; kind++)
        test_kind((enum text_kind)kind, names[kind]);
    test_distances();
    test_following();
    test_tables();
    test_zeros();
    test_logs();
    return done_testing();
}
