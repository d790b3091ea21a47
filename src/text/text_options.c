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

static int
make_format(struct text_format *format, const struct text_options *options,
            struct error *error)
{
    static const enum text_kind kinds[] = {
        [RECORDS_BINARY] = TEXT_DELIMITED, /* --delimiter */
        [RECORDS_LINES] = TEXT_LINES,
        [RECORDS_TSV] = TEXT_DELIMITED,
        [RECORDS_WHITESPACE] = TEXT_WHITESPACE,
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
    if (options->comment != NULL) {
        if (parse_byte("comment", options->comment, &byte, error) < 0)
            return -1;
        format->comment = (int)byte;
    }
    return 0;
}

int
text_options_parse(const struct text_options *options, const char *fields,
                   struct text_format *format, struct field_list *list,
                   struct error *error)
{
    *list = (struct field_list){0};
    if (make_format(format, options, error) < 0)
        return -1;
    return field_list_parse(list, format->kind == TEXT_LINES ? "1" : fields,
                            error);
}
