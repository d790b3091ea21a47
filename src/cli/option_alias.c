/* SPDX-License-Identifier: MIT */
/* option_alias.c -- letters of sort, awk and uniq, for options of ours */

#include <stddef.h>
#include <string.h>

#include "base/ascii.h"
#include "cli/option_alias.h"
#include "cli/option_find.h"

/* "uniq -c" counts lines and prints counts first. */
static int
set_uniq(const struct option_row *row, struct options *options,
         const char *value, struct error *error)
{
    (void)row;
    (void)value;
    (void)error;
    options->report.format = FORMAT_UNIQ;
    options->is_uniq = true;
    return 0;
}

static const struct option_row uniq = {
    .name = "format",
    .letter = 'c',
    .set = set_uniq,
};

static const struct option_alias {
    char letter;
    const char *name; /* of the option */
} aliases[] = {
    {'F', "delimiter"}, /* awk */
    {'t', "delimiter"}, /* sort */
    {'n', "top"},       /* head, tail */
};

const struct option_row *
option_alias_find(char letter)
{
    if (letter == uniq.letter)
        return &uniq;
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        const char *name = aliases[i].name;
        if (aliases[i].letter == letter)
            return option_find(name, strlen(name));
    }
    return NULL;
}

int
option_alias_take(char letter, const struct option_row **row,
                  const char **value, struct error *error)
{
    static const char blanks[] = "whitespace";
    const char *text = *value;

    /* awk divides at runs of blanks then. */
    if (letter == 'F' && strcmp(text, " ") == 0) {
        *row = option_find(blanks, sizeof blanks - 1);
        *value = NULL;
        return 0;
    }
    if (letter == 'n' && !ascii_is_digit(text[0])) {
        error_set(error, EXIT_USAGE,
                  "'-n %s': -n N prints the N most frequent values, as --top=N "
                  "(the -n of sort is --dtype=num: fields are numbers)",
                  text);
        return -1;
    }
    if (letter != 'n' && strlen(text) > 1 && strcmp(text, "\\t") != 0) {
        error_set(error, EXIT_USAGE,
                  "'-%c %s': -%c C is --delimiter=C, one byte (%s)", letter,
                  text, letter,
                  letter == 't' ? "a type is --dtype=TYPE"
                                : "-W divides at blanks, and groups of "
                                  "--regex=RE are fields, too");
        return -1;
    }
    return 0;
}

/* Returns what -c lacks beside the other OPTIONS; NULL: nothing. */
static const char *
find_lack(const struct options *options)
{
    const struct spec_options *spec = &options->spec;
    bool has_fields = spec->fields.count > 0 || spec->text.group_by != NULL ||
                      spec->weights != NULL;

    if (!options->is_uniq)
        return NULL;
    if (spec->text.delimiter != NULL && !has_fields && !options->report.profile)
        return "-c with -d C, a delimiter, needs -f or -g (the -d of uniq, "
               "repeated lines, is --min-count=2)";
    return has_fields && options_are_of_bytes(options)
               ? "-c counts whole lines: fields need an option that divides "
                 "lines, as -W, --csv, --tsv or -d C"
               : NULL;
}

int
option_alias_complete(struct options *options, struct error *error)
{
    const char *lack = find_lack(options);

    if (lack != NULL) {
        error_set(error, EXIT_USAGE, "%s", lack);
        return -1;
    }
    options->is_uniq &= options_are_of_bytes(options);
    if (options->is_uniq)
        options->spec.text.kind = TEXT_LINES;
    return 0;
}
