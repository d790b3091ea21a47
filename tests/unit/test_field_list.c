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

/* The item that the message names is the last of the text. */
static const char *const wrong[] = {
    "",        "0",       "1,",    ",1",        "1,1",
    "1-3,2",   "3-1",     "1-",    "-1",        "NF,NF",
    "1000001", "a,1,a",   "0-2",   "1-1025",    "99999999999999999999",
    "1-2-3",   "x,NF,NF", "a,1,1", "NF-1,NF-1", "1-1000000",
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
    const char *comma = strrchr(wrong[w], ',');
    char named[64];

    /* The first of them is empty already. */
    bool is_first = wrong[w][0] == ',';
    snprintf(named, sizeof named, ": '%s' is not a field ",
             is_first        ? ""
             : comma != NULL ? comma + 1
                             : wrong[w]);
    ok(field_list_parse(&list, &format, "fields", wrong[w], &error) < 0 &&
           error.status == EXIT_USAGE && strstr(error.text, named) != NULL,
       "not '%s': %s", wrong[w], error.text);
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
