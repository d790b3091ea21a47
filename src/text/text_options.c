/* text_options.c -- the options for records and fields of text */

#include <string.h>

#include "text/text_options.h"

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

/* Whether lines of FORMAT have fields that a header may name. */
static bool
may_have_header(const struct text_format *format)
{
    return format->kind == TEXT_DELIMITED || format->kind == TEXT_CSV ||
           format->kind == TEXT_WHITESPACE;
}

int
text_options_format(const struct text_options *options,
                    struct text_format *format, struct error *error)
{
    static const enum text_kind kinds[] = {
        [RECORDS_BINARY] = TEXT_DELIMITED, /* --delimiter */
        [RECORDS_LINES] = TEXT_LINES,
        [RECORDS_TSV] = TEXT_DELIMITED,
        [RECORDS_CSV] = TEXT_CSV,
        [RECORDS_WHITESPACE] = TEXT_WHITESPACE,
        [RECORDS_CLF] = TEXT_CLF,
        [RECORDS_WORDS] = TEXT_WORDS,
    };
    unsigned int byte;

    *format = text_format_of(kinds[options->records]);
    if (options->is_zero_terminated)
        format->end = 0;
    if (options->delimiter != NULL) {
        if (parse_byte("delimiter", options->delimiter, &byte, error) < 0)
            return -1;
        format->delimiter = byte;
    }
    if (format->kind == TEXT_DELIMITED && format->delimiter == format->end) {
        error_set(error, EXIT_USAGE, "--delimiter: this byte ends the records");
        return -1;
    }
    if (format->kind == TEXT_CSV &&
        (format->delimiter == format->end || format->delimiter == '"' ||
         format->delimiter == '\r')) {
        error_set(error, EXIT_USAGE,
                  "--delimiter: this byte has a meaning of its own in CSV");
        return -1;
    }
    if (options->comment != NULL) {
        if (parse_byte("comment", options->comment, &byte, error) < 0)
            return -1;
        format->comment = (int)byte;
    }
    return 0;
}

/* Whether FIELDS, the argument of an option or NULL, has names. */
static bool
has_names(const char *fields)
{
    return fields != NULL && field_list_needs_header(fields);
}

bool
text_options_have_header(const struct text_options *options,
                         const struct text_format *format,
                         const struct text_wanted *wanted)
{
    return may_have_header(format) &&
           (options->has_header || has_names(wanted->fields) ||
            has_names(wanted->weights) || has_names(options->group_by));
}

/* Set FIELDS->weight to the field TEXT. */
static int
find_weight(const struct text_format *format, const struct text_header *header,
            const char *text, struct text_fields *fields, struct error *error)
{
    struct field_list one;
    int result = field_list_parse(&one, format, "weights", text, error);

    if (result == 0 && one.count != 1) {
        error_set(error, EXIT_USAGE, "--weights=%s: more than one field", text);
        result = -1;
    }
    if (result == 0)
        result = field_list_resolve(&one, 0, 1, "weights", header, error);
    if (result == 0)
        result =
            field_list_include(&fields->list, &one, &fields->weight, error);
    field_list_close(&one);
    return result;
}

int
text_options_fields(const struct text_options *options,
                    const struct text_format *format,
                    const struct text_header *header,
                    const struct text_wanted *wanted,
                    struct text_fields *fields, struct error *error)
{
    struct field_list *list = &fields->list;
    bool is_whole = format->kind == TEXT_LINES || format->kind == TEXT_WORDS;
    const char *text = is_whole ? "1" : wanted->fields;

    *fields = (struct text_fields){0};
    if (options->group_by != NULL &&
        field_list_add(list, format, "group-by", options->group_by, error) < 0)
        return -1;
    fields->groups = list->count;
    if (text != NULL && field_list_add(list, format, "fields", text, error) < 0)
        return -1;
    fields->counted = list->count;
    if (field_list_resolve(list, 0, fields->groups, "group-by", header, error) <
            0 ||
        field_list_resolve(list, fields->groups, list->count, "fields", header,
                           error) < 0)
        return -1;
    return wanted->weights == NULL
               ? 0
               : find_weight(format, header, wanted->weights, fields, error);
}
