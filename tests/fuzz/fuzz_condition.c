/* SPDX-License-Identifier: MIT */
/*
 * fuzz_condition.c -- conditions, and which records meet them
 *
 * The first text has conditions, and so has the second one unless it is empty.
 * If they parse, the rest is fields, two for each record, each up to a line
 * feed; two bytes stand for no field and for no record.  The filter must keep
 * those that a simple evaluator keeps.  A condition that is written again from
 * its parts must be the same one.
 */

#include "../condition_check.h"
#include "fuzz.h"

/* The fields of a record, and bytes of which one is missing. */
#define FIELDS 2
#define BYTE_MISSING 1
#define BYTE_INVALID 2

/* Append TEXT in quotes, as conditions have it. */
static char *
put_quoted(char *at, const char *text)
{
    *at++ = '\'';
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            *at++ = '\'';
        *at++ = *text;
    }
    *at++ = '\'';
    return at;
}

/* Write CONDITION again, and parse that. */
static void
check_again(const struct condition *condition, const struct text_format *format)
{
    struct condition_list list;
    struct error error = ERROR_NONE;
    size_t room = 2 * (strlen(condition->field) + condition->size) + 16;
    char *text = malloc(room);

    if (text == NULL)
        abort();
    char *at = put_quoted(text, condition->field);
    at += sprintf(at, " %s ", condition->op_text);
    if (condition->kind == CONDITION_TEXT ||
        condition->kind == CONDITION_EXPRESSION)
        at = put_quoted(at, condition->value);
    else
        at += sprintf(at, "%s", condition->value);
    *at = '\0';
    fuzz_must(condition_list_parse(&list, format, (const char *const[]){text},
                                   1, &error) == 0 &&
                  list.count == 1,
              "it parses again");
    const struct condition *again = &list.condition[0];
    fuzz_must(
        strcmp(condition->field, again->field) == 0 &&
            condition->size == again->size &&
            memcmp(condition->value, again->value, again->size) == 0 &&
            condition->op == again->op && condition->kind == again->kind &&
            condition->least == again->least && condition->most == again->most,
        "it is the same");
    condition_list_close(&list);
    free(text);
}

/* Find the fields in the SIZE bytes at DATA.  Returns how many records. */
static size_t
find_records(const unsigned char *data, size_t size, struct text_slice *slice)
{
    size_t fields = 0;
    size_t start = 0;

    for (size_t at = 0; at < size && fields < FIELDS * FILTER_RECORDS_MAX;
         at++) {
        if (data[at] != '\n')
            continue;
        slice[fields] =
            (struct text_slice){(uint32_t)start, (uint32_t)(at - start)};
        if (at == start + 1 && data[start] == BYTE_MISSING)
            slice[fields] = TEXT_SLICE_NONE;
        else if (at == start + 1 && data[start] == BYTE_INVALID)
            slice[fields] = TEXT_SLICE_INVALID;
        fields++;
        start = at + 1;
    }
    return fields / FIELDS;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct text_slice slice[FIELDS * FILTER_RECORDS_MAX];
    struct fuzz fuzz = {data, size};
    const struct text_format format =
        text_format_of(fuzz_take(&fuzz, 1) % 2 ? TEXT_JSON : TEXT_DELIMITED);
    char *text[FIELDS] = {fuzz_take_text(&fuzz), fuzz_take_text(&fuzz)};
    size_t count = *text[1] == '\0' ? 1 : FIELDS;
    struct condition_list conditions;
    struct error error = ERROR_NONE;
    int result = condition_list_parse(&conditions, &format,
                                      (const char *const *)text, count, &error);

    if (result < 0) {
        fuzz_must(error.status == EXIT_USAGE, "an error of usage");
        fuzz_must(strstr(error.text, "--where") == error.text, "its place");
        error_clear(&error);
    } else {
        for (size_t c = 0; c < conditions.count; c++) {
            conditions.condition[c].column = c % FIELDS;
            check_again(&conditions.condition[c], &format);
        }
        /* A block of its own, whose ends a sanitizer sees. */
        unsigned char *copy = malloc(fuzz.size + 1);
        if (copy == NULL)
            abort();
        if (fuzz.size > 0)
            memcpy(copy, fuzz.data, fuzz.size);
        copy[fuzz.size] = '\n';
        size_t records = find_records(copy, fuzz.size + 1, slice);
        fuzz_must(naive_agrees(&conditions, copy, slice, FIELDS, records),
                  "the same records");
        free(copy);
    }
    condition_list_close(&conditions);
    free(text[0]);
    free(text[1]);
    return 0;
}
