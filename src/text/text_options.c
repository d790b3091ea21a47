/* SPDX-License-Identifier: MIT */
/* text_options.c -- the options for records and fields of text */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/clf_names.h"
#include "text/pattern/log_formats.h"
#include "text/pattern_scan.h"
#include "text/regex_scan.h"
#include "text/text_options.h"

unsigned int
text_options_log_kind(const struct text_options *options)
{
    return log_format_is_json(options->log_format) ? TEXT_JSON : TEXT_PATTERN;
}

bool
text_options_header_is_comment(const struct text_options *options)
{
    return options->header == HEADER_COMMENT ||
           (options->log_format != NULL &&
            log_format_has_header(options->log_format));
}

static int
fail_byte(const char *option, const char *text, struct error *error)
{
    error_set(error, EXIT_USAGE, "--%s=%s: not a single byte (\\t is a tab)",
              option, text);
    return -1;
}

/* Parse the argument TEXT of OPTION: one byte, or \t. */
static int
parse_byte(const char *option, const char *text, unsigned int *byte,
           struct error *error)
{
    if (strcmp(text, "\\t") == 0)
        *byte = '\t';
    else if (text[0] != '\0' && text[1] == '\0')
        *byte = (unsigned char)text[0];
    else
        return fail_byte(option, text, error);
    return 0;
}

/* Returns what is wrong with MARK, SIZE bytes, as the mark of comments of
   FORMAT; NULL: nothing. */
static const char *
find_wrong_mark(const struct text_format *format, const char *mark, size_t size)
{
    const struct text_type *type = text_type_of(format->kind);

    if (size == 0)
        return "the mark of comments has no byte";
    if (size > TEXT_COMMENT_BYTES)
        return "the mark of comments has more than 32 bytes";
    if (size == 1)
        return NULL;
    if (type->strips_comments)
        return "of sequences, one byte marks comments";
    if (memchr(mark, (int)format->end, size) != NULL)
        return "the mark of comments cannot have the end of a record";
    if (type->values == TEXT_VALUES_CSV && memchr(mark, '"', size) != NULL)
        return "in CSV, a mark of several bytes cannot have a quote";
    if (format->kind == TEXT_WORDS && strpbrk(mark, " \t\n") != NULL)
        return "with --words, a mark of several bytes cannot have a blank";
    return NULL;
}

/* Set the mark of comments of FORMAT to the argument of --comment; without it,
   to # if a comment is the header.  Returns 0, or -1 with *ERROR set. */
static int
set_comment(const struct text_options *options, struct text_format *format,
            struct error *error)
{
    const char *mark = options->comment;

    if (mark == NULL && options->log_format != NULL)
        mark = log_format_comment(options->log_format);
    if (mark == NULL && options->header == HEADER_COMMENT)
        mark = "#";
    if (mark == NULL)
        return 0;
    if (strcmp(mark, "\\t") == 0)
        mark = "\t";
    size_t size = strlen(mark);
    const char *wrong = find_wrong_mark(format, mark, size);
    if (wrong != NULL) {
        error_set(error, EXIT_USAGE, "--comment=%s: %s", options->comment,
                  wrong);
        return -1;
    }
    format->comment = (unsigned char)mark[0];
    format->comment_more = (binning_u32)size - 1;
    memcpy(format->comment_rest, mark + 1, size - 1);
    return 0;
}

/* Returns 0, or -1 with *ERROR set: the delimiter of FORMAT means something
   else. */
static int
check_delimiter(const struct text_format *format, struct error *error)
{
    const struct text_type *type = text_type_of(format->kind);
    bool is_quoted = type->values == TEXT_VALUES_CSV;

    if (!type->has_delimiter || (format->delimiter != format->end &&
                                 (!is_quoted || (format->delimiter != '"' &&
                                                 format->delimiter != '\r'))))
        return 0;
    error_set(error, EXIT_USAGE, "--delimiter: this byte %s",
              is_quoted ? "has a meaning of its own in CSV"
                        : "ends the records");
    return -1;
}

int
text_options_format(const struct text_options *options,
                    struct text_format *format, struct error *error)
{
    unsigned int byte;

    *format = text_format_of(text_options_kind(options));
    if (options->counts == COUNTS_UNIQ)
        format->counts = TEXT_COUNTS_FIRST;
    else if (options->counts == COUNTS_TSV)
        format->counts = TEXT_COUNTS_LAST;
    if (options->is_zero_terminated)
        format->end = 0;
    if (options->delimiter != NULL) {
        if (parse_byte("delimiter", options->delimiter, &byte, error) < 0)
            return -1;
        format->delimiter = byte;
    }
    format->counts_invalid = text_options_count_invalid(options);
    /* As gpuhist writes it. */
    format->is_escaped = options->counts == COUNTS_TSV &&
                         format->kind == TEXT_DELIMITED &&
                         format->delimiter == '\t';
    if (check_delimiter(format, error) < 0)
        return -1;
    return set_comment(options, format, error);
}

/* Whether FIELDS, the argument of an option or NULL, has names. */
static bool
has_names(const char *fields)
{
    return fields != NULL && field_list_needs_header(fields);
}

/* Returns the option that has the name of a field; NULL: none has. */
static const char *
find_named(const struct text_options *options, const struct text_wanted *wanted,
           const struct condition_list *conditions)
{
    for (size_t i = 0; i < wanted->lists; i++) {
        if (has_names(wanted->fields[i]))
            return "fields";
    }
    for (size_t i = 0; i < conditions->count; i++) {
        if (condition_has_name(&conditions->condition[i]))
            return "where";
    }
    return has_names(options->group_by) ? "group-by"
           : has_names(wanted->weights) ? "weights"
                                        : NULL;
}

/* Whether the names of the fields of FORMAT will stand in a header; EXPRESSION
   is that of the fields. */
static bool
lacks_names(const struct text_format *format, const char *expression)
{
    return text_type_of(format->kind)->names == TEXT_NAMES_PATTERN &&
           log_format_has_header(expression);
}

int
text_options_find_header(const struct text_options *options,
                         const struct text_format *format,
                         const struct text_wanted *wanted,
                         const struct condition_list *conditions,
                         bool *has_header, struct error *error)
{
    const char *named = NULL;

    *has_header = lacks_names(format, options->log_format);
    if (!text_type_of(format->kind)->has_columns)
        return 0;
    if (options->header == HEADER_DEFAULT || options->header == HEADER_NONE)
        named = find_named(options, wanted, conditions);
    *has_header = options->header == HEADER_DEFAULT
                      ? named != NULL
                      : options->header != HEADER_NONE;
    if (options->header != HEADER_NONE || named == NULL)
        return 0;
    error_set(error, EXIT_USAGE,
              "--%s has the name of a field, but with --header-in=none fields "
              "have numbers only",
              named);
    return -1;
}

/* Find the names of LIST, new fields of FIELDS, in the pattern of --log-format,
   if FORMAT has one whose names are known.  Returns 0, or -1 with *ERROR set.
 */
static int
find_in_pattern(const struct text_format *format,
                const struct text_fields *fields, struct field_list *list,
                struct error *error)
{
    list->expression = fields->list.expression;
    return text_type_of(format->kind)->names == TEXT_NAMES_PATTERN &&
                   !lacks_names(format, list->expression)
               ? pattern_scan_resolve(list, error)
               : 0;
}

/* Set FIELDS->weight to the field TEXT, the argument of OPTION. */
static int
find_weight(const struct text_format *format, const struct text_header *header,
            const char *option, const char *text, bool is_own,
            struct text_fields *fields, struct error *error)
{
    struct field_list one;
    int result = field_list_parse(&one, format, option, text, error);

    if (result == 0 && one.count != 1) {
        error_set(error, EXIT_USAGE, "--%s=%s: more than one field", option,
                  text);
        result = -1;
    }
    if (result == 0)
        result = field_list_resolve(&one, 0, 1, option, header, error);
    if (result == 0)
        result = find_in_pattern(format, fields, &one, error);
    /* A weight that no modifier reads is wrong, and no value of an axis. */
    if (result == 0)
        result =
            is_own || field_list_has_chain(&one)
                ? field_list_append(&fields->list, &one, &fields->weight, error)
                : field_list_include(&fields->list, &one, &fields->weight,
                                     error);
    field_list_close(&one);
    return result;
}

/* ---- conditions ---- */

/* Whether field 0 of LIST, of FORMAT, is a name that a header must resolve. */
static bool
is_name(const struct text_format *format, const struct field_list *list)
{
    return text_type_of(format->kind)->has_columns &&
           list->field[0].number == 0 && !list->field[0].is_from_last;
}

/* Find the field of CONDITION, and append it to FIELDS if FIELDS lacks it. */
static int
find_condition(const struct text_format *format,
               const struct text_header *header, bool is_own,
               struct condition *condition, struct text_fields *fields,
               struct error *error)
{
    const char *whole = text_type_of(format->kind)->whole;
    const struct field_parts parts = {condition->field, condition->chain,
                                      condition->is_quoted};
    struct field_list one = {0};

    if (whole != NULL &&
        (condition->is_quoted || (strcmp(condition->field, "1") != 0 &&
                                  strncmp(condition->field, "1:", 2) != 0))) {
        error_set(error, EXIT_USAGE,
                  "--where: '%s' is no field: a whole %s is field 1",
                  condition->field, whole);
        return -1;
    }
    int result = field_list_parse_one(&one, format, "where", &parts, error);
    bool is_resolved = result == 0 &&
                       !lacks_names(format, fields->list.expression) &&
                       (header != NULL || !is_name(format, &one));
    if (result == 0)
        result = field_list_resolve(&one, 0, 1, "where", header, error);
    if (result == 0)
        result = find_in_pattern(format, fields, &one, error);
    if (result == 0 && is_resolved)
        result = condition_modify(condition, &one.chain[0], error);
    condition->is_of_list = result == 0 && field_list_has_parts(&one, 0);
    if (result == 0)
        result = is_own ? field_list_append(&fields->list, &one,
                                            &condition->column, error)
                        : field_list_include(&fields->list, &one,
                                             &condition->column, error);
    field_list_close(&one);
    return result;
}

/* Returns the field to count of records of FORMAT without a list; NULL:
   none. */
static const char *
default_field(const struct text_options *options,
              const struct text_format *format)
{
    const struct text_type *type = text_type_of(format->kind);

    return type->whole != NULL ||
                   (type->names == TEXT_NAMES_GROUPS &&
                    options->group_by == NULL) ||
                   (format->counts != TEXT_COUNTS_NONE &&
                    options->group_by == NULL)
               ? "1"
               : NULL;
}

/* Append the lists of WANTED to FIELDS, after the groups. */
static int
add_lists(struct text_fields *fields, const struct text_format *format,
          const struct text_wanted *wanted, struct error *error)
{
    struct field_list *list = &fields->list;

    list->shared = list->first = list->count;
    for (size_t i = 0; i < wanted->lists; i++) {
        if (wanted->is_joint)
            list->first = list->count;
        if (field_list_add(list, format, "fields", wanted->fields[i], error) <
            0)
            return -1;
        fields->end[i] = list->count;
    }
    list->first = list->shared;
    return 0;
}

int
text_options_lists(const struct text_options *options,
                   const struct text_format *format,
                   const struct text_wanted *wanted, const char *field,
                   struct text_fields *fields, struct error *error)
{
    struct field_list *list = &fields->list;

    if (options->group_by != NULL &&
        field_list_add(list, format, "group-by", options->group_by, error) < 0)
        return -1;
    fields->groups = list->count;
    if (wanted->lists > 0
            ? add_lists(fields, format, wanted, error) < 0
            : field != NULL &&
                  field_list_add(list, format, "fields", field, error) < 0)
        return -1;
    fields->counted = list->count;
    return 0;
}

/* ---- all fields ---- */

/* The most bytes of the list of all columns. */
#define COLUMNS_TEXT_BYTES 32

/*
 * Append all fields of a record of FORMAT to FIELDS, which has no field yet.
 * Of a log whose names are not known yet, there are none.  Returns 0, or -1
 * with *ERROR set.
 */
static int
add_all(struct text_fields *fields, const struct text_options *options,
        const struct text_format *format, const struct text_wanted *wanted,
        struct error *error)
{
    char columns[COLUMNS_TEXT_BYTES] = "1";
    char *names = NULL;
    const char *text = default_field(options, format);
    enum text_names kind = text_type_of(format->kind)->names;

    if (kind == TEXT_NAMES_CLF) {
        text = clf_names_of_line;
    } else if (kind == TEXT_NAMES_PATTERN) {
        if (pattern_scan_names(fields->list.expression, &names, error) < 0)
            return -1;
        text = names;
    } else if (wanted->columns >= FIELD_LIST_MAX) {
        error_set(error, EXIT_USAGE,
                  "--profile: the records have %zu fields, and lines are for "
                  "%d at most: choose by --fields",
                  wanted->columns, FIELD_LIST_MAX - 1);
        return -1;
    } else if (kind == TEXT_NAMES_COLUMNS && text == NULL) {
        if (wanted->columns > 0)
            snprintf(columns, sizeof columns, "1-%zu", wanted->columns + 1);
        text = columns;
    }
    if (kind == TEXT_NAMES_PATHS || kind == TEXT_NAMES_KEYS) {
        fields->groups = 1;
        fields->counted = 2;
        fields->has_members = true;
        return field_list_add_members(&fields->list, error);
    }
    int result =
        text != NULL && *text != '\0'
            ? field_list_add(&fields->list, format, "profile", text, error)
            : 0;
    free(names);
    fields->counted = fields->list.count;
    return result;
}

/* Give the columns of LIST the names that HEADER has for them.  Returns 0, or
   -1 with *ERROR set. */
static int
name_columns(struct field_list *list, const struct text_header *header,
             struct error *error)
{
    for (size_t i = 0; i < list->count && i < header->count; i++) {
        const struct text_name *name = &header->name[i];
        if (name->size == 0 || list->name[i] != NULL)
            continue;
        list->name[i] = strndup((const char *)name->bytes, name->size);
        if (list->name[i] == NULL)
            return error_fail_memory(error);
    }
    return 0;
}

/* Append the fields that OPTIONS and WANTED ask for to FIELDS.  Returns 0, or
   -1 with *ERROR set. */
static int
add_wanted(struct text_fields *fields, const struct text_options *options,
           const struct text_format *format, const struct text_header *header,
           const struct text_wanted *wanted, struct error *error)
{
    const struct text_type *type = text_type_of(format->kind);

    if (!wanted->is_all)
        return text_options_lists(options, format, wanted,
                                  default_field(options, format), fields,
                                  error);
    int result =
        wanted->lists > 0
            ? text_options_lists(options, format, wanted, NULL, fields, error)
            : add_all(fields, options, format, wanted, error);
    /* Records of which one field is counted have no others. */
    if (result < 0 || type->names != TEXT_NAMES_COLUMNS ||
        default_field(options, format) != NULL)
        return result;
    fields->has_rest = fields->counted > 0;
    return header != NULL ? name_columns(&fields->list, header, error) : 0;
}

int
text_options_fields(const struct text_options *options,
                    const struct text_format *format,
                    const struct text_header *header,
                    const struct text_wanted *wanted,
                    struct condition_list *conditions,
                    struct text_fields *fields, struct error *error)
{
    struct field_list *list = &fields->list;

    *fields = (struct text_fields){
        .list.expression = options->regex != NULL     ? options->regex
                           : options->matches != NULL ? options->matches
                                                      : options->log_format};
    if (header != NULL && header->format != NULL)
        list->expression = header->format;
    if (add_wanted(fields, options, format, header, wanted, error) < 0)
        return -1;
    if (field_list_resolve(list, 0, fields->groups, "group-by", header, error) <
            0 ||
        field_list_resolve(list, fields->groups, list->count, "fields", header,
                           error) < 0 ||
        find_in_pattern(format, fields, list, error) < 0)
        return -1;
    const char *weight =
        format->counts == TEXT_COUNTS_LAST ? "NF" : wanted->weights;
    if (weight != NULL &&
        find_weight(format, header,
                    format->counts == TEXT_COUNTS_LAST ? "counts" : "weights",
                    weight, options->ignores_case, fields, error) < 0)
        return -1;
    for (size_t i = 0; i < conditions->count; i++) {
        if (find_condition(format, header, options->ignores_case,
                           &conditions->condition[i], fields, error) < 0)
            return -1;
    }
    field_list_number_parts(list);
    return text_type_of(format->kind)->names == TEXT_NAMES_GROUPS
               ? regex_scan_resolve(list, format, error)
               : 0;
}
