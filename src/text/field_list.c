/* field_list.c -- the fields of text that the user lists */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text/field_list.h"

/* Parse a number up to FIELD_NUMBER_MAX.  Returns the text after it, or
   NULL. */
static const char *
parse_number(const char *text, binning_u32 *number)
{
    const char *at = text;

    *number = 0;
    for (; *at >= '0' && *at <= '9'; at++) {
        *number = *number * 10 + (binning_u32)(*at - '0');
        if (*number > FIELD_NUMBER_MAX)
            return NULL;
    }
    return at > text && *number > 0 ? at : NULL;
}

/* Parse an item: the fields FIRST to LAST.  Returns the text after it, or
   NULL. */
static const char *
parse_item(const char *item, struct text_field *first, binning_u32 *last)
{
    const char *end;

    *first = (struct text_field){0};
    *last = 0;
    if (strncmp(item, "NF", 2) == 0) {
        first->is_from_last = 1;
        end = item + 2;
        if (*end == '-')
            end = parse_number(end + 1, &first->number);
        *last = first->number;
        return end;
    }
    end = parse_number(item, &first->number);
    *last = first->number;
    if (end != NULL && *end == '-')
        end = parse_number(end + 1, last);
    return end != NULL && first->number <= *last ? end : NULL;
}

/* Append a field.  Returns -1 if it is in the list, or the list is full. */
static int
append(struct field_list *list, struct text_field field)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->field[i].number == field.number &&
            list->field[i].is_from_last == field.is_from_last)
            return -1;
    }
    if (list->count == FIELD_LIST_MAX)
        return -1;
    list->field[list->count++] = field;
    return 0;
}

int
field_list_parse(struct field_list *list, const char *text, struct error *error)
{
    *list = (struct field_list){0};
    list->field = calloc(FIELD_LIST_MAX, sizeof *list->field);
    if (list->field == NULL) {
        error_set(error, EXIT_DATA, "out of memory");
        return -1;
    }
    for (const char *item = text;; item++) {
        struct text_field field;
        binning_u32 last;
        const char *end = parse_item(item, &field, &last);
        bool is_right = end != NULL && (*end == '\0' || *end == ',');
        for (; is_right && field.number <= last; field.number++)
            is_right = append(list, field) == 0;
        if (!is_right) {
            error_set(error, EXIT_USAGE,
                      "--fields=%s: '%.*s' is not a field (1, 3-5, NF, NF-1), "
                      "is listed twice, or makes more than %d",
                      text, (int)strcspn(item, ","), item, FIELD_LIST_MAX);
            return -1;
        }
        if (*end == '\0')
            return 0;
        item = end;
    }
}

void
field_list_close(struct field_list *list)
{
    free(list->field);
    *list = (struct field_list){0};
}
