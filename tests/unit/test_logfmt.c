/* SPDX-License-Identifier: MIT */
/*
 * test_logfmt.c -- lines of logfmt: examples, and all forms of the scan against
 * the simple reader of logfmt_check.h
 *
 * The data lie between two pages that must not be touched, so that a read of
 * one byte too many, on either side, ends the test.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../arena.h"
#include "../logfmt_check.h"
#include "../noise.h"
#include "../tap.h"

#define WATCHDOG_SECONDS 300
#define ARENA_BYTES ((size_t)1 << 20)
#define COUNT(table) (sizeof(table) / sizeof *(table))

static unsigned char *arena;

/* The SIZE bytes at the end of the arena, then at its start.  Returns the name
   of a form that is wrong. */
static const char *
check_ends(const struct logfmt_check *check, size_t size, size_t records_max)
{
    unsigned char *last = arena + ARENA_BYTES - size;
    const char *wrong = logfmt_check_data(check, last, size, SIZE_MAX);

    if (wrong == NULL)
        wrong = logfmt_check_data(check, last, size, records_max);
    memmove(arena, last, size);
    if (wrong == NULL)
        wrong = logfmt_check_data(check, arena, size, SIZE_MAX);
    return wrong;
}

/* ---- pieces of lines ---- */

static const char *const pieces[] = {
    "a=1",
    " b=2 ",
    "a",
    "b=",
    "=x",
    "a=\"",
    "\"",
    "\\",
    "\\\"",
    "\\\\",
    " ",
    "\t",
    "\r",
    "=",
    "==",
    "status=200",
    "level=info",
    " statu",
    "msg=\"a b\"",
    "\n",
    "\n",
    "#",
    "\n#",
    "a=x=\"y z\"",
    "x\"y=1",
    "aa=\"\\u0041\"",
    "ab=\"\\x\"",
    "\xc3\xa9=\xff",
    "\"a=1\"",
    "k=\"a=b b=\"",
    "a=\"x\"b=1",
    " " LOGFMT_CHECK_LONG "=l ",
    LOGFMT_CHECK_LONG,
    "time=2026-11-28T06:41:00Z ",
    "abcdefghijklmnop",
    " msg=\"a long text with a quote \\\" and a=1 inside\" status=404 b=3",
};

/* Write pieces at random, SIZE bytes; with FEW, many lines are usual. */
static void
fill(unsigned char *data, size_t size, unsigned int few)
{
    static const char usual[] =
        " time=1 level=info msg=\"a b\" status=200 a=\"x\" b=- k=v";
    size_t at = 0;

    while (at < size) {
        const char *piece = pieces[noise() % COUNT(pieces)];
        if (noise() % 256 >= few)
            piece = noise() % 4 == 0 ? "\n" : usual;
        size_t length = strlen(piece);
        if (length > size - at)
            length = size - at;
        memcpy(data + at, piece, length);
        at += length;
    }
}

static void
test_pieces(void)
{
    static const unsigned int densities[] = {4, 30, 100, 256};
    const char *wrong = NULL;
    size_t rounds = IS_INSTRUMENTED ? 4 : 60;

    for (size_t d = 0; d < COUNT(densities) && wrong == NULL; d++) {
        for (size_t i = 0; i < rounds * 300 && wrong == NULL; i++) {
            size_t size = i % 300 != 0 ? 1 + i % 300 : 300 + noise() % 30000;
            struct logfmt_check check;
            logfmt_check_open(&check, noise(),
                              noise() % 2 != 0 ? '#' : TEXT_NO_COMMENT);
            fill(arena + ARENA_BYTES - size, size, densities[d]);
            wrong = check_ends(&check, size, 1 + noise() % 40);
            logfmt_check_close(&check);
        }
    }
    ok(wrong == NULL, "pieces of lines: %s",
       wrong != NULL ? wrong : "all forms");
}

/* Short lines of few kinds of bytes: all of up to LENGTH_MAX. */
static void
test_all_lines(void)
{
    static const char bytes[] = {'a', '=', '"', '\\', ' '};
    const char *wrong = NULL;
    size_t most = IS_INSTRUMENTED ? 5 : 7;
    struct logfmt_check check;

    logfmt_check_open(&check, 2, TEXT_NO_COMMENT);
    for (size_t length = 1; length <= most && wrong == NULL; length++) {
        unsigned char *line = arena + ARENA_BYTES - length;
        size_t lines = 1;
        for (size_t i = 0; i < length; i++)
            lines *= COUNT(bytes);
        for (size_t n = 0; n < lines && wrong == NULL; n++) {
            for (size_t i = 0, rest = n; i < length; i++, rest /= COUNT(bytes))
                line[i] = (unsigned char)bytes[rest % COUNT(bytes)];
            wrong = logfmt_check_data(&check, line, length, SIZE_MAX);
        }
    }
    logfmt_check_close(&check);
    ok(wrong == NULL, "all lines of some bytes: %s",
       wrong != NULL ? wrong : "all forms");
}

/* A line with a key, a quote and so on at each distance from its start, before
   other lines and at the end. */
static void
test_distances(void)
{
    static const char *const middles[] = {
        " a=1 b=2",  " a=\"x y\" b", " a",           " a=\"\\\" b\" b=\"c\"",
        " status=1", "=\" a=1\"b=2", "=\"\\\\\"a=1", "\" a=1 b=\"q\"",
    };
    const char *wrong = NULL;

    for (size_t l = 0; l < LOGFMT_CHECK_LISTS; l++) {
        struct logfmt_check check;
        logfmt_check_open(&check, l, TEXT_NO_COMMENT);
        for (size_t m = 0; m < COUNT(middles); m++) {
            size_t length = strlen(middles[m]);
            for (size_t before = 0; before < 200 && wrong == NULL; before++) {
                size_t after = noise() % 2 != 0 ? 0 : noise() % 200;
                size_t size = before + length + after;
                unsigned char *data = arena + ARENA_BYTES - size;
                memset(data, 'x', size);
                memcpy(data + before, middles[m], length);
                if (after > 0 && noise() % 2 != 0)
                    data[before + length] = '\n';
                wrong = check_ends(&check, size, 1);
            }
        }
        logfmt_check_close(&check);
    }
    ok(wrong == NULL, "keys at each distance: %s",
       wrong != NULL ? wrong : "all forms");
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    arena = arena_open(ARENA_BYTES);
    test_all_lines();
    test_distances();
    test_pieces();
    return done_testing();
}
