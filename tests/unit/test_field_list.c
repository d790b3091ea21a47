/* SPDX-License-Identifier: MIT */
/* test_field_list.c -- lists of the fields of text */

#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "text/field_list.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* A field by its number, and one before the last. */
#define N(number)                \
    {                            \
        number, 0, TEXT_PART_ALL \
    }
#define LAST(number)             \
    {                            \
        number, 1, TEXT_PART_ALL \
    }

static const struct {
    const char *text;
    struct text_field field[6]; /* until number 0 that is no NF */
} right[] = {
    {"1", {N(1)}},
    {"7,2-4,1", {N(7), N(2), N(3), N(4), N(1)}},
    {"NF", {LAST(0)}},
    {"NF-2,NF,1,NF-1", {LAST(2), LAST(0), N(1), LAST(1)}},
    {"5-5", {N(5)}},
    {"1000000", {N(1000000)}},
    {"NF-1000000", {LAST(1000000)}},
    {"01", {N(1)}},
};

/* Lists and what is wrong with them. */
#define NO_FIELD "is not a field (1, 3-5, NF, NF-1, or a name)"
static const struct {
    const char *text;
    const char *says; /* after "--fields=TEXT: " */
} wrong[] = {
    {"", "'' " NO_FIELD ": a list has one between two commas"},
    {"0", "'0' is not a field: the first one is 1"},
    {"1,", "'' " NO_FIELD ": a list has one between two commas"},
    {",1", "'' " NO_FIELD ": a list has one between two commas"},
    {"1,1", "'1' is listed twice"},
    {"1-3,2", "'2' is listed twice"},
    {"2,1-3", "'1-3' has a field that is listed already"},
    {"3-1", "'3-1' is not a field: the range ends before it starts"},
    {"1-", "'1-' " NO_FIELD ": a range has two ends"},
    {"-1", "'-1' " NO_FIELD ": a range has two ends"},
    {"-", "'-' " NO_FIELD ": a range has two ends"},
    {"NF,NF", "'NF' is listed twice"},
    {"1000001", "'1000001' is not a field: the greatest number is 1000000"},
    {"a,1,a", "'a' is listed twice"},
    {"0-2", "'0-2' is not a field: the first one is 1"},
    {"2-0", "'2-0' is not a field: the first one is 1"},
    {"1-1025", "'1-1025' makes more than 1024 fields"},
    {"99999999999999999999",
     "'99999999999999999999' is not a field: the greatest number is 1000000"},
    {"1-2-3", "'1-2-3' " NO_FIELD},
    {"x,NF,NF", "'NF' is listed twice"},
    {"a,1,1", "'1' is listed twice"},
    {"NF-1,NF-1", "'NF-1' is listed twice"},
    {"1-1000000", "'1-1000000' makes more than 1024 fields"},
    {"b\r,b\r", "'b\\r' is listed twice"},
};

static const struct text_format format = {.kind = TEXT_CSV};

static void
test_right(size_t r)
{
    struct field_list list;
    struct error error = ERROR_NONE;
    bool is_right =
        field_list_parse(&list, &format, "fields", right[r].text, &error) == 0;
    size_t count = 0;

    while (count < COUNT(right[r].field) &&
           (right[r].field[count].number != 0 ||
            right[r].field[count].is_from_last))
        count++;
    ok(is_right && list.count == count &&
           memcmp(list.field, right[r].field, count * sizeof *list.field) == 0,
       "%s", right[r].text);
    field_list_close(&list);
    error_clear(&error);
}

static void
test_wrong(size_t w)
{
    struct field_list list;
    struct error error = ERROR_NONE;
    char says[160];

    snprintf(says, sizeof says, "--fields=%s: %s", wrong[w].text,
             wrong[w].says);
    ok(field_list_parse(&list, &format, "fields", wrong[w].text, &error) < 0 &&
           error.status == EXIT_USAGE && strcmp(error.text, says) == 0,
       "%s", says);
    field_list_close(&list);
    error_clear(&error);
}

int
main(void)
{
    for (size_t r = 0; r < COUNT(right); r++)
        test_right(r);
    for (size_t w = 0; w < COUNT(wrong); w++)
        test_wrong(w);

    struct field_list list;
    struct error error = ERROR_NONE;
    ok(field_list_parse(&list, &format, "fields", "1-1023,NF", &error) == 0 &&
           list.count == FIELD_LIST_MAX,
       "as many as there may be");
    field_list_close(&list);
    return done_testing();
}
