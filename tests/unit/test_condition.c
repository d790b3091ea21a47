/* SPDX-License-Identifier: MIT */
/* test_condition.c -- conditions, and which records meet them */

#include "../condition_check.h"
#include "../noise.h"
#include "../tap.h"
#include "base/decimal.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* What conditions consist of. */
static const struct {
    const char *text;
    enum text_kind format;
    const char *field;
    enum condition_op op;
    const char *value;
    enum condition_kind kind;
} right[] = {
    {"a=1", TEXT_CSV, "a", CONDITION_EQUAL, "1", CONDITION_NUMBER},
    {" a != 1 ", TEXT_CSV, "a", CONDITION_UNEQUAL, "1", CONDITION_NUMBER},
    {"a!=1", TEXT_CSV, "a", CONDITION_UNEQUAL, "1", CONDITION_NUMBER},
    {"a!<1", TEXT_CSV, "a!", CONDITION_LESS, "1", CONDITION_NUMBER},
    {"a b<=x y", TEXT_CSV, "a b", CONDITION_AT_MOST, "x y", CONDITION_TEXT},
    {"a>-1e3", TEXT_CSV, "a", CONDITION_GREATER, "-1e3", CONDITION_NUMBER},
    {"a>=inf", TEXT_CSV, "a", CONDITION_AT_LEAST, "inf", CONDITION_NUMBER},
    {"a==1", TEXT_CSV, "a", CONDITION_EQUAL, "1", CONDITION_NUMBER},
    {"a='1'", TEXT_CSV, "a", CONDITION_EQUAL, "1", CONDITION_TEXT},
    {"a=''", TEXT_CSV, "a", CONDITION_EQUAL, "", CONDITION_TEXT},
    {"a='it''s'", TEXT_CSV, "a", CONDITION_EQUAL, "it's", CONDITION_TEXT},
    {"a=\"\"\"\"", TEXT_CSV, "a", CONDITION_EQUAL, "\"", CONDITION_TEXT},
    {"'a=''b' < '<='", TEXT_CSV, "a='b", CONDITION_LESS, "<=", CONDITION_TEXT},
    {"a=\\N", TEXT_CSV, "a", CONDITION_EQUAL, "\\N", CONDITION_MISSING},
    {"a='\\N'", TEXT_CSV, "a", CONDITION_EQUAL, "\\N", CONDITION_TEXT},
    {"a=x!", TEXT_CSV, "a", CONDITION_EQUAL, "x!", CONDITION_TEXT},
    {"a[\"x=\\\"\"].b=1", TEXT_JSON, "a[\"x=\\\"\"].b", CONDITION_EQUAL, "1",
     CONDITION_NUMBER},
    {"\"a<b\"=1", TEXT_JSON, "a<b", CONDITION_EQUAL, "1", CONDITION_NUMBER},
    {"a\"<5", TEXT_CSV, "a\"", CONDITION_LESS, "5", CONDITION_NUMBER},
    {"a='b||c'", TEXT_CSV, "a", CONDITION_EQUAL, "b||c", CONDITION_TEXT},
    {"a[\"x||y\"]=1", TEXT_JSON, "a[\"x||y\"]", CONDITION_EQUAL, "1",
     CONDITION_NUMBER},
    {"'a&&b'=\"~\"", TEXT_CSV, "a&&b", CONDITION_EQUAL, "~", CONDITION_TEXT},
    {"a=b|c", TEXT_CSV, "a", CONDITION_EQUAL, "b|c", CONDITION_TEXT},
};

static const char *const wrong[] = {
    "",
    "a",
    "=",
    "a=",
    "=1",
    "a===1",
    "a=<1",
    "a<>1",
    "a=1=1",
    "a<1<2",
    "a='",
    "'a=1",
    "a='x'y",
    "''=1",
    "'a' 1",
    "a=nan",
    "a<\\N",
    "a=-NaN ",
    "a=1e1000000000000000",
    "a!",
    "  ",
    "a=\"x",
    "a=1 ||",
    "&& a=1",
    "a=1 || && b=1",
    "a=1 || (b=1)",
    "a||b=1",
    "a=~",
    "a = ~1",
    "a<~1",
    "a!=~1",
    "a\\!=1",
    "'a'=1 b=1",
};

static void
test_right(size_t i)
{
    struct condition_list list;
    struct error error = ERROR_NONE;
    const struct text_format format = text_format_of(right[i].format);
    int result =
        condition_list_parse(&list, &format, &right[i].text, 1, &error);
    const struct condition *condition = &list.condition[0];

    ok(result == 0 && list.count == 1 &&
           strcmp(condition->field, right[i].field) == 0 &&
           condition->op == right[i].op &&
           condition->size == strlen(right[i].value) &&
           strcmp(condition->value, right[i].value) == 0 &&
           condition->kind == right[i].kind,
       "%s", right[i].text);
    condition_list_close(&list);
    error_clear(&error);
}

static void
test_wrong(const char *text)
{
    struct condition_list list;
    struct error error = ERROR_NONE;
    const struct text_format format = text_format_of(TEXT_CSV);
    int result = condition_list_parse(&list, &format, &text, 1, &error);

    ok(result < 0 && error.status == EXIT_USAGE &&
           strstr(error.text, ": at character ") != NULL,
       "refused: '%s'", text);
    condition_list_close(&list);
    error_clear(&error);
}

/* ---- choices ---- */

/* The choices of some --where, and their alternatives. */
static const struct {
    const char *where[3];
    const char *choices;
} structures[] = {
    {{"a=1"}, "0-1"},
    {{"a=1 && b=2"}, "0-1 1-2"},
    {{"a=1 || b=2"}, "0,1-2"},
    {{"a=1&&b=2||c=3"}, "0,2-3"},
    {{"a='x||y'||b=x|y||c=3 && d=4"}, "0,1,2-4"},
    {{"a=1 || b=2", "c=3", "d=4 && e=5"}, "0,1-2 2-3 3-4 4-5"},
};

static void
test_choices(size_t i)
{
    const struct text_format format = text_format_of(TEXT_CSV);
    struct condition_choice choice[CONDITIONS_MAX];
    struct condition_list list;
    struct error error = ERROR_NONE;
    char text[100] = "";
    size_t count = 0;

    while (count < 3 && structures[i].where[count] != NULL)
        count++;
    int result = condition_list_parse(&list, &format, structures[i].where,
                                      count, &error);
    size_t choices = result == 0 ? condition_list_choices(&list, choice) : 0;
    for (size_t c = 0; c < choices; c++) {
        size_t first = choice[c].first;
        sprintf(text + strlen(text), "%s%zu", c > 0 ? " " : "", first);
        while ((first = condition_list_alternative(&list, &choice[c], first)) <
               choice[c].end)
            sprintf(text + strlen(text), ",%zu", first);
        sprintf(text + strlen(text), "-%zu", choice[c].end);
    }
    ok(strcmp(text, structures[i].choices) == 0, "choices of %s: %s",
       structures[i].where[0], text);
    condition_list_close(&list);
    error_clear(&error);
}

/* ---- the order of decimals ---- */

/* From the least to the greatest; equal ones have a line of their own. */
static const char *const ladder[][4] = {
    {"-inf", "-INFINITY"},
    {"-1e99999999999"},
    {"-123456789012345678901.5"},
    {"-123456789012345678901", "-123456789012345678901.0"},
    {"-1", "-1.0", "-10e-1", "-.1e1"},
    {"-1e-99999999999"},
    {"0", "-0", "0e99999999999999999999", "+0.000"},
    {"1e-400"},
    {"0.1", "1e-1", "00000000000000000000000000.1"},
    {"0.1000000000000000055511151231257827"},
    {"9007199254740992"},
    {"9007199254740993", "9007199254740993.0"},
    {"1234567890123456789", "12345678901234567890e-1"},
    {"1234567890123456789.00000000000000000000000000001"},
    {"1234567890123456789.0000000000000000000000000001"},
    {"18446744073709551615"},
    {"18446744073709551616", "184467440737095516160000e-4"},
    {"1e400", "0.1e401"},
    {"inf", "+Infinity"},
};

static struct text_number
number_of(const char *text)
{
    struct text_number number;

    text_number_scan((const unsigned char *)text, (binning_u32)strlen(text),
                     &number);
    return number;
}

static void
test_order(void)
{
    bool is_right = true;

    for (size_t a = 0; a < 4 * COUNT(ladder); a++) {
        for (size_t b = 0; b < 4 * COUNT(ladder); b++) {
            const char *x = ladder[a / 4][a % 4];
            const char *y = ladder[b / 4][b % 4];
            if (x == NULL || y == NULL)
                continue;
            struct text_number number_x = number_of(x);
            struct text_number number_y = number_of(y);
            int order = decimal_order(&number_x, (const unsigned char *)x,
                                      &number_y, (const unsigned char *)y);
            int wanted = (a / 4 > b / 4) - (a / 4 < b / 4);
            is_right &= (order > 0) - (order < 0) == wanted;
        }
    }
    ok(is_right, "the order of decimals");
}

/* ---- filters ---- */

#define FIELDS 3
#define BYTES (FIELDS * FILTER_RECORDS_MAX * 16)

static const char *const values[] = {
    "0",        "200",       "404",      "499.99",     "500",        "-1",
    "99999999", "100000000", "12345678", "1234567.5",  "",           "-",
    "abc",      "abcdefgh",  "xbcdefgh", "abcdefghij", "azcdefghij", "1e3",
    "+5",       "5.",        ".5",       "0000000500",
};

static const char *const tests[] = {
    "a=200",        "a!=200",
    "a<500",        "a<=499.99",
    "a>0",          "a>=12345678",
    "a=.5",         "a!=0.50",
    "a>99999999",   "a<1e-30",
    "a>-1e300",     "a=abc",
    "a!=abc",       "a='abcdefgh'",
    "a=abcdefghij", "a!=''",
    "a<abd",        "a>='abc'",
    "a=\\N",        "a!=\\N",
    "a='500'",      "a=1234567.50000000000000000000000000000001",
};

/* Fill SLICE and DATA with RECORDS: one of VALUES, or of the one named MOSTLY,
   or no field. */
static void
make_records(unsigned char *data, struct text_slice *slice, size_t records,
             const char *mostly)
{
    size_t at = 0;

    for (size_t i = 0; i < FIELDS * records; i++) {
        const char *value = noise() % 4 > 0 && mostly != NULL
                                ? mostly
                                : values[noise() % COUNT(values)];
        size_t size = strlen(value);
        memcpy(data + at, value, size);
        slice[i] = (struct text_slice){(uint32_t)at, (uint32_t)size};
        if (noise() % 16 == 0)
            slice[i] = noise() % 2 ? TEXT_SLICE_NONE : TEXT_SLICE_INVALID;
        at += size;
        data[at++] = '\t';
    }
}

/* Filter by the COUNT arguments TEXT of --where. */
static bool
agrees_on(const char *const *text, size_t count, const unsigned char *data,
          const struct text_slice *slice, size_t records)
{
    const struct text_format format = text_format_of(TEXT_DELIMITED);
    struct condition_list conditions;
    struct error error = ERROR_NONE;

    if (condition_list_parse(&conditions, &format, text, count, &error) < 0)
        return false;
    for (size_t c = 0; c < conditions.count; c++)
        conditions.condition[c].column = c % FIELDS;
    bool is_right = naive_agrees(&conditions, data, slice, FIELDS, records);
    condition_list_close(&conditions);
    return is_right;
}

/* Filter by the conditions FIRST and, if there are several, others; and by
   alternatives of them. */
static bool
agrees(const unsigned char *data, const struct text_slice *slice,
       size_t records, size_t first, size_t count)
{
    const char *text[FIELDS + 1];
    char choice[500];

    for (size_t c = 0; c <= FIELDS; c++)
        text[c] = tests[(first + 7 * c) % COUNT(tests)];
    if (!agrees_on(text, count, data, slice, records))
        return false;
    sprintf(choice, "%s && %s || %s", text[0], text[1], text[2]);
    text[0] = choice;
    text[1] = text[FIELDS];
    return agrees_on(text, count < 2 ? count : 2, data, slice, records);
}

static void
test_filter(unsigned char *data, struct text_slice *slice, size_t records,
            const char *mostly)
{
    bool is_right = true;

    make_records(data, slice, records, mostly);
    for (size_t t = 0; t < COUNT(tests); t++) {
        for (size_t count = 1; count <= FIELDS; count++) {
            if (!IS_INSTRUMENTED || has_turn(5))
                is_right &= agrees(data, slice, records, t, count);
        }
    }
    ok(is_right, "%zu records, mostly %s", records,
       mostly != NULL ? mostly : "anything");
}

/* ---- the order of texts ---- */

/* Bytes of texts: few, so that many texts start alike. */
static const unsigned char letters[] = {'a', 'a', 'a', 'b', 0x7f, 0xff, 0};

#define VALUE_LETTERS (COUNT(letters) - 1) /* no argument has the last one */

/* Write SIZE letters, of the first COUNT ones, to TEXT: mostly the first. */
static void
put_letters(unsigned char *text, size_t size, size_t count)
{
    for (size_t i = 0; i < size; i++)
        text[i] = letters[noise() % 8 > 0 ? 0 : noise() % count];
}

/* Texts of all sizes around whole words, compared with such a text. */
static void
test_texts(unsigned char *data, struct text_slice *slice)
{
    static const char *const ops[] = {"<", "<=", ">", ">=", "=", "!="};
    const size_t records = 500;
    const int rounds = rounds_of(600);
    bool is_right = true;

    for (int round = 0; round < rounds; round++) {
        char text[40] = {0};
        const char *const condition = text;
        size_t at = 0;
        for (size_t i = 0; i < FIELDS * records; i++) {
            size_t size = noise() % 27;
            put_letters(data + at, size, COUNT(letters));
            slice[i] = (struct text_slice){(uint32_t)at, (uint32_t)size};
            if (noise() % 16 == 0)
                slice[i] = noise() % 2 ? TEXT_SLICE_NONE : TEXT_SLICE_INVALID;
            at += size;
        }
        size_t start =
            (size_t)sprintf(text, "a%s'", ops[(size_t)round % COUNT(ops)]);
        size_t size = noise() % 27;
        put_letters((unsigned char *)text + start, size, VALUE_LETTERS);
        text[start + size] = '\'';
        is_right &= agrees_on(&condition, 1, data, slice, records);
    }
    ok(is_right, "the order of texts, by words");
}

int
main(void)
{
    static const size_t sizes[] = {0, 1, 255, 256, 257, FILTER_RECORDS_MAX};
    unsigned char *data = malloc(BYTES);
    struct text_slice *slice =
        malloc(FIELDS * FILTER_RECORDS_MAX * sizeof *slice);

    if (data == NULL || slice == NULL)
        return 99;
    for (size_t i = 0; i < COUNT(right); i++)
        test_right(i);
    for (size_t i = 0; i < COUNT(wrong); i++)
        test_wrong(wrong[i]);
    for (size_t i = 0; i < COUNT(structures); i++)
        test_choices(i);
    test_order();
    for (size_t i = 0; i < COUNT(sizes); i++) {
        test_filter(data, slice, sizes[i], NULL);
        test_filter(data, slice, sizes[i], "500");
        test_filter(data, slice, sizes[i], "1.25");
    }
    test_texts(data, slice);
    free(data);
    free(slice);
    return done_testing();
}
