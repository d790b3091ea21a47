/* SPDX-License-Identifier: MIT */
/* test_key_code.c -- tuples as strings of bytes, beside the tuples */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "base/decimal.h"
#include "hist/key_code.h"
#include "hist/key_decimal.h"

#define TUPLES (IS_INSTRUMENTED ? 500 : 4000)
#define COMPONENTS_MAX 4
#define TEXT_MAX 6

struct tuple {
    struct key_component component[COMPONENTS_MAX];
    unsigned char text[COMPONENTS_MAX][TEXT_MAX];
};

struct code {
    unsigned char *byte; /* of the heap: a sanitizer sees its end */
    size_t size;
};

/* ---- tuples ---- */

/* Bytes that an encoding may confuse. */
static const unsigned char bytes[] = {0, 0, 1, 2, 'a', 0xfe, 0xff, 0xff};

static const double reals[] = {0,        -0.0,      1,           -1,
                               5e-324,   -5e-324,   1.5,         1e308,
                               -2.5,     -256,      0x1p53 + 2,  -0x1p53 - 2,
                               INFINITY, -INFINITY, (double)NAN, 255};

static const int64_t integers[] = {
    0, 1, -1, 255, 256, -256, -257, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN};

static struct wide
make_integer(void)
{
    size_t i = noise() % (sizeof integers / sizeof *integers + 2);

    if (i < sizeof integers / sizeof *integers)
        return wide_of_signed(integers[i]);
    /* Beyond what an int64_t holds. */
    return wide_of(UINT64_MAX - noise() % 2);
}

/* Make PART a number near 10, of few or of many digits; or an infinity. */
static void
make_decimal(struct key_component *component)
{
    static const char *const texts[] = {"10",
                                        "9.9999999999999999999",
                                        "10.000000000000000001",
                                        "-10",
                                        "1e5",
                                        "-10.00000000000000001",
                                        "-9.99999999999999999999",
                                        "0.1",
                                        "0.10000000000000000001",
                                        "0",
                                        "99999999999999999999"};
    const char *text = texts[noise() % (sizeof texts / sizeof *texts)];
    const unsigned char *text_bytes = (const unsigned char *)text;
    unsigned char code[KEY_CODE_DECIMAL_ROOM];
    struct text_number number;

    text_number_scan(text_bytes, (uint32_t)strlen(text), &number);
    unsigned char *end = key_decimal_put(code, &number, text_bytes,
                                         decimal_round(&number, text_bytes));
    if (noise() % 8 == 0)
        end = key_code_put_decimal(code, (double)INFINITY, NULL);
    if (key_code_read(code, end, KEY_DECIMAL, true, component) != end)
        abort();
}

static void
make_part(struct tuple *tuple, size_t i, enum key_kind kind)
{
    struct key_component *component = &tuple->component[i];

    *component = (struct key_component){.tag = KEY_TAG_VALUE};
    if (noise() % 6 == 0)
        component->tag = (enum key_tag)(1 + noise() % 4);
    if (component->tag != KEY_TAG_VALUE)
        return;
    switch (kind) {
    case KEY_TEXT:
        component->text_size = noise() % (TEXT_MAX + 1);
        for (size_t t = 0; t < component->text_size; t++)
            tuple->text[i][t] = bytes[noise() % sizeof bytes];
        component->text = tuple->text[i];
        break;
    case KEY_INTEGER:
        component->integer = make_integer();
        break;
    case KEY_REAL:
        component->real = reals[noise() % (sizeof reals / sizeof *reals)];
        break;
    case KEY_DECIMAL:
        make_decimal(component);
        break;
    case KEY_CELL:
        component->row = (uint32_t)(noise() >> noise() % 64);
        break;
    }
}

static int
compare_reals(double a, double b)
{
    if (isnan(a) || isnan(b))
        return !!isnan(a) - !!isnan(b);
    return (a > b) - (a < b);
}

/* By their digits, if both have some. */
static int
compare_decimals(const struct key_component *a, const struct key_component *b)
{
    struct decimal_sum left;
    struct decimal_sum right;

    return key_decimal_sum(a, &left) && key_decimal_sum(b, &right)
               ? decimal_sum_compare(&left, &right)
               : compare_reals(a->real, b->real);
}

static int
compare_parts(const struct key_component *a, const struct key_component *b,
              enum key_kind kind)
{
    if (a->tag != b->tag)
        return a->tag < b->tag ? -1 : 1;
    if (a->tag != KEY_TAG_VALUE)
        return 0;
    if (kind == KEY_INTEGER)
        return wide_compare(a->integer, b->integer);
    if (kind == KEY_REAL)
        return compare_reals(a->real, b->real);
    if (kind == KEY_DECIMAL)
        return compare_decimals(a, b);
    if (kind == KEY_CELL)
        return (a->row > b->row) - (a->row < b->row);
    size_t size = a->text_size < b->text_size ? a->text_size : b->text_size;
    int order = size > 0 ? memcmp(a->text, b->text, size) : 0;
    return order != 0 ? order : (a->text_size > size) - (b->text_size > size);
}

static int
compare_tuples(const struct tuple *a, const struct tuple *b, size_t components,
               const enum key_kind *kind)
{
    int order = 0;

    for (size_t i = 0; i < components && order == 0; i++)
        order = compare_parts(&a->component[i], &b->component[i], kind[i]);
    return order;
}

/* ---- codes ---- */

static unsigned char *
put_component(unsigned char *at, const struct key_component *component,
              enum key_kind kind, bool is_last)
{
    static const unsigned char none[1];

    if (component->tag != KEY_TAG_VALUE)
        return key_code_put_tag(at, component->tag);
    if (kind == KEY_INTEGER)
        return key_code_put_integer(at, component->integer);
    if (kind == KEY_REAL)
        return key_code_put_real(at, component->real);
    if (kind == KEY_DECIMAL)
        return key_code_put_decimal(at, component->real,
                                    component->is_exact ? &component->exact
                                                        : NULL);
    if (kind == KEY_CELL)
        return key_code_put_cell(at, component->row);
    return key_code_put_text(at,
                             component->text != NULL ? component->text : none,
                             component->text_size, is_last);
}

static size_t
part_room(const struct key_component *component, enum key_kind kind)
{
    return kind == KEY_TEXT      ? KEY_CODE_TEXT_ROOM(component->text_size)
           : kind == KEY_DECIMAL ? KEY_CODE_DECIMAL_ROOM
                                 : KEY_CODE_ROOM;
}

/* Returns the code of TUPLE in memory of just its size. */
static struct code
make_code(const struct tuple *tuple, size_t components,
          const enum key_kind *kind)
{
    struct code code = {NULL, 0};

    for (size_t i = 0; i < components; i++) {
        const struct key_component *component = &tuple->component[i];
        unsigned char *room = malloc(part_room(component, kind[i]));
        if (room == NULL)
            abort();
        size_t size = (size_t)(put_component(room, component, kind[i],
                                             i + 1 == components) -
                               room);
        code.byte = realloc(code.byte, code.size + size);
        if (code.byte == NULL || size > part_room(component, kind[i]))
            abort();
        memcpy(code.byte + code.size, room, size);
        code.size += size;
        free(room);
    }
    return code;
}

/* As tables and orders compare keys. */
static int
compare_codes(const struct code *a, const struct code *b)
{
    size_t size = a->size < b->size ? a->size : b->size;
    int order = memcmp(a->byte, b->byte, size);

    return order != 0 ? order : (a->size > size) - (b->size > size);
}

/* Whether CODE reads as TUPLE, whose texts are decoded.  False as well if the
   code is damaged. */
static bool
read_code(const struct code *code, size_t components, const enum key_kind *kind,
          struct tuple *tuple, unsigned char *text)
{
    const unsigned char *at = code->byte;
    const unsigned char *end = at + code->size;

    for (size_t i = 0; i < components && at != NULL; i++) {
        struct key_component *component = &tuple->component[i];
        at = key_code_read(at, end, kind[i], i + 1 == components, component);
        if (at == NULL || at > end)
            return false;
        if (component->tag == KEY_TAG_VALUE && kind[i] == KEY_TEXT) {
            component->text_size = key_component_copy(component, text);
            component->text = text;
            text += component->text_size;
        }
    }
    return at == end;
}

static int
sign(int order)
{
    return (order > 0) - (order < 0);
}

/* ---- tests ---- */

static void
test_order(size_t components, const enum key_kind *kind, const char *name)
{
    static struct tuple tuple[2];
    unsigned char text[COMPONENTS_MAX * TEXT_MAX];
    size_t wrong_order = 0;
    size_t wrong_tuple = 0;
    size_t equal = 0;

    for (size_t t = 0; t < TUPLES; t++) {
        struct code code[2];
        struct tuple back;
        for (size_t c = 0; c < 2; c++)
            for (size_t i = 0; i < components; i++) {
                if (c == 1 && noise() % 2 == 0) {
                    tuple[1].component[i] = tuple[0].component[i];
                    continue;
                }
                make_part(&tuple[c], i, kind[i]);
            }
        for (size_t c = 0; c < 2; c++)
            code[c] = make_code(&tuple[c], components, kind);
        int order = compare_tuples(&tuple[0], &tuple[1], components, kind);
        wrong_order += sign(order) != sign(compare_codes(&code[0], &code[1]));
        equal += order == 0;
        for (size_t c = 0; c < 2; c++)
            wrong_tuple +=
                !read_code(&code[c], components, kind, &back, text) ||
                compare_tuples(&back, &tuple[c], components, kind) != 0;
        free(code[0].byte);
        free(code[1].byte);
    }
    ok(wrong_order == 0 && equal > 0 && equal < TUPLES,
       "codes of %s are in the order of the tuples (%zu wrong, %zu equal)",
       name, wrong_order, equal);
    ok(wrong_tuple == 0, "codes of %s read as their tuples (%zu wrong)", name,
       wrong_tuple);
}

/* Whatever reads as a tuple is the code of this tuple. */
static void
test_damage(size_t components, const enum key_kind *kind, const char *name)
{
    struct tuple tuple;
    unsigned char *text = malloc(COMPONENTS_MAX * (TEXT_MAX + 20));
    size_t wrong = 0;
    size_t refused = 0;

    for (size_t t = 0; t < TUPLES; t++) {
        for (size_t i = 0; i < components; i++)
            make_part(&tuple, i, kind[i]);
        struct code code = make_code(&tuple, components, kind);
        if (noise() % 2 == 0)
            code.byte[noise() % code.size] ^= (unsigned char)(1 << noise() % 8);
        else
            code.size = noise() % code.size;
        unsigned char *byte = malloc(code.size + (code.size == 0));
        if (byte == NULL || text == NULL)
            abort();
        memcpy(byte, code.byte, code.size);
        free(code.byte);
        code.byte = byte;
        if (read_code(&code, components, kind, &tuple, text)) {
            struct code again = make_code(&tuple, components, kind);
            wrong += compare_codes(&again, &code) != 0;
            free(again.byte);
        } else
            refused++;
        free(code.byte);
    }
    free(text);
    ok(wrong == 0 && refused > 0,
       "damaged codes of %s are refused, or others (%zu wrong, %zu refused)",
       name, wrong, refused);
}

/* One code, byte by byte: the format is also that of files. */
static void
test_bytes(void)
{
    static const unsigned char expected[] = {
        1,    'a',  0,    0xff, 0,    0, 1,    0,    0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xfe, 1, 0xbf, 0xf8, 0,    0,    0,
        0,    0,    0,    1,    0,    0, 1,    2,    3,    1,    0};
    unsigned char code[64];
    unsigned char *at = code;

    at = key_code_put_text(at, (const unsigned char *)"a", 2, false);
    at = key_code_put_integer(at, wide_of_signed(-2));
    at = key_code_put_real(at, 1.5);
    at = key_code_put_cell(at, 258);
    at = key_code_put_tag(at, KEY_TAG_EMPTY);
    at = key_code_put_text(at, (const unsigned char *)"", 1, true);
    ok((size_t)(at - code) == sizeof expected &&
           memcmp(code, expected, sizeof expected) == 0,
       "the bytes of a code");
}

int
main(void)
{
    static const struct {
        const char *name;
        enum key_kind kind[COMPONENTS_MAX];
        size_t components;
    } cases[] = {
        {"a text", {KEY_TEXT}, 1},
        {"an integer", {KEY_INTEGER}, 1},
        {"a double", {KEY_REAL}, 1},
        {"a decimal", {KEY_DECIMAL}, 1},
        {"a cell", {KEY_CELL}, 1},
        {"a text and a decimal", {KEY_TEXT, KEY_DECIMAL}, 2},
        {"a decimal and a text", {KEY_DECIMAL, KEY_TEXT}, 2},
        {"two texts", {KEY_TEXT, KEY_TEXT}, 2},
        {"four texts", {KEY_TEXT, KEY_TEXT, KEY_TEXT, KEY_TEXT}, 4},
        {"a text and a cell", {KEY_TEXT, KEY_CELL}, 2},
        {"a text and a double", {KEY_TEXT, KEY_REAL}, 2},
        {"an integer and a text", {KEY_INTEGER, KEY_TEXT}, 2},
        {"all kinds", {KEY_REAL, KEY_TEXT, KEY_INTEGER, KEY_CELL}, 4},
        {"all kinds again", {KEY_CELL, KEY_INTEGER, KEY_REAL, KEY_TEXT}, 4},
    };

    test_bytes();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_order(cases[i].components, cases[i].kind, cases[i].name);
        test_damage(cases[i].components, cases[i].kind, cases[i].name);
    }
    return done_testing();
}
