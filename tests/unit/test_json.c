/* SPDX-License-Identifier: MIT */
/*
 * test_json.c -- lines of JSON: examples, paths, and all forms of the scan
 * against the simple reader of json_check.h
 *
 * The data end before a page that must not be touched, so that a read of one
 * byte too many ends the test.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../arena.h"
#include "../json_check.h"
#include "../noise.h"
#include "../tap.h"

#define WATCHDOG_SECONDS 300
#define ARENA_BYTES ((size_t)1 << 20)
#define ROUNDS(all) ((all) / (IS_EMULATED ? 20 : IS_INSTRUMENTED ? 4 : 1))
#define COUNT(table) (sizeof(table) / sizeof *(table))

static unsigned char *arena;

/* ---- what is an object of JSON ---- */

#define DATA(text) text, sizeof text - 1

static const struct {
    const char *line;
    size_t size;
} right[] = {
    {DATA("{}")},
    {DATA(" { } \r")},
    {DATA("{\"\":0}")},
    {DATA("{\"a\":\"\"}")},
    {DATA("{\"a\":[]}")},
    {DATA("{\"a\":[1,-0,0.0,-1.5e+10,1E5,1e-9,123456789012345678901]}")},
    {DATA("{\"a\":[true,false,null]}")},
    {DATA("\t{\"a\"\t:\t[\t{ }\t,\t[ ]\t]\t}\t")},
    {DATA("{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uDE00\"}")},
    {DATA("{\"a\":\"\\ud800\",\"c\":[\"\\udc00\\ud800\"]}")},
    {DATA("{\"a\":\"\\ud800\\u0041\",\"a\":\"\\uD800\\uD800\\uDC00\"}")},
    {DATA("{\"a\":\"\x7f\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"}")},
    {DATA("{\"a\":\"\xef\xbf\xbf\xf4\x8f\xbf\xbf\xee\x80\x80\"}")},
    {DATA("{\"a\":{\"b\":1},\"a\":{\"b\":[1,2,3]}}")},
    {DATA("{\"a\":{\"b\":1},\"a\":2}")},
    {DATA("{\"\\u0061\":{\"\\u0062\":1},\"c\":[{\"\\u0061\":2},3]}")},
    {DATA("{\"x.\\\"y\":1}")},
    {DATA("{\"x.\\u0022y\":\"long name of a member\"}")},
    {DATA("{\"long name of a member\":1,\"long name of a\":2}")},
    {DATA("{\"long name of a membe\\u0072\":\"\"}")},
    {DATA("{\"aa\":1,\"a\":2,\"\":3,\"A\":4}")},
    {DATA("{\"b\":{\"a\":{\"b\":1}},\"c\":{\"1\":1,\"#1\":2}}")},
};

static const struct {
    const char *line;
    size_t size;
} wrong[] = {
    {DATA("{")},
    {DATA("}")},
    {DATA("[]")},
    {DATA("[1]")},
    {DATA("1")},
    {DATA("\"a\"")},
    {DATA("null")},
    {DATA("{}x")},
    {DATA("{}{}")},
    {DATA("{} {}")},
    {DATA("{},")},
    {DATA("{}]")},
    {DATA("{\"a\"}")},
    {DATA("{\"a\":}")},
    {DATA("{\"a\":1,}")},
    {DATA("{,\"a\":1}")},
    {DATA("{\"a\":1,,\"b\":1}")},
    {DATA("{\"a\":1 \"b\":1}")},
    {DATA("{\"a\" 1}")},
    {DATA("{\"a\"::1}")},
    {DATA("{\"a\":1:2}")},
    {DATA("{a:1}")},
    {DATA("{'a':1}")},
    {DATA("{1:1}")},
    {DATA("{null:1}")},
    {DATA("{\"a\":[1,]}")},
    {DATA("{\"a\":[,1]}")},
    {DATA("{\"a\":[1 2]}")},
    {DATA("{\"a\":[1:2]}")},
    {DATA("{\"a\":[1}")},
    {DATA("{\"a\":[1}}")},
    {DATA("{\"a\":{\"b\":1]}")},
    {DATA("{\"a\":[\"b\":1]}")},
    {DATA("{\"a\":{1}}")},
    {DATA("{\"a\":01}")},
    {DATA("{\"a\":-}")},
    {DATA("{\"a\":-01}")},
    {DATA("{\"a\":+1}")},
    {DATA("{\"a\":1.}")},
    {DATA("{\"a\":.5}")},
    {DATA("{\"a\":1e}")},
    {DATA("{\"a\":1e+}")},
    {DATA("{\"a\":1.e1}")},
    {DATA("{\"a\":0x10}")},
    {DATA("{\"a\":1_0}")},
    {DATA("{\"a\":1a}")},
    {DATA("{\"a\":1\"b\"}")},
    {DATA("{\"a\":NaN}")},
    {DATA("{\"a\":Infinity}")},
    {DATA("{\"a\":-Infinity}")},
    {DATA("{\"a\":True}")},
    {DATA("{\"a\":tru}")},
    {DATA("{\"a\":truee}")},
    {DATA("{\"a\":nul}")},
    {DATA("{\"a\":true\"\"}")},
    {DATA("{\"a\":\"\"\"\"}")},
    {DATA("{\"a\":\"\"1}")},
    {DATA("{\"a\":\"b}")},
    {DATA("{\"a\":\"b\\\"}")},
    {DATA("{\"a")},
    {DATA("{\"a\":\"\\\"")},
    {DATA("{\"a\":\"\t\"}")},
    {DATA("{\"a\":\"\0\"}")},
    {DATA("{\"a\":\"\x1f\"}")},
    {DATA("{\"a\":1\0}")},
    {DATA("\0{\"a\":1}")},
    {DATA("{\"a\":\f1}")},
    {DATA("{\"a\":1\f\"b\":1}")},
    {DATA("{\"a\"\x1a"
          "1}")},
    {DATA("{\"a\":\"\\a\"}")},
    {DATA("{\"a\":\"\\\0\"}")},
    {DATA("{\"a\":\"\\x41\"}")},
    {DATA("{\"a\":\"\\u\"}")},
    {DATA("{\"a\":\"\\u12\"}")},
    {DATA("{\"a\":\"\\u123\"}")},
    {DATA("{\"a\":\"\\u123g\"}")},
    {DATA("{\"a\":\"\\u12g4\"}")},
    {DATA("{\"a\":\"\\u1g34\"}")},
    {DATA("{\"a\":\"\\ug234\"}")},
    {DATA("{\"a\":\"\\U0041\"}")},
    {DATA("{\"a\":\"\\uD800\\u\"}")},
    {DATA("{\"a\":\\\"b\"}")},
    {DATA("{\"a\\\":1}")},
    {DATA("{\"a\":\"\x80\"}")},
    {DATA("{\"a\":\"\xc3\"}")},
    {DATA("{\"a\":\"\xc0\xaf\"}")},
    {DATA("{\"a\":\"\xe0\x80\xaf\"}")},
    {DATA("{\"a\":\"\xe2\x82\"}")},
    {DATA("{\"a\":\"\xed\xa0\x80\"}")},
    {DATA("{\"a\":\"\xf0\x80\x80\x80\"}")},
    {DATA("{\"a\":\"\xf4\x90\x80\x80\"}")},
    {DATA("{\"a\":\"\xf5\x80\x80\x80\"}")},
    {DATA("{\"a\":\"\xff\"}")},
    {DATA("{\"a\":\xc3\xa9}")},
    {DATA("{\"a\xe9\":1}")},
    {DATA("\xef\xbb\xbf{\"a\":1}")},
    {DATA("{\"a\":1}\xc2\xa0")},
    {DATA("// {}")},
    {DATA("{/**/}")},
    {DATA("{\"a\":1}#")},
    {DATA("{\"a\":1}\xa5")},
    {DATA("{\"a\":\"\xe2")},
};

/* Copies the line between others, so that it starts at AT before the end of the
   arena.  Returns what is wrong. */
static const char *
check_line(struct json_check *check, const char *line, size_t size,
           size_t before, size_t after)
{
    static const char around[] = "{\"c\":[{\"a\":\"\\\\\"}],\"a\":{\"b\":1}}\n";
    size_t bytes = sizeof around - 1;
    size_t total = before * bytes + size + 1 + after * bytes;
    unsigned char *data = arena + ARENA_BYTES - total;
    unsigned char *to = data;

    for (size_t i = 0; i < before; i++, to += bytes)
        memcpy(to, around, bytes);
    memcpy(to, line, size);
    to += size;
    *to++ = '\n';
    for (size_t i = 0; i < after; i++, to += bytes)
        memcpy(to, around, bytes);
    const char *found = json_check_data(check, data, total, SIZE_MAX);
    if (found == NULL && after == 0) { /* without its line feed */
        data = arena + ARENA_BYTES - size;
        memcpy(data, line, size);
        found = json_check_data(check, data, size, 1);
    }
    return found;
}

/* Whether a byte is no ASCII. */
static bool
has_high(const char *line, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if ((unsigned char)line[i] > 0x7f)
            return true;
    }
    return false;
}

/* Each line alone, moved over the borders of blocks by blanks, and between
   others. */
static void
test_examples(void)
{
    const char *failed = NULL;
    const char *line = "";
    struct json_value value = {.bytes = arena};
    char moved[400];

    for (size_t i = 0; i < COUNT(right) && failed == NULL; i++) {
        line = right[i].line;
        if (!json_reader_line((const unsigned char *)line, right[i].size,
                              &json_check_paths[0], &value, arena + 1000))
            failed = "the simple reader finds it wrong";
    }
    for (size_t i = 0; i < COUNT(wrong) && failed == NULL; i++) {
        line = wrong[i].line;
        if (json_reader_line((const unsigned char *)line, wrong[i].size,
                             &json_check_paths[0], &value, arena + 1000))
            failed = "the simple reader finds it right";
    }
    for (size_t i = 0; i < COUNT(right) + COUNT(wrong) && failed == NULL; i++) {
        bool is_right = i < COUNT(right);
        size_t size = is_right ? right[i].size : wrong[i - COUNT(right)].size;
        line = is_right ? right[i].line : wrong[i - COUNT(right)].line;
        for (int mode = 0; mode < 2 && failed == NULL; mode++) {
            struct json_check check;
            json_check_open(&check, mode == 1, TEXT_NO_COMMENT);
            for (size_t by = 0; by < 66 && failed == NULL; by++) {
                memset(moved, ' ', by);
                memcpy(moved + by, line, size);
                failed = check_line(&check, moved, by + size, 0, 0);
                /* Characters are looked at with the blocks around them. */
                if (failed == NULL && (has_high(line, size) || by % 13 == 0))
                    failed = check_line(&check, moved, by + size, 3, 3);
                if (failed == NULL && has_high(line, size))
                    failed = check_line(&check, moved, by + size, 3, 0);
            }
            json_check_close(&check);
        }
    }
    ok(failed == NULL, "examples%s%s: %s", failed != NULL ? ": " : "",
       failed != NULL ? line : "", failed != NULL ? failed : "all forms");
}

/* A form with masks reads right lines by them, wherever they are: else it would
   be right, but slow. */
static void
test_masks(void)
{
    unsigned char *data = arena;
    struct text_slice *slice = malloc(200000 * sizeof *slice);
    struct json_check check;
    size_t size = 0;
    size_t lines = 0;
    uint64_t slow = 0;

    if (slice == NULL)
        abort();
    for (size_t i = 0; i < COUNT(right); i++) {
        for (size_t by = 0; by < 66; by++, lines++) {
            memset(data + size, ' ', by);
            memcpy(data + size + by, right[i].line, right[i].size);
            size += by + right[i].size;
            data[size++] = '\n';
        }
    }
    json_check_open(&check, false, TEXT_NO_COMMENT);
    for (size_t f = 1; f < JSON_CHECK_FORMS; f++) {
        struct json_scan scan = {
            .format = &check.scan.format,
            .paths = &check.scan.paths,
            .data = data,
            .size = (uint32_t)size,
            .slice = slice,
            .records_max = SIZE_MAX,
        };
        if (!json_check_forms[f].is_possible())
            continue;
        json_check_forms[f].run(&scan);
        slow += scan.slow + (scan.records != lines);
    }
    json_check_close(&check);
    free(slice);
    ok(slow == 0, "%llu right lines are read byte by byte",
       (unsigned long long)slow);
}

/* ---- noise ---- */

static size_t
put_noise(unsigned char *to, const char *const *words, size_t count)
{
    const char *word = words[noise() % count];

    memcpy(to, word, strlen(word));
    return strlen(word);
}

/* Write an object of JSON, of DEPTH at most.  Returns its size. */
static size_t
put_object(unsigned char *to, int depth)
{
    static const char *const names[] = {
        "\"a\"",
        "\"b\"",
        "\"c\"",
        "\"x.\\\"y\"",
        "\"\\u0061\"",
        "\"zz\"",
        "\"long name of a member\"",
    };
    static const char *const scalars[] = {
        "1",
        "-2.5e3",
        "true",
        "null",
        "\"\"",
        "\"text\"",
        "\"\\\\\"",
        "\"\\n\\u00e9\"",
        "\"\xc3\xa9\xe2\x82\xac\"",
        "12345678901234567890",
        "\"sixty-four bytes of a string that has no escape at all in it, yes\"",
        "\"\\\\\\\\\\\\\\\"\"",
        "\"\\ud83d\\ude00\"",
    };
    static const char *const gaps[] = {"", "", "", " ", "\t", "   "};
    size_t members = noise() % 5;
    size_t size = 0;

    to[size++] = '{';
    for (size_t i = 0; i < members; i++) {
        if (i > 0)
            to[size++] = ',';
        size += put_noise(to + size, gaps, COUNT(gaps));
        size += put_noise(to + size, names, COUNT(names));
        size += put_noise(to + size, gaps, COUNT(gaps));
        to[size++] = ':';
        size += put_noise(to + size, gaps, COUNT(gaps));
        uint64_t kind = depth > 0 ? noise() % 4 : 0;
        if (kind == 1) {
            size += put_object(to + size, depth - 1);
        } else if (kind == 2) {
            to[size++] = '[';
            size += put_object(to + size, depth - 1);
            to[size++] = ',';
            size += put_noise(to + size, scalars, COUNT(scalars));
            to[size++] = ']';
        } else {
            size += put_noise(to + size, scalars, COUNT(scalars));
        }
        size += put_noise(to + size, gaps, COUNT(gaps));
    }
    to[size++] = '}';
    return size;
}

/* Lines of objects, some of whose bytes change. */
static void
test_noise(void)
{
    static const unsigned char bytes[] =
        "\"\"\"\\\\{}[]:, \n\n\r\t#eu0\x80\xc3";
    unsigned char *text = malloc(ARENA_BYTES);
    const char *failed = NULL;
    unsigned int rounds =
        getenv("RUN_EXPENSIVE_TESTS") != NULL ? 20000 : ROUNDS(200);

    if (text == NULL)
        abort();
    for (unsigned int round = 0; round < rounds && failed == NULL; round++) {
        struct json_check check;
        size_t lines = 1 + noise() % 40;
        size_t size = 0;
        for (size_t i = 0; i < lines; i++) {
            size += put_object(text + size, 3);
            text[size++] = '\n';
        }
        for (uint64_t changes = noise() % 8; changes > 3; changes--)
            text[noise() % size] = bytes[noise() % (sizeof bytes - 1)];
        size -= noise() % 3 == 0 ? noise() % size : 0;
        unsigned char *data = arena + ARENA_BYTES - size;
        memcpy(data, text, size);
        json_check_open(&check, noise() % 2 == 0,
                        noise() % 4 == 0 ? '#' : TEXT_NO_COMMENT);
        failed = json_check_data(&check, data, size, 1 + noise() % 60);
        json_check_close(&check);
    }
    free(text);
    ok(failed == NULL, "noise: %s", failed != NULL ? failed : "all forms");
}

/* ---- lines that are alike ---- */

/* Write an object whose tokens are those of SHAPE: a digit stands for a name,
   s for a string, v for another value.  Returns the size. */
static size_t
put_alike(unsigned char *to, const char *shape)
{
    static const char *const names[] = {
        "\"a\"",
        "\"b\"",
        "\"c\"",
        "\"A\"",
        "\"\\u0061\"",
        "\"x.\\\"y\"",
        "\"x.\\\"z\"",
        "\"zz\"",
        "\"long name of a member\"",
        "\"long name of a number\"",
    };
    static const char *const strings[] = {
        "\"\"", "\"a\"", "\"\\n\"", "\"text, {of: [a] line}\"", "\"\xc3\xa9\"",
    };
    static const char *const scalars[] = {
        "1",
        "-2",
        "3.5",
        "true",
        "null",
        "false",
        "-0.25e+10",
        "1234567890",
        "0.12345678901234567",
        "-1.234567890123456789012345678901",
        "1234567890123.45678901234567890123",
    };
    static const char *const gaps[] = {"", "", "", "", "", "", "", " "};
    size_t size = 0;

    for (; *shape != '\0'; shape++) {
        size += put_noise(to + size, gaps, COUNT(gaps));
        if (*shape >= '0' && *shape <= '9')
            size += noise() % 40 == 0
                        ? put_noise(to + size, names, COUNT(names))
                        : put_noise(to + size, &names[*shape - '0'], 1);
        else if (*shape == 's')
            size += put_noise(to + size, strings, COUNT(strings));
        else if (*shape == 'v')
            size += put_noise(to + size, scalars, COUNT(scalars));
        else
            to[size++] = (unsigned char)*shape;
    }
    return size;
}

/* Write lines of some of a few shapes.  Returns the size. */
static size_t
put_alikes(unsigned char *text, size_t lines)
{
    static const char *const shapes[] = {
        "{0:v,1:s,7:[s,v],2:[v,{0:v},s]}",
        "{0:{1:v,7:s},8:s}",
        "{0:{1:v,7:s},8:v}",
        "{0:{1:[v,v,s],3:{0:[]}},2:[{0:s},{1:v}],5:v}",
        "{0:{},0:v,2:[[v,s],v]}",
        "{}",
        "{7:{0:v,1:s,2:{0:v,1:s,2:{0:v}}},3:s,4:v,6:s,9:[v,v,v,v,v,v,v,v,v,v,v,"
        "v,v,v],8:s,5:s,0:{7:s,1:[s,s,s]}}",
        "{9:[v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v],"
        "3:[v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v],"
        "6:{9:{7:[s,s]}},2:[{0:v},{3:s,0:{1:v}}],0:{1:[v,v,{1:s}]}}",
        "{9:[v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v],"
        "3:[v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v],"
        "7:[v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v],"
        "4:[v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v,v]}",
        "",
    };
    size_t some = 1 + noise() % COUNT(shapes);
    size_t size = 0;

    for (size_t i = 0; i < lines; i++) {
        size += put_alike(text + size, shapes[noise() % some]);
        text[size++] = '\n';
    }
    return size;
}

/* ---- lines that differ only inside of their values ---- */

/* Write a string, perhaps with escapes; few are wrong.  Returns the size. */
static size_t
put_string(unsigned char *to)
{
    static const char *const odd[] = {
        "\\n",     "\\\"",           "\\\\",
        "\\u00e9", "\\ud83d\\ude00", "\xc3\xa9",
        "\x7f",    "\xe4\xb8\xad",   "\xf0\x9f\x98\x80",
        "\\/",
    };
    static const char *const broken[] = {
        "\\x", "\\u12", "\t", "\xc3", "\xe4\xb8", "\xff", "\xed\xa0\x80", "\"",
    };
    static const char *const usual[] = {"a", "b", " ", ":", ",", "{", "]", "0"};
    size_t characters = noise() % 4 == 0 ? noise() % 100 : noise() % 30;
    bool is_odd = noise() % 6 == 0;
    size_t size = 0;

    to[size++] = '"';
    for (size_t i = 0; i < characters; i++) {
        if (is_odd && noise() % 10 == 0)
            size += put_noise(to + size, odd, COUNT(odd));
        else if (noise() % 8000 == 0)
            size += put_noise(to + size, broken, COUNT(broken));
        else
            size += put_noise(to + size, usual, COUNT(usual));
    }
    to[size++] = '"';
    return size;
}

/* Write a line that has the bytes of MOLD; \1 stands for a string, \2 for
   another value.  Returns the size. */
static size_t
put_molded(unsigned char *to, const unsigned char *mold, size_t mold_size)
{
    static const char *const scalars[] = {
        "0",
        "-2",
        "3.5",
        "true",
        "null",
        "false",
        "12345.678901",
        "1234567890123456",
        "-0.12345678901234567890123456789",
        "200",
        "0.5",
    };
    static const char *const others[] = {
        "1e5",
        "12345678901234567890123456789012345678901234567890",
        "-0.1234567890123456789012345678901",
        "-",
        "01",
        "-01",
        "1.",
        ".5",
        "+1",
        "tru",
        "nulls",
        "falsee",
        "-true",
        "1.5.5",
        "1-2",
        "0x1",
        "",
    };
    size_t size = 0;

    for (size_t i = 0; i < mold_size; i++) {
        if (mold[i] == 1)
            size += put_string(to + size);
        else if (mold[i] != 2)
            to[size++] = mold[i];
        else if (noise() % 300 == 0)
            size += put_noise(to + size, others, COUNT(others));
        else
            size += put_noise(to + size, scalars, COUNT(scalars));
    }
    to[size++] = '\n';
    return size;
}

/* Write lines of few molds, most of the first.  Returns the size. */
static size_t
put_moldeds(unsigned char *text, size_t lines)
{
    static const char *const shapes[] = {
        "{0:\2,1:\1,7:[\1,\2],2:[\2,{0:\2},\1]}",
        "{0:{1:\2,7:\1},8:\1}",
        "{0:{1:[\2,\2,\1],3:{0:[]}},2:[{0:\1},{1:\2}],5:\2}",
        "{0:\1}",
        "{8:\1,9:\2,8:\1,9:\2,8:\1,6:\2,8:\1,5:\2,0:{1:\1},0:\2}",
        "{}",
    };
    unsigned char mold[2][1000];
    size_t mold_size[2];
    uint64_t rare = 1 + noise() % 60;
    size_t size = 0;

    for (int i = 0; i < 2; i++)
        mold_size[i] = put_alike(mold[i], shapes[noise() % COUNT(shapes)]);
    for (size_t i = 0; i < lines; i++) {
        uint64_t which = noise() % rare == 0;
        size += put_molded(text + size, mold[which], mold_size[which]);
    }
    return size;
}

/* Lines as PUT writes them, some of whose bytes change. */
static void
test_alike(const char *name, size_t (*put)(unsigned char *text, size_t lines))
{
    static const unsigned char bytes[] =
        "\"\"\"\\{}[]:, \n\n\r\t#eu01-.\x80\xc3\x1a\xff";
    unsigned char *text = malloc(ARENA_BYTES);
    const char *failed = NULL;
    unsigned int rounds =
        getenv("RUN_EXPENSIVE_TESTS") != NULL ? 10000 : ROUNDS(60);

    if (text == NULL)
        abort();
    for (unsigned int round = 0; round < rounds && failed == NULL; round++) {
        struct json_check check;
        size_t size = put(text, 1 + noise() % 400);
        for (uint64_t changes = noise() % 40; changes > 8; changes--)
            text[noise() % size] = bytes[noise() % (sizeof bytes - 1)];
        size -= noise() % 3 == 0 ? noise() % size : 0;
        unsigned char *data = arena + ARENA_BYTES - size;
        memcpy(data, text, size);
        json_check_open(&check, noise() % 8 > 0,
                        noise() % 4 == 0 ? '#' : TEXT_NO_COMMENT);
        failed = json_check_data(&check, data, size, 1 + noise() % 500);
        json_check_close(&check);
    }
    free(text);
    ok(failed == NULL, "%s: %s", name, failed != NULL ? failed : "all forms");
}

/* Such lines need no list of tokens, with escapes or without. */
static void
test_stencil(void)
{
    static const char *const lines[] = {
        "{\"a\":\"x\",\"c\":[1,{\"a\":2.5}],\"long name of a member\":true}\n",
        "{\"a\":\"\\n\",\"c\":[-1,{\"a\":0}],\"long name of a member\":null}\n",
        "{\"a\":\"\xc3\xa9\",\"c\":[10,{\"a\":7}],\"long name of a member\":0.25}\n",
    };
    struct text_slice *slice = malloc(3000 * JSON_CHECK_PATHS * sizeof *slice);
    struct json_check check;
    size_t size = 0;
    bool is_alike = true;

    if (slice == NULL)
        abort();
    for (size_t i = 0; i < 3000; i++) {
        memcpy(arena + size, lines[i % 3], strlen(lines[i % 3]));
        size += strlen(lines[i % 3]);
    }
    json_check_open(&check, false, TEXT_NO_COMMENT);
    for (size_t f = 1; f < JSON_CHECK_FORMS; f++) {
        struct json_scan scan = {
            .format = &check.scan.format,
            .paths = &check.scan.paths,
            .data = arena,
            .size = (uint32_t)size,
            .slice = slice,
            .records_max = SIZE_MAX,
        };
        if (!json_check_forms[f].is_possible())
            continue;
        json_check_forms[f].run(&scan);
        is_alike &= scan.records == 3000 && scan.alike > 2900;
    }
    json_check_close(&check);
    free(slice);
    ok(is_alike, "lines with the text of the line before need no list");
}

/* More lines than a scan reads at a time if it keeps what it knows. */
static void
test_pieces(void)
{
    const int rounds = IS_INSTRUMENTED ? 3 : 8;
    unsigned char *data = arena;
    const char *failed = NULL;
    struct json_check check;

    json_check_open(&check, true, TEXT_NO_COMMENT);
    for (int round = 0; round < rounds && failed == NULL; round++) {
        size_t size = 0;
        while (size < ARENA_BYTES / 2)
            size += put_alikes(data + size, 50);
        for (uint64_t changes = noise() % 40; changes > 20; changes--)
            data[noise() % size] = '"';
        failed = json_check_data(
            &check, data, size, round % 2 == 0 ? SIZE_MAX : 1 + noise() % 2000);
    }
    json_check_close(&check);
    ok(failed == NULL, "pieces: %s", failed != NULL ? failed : "all forms");
}

/* Whether a scan of form F that keeps something finds from DONE on, at most
   RECORDS_MAX records, what the portable form finds.  Sets *END to where it
   ends. */
static bool
is_same_from(struct json_check *check, size_t f, size_t size, size_t done,
             size_t records_max, size_t *end)
{
    static struct text_slice slice[2][100 * JSON_CHECK_PATHS];
    struct scan_ledger ledgers[2] = {{.kept = check->kept[f]}, {.kept = NULL}};
    size_t records[2];
    size_t at[2];

    for (int i = 0; i < 2; i++) {
        at[i] = done;
        check->scan.run_json = json_check_forms[i == 0 ? f : 0].run;
        records[i] = scan_records(&check->scan, arena, size, &at[i], slice[i],
                                  records_max, &ledgers[i]);
    }
    *end = at[0];
    return records[0] == records[1] && at[0] == at[1] &&
           memcmp(slice[0], slice[1],
                  records[0] * JSON_CHECK_PATHS * sizeof **slice) == 0;
}

/* Write 100 lines like LINE to the arena; if IS_WRONG, number 50 is wrong. */
static void
put_hundred(const char *line, bool is_wrong)
{
    const size_t bytes = strlen(line);

    for (size_t i = 0; i < 100; i++)
        memcpy(arena + i * bytes, line, bytes);
    if (is_wrong)
        arena[50 * bytes] = '!';
}

/* What is kept is not used where another scan starts, or after a wrong line,
   when the data may have changed. */
static void
test_restarts(void)
{
    static const char line[] = "{\"a\":\"long\",\"b\":\"\"}\n";
    static const char other[] = "{\"a\":\"\",\"b\":\"long\"}\n";
    const size_t bytes = sizeof line - 1;
    const size_t size = 100 * bytes;
    struct json_check check;
    bool is_same = true;
    size_t end;

    json_check_open(&check, false, TEXT_NO_COMMENT);
    for (size_t f = 0; f < JSON_CHECK_FORMS; f++) {
        if (json_check_forms[f].is_possible != NULL &&
            !json_check_forms[f].is_possible())
            continue;
        put_hundred(line, true);
        is_same &= is_same_from(&check, f, size, 0, 30, &end);
        is_same &= is_same_from(&check, f, size, 10 * bytes, 10, &end);
        is_same &=
            is_same_from(&check, f, size, end, 100, &end) && end == 50 * bytes;
        put_hundred(other, false);
        is_same &= is_same_from(&check, f, size, 20 * bytes, 100, &end);
        put_hundred(other, true);
        is_same &= is_same_from(&check, f, size, 0, 100, &end);
        put_hundred(line, false);
        is_same &= is_same_from(&check, f, size, 0, 100, &end) && end == size;
    }
    json_check_close(&check);
    ok(is_same, "scans that start again");
}

/* Lines longer than what is listed at once: many tokens, long strings, many
   brackets, many escapes. */
static void
test_long(void)
{
    static const char *const unit[] = {"1,",      "[],",      "x",  "\\\\",
                                       "\\u00e9", "\xc3\xa9", "  ", "9"};
    static const char *const around[][2] = {
        {"{\"a\":[", "0]}\n"},
        {"{\"a\":[", "[]]}\n"},
        {"{\"a\":\"", "\"}\n"},
        {"{\"a\":\"", "\"}\n"},
        {"{\"b\":0,\"a\":\"", "\"}\n"},
        {"{\"a\":\"", "\"}\n"},
        {"{\"a\":", "1}\n"},
        {"{\"a\":1", "}\n"},
    };
    const size_t most = IS_EMULATED ? 16000 : 32000;
    const char *failed = NULL;
    struct json_check check;

    json_check_open(&check, false, TEXT_NO_COMMENT);
    for (size_t u = 0; u < COUNT(unit) && failed == NULL; u++) {
        size_t bytes = strlen(unit[u]);
        for (size_t count = 16000; count <= most && failed == NULL;
             count += 16000) {
            unsigned char *data =
                arena + ARENA_BYTES - 2 * (count * bytes + 40);
            unsigned char *to = data;
            for (int line = 0; line < 2; line++) {
                to = (unsigned char *)stpcpy((char *)to, around[u][0]);
                for (size_t i = 0; i < count; i++, to += bytes)
                    memcpy(to, unit[u], bytes);
                to = (unsigned char *)stpcpy((char *)to, around[u][1]);
            }
            failed = json_check_data(&check, data, (size_t)(to - data), 9);
        }
    }
    json_check_close(&check);
    ok(failed == NULL, "long lines: %s", failed != NULL ? failed : "all forms");
}

/* ---- names ---- */

/* The bytes of name I, which others have in part. */
static size_t
put_name(char *to, size_t i)
{
    static const size_t sizes[] = {0,  1,  4,  6,  7,  8,  9,
                                   61, 62, 63, 64, 70, 200};
    size_t size = sizes[i % COUNT(sizes)];

    memset(to, 'n', size);
    if (size > 0)
        to[noise() % 2 * (size - 1)] = "nxy"[noise() % 3];
    to[size] = '\0';
    return size;
}

/* Each form must find the same slices, whatever the names are: few or many,
   short or long, with escapes or next to others. */
static void
test_names(void)
{
    unsigned int rounds =
        getenv("RUN_EXPENSIVE_TESTS") != NULL ? 3000 : ROUNDS(60);
    struct text_format format = text_format_of(TEXT_JSON);
    const char *failed = NULL;

    for (unsigned int round = 0; round < rounds && failed == NULL; round++) {
        static struct text_slice slice[2][40 * 14];
        struct field_list list = {0};
        struct error error = ERROR_NONE;
        struct scan scan;
        char path[210];
        char text[40 * 6 * 260];
        size_t columns = 1 + noise() % 13;
        size_t size = 0;
        for (size_t i = 0; i < columns; i++) {
            size_t bytes = 2;
            memcpy(path, "[\"", 2);
            bytes += put_name(path + 2, noise() % 13);
            (void)stpcpy(path + bytes, noise() % 4 == 0 ? "\"][0]" : "\"]");
            /* None is listed twice. */
            (void)field_list_add(&list, &format, "fields", path, &error);
            error_clear(&error);
        }
        columns = list.count;
        if (scan_open(&scan, &format, &list, &error) < 0)
            abort();
        field_list_close(&list);
        size_t lines = noise() % 40;
        for (size_t i = 0; i < lines; i++) {
            text[size++] = '{';
            for (uint64_t left = 1 + noise() % 5; left > 0; left--) {
                text[size++] = '"';
                size_t bytes = put_name(text + size, noise() % 13);
                if (bytes > 0 && noise() % 4 == 0) {
                    char *at = text + size + noise() % bytes;
                    memmove(at + 6, at + 1, strlen(at));
                    memcpy(at, *at == 'n' ? "\\u006e" : "\\u0078", 6);
                    bytes += 5;
                }
                size += bytes;
                (void)stpcpy(text + size,
                             noise() % 2 == 0 ? "\":[1]," : "\": 1 ,");
                size += left > 1 ? 6 : 5; /* without the last comma */
            }
            memcpy(text + size, "}\n", 2);
            size += 2;
        }
        unsigned char *data = arena + ARENA_BYTES - size;
        memcpy(data, text, size);
        for (size_t f = 0; f < JSON_CHECK_FORMS && failed == NULL; f++) {
            struct text_slice *out = slice[f > 0];
            struct scan_ledger ledger = {0};
            size_t done = 0;
            if (f > 0 && !json_check_forms[f].is_possible())
                continue;
            scan.run_json = json_check_forms[f].run;
            if (scan_records(&scan, data, size, &done, out, lines, &ledger) !=
                lines)
                failed = "lines are missing";
            else if (memcmp(slice[0], out, lines * columns * sizeof *out) != 0)
                failed = json_check_forms[f].name;
        }
        scan_close(&scan);
    }
    ok(failed == NULL, "names: %s", failed != NULL ? failed : "all forms");
}

/* Write DEPTH arrays in an object, and another
   line.  Returns whether each form finds the first one right, or wrong if
   not IS_RIGHT. */
static bool
is_deep(size_t depth, bool is_right)
{
    size_t size = 2 * depth + 19;
    unsigned char *data = malloc(size);
    struct json_check check;
    bool as_expected = true;

    if (data == NULL)
        abort();
    memcpy(data, "{\"a\":", 5);
    memset(data + 5, '[', depth);
    memset(data + 5 + depth, ']', depth);
    memcpy(data + 5 + 2 * depth, "}\n{\"c\":[0,1]}\n", 14);
    json_check_open(&check, true, TEXT_NO_COMMENT);
    for (size_t f = 0; f < JSON_CHECK_FORMS; f++) {
        struct text_slice slice[2 * JSON_CHECK_PATHS];
        struct scan_ledger ledger = {0};
        size_t done = 0;
        if (json_check_forms[f].is_possible != NULL &&
            !json_check_forms[f].is_possible())
            continue;
        check.scan.run_json = json_check_forms[f].run;
        as_expected &= scan_records(&check.scan, data, size, &done, slice, 2,
                                    &ledger) == 2 &&
                       text_slice_is_invalid(slice[0]) == !is_right &&
                       (!is_right || slice[0].size == 2 * depth) &&
                       slice[JSON_CHECK_PATHS + 2].size == 1;
    }
    json_check_close(&check);
    free(data);
    return as_expected;
}

static void
test_depth(void)
{
    bool is_right = is_deep(999999, true) && is_deep(1000000, false);

    for (size_t depth = 60; depth < 70; depth++)
        is_right &= is_deep(depth, true);
    ok(is_right, "a million brackets, and no more");
}

/* ---- paths ---- */

static void
test_paths(void)
{
    static const char *const right_paths[] = {
        "a",
        ".a",
        "a.b",
        "a[0]",
        "a[12].b[3][4]",
        "[\"x\"]",
        ".[\"x\"].y",
        "a[\"x.y\"]",
        "a[\"]\"]",
        "a[\"\\\"\\u00e9\"]",
        "a b",
        "[\"\"]",
        "1",
        "[0]",
        "-",
        "\xc3\xa9",
    };
    static const char *const wrong_paths[] = {
        "",       ".",       "a.",          "a..b",         "a[",
        "a[]",    "a[x]",    "a[-1]",       "a[1",          "a]",
        "a[\"x]", "a[\"x\"", "a[\"\\x\"]",  "a\"b\"",       "a[0]b",
        "..a",    "a.[0]",   "a[\"\xff\"]", "a[100000000]",
    };
    bool all = true;

    for (size_t i = 0; i < COUNT(right_paths); i++)
        all &= json_path_is_valid(right_paths[i], strlen(right_paths[i]));
    for (size_t i = 0; i < COUNT(wrong_paths); i++)
        all &= !json_path_is_valid(wrong_paths[i], strlen(wrong_paths[i]));
    ok(all, "paths, and what is none");
    ok(json_path_length("a,b") == 1 && json_path_length("a[\",\"],b") == 6 &&
           json_path_length("a[\"\\\",\"].c") == 10,
       "a comma in quotes does not end a path");
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    arena = arena_open(ARENA_BYTES);
    test_examples();
    test_masks();
    test_noise();
    test_alike("alike", put_alikes);
    test_alike("molded", put_moldeds);
    test_stencil();
    test_pieces();
    test_restarts();
    test_long();
    test_names();
    test_depth();
    test_paths();
    return done_testing();
}
