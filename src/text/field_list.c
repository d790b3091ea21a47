/* SPDX-License-Identifier: MIT */
/* field_list.c -- the fields of text that the user lists */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near_names.h"
#include "base/quoted.h"
#include "text/clf_names.h"
#include "text/field_chain.h"
#include "text/field_list.h"
#include "text/field_number.h"
#include "text/json_paths.h"
#include "text/log_names.h"
#include "text/logfmt_names.h"
#include "text/regex_names.h"

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

/*
 * Returns the length of the number, or the range of numbers, that ITEM, of
 * LENGTH bytes, is or that modifiers follow in ITEM, and sets FIRST and LAST;
 * 0: ITEM has a name.
 */
static size_t
find_number(const char *item, size_t length, struct text_field *first,
            binning_u32 *last)
{
    const char *end = parse_item(item, first, last);

    return end == item + length || (end != NULL && end > item && *end == ':')
               ? (size_t)(end - item)
               : 0;
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

/* Whether field I of LIST is FIELD; or SOURCE, if the number of FIELD is not
   known. */
static bool
is_listed_at(const struct field_list *list, size_t i, struct text_field field,
             const char *source)
{
    bool is_known = field.number > 0 || field.is_from_last;

    if (is_known)
        return is_same(list->field[i], field);
    if (source == NULL || list->source[i] == NULL)
        return false;
    size_t length = strlen(list->source[i]);
    if (list->within[i] == NULL)
        return strcmp(list->source[i], source) == 0;
    return strncmp(source, list->source[i], length) == 0 &&
           strncmp(source + length, "[]", 2) == 0 &&
           strcmp(source + length + 2, list->within[i]) == 0;
}

/* Returns where FIELD, or SOURCE, with CHAIN is in LIST; the count of LIST:
   nowhere. */
static size_t
find_listed(const struct field_list *list, struct text_field field,
            const char *source, const struct modifiers *chain)
{
    for (size_t i = 0; i < list->count; i++) {
        if (i >= list->shared && i < list->first)
            continue;
        if (is_listed_at(list, i, field, source) &&
            modifiers_equal(&list->chain[i], chain))
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
    bool is_quoted;    /* they were between double quotes ... */
    const char *chain; /* ... and these CHAIN_LENGTH bytes, modifiers, follow */
    size_t chain_length;
    size_t list_at; /* of a path of JSON: where its [] is; 0: it has none */
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

/* Returns the text of FIELD, or of its name SOURCE, with the modifiers of ITEM;
   NULL: out of memory. */
static char *
make_name(struct text_field field, const char *source, const struct item *item)
{
    const int length = (int)item->chain_length;
    const unsigned int number = (unsigned int)field.number;
    char *name = NULL;
    int result = 0;

    if (source != NULL)
        result = asprintf(&name, "%s:%.*s", source, length, item->chain);
    else if (!field.is_from_last)
        result = asprintf(&name, "%u:%.*s", number, length, item->chain);
    else if (number == 0)
        result = asprintf(&name, "NF:%.*s", length, item->chain);
    else
        result = asprintf(&name, "NF-%u:%.*s", number, length, item->chain);
    return result < 0 ? NULL : name;
}

/* Whether the parts that modifier PARTS of CHAIN gives are of a list, IS_LIST,
   or divided again. */
static bool
has_more_parts(const struct modifiers *chain, size_t parts, bool is_list)
{
    for (size_t i = parts + 1; i < chain->count; i++)
        is_list |= chain->modifier[i].type->gives == MODIFIER_GIVES_PARTS;
    return is_list;
}

/*
 * Append FIELD, whose name is SOURCE, owned by LIST from now on, or NULL, with
 * the modifiers of ITEM.  Returns 0, or -1 with *ERROR set.
 */
static int
append_owned(struct field_list *list, struct text_field field, char *source,
             const struct item *item, struct error *error)
{
    size_t i = list->count;
    struct modifiers chain = {0};
    char *within = NULL;
    char *name = NULL;

    if (item->list_at > 0) {
        within = strdup(source + item->list_at + 2);
        if (within == NULL) {
            (void)error_fail_memory(error);
            goto failed;
        }
    }
    if (item->chain != NULL &&
        field_chain_parse(&chain, item->option, item->chain, item->chain_length,
                          error) < 0)
        goto failed;
    size_t parts = modifiers_parts(&chain);
    if (parts < chain.count && has_more_parts(&chain, parts, within != NULL)) {
        (void)fail_item(item,
                        "divides parts of a list again, and only arrays of "
                        "JSON may be inside of each other",
                        error);
        goto failed;
    }
    if (item->chain != NULL || source != NULL) {
        name = item->chain != NULL ? make_name(field, source, item)
                                   : strdup(source);
        if (name == NULL) {
            (void)error_fail_memory(error);
            goto failed;
        }
    }
    size_t listed = find_listed(list, field, source, &chain);
    if (i == FIELD_LIST_MAX || listed < i) {
        (void)fail_append(list, item, listed < list->shared, error);
        goto failed;
    }
    list->name[i] = name;
    list->source[i] = source;
    list->within[i] = within;
    list->chain[i] = chain;
    list->is_quoted[i] = item->is_quoted;
    list->field[i] = field;
    list->count++;
    if (within != NULL)
        source[strlen(source) - strlen(within) - 2] = '\0';
    return 0;
failed:
    free(within);
    modifiers_close(&chain);
    free(source);
    free(name);
    return -1;
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
    return append_owned(list, field, copy, item, error);
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
        [TEXT_NAMES_GROUPS] = regex_names_find,
        [TEXT_NAMES_PATTERN] = log_names_find,
    };

    return list->find != NULL ? list->find
                              : finders[text_type_of(format->kind)->names];
}

/* The part of an item that is tried as a name. */
struct attempt {
    field_finder *find;
    const struct item *item;
    struct text_field *field;
};

/* Whether the first LENGTH bytes of the item of ATTEMPT are a name; if so, sets
   its field. */
static bool
is_found(const struct attempt *attempt, size_t length)
{
    struct error error = ERROR_NONE;
    bool is_name = attempt->find(attempt->item->option, attempt->item->text,
                                 length, attempt->field, &error) == 0;

    error_clear(&error);
    return is_name;
}

/* Returns the offset of the colon after the longest start of the item of
   ATTEMPT that is a name, and sets its field; 0: none is one. */
static size_t
find_longest(const struct attempt *attempt)
{
    size_t at = attempt->item->length;

    while (at > 0 &&
           (attempt->item->text[--at] != ':' || !is_found(attempt, at)))
        ;
    return at;
}

/* Returns the offset of the colon before the modifiers of the item of ATTEMPT,
   and sets its field; its length: it has no modifiers. */
static size_t
find_chain(const struct attempt *attempt)
{
    const struct item *item = attempt->item;
    size_t at = item->is_quoted
                    ? item->length
                    : field_chain_start(item->text, item->length, 1);

    while (at < item->length && !is_found(attempt, at))
        at = field_chain_start(item->text, item->length, at + 1);
    return at;
}

/* Append the field of ITEM, whose name FIND knows; with PATHS it is a path.
   Returns as append(). */
static int
append_named(struct field_list *list, field_finder *find, bool has_paths,
             const struct item *item, struct error *error)
{
    struct text_field field = {0};
    struct item one = *item;
    const struct attempt attempt = {find, item, &field};
    size_t at = find_chain(&attempt);

    if (at == item->length && !is_found(&attempt, at)) {
        /* What follows a name is not a modifier; or there is no name. */
        size_t longest = item->is_quoted ? 0 : find_longest(&attempt);
        at = longest > 0       ? longest
             : item->is_quoted ? item->length
                               : field_chain_start(item->text, item->length, 1);
        if (longest == 0)
            return find(item->option, item->text, at, &field, error);
    }
    if (at < item->length) {
        one.chain = item->text + at + 1;
        one.chain_length = item->length - at - 1;
    }
    size_t list_at = has_paths ? json_path_list(item->text, at) : at;
    if (list_at < at)
        one.list_at = list_at;
    return append(list, field, item->text, at, &one, error);
}

/* Append the fields of ITEM.  Returns as append(). */
static int
append_item(struct field_list *list, const struct text_format *format,
            const struct item *item, struct error *error)
{
    field_finder *const find = finder_of(list, format);
    struct text_field field = {0};
    struct item one = *item;
    binning_u32 last = 0;

    if (find != NULL)
        return append_named(
            list, find, text_type_of(format->kind)->names == TEXT_NAMES_PATHS,
            item, error);
    size_t length = item->is_quoted
                        ? 0
                        : find_number(item->text, item->length, &field, &last);
    if (length == 0) {
        field = (struct text_field){0};
        return !item->is_quoted && is_wrong_number(item->text, item->length)
                   ? fail_number(item, error)
                   : append(list, field, item->text, item->length, item, error);
    }
    if (length < item->length) {
        one.chain = item->text + length + 1;
        one.chain_length = item->length - length - 1;
    }
    for (; field.number <= last; field.number++) {
        if (append(list, field, NULL, 0, &one, error) < 0)
            return -1;
    }
    return 0;
}

/* Make room in LIST, if it is all 0.  Returns 0, or -1 with *ERROR set. */
static int
make_room(struct field_list *list, struct error *error)
{
    if (list->field != NULL)
        return 0;
    list->field = calloc(FIELD_LIST_MAX, sizeof *list->field);
    list->name = calloc(FIELD_LIST_MAX, sizeof *list->name);
    list->source = calloc(FIELD_LIST_MAX, sizeof *list->source);
    list->within = calloc(FIELD_LIST_MAX, sizeof *list->within);
    list->chain = calloc(FIELD_LIST_MAX, sizeof *list->chain);
    list->is_quoted = calloc(FIELD_LIST_MAX, sizeof *list->is_quoted);
    list->parts = calloc(FIELD_LIST_MAX, sizeof *list->parts);
    if (list->field == NULL || list->name == NULL || list->source == NULL ||
        list->within == NULL || list->chain == NULL ||
        list->is_quoted == NULL || list->parts == NULL)
        return error_fail_memory(error);
    return 0;
}

/* Append the field whose name, or path, is between the first QUOTED bytes of
   TEXT, an item of LENGTH bytes of LIST.  Returns as append(). */
static int
append_quoted(struct field_list *list, const struct text_format *format,
              const char *option, const char *text, size_t quoted,
              size_t length, struct error *error)
{
    struct item item = {.option = option, .is_quoted = true};
    char *name = malloc(quoted);

    if (name == NULL)
        return error_fail_memory(error);
    (void)quoted_read(text, name, &item.length);
    item.text = name;
    if (quoted < length) {
        item.chain = text + quoted + 1;
        item.chain_length = length - quoted - 1;
    }
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
        size_t quoted;
        size_t length = field_chain_quoted_item(item, &quoted);
        bool is_quoted = length > 0;
        if (!is_quoted)
            length = field_chain_item(item, has_paths);
        const struct item one = {
            .option = option, .list = text, .text = item, .length = length};
        if ((is_quoted ? append_quoted(list, format, option, item, quoted,
                                       length, error)
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
                     const char *option, const struct field_parts *parts,
                     struct error *error)
{
    const struct text_field unknown = {0};
    const struct item item = {
        .option = option,
        .text = parts->name,
        .length = strlen(parts->name),
        .is_quoted = parts->is_quoted,
        .chain = parts->chain,
        .chain_length = parts->chain != NULL ? strlen(parts->chain) : 0,
    };

    if (make_room(list, error) < 0)
        return -1;
    int result =
        parts->is_quoted && text_type_of(format->kind)->has_columns
            ? append(list, unknown, item.text, item.length, &item, error)
            : append_item(list, format, &item, error);
    if (result == 0 && list->count == 1)
        return 0;
    /* Keeps another error that is set. */
    error_set(error, EXIT_USAGE,
              "--%s: '%s' is not one field (1, NF, NF-1, or a name)", option,
              parts->name);
    return -1;
}

/* Whether ITEM, of LENGTH bytes, is a name. */
static bool
is_name(const char *item, size_t length)
{
    struct text_field field;
    binning_u32 last;

    return find_number(item, length, &field, &last) == 0 &&
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
        size_t quoted;
        size_t length = field_chain_quoted_item(item, &quoted);
        if (length > 0)
            return true;
        length = field_chain_item(item, false);
        if (is_name(item, length))
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

/* Whether HEADER is the first record, and looks like a comment. */
static bool
is_comment(const struct text_header *header)
{
    return !header->is_of_comment && header->count > 0 &&
           header->name[0].size > 0 && header->name[0].bytes[0] == '#';
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
                  "has %s%s",
                  option, shown, header->input,
                  header->count == 0
                      ? "no fields"
                      : near_names_list(&names, name, strlen(name), list),
                  is_comment(header)
                      ? "; if a comment has the names, add --header-in=comment"
                      : "");
}

/* As text_header_find(), for the name of field I of LIST. */
static size_t
find_name(const struct text_header *header, const struct field_list *list,
          size_t i, binning_u32 *number)
{
    size_t found = text_header_find(header, list->source[i], number);
    char *quoted;

    /* The names of a header without CSV's rules may have quotes. */
    if (found > 0 || !list->is_quoted[i] ||
        asprintf(&quoted, "\"%s\"", list->source[i]) < 0)
        return found;
    found = text_header_find(header, quoted, number);
    free(quoted);
    return found;
}

/*
 * Set the modifiers of field I of LIST to the text after the colon at AT of its
 * name, and end its name there.  Returns 0, or -1 with *ERROR set.
 */
static int
set_chain(struct field_list *list, size_t i, const char *option, size_t at,
          struct error *error)
{
    char *source = list->source[i];
    struct modifiers chain;
    int result = field_chain_parse(&chain, option, source + at + 1,
                                   strlen(source + at + 1), error);

    if (result < 0) {
        modifiers_close(&chain);
        return -1;
    }
    size_t parts = modifiers_parts(&chain);
    if (parts < chain.count && has_more_parts(&chain, parts, false)) {
        error_set(error, EXIT_USAGE,
                  "--%s: '%s' divides parts of a list again, and only arrays "
                  "of JSON may be inside of each other",
                  option, source);
        modifiers_close(&chain);
        return -1;
    }
    source[at] = '\0';
    list->chain[i] = chain;
    return 0;
}

/* As find_name(), for the longest start of the name of field I that HEADER has
   and a colon follows; sets *AT to this colon. */
static size_t
find_start(const struct text_header *header, const struct field_list *list,
           size_t i, size_t *at, binning_u32 *number)
{
    char *source = list->source[i];
    size_t found = 0;

    for (*at = list->is_quoted[i] ? 0 : strlen(source);
         found == 0 && *at > 0;) {
        if (source[--*at] != ':')
            continue;
        source[*at] = '\0';
        found = text_header_find(header, source, number);
        source[*at] = ':';
    }
    return found;
}

/* Resolve field I of LIST without a header: any number does. */
static void
resolve_any(struct field_list *list, size_t i)
{
    const char *source = list->source[i];
    size_t length = strlen(source);
    size_t at =
        list->is_quoted[i] ? length : field_chain_start(source, length, 1);
    struct error fault = ERROR_NONE;

    list->field[i].number = 1;
    if (at < length)
        (void)set_chain(list, i, "", at, &fault);
    error_clear(&fault);
}

/* Set the number of field I of LIST, which has a name, and its modifiers.
   Returns 0, or -1 with *ERROR set. */
static int
resolve(struct field_list *list, size_t i, const char *option,
        const struct text_header *header, struct error *error)
{
    struct text_field field = {0};
    size_t at;

    if (header == NULL) {
        resolve_any(list, i);
        return 0;
    }
    size_t found = find_name(header, list, i, &field.number);
    if (found == 0) {
        found = find_start(header, list, i, &at, &field.number);
        if (found > 0 && set_chain(list, i, option, at, error) < 0)
            return -1;
    }
    if (found != 1) {
        char *source = list->source[i];
        size_t length = strlen(source);
        at = list->is_quoted[i] ? length : field_chain_start(source, length, 1);
        source[at] = '\0';
        fail_name(option, source, header, found, error);
        return -1;
    }
    if (find_listed(list, field, NULL, &list->chain[i]) < list->count) {
        error_set(error, EXIT_DATA,
                  "--%s: '%s' is field %u, which is listed, too", option,
                  list->name[i], (unsigned int)field.number);
        return -1;
    }
    list->field[i] = field;
    return 0;
}

int
field_list_resolve(struct field_list *list, size_t first, size_t end,
                   const char *option, const struct text_header *header,
                   struct error *error)
{
    for (size_t i = first; i < end; i++) {
        if (list->field[i].number > 0 || list->field[i].is_from_last ||
            list->field[i].part == TEXT_PART_MEMBER)
            continue;
        if (resolve(list, i, option, header, error) < 0)
            return -1;
    }
    return 0;
}

/* Whether field I of LIST and field J of OTHER are the same of a record,
   whatever their modifiers are. */
static bool
has_same_source(const struct field_list *list, size_t i,
                const struct field_list *other, size_t j)
{
    return is_same(list->field[i], other->field[j]) &&
           (list->field[i].part != TEXT_PART_MEMBER ||
            strcmp(list->source[i], other->source[j]) == 0);
}

/* Whether field I of LIST and field J of OTHER are the same member of each
   element, or no field has elements. */
static bool
has_same_within(const struct field_list *list, size_t i,
                const struct field_list *other, size_t j)
{
    if (list->within[i] == NULL || other->within[j] == NULL)
        return list->within[i] == other->within[j];
    return strcmp(list->within[i], other->within[j]) == 0;
}

int
field_list_append(struct field_list *list, struct field_list *one,
                  size_t *place, struct error *error)
{
    size_t i = list->count;

    if (i == FIELD_LIST_MAX) {
        error_set(error, EXIT_USAGE, "more than %d fields", FIELD_LIST_MAX);
        return -1;
    }
    if (make_room(list, error) < 0)
        return -1;
    list->name[i] = one->name[0];
    list->source[i] = one->source[0];
    list->within[i] = one->within[0];
    list->chain[i] = one->chain[0];
    list->is_quoted[i] = one->is_quoted[0];
    list->field[i] = one->field[0];
    list->count++;
    one->count = 0;
    *place = i;
    return 0;
}

int
field_list_include(struct field_list *list, struct field_list *one,
                   size_t *place, struct error *error)
{
    for (*place = 0; *place < list->count; ++*place) {
        if (has_same_source(list, *place, one, 0) &&
            has_same_within(list, *place, one, 0) &&
            modifiers_equal(&list->chain[*place], &one->chain[0]))
            return 0;
    }
    return field_list_append(list, one, place, error);
}

bool
field_list_has_chain(const struct field_list *list)
{
    size_t i = 0;

    while (i < list->count && list->chain[i].count == 0)
        i++;
    return i < list->count;
}

bool
field_list_has_parts(const struct field_list *list, size_t i)
{
    const struct modifiers *chain = &list->chain[i];

    return list->within[i] != NULL || modifiers_parts(chain) < chain->count;
}

size_t
field_list_lists(const char *within)
{
    size_t length = strlen(within);
    size_t end = 0;

    for (;;) {
        size_t list = json_path_list(within + end, length - end);
        if (list == length - end)
            return end;
        end += list + 2;
    }
}

bool
field_list_is_around(const struct field_list *list, size_t i, size_t j)
{
    struct modifiers a = list->chain[i];
    struct modifiers b = list->chain[j];

    if (!has_same_source(list, i, list, j) ||
        (list->within[i] == NULL) != (list->within[j] == NULL))
        return false;
    if (list->within[i] != NULL) {
        size_t lists = field_list_lists(list->within[i]);
        return lists <= field_list_lists(list->within[j]) &&
               memcmp(list->within[i], list->within[j], lists) == 0;
    }
    /* The modifiers up to the one that gives the parts. */
    a.count = modifiers_parts(&a) + 1;
    b.count = modifiers_parts(&b) + 1;
    return modifiers_equal(&a, &b);
}

void
field_list_number_parts(struct field_list *list)
{
    size_t first[FIELD_LIST_MAX];
    uint32_t lists = 0;

    for (size_t i = 0; i < list->count; i++) {
        uint32_t same = 0;
        list->parts[i] = 0;
        if (!field_list_has_parts(list, i))
            continue;
        while (same < lists && !(field_list_is_around(list, first[same], i) &&
                                 field_list_is_around(list, i, first[same])))
            same++;
        if (same == lists)
            first[lists++] = i;
        list->parts[i] = same + 1;
    }
}

bool
field_list_is_derived(const struct field_list *list)
{
    size_t i = 0;

    while (i < list->count && list->within[i] == NULL)
        i++;
    return i < list->count || field_list_has_chain(list);
}

int
field_list_sources(struct field_list *sources, const struct field_list *list,
                   uint32_t *column)
{
    struct error error = ERROR_NONE;
    int result = make_room(sources, &error);

    sources->expression = list->expression;
    for (size_t i = 0; result == 0 && i < list->count; i++) {
        size_t at = 0;
        while (at < sources->count && !has_same_source(sources, at, list, i))
            at++;
        column[i] = (uint32_t)at;
        if (at < sources->count)
            continue;
        sources->field[at] = list->field[i];
        sources->count++;
        if (list->source[i] == NULL)
            continue;
        sources->name[at] = strdup(list->source[i]);
        sources->source[at] = strdup(list->source[i]);
        if (sources->name[at] == NULL || sources->source[at] == NULL)
            result = -1;
    }
    error_clear(&error);
    return result;
}

/* Append the field WITHIN of all members.  Returns 0, or -1: out of memory. */
static int
add_member(struct field_list *list, const char *within)
{
    size_t i = list->count++;

    list->field[i] = (struct text_field){.part = TEXT_PART_MEMBER};
    list->name[i] = strdup("");
    list->source[i] = strdup("");
    list->within[i] = strdup(within);
    return list->name[i] != NULL && list->source[i] != NULL &&
                   list->within[i] != NULL
               ? 0
               : -1;
}

int
field_list_add_members(struct field_list *list, struct error *error)
{
    if (make_room(list, error) < 0)
        return -1;
    return add_member(list, FIELD_LIST_MEMBER_NAME) == 0 &&
                   add_member(list, FIELD_LIST_MEMBER_VALUE) == 0
               ? 0
               : error_fail_memory(error);
}

void
field_list_close(struct field_list *list)
{
    for (size_t i = 0; list->name != NULL && i < list->count; i++)
        free(list->name[i]);
    for (size_t i = 0; list->source != NULL && i < list->count; i++)
        free(list->source[i]);
    for (size_t i = 0; list->within != NULL && i < list->count; i++)
        free(list->within[i]);
    for (size_t i = 0; list->chain != NULL && i < list->count; i++)
        modifiers_close(&list->chain[i]);
    free(list->name);
    free(list->source);
    free(list->within);
    free(list->chain);
    free(list->is_quoted);
    free(list->parts);
    free(list->field);
    *list = (struct field_list){0};
}
