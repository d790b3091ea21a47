/* text_types.c -- the rows of text_type.h */

#include "text/clf_names.h"
#include "text/json_paths.h"
#include "text/scan.h"
#include "text/text_options.h"
#include "text/text_type.h"

static int
check_delimited(const struct text_options *options, struct text_format *format,
                struct error *error)
{
    /* As gpuhist writes it. */
    format->is_escaped =
        options->counts == COUNTS_TSV && format->delimiter == '\t';
    if (format->delimiter != format->end)
        return 0;
    error_set(error, EXIT_USAGE, "--delimiter: this byte ends the records");
    return -1;
}

static int
check_csv(const struct text_options *options, struct text_format *format,
          struct error *error)
{
    (void)options;
    if (format->delimiter != format->end && format->delimiter != '"' &&
        format->delimiter != '\r')
        return 0;
    error_set(error, EXIT_USAGE,
              "--delimiter: this byte has a meaning of its own in CSV");
    return -1;
}

static const struct text_type none = {.delimiter = '\t'};

static const struct text_type lines = {
    .name = "lines",
    .delimiter = '\t',
    .has_kernels = true,
    .whole = "line",
    .axis = "lines",
    .open_scan = scan_open_fields,
};

static const struct text_type delimited = {
    .name = "delimited",
    .delimiter = '\t',
    .has_delimiter = true,
    .has_columns = true,
    .has_kernels = true,
    .set = check_delimited,
    .open_scan = scan_open_fields,
};

static const struct text_type whitespace = {
    .name = "whitespace",
    .delimiter = ' ',
    .has_columns = true,
    .has_kernels = true,
    .open_scan = scan_open_fields,
};

static const struct text_type clf = {
    .name = "clf",
    .delimiter = '\t',
    .has_kernels = true,
    .has_misfits = true,
    .counts_misfits = true,
    .empty = "-",
    .find_field = clf_names_find,
    .open_scan = scan_open_fields,
    .fits = scan_fits,
};

static const struct text_type csv = {
    .name = "csv",
    .ends = TEXT_ENDS_QUOTED,
    .values = TEXT_VALUES_CSV,
    .delimiter = ',',
    .has_delimiter = true,
    .has_columns = true,
    .has_kernels = true,
    .skips_blank = true,
    .set = check_csv,
    .open_scan = scan_open_fields,
};

static const struct text_type words = {
    .name = "words",
    .ends = TEXT_ENDS_WORDS,
    .delimiter = '\t',
    .has_kernels = true,
    .whole = "word",
    .open_scan = scan_open_fields,
};

static const struct text_type json = {
    .name = "json",
    .values = TEXT_VALUES_JSON,
    .delimiter = '\t',
    .has_paths = true,
    .has_misfits = true,
    .empty = "null",
    .find_field = json_paths_find,
    .open_scan = scan_open_json,
};

const struct text_type *const text_types[] = {
    [TEXT_NONE] = &none,
    [TEXT_LINES] = &lines,
    [TEXT_DELIMITED] = &delimited,
    [TEXT_WHITESPACE] = &whitespace,
    [TEXT_CLF] = &clf,
    [TEXT_CSV] = &csv,
    [TEXT_WORDS] = &words,
    [TEXT_SEQUENCES] = &text_type_sequences,
    [TEXT_JSON] = &json,
};
