/* SPDX-License-Identifier: MIT */
/*
 * option_parse.c -- from the command line to struct options
 *
 * The syntax is that of getopt_long(): abbreviations, letters together, files
 * between options.  This file does not use getopt_long(), which has global
 * state and reports too little about errors.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/option_alias.h"
#include "cli/option_check.h"
#include "cli/option_find.h"
#include "cli/option_parse.h"
#include "cli/option_table.h"
#include "report/figure_fields.h"
#include "report/report.h"

/* Whether ROW is not complete without a value. */
static bool
needs_value(const struct option_row *row)
{
    return row->argument != NULL && !row->is_optional;
}

/*
 * ROW has an optional argument and was given none; WORD comes next.  Refuse
 * WORD if it is a value of the option and no such file exists: "--log 10" would
 * count the file "10".
 */
static int
check_next(const struct option_row *row, const char *word, struct error *error)
{
    if (word == NULL || option_row_find_word(row, word, strlen(word)) < 0 ||
        access(word, F_OK) == 0)
        return 0;
    error_set(error, EXIT_USAGE,
              "--%s %s: there is no file '%s' (did you mean --%s=%s?)",
              row->name, word, word, row->name, word);
    return -1;
}

/*
 * Take the option WORDS[0], "--name" or "--name=value"; WORDS[1], NULL at the
 * end, may be its argument.  Returns the number of words used, or -1 with
 * *ERROR set.
 */
static int
take_name(const struct option_taker *taker, char *const *words,
          struct error *error)
{
    const char *name = words[0] + 2;
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    const struct option_row *row = option_find_abbreviated(name, length);
    int used = 1;

    if (row == NULL) {
        option_find_fail_name(words[0], error);
        return -1;
    }
    if (value != NULL && row->argument == NULL) {
        error_set(error, EXIT_USAGE, "option '%.*s' takes no value",
                  (int)length + 2, words[0]);
        return -1;
    }
    if (value == NULL && needs_value(row)) {
        value = words[1];
        used = 2;
    }
    if (value == NULL && used == 2) {
        error_set(error, EXIT_USAGE, "option '%s' needs a value", words[0]);
        return -1;
    }
    if (taker->take(taker->context, row, value, error) < 0)
        return -1;
    if (taker->has_files && value == NULL && row->is_optional &&
        check_next(row, words[1], error) < 0)
        return -1;
    return used;
}

/* Refuse the VALUE at the letter of an option if it starts with =, as values of
   long options do; "-d=" is the delimiter. */
static int
check_value(char letter, const char *value, struct error *error)
{
    if (value[0] != '=' || value[1] == '\0')
        return 0;
    error_set(error, EXIT_USAGE,
              "option '-%c': a value follows its letter without =: write "
              "-%c%s, or -%c '%s' for a value that starts with =",
              letter, letter, value + 1, letter, value);
    return -1;
}

/* Refuse WORD, letters after one "-", if the letters are an option's name and
   the first one takes no value: "-log" would write to the file "g".  So does an
   alias, which was no letter once. */
static int
check_letters(const char *word, struct error *error)
{
    const struct option_row *first = option_find_letter(word[1]);
    bool is_alias = option_alias_find(word[1]) != NULL;
    size_t length = strcspn(word + 1, "=");

    if (length == 1 || option_find(word + 1, length) == NULL ||
        (!is_alias && (first == NULL || needs_value(first))))
        return 0;
    error_set(error, EXIT_USAGE,
              "'%s' is several letters: did you mean -%s? (if not, divide "
              "them: -%c -%s)",
              word, word, word[1], word + 2);
    return -1;
}

/* Take WORDS[0], letters after one "-"; otherwise like take_name(). */
static int
take_letters(const struct option_taker *taker, char *const *words,
             struct error *error)
{
    if (check_letters(words[0], error) < 0)
        return -1;
    for (const char *letter = words[0] + 1; *letter != '\0'; letter++) {
        const struct option_row *alias = option_alias_find(*letter);
        const struct option_row *row =
            alias != NULL ? alias : option_find_letter(*letter);
        if (row == NULL) {
            option_find_fail_letter(*letter, words[0], error);
            return -1;
        }
        if (!needs_value(row)) {
            if (taker->take(taker->context, row, NULL, error) < 0)
                return -1;
            continue;
        }
        const char *value = letter[1] != '\0' ? letter + 1 : words[1];
        if (value == NULL) {
            error_set(error, EXIT_USAGE, "option '-%c' needs a value", *letter);
            return -1;
        }
        if (check_value(*letter, letter + 1, error) < 0 ||
            (alias != NULL &&
             option_alias_take(*letter, &row, &value, error) < 0) ||
            taker->take(taker->context, row, value, error) < 0)
            return -1;
        return letter[1] != '\0' ? 1 : 2;
    }
    return 1;
}

int
option_parse_word(const struct option_taker *taker, char *const *words,
                  struct error *error)
{
    return words[0][1] == '-' ? take_name(taker, words, error)
                              : take_letters(taker, words, error);
}

/* Apply an option to CONTEXT, struct options. */
static int
apply(void *context, const struct option_row *row, const char *value,
      struct error *error)
{
    if (option_check_constant(row, context, error) < 0)
        return -1;
    return row->set(row, context, value, error);
}

/*
 * Move the COUNT words after the FILES words at FIRST in front of these.  COUNT
 * is 1 or 2.
 */
static void
move_words(char **first, size_t files, size_t count)
{
    char *moved[2];

    memcpy(moved, first + files, count * sizeof *moved);
    memmove(first + count, first, files * sizeof *first);
    memcpy(first, moved, count * sizeof *moved);
}

/* Count the fields of FORMAT, which has some. */
static void
count_for_format(struct spec_options *spec, const struct report_format *format)
{
    const char *const *fields = format->fields;

    spec->fields = (struct axis_option){.name = "fields"};
    while (fields[spec->fields.count] != NULL) {
        spec->fields.text[spec->fields.count] = fields[spec->fields.count];
        spec->fields.count++;
    }
    spec->joint = report_format_is_joint(format);
    spec->text.all_alignments |= format->counts_all;
    spec->text.counts_references |= format->counts_references;
    spec->text.sums_checksums |= format->sums_checksums;
}

/* Count all fields, and those of CSV by their names in the header. */
static void
count_for_profile(struct options *options)
{
    struct text_options *text = &options->spec.text;

    if (text_options_kind(text) == TEXT_CSV && text->header == HEADER_DEFAULT)
        text->header = HEADER_FIRST;
    if (options->spec.fields.count == 0 && !options->merge)
        options->spec.all_fields = text_options_are_given(text);
}

/* Turn --sample into a condition on the names of reads.  Returns 0, or -1 with
   *ERROR set. */
static int
add_sample(struct options *options, struct error *error)
{
    struct axis_option *where = &options->spec.where;
    char *text = options->sample_condition;
    int digits = (int)strspn(options->sample, "0123456789.");

    if (where->count == SPEC_AXES_MAX) {
        error_set(error, EXIT_USAGE, "--sample: too many --where");
        return -1;
    }
    snprintf(text, OPTIONS_SAMPLE_BYTES, "name:pair:hash=%" PRIu64 "<%.*se-2",
             options->seed, digits, options->sample);
    where->text[where->count++] = text;
    return 0;
}

/* Whether FIGURE is of numbers. */
static bool
is_of_numbers(const struct figure *figure, const struct options *options)
{
    /* With --invalid=count, a record that is wrong has no text either. */
    return (figure_row(figure)->needs & FIGURE_NEEDS_NUMBERS) != 0 ||
           (figure->kind == FIGURE_INVALID &&
            !text_options_count_invalid(&options->spec.text));
}

#define ADD_COUNT(name) +options->spec.axis.name.count

/* Whether options for bins say how numbers of text are read. */
static bool
has_bins(const struct options *options)
{
    size_t given = 0 AXIS_TEXTS(ADD_COUNT);

    return given > 0;
}

/* Whether any of FIGURES is of numbers. */
static bool
are_of_numbers(const struct figures *figures, const struct options *options)
{
    bool are = false;

    for (size_t i = 0; i < figures->count; i++)
        are |= is_of_numbers(&figures->figure[i], options);
    return are;
}

/* Whether --columns wants figures of numbers, or --stats does and no option
   for bins decides.  HAS_NUMBERS: all figures are of numbers. */
static bool
wants_numbers(const struct options *options, bool has_numbers)
{
    const struct report_options *report = &options->report;
    const struct summary_options *summary = &options->summary;

    if (report->figures.count > 0)
        return has_numbers || are_of_numbers(&report->figures, options) ||
               (report->sort == SORT_FIGURE &&
                is_of_numbers(&report->sort_figure, options));
    return options->stats != PLACE_NONE &&
           (has_numbers || summary->has_stats ||
            are_of_numbers(&summary->figures, options)) &&
           !has_bins(options) && options->spec.text.group_by == NULL;
}

/*
 * Whether the fields of text are decimals, because --columns or --stats is of
 * numbers: their sums are exact then.
 */
static bool
are_decimals(const struct options *options)
{
    const char *dtype = options->spec.dtype;
    bool is_num = dtype != NULL && strcmp(dtype, "num") == 0;

    return (is_num || dtype == NULL) && !options->merge &&
           !options->spec.spectrum &&
           text_options_are_given(&options->spec.text) &&
           !text_options_type(&options->spec.text)->has_numbers &&
           wants_numbers(options, is_num);
}

/* Whether A and B name one field. */
static bool
are_of_one_field(const struct figure *a, const struct figure *b)
{
    return a->field != NULL && b->field != NULL &&
           a->field_length == b->field_length &&
           memcmp(a->field, b->field, (size_t)a->field_length) == 0;
}

/* Whether figure I of FIGURES is the first that names its field. */
static bool
names_first(const struct figures *figures, size_t i)
{
    for (size_t before = 0; before < i; before++) {
        if (are_of_one_field(&figures->figure[i], &figures->figure[before]))
            return false;
    }
    return figures->figure[i].field != NULL;
}

/* Whether FIGURE is of a field of which OPTIONS want no figure of numbers. */
static bool
is_of_texts(const struct figure *figure, const struct options *options)
{
    const struct report_options *report = &options->report;
    const struct figures *figures = &report->figures;
    bool has_number = report->sort == SORT_FIGURE &&
                      are_of_one_field(figure, &report->sort_figure) &&
                      is_of_numbers(&report->sort_figure, options);

    for (size_t i = 0; i < figures->count; i++)
        has_number |= are_of_one_field(figure, &figures->figure[i]) &&
                      is_of_numbers(&figures->figure[i], options);
    return !has_number;
}

/* Find the fields that are texts among fields of numbers: "name:distinct"
   beside "price:mean". */
static void
find_texts(struct options *options)
{
    const struct figures *figures = &options->report.figures;
    struct spec_names *texts = &options->spec.texts;

    for (size_t i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->figure[i];
        if (!names_first(figures, i) || !is_of_texts(figure, options))
            continue;
        texts->name[texts->count] = figure->field;
        texts->length[texts->count++] = figure->field_length;
    }
}

/* Add the field of FIGURE to the USED bytes in options->named_fields.  Returns
   the bytes then, or OPTIONS_FIELDS_BYTES and more: there is no room. */
static size_t
add_named_field(struct options *options, size_t used,
                const struct figure *figure)
{
    if (used >= OPTIONS_FIELDS_BYTES)
        return used;
    return used + (size_t)snprintf(options->named_fields + used,
                                   OPTIONS_FIELDS_BYTES - used, "%s%.*s",
                                   used > 0 ? "," : "", figure->field_length,
                                   figure->field);
}

/* Count the fields that the figures of --columns name, since --fields is not
   given.  Returns 0, or -1 with *ERROR set. */
static int
count_named_fields(struct options *options, struct error *error)
{
    const struct report_options *report = &options->report;
    const struct figures *figures = &report->figures;
    bool has_order =
        report->sort == SORT_FIGURE && report->sort_figure.field != NULL;
    size_t used = 0;

    for (size_t i = 0; i < figures->count; i++) {
        if (names_first(figures, i))
            used = add_named_field(options, used, &figures->figure[i]);
        has_order &=
            !are_of_one_field(&figures->figure[i], &report->sort_figure);
    }
    if (has_order)
        used = add_named_field(options, used, &report->sort_figure);
    options->spec.fields = (struct axis_option){
        .name = "fields",
        .text = {options->named_fields},
        .count = 1,
    };
    if (used < OPTIONS_FIELDS_BYTES)
        return 0;
    error_set(error, EXIT_USAGE,
              "--columns: the names of the fields are too long: give --fields, "
              "too");
    return -1;
}

/* Add the percentiles to the figures of --stats.  Returns 0, or -1 with *ERROR
   set. */
static int
complete_stats(struct options *options, struct error *error)
{
    struct summary_options *summary = &options->summary;
    const struct figures *percentiles = &options->percentiles;

    summary->has_stats =
        options->stats != PLACE_NONE && summary->figures.count == 0;
    if (options->stats == PLACE_NONE && percentiles->count > 0)
        options->stats = PLACE_BESIDE;
    /* --stats without names has a figure that values are searched for. */
    size_t most = summary->has_stats ? FIGURES_MAX - 1 : FIGURES_MAX;
    for (size_t p = 0; p < percentiles->count; p++) {
        if (summary->figures.count == most) {
            error_set(error, EXIT_USAGE,
                      "--stats and --percentiles: more than %zu figures", most);
            return -1;
        }
        summary->figures.figure[summary->figures.count++] =
            percentiles->figure[p];
    }
    return 0;
}

/* Choose the order of --top without --sort: the greatest counts, or with
   --columns the greatest figures of the first column. */
static void
order_for_top(struct report_options *report)
{
    const struct figure *first = &report->figures.figure[0];
    /* A mode may be a key, which has no order. */
    bool is_figure = report->figures.count > 0 && first->kind != FIGURE_MODE &&
                     (first->kind != FIGURE_COUNT || first->field != NULL);

    report->sort = is_figure ? SORT_FIGURE : SORT_COUNT;
    if (is_figure)
        report->sort_figure = *first;
}

int
option_parse_complete(struct options *options, struct error *error)
{
    const struct report_format *format =
        &report_formats[options->report.format];

    if (option_alias_complete(options, error) < 0)
        return -1;
    if (figure_fields_are_named(&options->report) && !options->merge &&
        options->spec.fields.count == 0 &&
        count_named_fields(options, error) < 0)
        return -1;
    if (option_check(options, error) < 0)
        return -1;
    if (options->report.profile)
        count_for_profile(options);
    if (complete_stats(options, error) < 0)
        return -1;
    if (are_decimals(options)) {
        if (options->spec.dtype == NULL)
            find_texts(options);
        options->spec.dtype = "decimal";
    }
    options->report.each_by_value = options->report.sort == SORT_VALUE;
    if (options->report.sort == SORT_DEFAULT && options->report.top != 0)
        order_for_top(&options->report);
    options->plot_sort = options->report.sort;
    if (options->report.sort == SORT_DEFAULT)
        options->report.sort = SORT_VALUE;
    if (format->fields != NULL)
        count_for_format(&options->spec, format);
    return options->sample != NULL ? add_sample(options, error) : 0;
}

int
option_parse(struct options *options, int argc, char **argv,
             struct error *error)
{
    bool is_posix = getenv("POSIXLY_CORRECT") != NULL;
    bool is_end = false;
    int files = 0; /* the number of files just before argv[next] */
    int next = 1;

    *options = option_defaults;
    const struct option_taker taker = {apply, options, true};
    while (next < argc && !is_end) {
        char *word = argv[next];
        int used = 1;
        if (word[0] != '-' || word[1] == '\0') {
            if (is_posix)
                break;
            files++;
            next++;
            continue;
        }
        is_end = strcmp(word, "--") == 0;
        if (!is_end)
            used = option_parse_word(&taker, argv + next, error);
        if (used < 0)
            return -1;
        move_words(argv + next - files, (size_t)files, (size_t)used);
        next += used;
    }
    options->provenance.path_count = (size_t)(argc - next + files);
    if (options->provenance.path_count > 0)
        options->provenance.paths = argv + next - files;
    options->provenance.arguments = argv + 1;
    options->provenance.argument_count = (size_t)(next - files) - 1;
    return options->merge ? option_check_merge(options, error)
                          : option_parse_complete(options, error);
}
