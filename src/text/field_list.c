/* field_list.c -- the fields of text that the user lists */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near_names.h"
#include "base/quoted.h"
#include "text/clf_names.h"
#include "text/field_list.h"
#include "text/field_number.h"
#include "text/json_paths.h"
#include "text/logfmt_names.h"

/*
 * Parse an item without a name: the fields FIRST to LAST.  Returns the text
 * after it, or NULL.
 */
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
            end = field_number_parse(end + 1, &first->number);
        *last = first->number;
        return end;
    }
    end = field_number_parse(item, &first->number);
    *last = first->number;
    if (end != NULL && *end == '-')
        end = field_number_parse(end + 1, last);
    return end != NULL && first->number <= *last ? end : NULL;
}

/* Whether ITEM, of LENGTH bytes, has no name; if so, sets FIRST and LAST. */
static bool
is_numbered(const char *item, size_t length, struct text_field *first,
            binning_u32 *last)
{
    return parse_item(item, first, last) == item + length;
}

/* Whether text other than a number can only be meant as a number. */
static bool
is_wrong_number(const char *item, size_t length)
{
    return length == 0 || strspn(item, "0123456789-") == length;
}

static bool
is_same(struct text_field a, struct text_field b)
{
    return a.number == b.number && a.is_from_last == b.is_from_last &&
           a.part == b.part;
}

/* Returns where FIELD is in LIST; or NAME, if the number of FIELD is not known;
   the count of LIST: nowhere. */
static size_t
find_listed(const struct field_list *list, struct text_field field,
            const char *name)
{
    bool is_known = field.number > 0 || field.is_from_last;

    for (size_t i = 0; i < list->count; i++) {
        if (i >= list->shared && i < list->first)
            continue;
        if (is_known ? is_same(list->field[i], field)
                     : name != NULL && list->name[i] != NULL &&
                           strcmp(list->name[i], name) == 0)
            return i;
    }
    return list->count;
}

/* The parsed text, for messages: an item of LIST, the argument of OPTION. */
struct item {
    const char *option;
    const char *list; /* NULL: the item alone is the argument, or part of it */
    const char *text; /* LENGTH bytes */
    size_t length;
    bool is_quoted; /* they were between double quotes */
};

/* Set *ERROR: ITEM is wrong, as WHAT says.  Returns -1. */
static int
fail_item(const struct item *item, const char *what, struct error *error)
{
    char shown[VISIBLE_BYTES];

    error_set(error, EXIT_USAGE, "--%s%s%s: '%s' %s", item->option,
              item->list != NULL ? "=" : "",
              item->list != NULL ? item->list : "",
              visible_name(shown, item->text, item->length), what);
    return -1;
}

/* Set *ERROR: a field of ITEM is listed already, in --group-by if IS_GROUP; or
   LIST is full.  Returns -1. */
static int
fail_append(const struct field_list *list, const struct item *item,
            bool is_group, struct error *error)
{
    bool is_range = field_number_is_range(item->text, item->length);
    char text[64];

    if (is_group)
        return fail_item(item,
                         is_range ? "has a field of --group-by"
                                  : "is a field of --group-by, too",
                         error);
    if (list->count < FIELD_LIST_MAX)
        return fail_item(item,
                         is_range ? "has a field that is listed already"
                                  : "is listed twice",
                         error);
    snprintf(text, sizeof text, "makes more than %d fields", FIELD_LIST_MAX);
    return fail_item(item, text, error);
}

/*
 * Append FIELD, of ITEM, with a copy of the LENGTH bytes at NAME, unless this
 * is NULL.  Returns 0, or -1 with *ERROR set.
 */
static int
append(struct field_list *list, struct text_field field, const char *name,
       size_t length, const struct item *item, struct error *error)
{
    char *copy = NULL;

    if (name != NULL) {
        copy = strndup(name, length);
        if (copy == NULL)
            return error_fail_memory(error);
    }
    size_t listed = find_listed(list, field, copy);
    if (list->count == FIELD_LIST_MAX || listed < list->count) {
        free(copy);
        return fail_append(list, item, listed < list->shared, error);
    }
    list->name[list->count] = copy;
    list->is_quoted[list->count] = item->is_quoted;
    list->field[list->count++] = field;
    return 0;
}

/* Returns the error in DIGITS, which field_number_parse() refuses. */
static const char *
wrong_number(const char *digits)
{
    char first = digits[strspn(digits, "0")];

    return first >= '1' && first <= '9'
               ? "is not a field: the greatest number is 1000000"
               : "is not a field: the first one is 1";
}

/* Set *ERROR: ITEM, of digits and '-', is not the number of a field, or of
   several.  Returns -1. */
static int
fail_number(const struct item *item, struct error *error)
{
    binning_u32 first;
    binning_u32 last;
    const char *dash = memchr(item->text, '-', item->length);
    const char *end = item->text + item->length;

    if (item->length == 0)
        return fail_item(item,
                         "is not a field (1, 3-5, NF, NF-1, or a name): a list "
                         "has one between two commas",
                         error);
    if (dash == item->text || dash == end - 1)
        return fail_item(item,
                         "is not a field (1, 3-5, NF, NF-1, or a name): a "
                         "range has two ends",
                         error);
    if (dash != NULL && memchr(dash + 1, '-', (size_t)(end - dash - 1)) != NULL)
        return fail_item(item, "is not a field (1, 3-5, NF, NF-1, or a name)",
                         error);
    if (field_number_parse(item->text, &first) == NULL)
        return fail_item(item, wrong_number(item->text), error);
    if (dash != NULL && field_number_parse(dash + 1, &last) == NULL)
        return fail_item(item, wrong_number(dash + 1), error);
    return fail_item(item, "is not a field: the range ends before it starts",
                     error);
}

/* Returns the function that finds a field of FORMAT by its name; NULL: fields
   have numbers, and names in a header. */
static field_finder *
finder_of(const struct field_list *list, const struct text_format *format)
{
    static field_finder *const finders[TEXT_NAMES] = {
        [TEXT_NAMES_CLF] = clf_names_find,
        [TEXT_NAMES_PATHS] = json_paths_find,
        [TEXT_NAMES_KEYS] = logfmt_names_find,
    };

    return list->find != NULL ? list->find
                              : finders[text_type_of(format->kind)->names];
}

/* Append the fields of ITEM.  Returns as append(). */
static int
append_item(struct field_list *list, const struct text_format *format,
            const struct item *item, struct error *error)
{
    field_finder *const find = finder_of(list, format);
    struct text_field field = {0};
    binning_u32 last = 0;

    if (find != NULL)
        return find(item->option, item->text, item->length, &field, error) < 0
                   ? -1
                   : append(list, field, item->text, item->length, item, error);
    if (item->is_quoted ||
        !is_numbered(item->text, item->length, &field, &last)) {
        field = (struct text_field){0};
        return !item->is_quoted && is_wrong_number(item->text, item->length)
                   ? fail_number(item, error)
                   : append(list, field, item->text, item->length, item, error);
    }
    for (; field.number <= last; field.number++) {
        if (append(list, field, NULL, 0, item, error) < 0)
            return -1;
    }
    return 0;
}

/* Make room in LIST, if it is all 0.  Returns 0, or -1 with *ERROR set. */
static int
make_room(struct field_list *list, struct error *error)
{
    if (list->field == NULL)
        list->field = calloc(FIELD_LIST_MAX, sizeof *list->field);
    if (list->name == NULL)
        list->name = calloc(FIELD_LIST_MAX, sizeof *list->name);
    if (list->is_quoted == NULL)
        list->is_quoted = calloc(FIELD_LIST_MAX, sizeof *list->is_quoted);
    if (list->field == NULL || list->name == NULL || list->is_quoted == NULL)
        return error_fail_memory(error);
    return 0;
}

/* Append the field whose name, or path, is between the quotes of TEXT, an item
   of LENGTH bytes of LIST.  Returns as append(). */
static int
append_quoted(struct field_list *list, const struct text_format *format,
              const char *option, const char *text, size_t length,
              struct error *error)
{
    struct item item = {.option = option, .is_quoted = true};
    char *name = malloc(length);

    if (name == NULL)
        return error_fail_memory(error);
    (void)quoted_read(text, name, &item.length);
    item.text = name;
    int result =
        item.length > 0 || text_type_of(format->kind)->names == TEXT_NAMES_PATHS
            ? append_item(list, format, &item, error)
            : fail_item(&item, "is no name of a field", error);
    free(name);
    return result;
}

int
field_list_add(struct field_list *list, const struct text_format *format,
               const char *option, const char *text, struct error *error)
{
    const bool has_paths =
        text_type_of(format->kind)->names == TEXT_NAMES_PATHS;

    if (make_room(list, error) < 0)
        return -1;
    for (const char *item = text;; item++) {
        size_t quoted = quoted_item(item);
        size_t length = quoted > 0  ? quoted
                        : has_paths ? json_path_length(item)
                                    : strcspn(item, ",");
        const struct item one = {option, text, item, length, false};
        if ((quoted > 0
                 ? append_quoted(list, format, option, item, length, error)
                 : append_item(list, format, &one, error)) < 0)
            return -1;
        item += length;
        if (*item == '\0')
            return 0;
    }
}

int
field_list_parse(struct field_list *list, const struct text_format *format,
                 const char *option, const char *text, struct error *error)
{
    *list = (struct field_list){0};
    return field_list_add(list, format, option, text, error);
}

int
field_list_parse_one(struct field_list *list, const struct text_format *format,
                     const char *option, const char *text, bool is_name,
                     struct error *error)
{
    const struct text_field unknown = {0};
    const struct item item = {option, NULL, text, strlen(text), is_name};

    *list = (struct field_list){0};
    if (make_room(list, error) < 0)
        return -1;
    int result = is_name && text_type_of(format->kind)->has_columns
                     ? append(list, unknown, text, item.length, &item, error)
                     : append_item(list, format, &item, error);
    if (result == 0 && list->count == 1)
        return 0;
    /* Keeps another error that is set. */
    error_set(error, EXIT_USAGE,
              "--%s: '%s' is not one field (1, NF, NF-1, or a name)", option,
              text);
    return -1;
}

/* Whether ITEM, of LENGTH bytes, is a name. */
static bool
is_name(const char *item, size_t length)
{
    struct text_field field;
    binning_u32 last;

    return !is_numbered(item, length, &field, &last) &&
           !is_wrong_number(item, length);
}

bool
field_list_is_name(const char *text)
{
    return is_name(text, strlen(text));
}

bool
field_list_needs_header(const char *text)
{
    for (const char *item = text;; item++) {
        size_t quoted = quoted_item(item);
        size_t length = quoted > 0 ? quoted : strcspn(item, ",");
        if (quoted > 0 || is_name(item, length))
            return true;
        item += length;
        if (*item == '\0')
            return false;
    }
}

/* Returns name I of HEADER. */
static const void *
header_name(const void *context, size_t i, size_t *size)
{
    const struct text_header *header = context;

    *size = header->name[i].size;
    return header->name[i].bytes;
}

/* Set *ERROR: FOUND fields, none or several, have NAME in HEADER. */
static void
fail_name(const char *option, const char *name,
          const struct text_header *header, size_t found, struct error *error)
{
    const struct near_names names = {header_name, header, header->count, "'"};
    char shown[VISIBLE_BYTES];
    char list[NEAR_NAMES_BYTES];

    visible_name(shown, name, strlen(name));
    if (found > 0)
        error_set(error, EXIT_DATA,
                  "--%s: several fields are named '%s' in the header of %s",
                  option, shown, header->input);
    else
        error_set(error, EXIT_DATA,
                  "--%s: no field is named '%s' in the header of %s, which "
                  "has %s",
                  option, shown, header->input,
                  header->count == 0
                      ? "no fields"
                      : near_names_list(&names, name, strlen(name), list));
}

/* As text_header_find(), for the name of field I of LIST. */
static size_t
find_name(const struct text_header *header, const struct field_list *list,
          size_t i, binning_u32 *number)
{
    size_t found = text_header_find(header, list->name[i], number);
    char *quoted;

    /* The names of a header without CSV's rules may have quotes. */
    if (found > 0 || !list->is_quoted[i] ||
        asprintf(&quoted, "\"%s\"", list->name[i]) < 0)
        return found;
    found = text_header_find(header, quoted, number);
    free(quoted);
    return found;
}

int
field_list_resolve(struct field_list *list, size_t first, size_t end,
                   const char *option, const struct text_header *header,
                   struct error *error)
{
    for (size_t i = first; i < end; i++) {
        struct text_field field = {0};
        if (list->field[i].number > 0 || list->field[i].is_from_last ||
            list->field[i].part == TEXT_PART_MEMBER)
            continue;
        if (header == NULL) {
            list->field[i].number = 1;
            continue;
        }
        size_t found = find_name(header, list, i, &field.number);
        if (found != 1)
            fail_name(option, list->name[i], header, found, error);
        else if (find_listed(list, field, NULL) < list->count)
            error_set(error, EXIT_DATA,
                      "--%s: '%s' is field %u, which is listed, too", option,
                      list->name[i], (unsigned int)field.number);
        else
            list->field[i] = field;
        if (error->status != EXIT_DONE)
            return -1;
    }
    return 0;
}

int
field_list_include(struct field_list *list, const struct field_list *one,
                   size_t *place, struct error *error)
{
    const char *name = one->name[0];
    const struct item item = {.option = "", .is_quoted = one->is_quoted[0]};

    for (*place = 0; *place < list->count; ++*place) {
        if (is_same(list->field[*place], one->field[0]) &&
            (one->field[0].part != TEXT_PART_MEMBER ||
             strcmp(list->name[*place], name) == 0))
            return 0;
    }
    if (list->count == FIELD_LIST_MAX) {
        error_set(error, EXIT_USAGE, "more than %d fields", FIELD_LIST_MAX);
        return -1;
    }
    return append(list, one->field[0], name, name != NULL ? strlen(name) : 0,
                  &item, error);
}

void
field_list_close(struct field_list *list)
{
    for (size_t i = 0; list->name != NULL && i < list->count; i++)
        free(list->name[i]);
    free(list->name);
    free(list->is_quoted);
    free(list->field);
    *list = (struct field_list){0};
}
