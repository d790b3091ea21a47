/* SPDX-License-Identifier: MIT */
/*
 * test_pattern.c -- lines of a log: all forms of the scan against the
 * definition
 *
 * The data lie between two pages that must not be touched, so that a read of
 * one byte too many, on either side, ends the test.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../arena.h"
#include "../noise.h"
#include "../pattern_check.h"
#include "../tap.h"

#define WATCHDOG_SECONDS 300
#define ARENA_BYTES ((size_t)1 << 20)
#define COUNT(table) (sizeof(table) / sizeof *(table))

static unsigned char *arena;

/* A text of 70 bytes. */
#define LONG                                                                  \
    "k0123456789012345678901234567890123456789012345678901234567890123456789" \
    "z"

static const char *const patterns[] = {
    "combined",
    "common",
    "vcombined",
    "vcommon",
    "squid",
    "s3",
    "elb",
    "traefik",
    "alb",
    "haproxy",
    "cloudstorage",
    "$remote_addr - $remote_user [$time_local] \"$request\" $status "
    "$body_bytes_sent \"$http_referer\" \"$http_user_agent\"",
    "$remote_addr $time_local $status",
    "\"$http_x_forwarded_for\" $upstream_addr $upstream_response_time, "
    "$upstream_status",
    "\"$remote_addr $time_local\" $request",
    "$status $body_bytes_sent",
    "$body_bytes_sent\"$status",
    "%{a}",
    "%{a} ",
    "x%{a->}  %{b->},%{c}",
    "rt=%{a} upstream_time=%{b} " LONG "=%{c}" LONG,
    "{\"a\":\"%{a}\",\"b\":%{b},\"c\":\"%{c}\"}",
    "%{a}1%{b}2%{c}3%{d}4%{e}5%{f}6%{g}7%{h}8",
    "%{a}1%{b}2%{c}3%{d}4%{e}5%{f}6%{g}7%{h}8%{i}9%{j}",
    "%{a}b\r%{b}",
    "\r%{a->}\r",
    "%{a}aab%{b}aaab%{c}\\\\%{d}",
    "%{%d/%b/%Y %H:%M}t %h",
    "\"%{a}\"\"%{b}\"",
    LONG "%{a}" LONG "%{b}",
};

/* Values, usual and unusual ones. */
static const char *const values[] = {
    "-",
    "-",
    "200",
    "404",
    "99",
    "1234567",
    "12345678",
    "123456789",
    "20x",
    "",
    " ",
    "x",
    "host",
    "10.1.2.3",
    "28/Nov/2026:06:41:12 +0000",
    "28/Nov/2026 06:41",
    "GET /a/b?c=d HTTP/1.1",
    "GET /a",
    "POST /x y",
    "a, b : c",
    "a : b",
    "a,",
    ", ",
    "\"",
    "\\\"",
    "\\",
    "\\\\",
    "a\\\"b",
    "]",
    "] ",
    "] \"",
    "\" ",
    "\" \"",
    "aa",
    "aaa",
    "ab",
    "=",
    "\r",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)",
    LONG,
    LONG LONG,
};

/* Append the LENGTH bytes at TEXT, up to MOST in all, to the *SIZE at LINE. */
static void
put(unsigned char *line, size_t *size, size_t most, const char *text,
    size_t length)
{
    if (length > most - *size)
        length = most - *size;
    memcpy(line + *size, text, length);
    *size += length;
}

/* Append a value of FIELD; ODD of 256 are any, and others have no blank if
   IS_WORD. */
static void
put_value(unsigned char *line, size_t *size, size_t most,
          const struct pattern_field *field, bool is_word, unsigned int odd)
{
    const struct pattern_known *known = field->known;
    const char *value = values[noise() % COUNT(values)];

    if (noise() % 256 >= odd) {
        bool is_number = known != NULL && known->check != PATTERN_ANY;
        value = is_number           ? values[noise() % 4]
                : is_word           ? values[11 + noise() % 3]
                : field->inside > 0 ? values[14 + noise() % 2]
                                    : values[12 + noise() % 5];
    }
    put(line, size, most, value, strlen(value));
}

/* Write a line that nearly fits PATTERN, and its end.  Returns its size, at
   most MOST. */
static size_t
put_line(const struct pattern *pattern, unsigned char *line, size_t most,
         unsigned int odd)
{
    size_t size = 0;

    if (noise() % 16 == 0)
        put(line, &size, most, "#", noise() % 2);
    put(line, &size, most, pattern->before, pattern->before_size);
    /* Lines of older versions have fewer fields. */
    size_t count =
        noise() % 8 == 0 ? 1 + noise() % pattern->count : pattern->count;
    for (size_t i = 0; i < count; i++) {
        const struct pattern_field *field = &pattern->field[i];
        /* In lines of words, a blank ends each value without marks. */
        bool is_word = pattern->match != NULL && !field->is_quoted &&
                       (field->after_size == 0 || *field->after == ' ');
        put_value(line, &size, most, field, is_word, odd);
        for (size_t times = 1; times > 0; times--) {
            put(line, &size, most, field->after, field->after_size);
            times += field->is_padded && noise() % 2 != 0;
        }
    }
    if (noise() % 256 < odd && size > 0)
        line[noise() % size] = (unsigned char)noise();
    if (noise() % 256 < odd / 2 && size > 0)
        size = noise() % size;
    if (noise() % 8 == 0)
        put(line, &size, most, "\r", 1);
    put(line, &size, most, "\n", 1);
    return size;
}

/* Lines of up to SIZE bytes in all, at both ends of the arena.  Returns the
   name of a form that is wrong. */
static const char *
check_lines(const struct pattern_forms *check,
            const struct log_patterns *patterns_of, size_t size,
            unsigned int odd)
{
    static unsigned char text[40 * 1024];
    size_t filled = 0;
    const char *wrong;

    while (filled < size)
        filled += put_line(&patterns_of->pattern[noise() % patterns_of->count],
                           text + filled, size - filled, odd);
    unsigned char *last = arena + ARENA_BYTES - size;
    memcpy(last, text, size);
    wrong = pattern_check_data(check, last, size, SIZE_MAX);
    if (wrong == NULL)
        wrong = pattern_check_data(check, last, size, 1 + noise() % 4);
    memcpy(arena, text, size);
    if (wrong == NULL)
        wrong = pattern_check_data(check, arena, size, 1 + noise() % 40);
    return wrong;
}

static void
test_pattern(const char *text)
{
    static const unsigned int densities[] = {0, 4, 30, 120, 256};
    size_t rounds = IS_INSTRUMENTED ? 8 : 400;
    const char *wrong = NULL;

    for (size_t i = 0; i < rounds && wrong == NULL; i++) {
        unsigned int odd = densities[i % COUNT(densities)];
        size_t size = i % 4 == 0 ? 1 + noise() % 30000 : 1 + noise() % 1500;
        struct log_patterns parsed;
        struct pattern_forms check;
        struct error error = ERROR_NONE;
        if (log_patterns_open(&parsed, text, &error) < 0 ||
            !pattern_check_open(&check, text,
                                noise() % 2 != 0 ? '#' : TEXT_NO_COMMENT,
                                noise() % 4 != 0))
            abort();
        wrong = check_lines(&check, &parsed, size, odd);
        pattern_check_close(&check);
        log_patterns_close(&parsed);
    }
    ok(wrong == NULL, "%.60s: %s", text, wrong != NULL ? wrong : "all forms");
}

/* The text after a value at each distance from the line's start, and the line's
   end there. */
static void
test_distances(void)
{
    static const char *const few[] = {"%{a}, %{b}", "\"%{a}\" %{b}",
                                      "%{a->}, %{b}", "%{a}, "};
    const char *wrong = NULL;

    for (size_t p = 0; p < COUNT(few); p++) {
        struct pattern_forms check;
        if (!pattern_check_open(&check, few[p], TEXT_NO_COMMENT, true))
            abort();
        for (size_t before = 0; before < 200 && wrong == NULL; before++) {
            for (size_t after = 0; after < 4 && wrong == NULL; after++) {
                unsigned char *data = arena + ARENA_BYTES - 600;
                memset(data, 'x', 600);
                memcpy(data, "\"", p == 1);
                memcpy(data + before + 1, p == 1 ? "\" , " : ", , ", 4);
                data[before + 1 + after] = '\n';
                wrong = pattern_check_data(&check, data, 600, 1);
                if (wrong == NULL)
                    wrong =
                        pattern_check_data(&check, data, before + 2 + after, 1);
            }
        }
        pattern_check_close(&check);
    }
    ok(wrong == NULL, "texts at each distance: %s",
       wrong != NULL ? wrong : "all forms");
}

/* Methods and targets of each length: the end of a block of 64 bytes is where
   the blank and the question mark would be. */
static void
test_requests(void)
{
    static const char *const requests[] = {
        "GET /%.*s HTTP/1.1",
        "%.*s / HTTP/1.1",
        "GET /%.*s?a HTTP/2.0",
    };
    const char *wrong = NULL;
    struct pattern_forms check;

    if (!pattern_check_open(&check, "$host \"$request\" $status",
                            TEXT_NO_COMMENT, true))
        abort();
    for (size_t r = 0; r < COUNT(requests); r++) {
        for (int length = 0; length < 140 && wrong == NULL; length++) {
            char request[200];
            char line[400];
            char letters[140];
            memset(letters, 'p', sizeof letters);
            snprintf(request, sizeof request, requests[r], length, letters);
            int size = snprintf(line, sizeof line, "h \"%s\" 200\n", request);
            size_t filled = 0;
            for (int i = 0; i < 8; i++, filled += (size_t)size)
                memcpy(arena + filled, line, (size_t)size);
            wrong = pattern_check_data(&check, arena, filled, 4);
        }
    }
    pattern_check_close(&check);
    ok(wrong == NULL, "requests of each length: %s",
       wrong != NULL ? wrong : "all forms");
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    arena = arena_open(ARENA_BYTES);
    test_requests();
    for (size_t p = 0; p < COUNT(patterns); p++)
        test_pattern(patterns[p]);
    test_distances();
    return done_testing();
}
