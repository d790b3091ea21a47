/* SPDX-License-Identifier: MIT */
/* option_check.c -- checks of combinations of options */

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "cli/found_bins.h"
#include "cli/option_check.h"
#include "cli/option_find.h"
#include "cli/option_set.h"
#include "cli/option_table.h"
#include "report/report.h"

/* ---- rules of the table ---- */

/* Whether the field of ROW differs from the default. */
static bool
is_given(const struct option_row *row, const struct options *options)
{
    if (row->set == option_set_constant)
        return option_row_enumerator(row, options) == row->first;
    return memcmp((const char *)options + row->field.offset,
                  (const char *)&option_defaults + row->field.offset,
                  row->field.bytes) != 0;
}

/* Whether the value of ROW is the LENGTH bytes at TEXT, one of its words. */
static bool
is_word(const struct option_row *row, const struct options *options,
        const char *text, size_t length)
{
    int word = option_row_find_word(row, text, length);

    assert(word >= 0);
    return option_row_enumerator(row, options) ==
           row->first + (unsigned int)word;
}

/* Whether ROW is given; if WHEN is not NULL, whether its value is that word. */
static bool
is_given_when(const struct option_row *row, const struct options *options,
              const char *when)
{
    return when == NULL ? is_given(row, options)
                        : is_word(row, options, when, strlen(when));
}

/* Whether the term of LENGTH bytes, "name" or "name=word", is true. */
static bool
is_true(const struct options *options, const char *term, size_t length)
{
    const char *equal = memchr(term, '=', length);
    size_t name = equal != NULL ? (size_t)(equal - term) : length;
    const struct option_row *row = option_find(term, name);

    assert(row != NULL);
    return equal != NULL ? is_word(row, options, equal + 1, length - name - 1)
                         : is_given(row, options);
}

/* The first true term of TERMS that does not name ROW, which has *LENGTH bytes;
   NULL: none.  So options that exclude each other share a list. */
static const char *
find_true(const struct option_row *row, const struct options *options,
          const char *terms, size_t *length)
{
    for (const char *term = terms; *term != '\0'; term += *length) {
        term += *term == ' ';
        *length = strcspn(term, " ");
        if (is_true(options, term, *length) &&
            option_find(term, *length) != row)
            return term;
    }
    return NULL;
}

/* Write TERMS to TEXT as "--a, --b or --c". */
static void
list_terms(const char *terms, char text[OPTION_LIST_BYTES])
{
    size_t used = 0;

    for (const char *term = terms; *term != '\0';) {
        size_t length = strcspn(term, " ");
        const char *next = term + length + (term[length] == ' ');
        const char *before = term == terms               ? ""
                             : strchr(term, ' ') != NULL ? ", "
                                                         : " or ";
        used += (size_t)snprintf(text + used, OPTION_LIST_BYTES - used,
                                 "%s--%.*s", before, (int)length, term);
        assert(used < OPTION_LIST_BYTES);
        term = next;
    }
}

/* Check RULE, a rule of ROW.  Returns 0, or -1 with *ERROR set. */
static int
check_rule(const struct option_row *row, const struct option_rule *rule,
           const struct options *options, struct error *error)
{
    const char *equal = rule->when != NULL ? "=" : "";
    const char *when = rule->when != NULL ? rule->when : "";
    char list[OPTION_LIST_BYTES];
    size_t length = 0;

    if (!is_given_when(row, options, rule->when))
        return 0;
    const char *excluded =
        rule->excludes != NULL
            ? find_true(row, options, rule->excludes, &length)
            : NULL;
    bool is_lacking = excluded == NULL && rule->needs != NULL &&
                      find_true(row, options, rule->needs, &length) == NULL;
    if (excluded == NULL && !is_lacking)
        return 0;
    if (rule->message != NULL) {
        error_set(error, EXIT_USAGE, "%s", rule->message);
    } else if (excluded != NULL) {
        size_t name = strcspn(excluded, " =");
        error_set(error, EXIT_USAGE, "%s%s%s%s and %s%.*s exclude each other",
                  option_row_dashes(row), row->name, equal, when,
                  option_row_dashes(option_find(excluded, name)), (int)length,
                  excluded);
    } else {
        list_terms(rule->needs, list);
        error_set(error, EXIT_USAGE, "%s%s%s%s needs %s",
                  option_row_dashes(row), row->name, equal, when, list);
    }
    return -1;
}

/* Check all rules of ROW.  Returns 0, or -1 with *ERROR set. */
static int
check_row(const struct option_row *row, const struct options *options,
          struct error *error)
{
    for (size_t r = 0; r < sizeof row->rule / sizeof *row->rule; r++) {
        bool is_rule =
            row->rule[r].needs != NULL || row->rule[r].excludes != NULL;
        if (is_rule && check_rule(row, &row->rule[r], options, error) < 0)
            return -1;
    }
    return 0;
}

static int
check_rules(const struct options *options, struct error *error)
{
    for (size_t i = 0; i < option_count; i++) {
        if (check_row(&option_table[i], options, error) < 0)
            return -1;
    }
    return 0;
}

/* What a format decides that names its fields. */
#define DECIDED                                                        \
    "fields group-by joint weights kmers keep-case prefix bins range " \
    "bin-width edges log scale shift mask mod"

/* Check the options beside a format that decides what is counted.  Returns 0,
   or -1 with *ERROR set. */
static int
check_format_of_fields(const struct options *options, struct error *error)
{
    const struct report_format *format =
        &report_formats[options->report.format];
    const struct option_rule rule = {
        .when = format->name,
        .needs = "seq",
        .excludes =
            format->counts_all ? DECIDED " all-alignments as-aligned" : DECIDED,
    };

    return format->fields == NULL
               ? 0
               : check_rule(option_find("format", strlen("format")), &rule,
                            options, error);
}

/* ---- other rules ---- */

/* The file that ROW, an option, writes; NULL: none. */
static const char *
file_of(const struct option_row *row, const struct options *options)
{
    const char *file;

    if (row->set != option_set_file && row->set != option_set_output)
        return NULL;
    memcpy(&file, (const char *)options + row->field.offset, sizeof file);
    return file;
}

/* Refuse two options that write to the same file. */
static int
check_files(const struct options *options, struct error *error)
{
    for (size_t a = 0; a < option_count; a++) {
        const char *file = file_of(&option_table[a], options);
        for (size_t b = a + 1; file != NULL && b < option_count; b++) {
            const char *other = file_of(&option_table[b], options);
            if (other == NULL || strcmp(file, other) != 0)
                continue;
            error_set(error, EXIT_USAGE, "--%s and --%s name the same file",
                      option_table[a].name, option_table[b].name);
            return -1;
        }
    }
    return 0;
}

/* The option that replaces the rows; NULL if the rows are printed. */
static const char *
instead_of_rows(const struct options *options)
{
    if (options->stats == PLACE_ONLY)
        return "--stats=only";
    return options->plot == PLACE_ONLY ? "--plot=only" : NULL;
}

/* Whether a snapshot can be printed after the previous one. */
static bool
is_repeatable(const struct options *options)
{
    return options->output != NULL || instead_of_rows(options) != NULL ||
           report_formats[options->report.format].is_repeatable;
}

/* The features, enum report_feature, that no chosen output can show. */
static unsigned int
find_unsupported(const struct options *options)
{
    /* Features that only rows have. */
    const unsigned int of_rows = REPORT_ROWS | REPORT_LINES;
    bool has_bars = options->plot != PLACE_NONE;
    bool has_picture = has_bars || options->svg != NULL;

    if (options->stats == PLACE_ONLY)
        return of_rows | (has_bars ? 0 : REPORT_NONZERO) |
               (has_picture ? 0 : REPORT_FLOW);
    /* Pictures of keys have an order; wanted_spec_check() refuses others. */
    if (options->plot == PLACE_ONLY)
        return text_options_are_given(&options->spec.text)
                   ? of_rows & ~(unsigned int)(REPORT_ORDER | REPORT_LEAST)
                   : of_rows;
    return report_formats[options->report.format].unsupported;
}

/* Refuse options that do not apply to the chosen output. */
static int
check_output(const struct options *options, struct error *error)
{
    unsigned int unsupported = find_unsupported(options);
    const char *instead = instead_of_rows(options);

    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        for (size_t u = 0; u < sizeof row->use / sizeof *row->use; u++) {
            const struct option_use *use = &row->use[u];
            if ((use->feature & unsupported) == 0 ||
                !is_given_when(row, options, use->when))
                continue;
            const char *equal = use->when != NULL ? "=" : "";
            const char *when = use->when != NULL ? use->when : "";
            if (instead != NULL)
                error_set(error, EXIT_USAGE, "--%s%s%s does not apply to %s",
                          row->name, equal, when, instead);
            else
                error_set(error, EXIT_USAGE,
                          "--%s%s%s does not apply to --format=%s", row->name,
                          equal, when,
                          report_formats[options->report.format].name);
            return -1;
        }
    }
    return 0;
}

/* Refuse formats without a place for the names that --per-file prints. */
static int
check_per_file(const struct options *options, struct error *error)
{
    const struct report_format *format =
        &report_formats[options->report.format];

    if (!options->plan.per_file || instead_of_rows(options) != NULL ||
        (format->unsupported & REPORT_FILES) == 0)
        return 0;
    error_set(error, EXIT_USAGE,
              "--per-file: --format=%s has no place for the names of files; "
              "tsv, csv, md, table, json and jsonl have",
              format->name);
    return -1;
}

/* The option that set the field of ROW to a constant; NULL: none. */
static const struct option_row *
find_setter(const struct option_row *row, const struct options *options)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *other = &option_table[i];
        if (other->set == option_set_constant &&
            other->field.offset == row->field.offset &&
            option_row_enumerator(row, options) == other->first)
            return other;
    }
    return NULL;
}

int
option_check_constant(const struct option_row *row,
                      const struct options *options, struct error *error)
{
    if (row->set != option_set_constant || !row->is_counting)
        return 0;
    const struct option_row *other = find_setter(row, options);
    if (other == NULL || other == row)
        return 0;
    error_set(error, EXIT_USAGE, "--%s and --%s exclude each other",
              other->name, row->name);
    return -1;
}

/*
 * Returns the message of a format that needs bins of one kind, if OPTIONS do
 * not ask for such bins; otherwise NULL.  Later checks would name bins of any
 * kind.
 */
static const char *
find_lacking_bins(const struct options *options)
{
    const struct report_format *format =
        &report_formats[options->report.format];

    return format->bins != NULL && instead_of_rows(options) == NULL &&
                   !is_given(option_find(format->bins, strlen(format->bins)),
                             options)
               ? format->needs
               : NULL;
}

/* Whether figures of bytes in their order are wanted, with an option that
   leaves out bytes or adds counts up. */
static bool
breaks_order(const struct options *options)
{
    return (options_figures_needs(options) & FIGURE_NEEDS_SERIES) != 0 &&
           (options->state != NULL || options->report.format == FORMAT_STATE ||
            options->shard.count > 0 || options->merge ||
            options->spec.where.count > 0 || options->reset);
}

/* Whether gpu-after is given where it would do nothing. */
static bool
has_vain_size(const struct plan_options *plan)
{
    bool has_several = plan->device == DEVICE_CUDA && plan->gpu_count > 1;

    return plan->gpu_after != PLAN_CHOOSE && plan->device != DEVICE_AUTO &&
           !has_several;
}

int
option_check(const struct options *options, struct error *error)
{
    bool has_statistics =
        options->stats != PLACE_NONE || options->percentiles.count > 0;
    const struct count_limits *limits = &options->report.limits;
    const char *wrong = NULL;

    if (check_format_of_fields(options, error) < 0 ||
        check_rules(options, error) < 0 || check_files(options, error) < 0)
        return -1;
    if (options->equalize != NULL && options->provenance.path_count > 1)
        wrong = "--equalize takes only one image";
    else if (has_vain_size(&options->plan))
        wrong = "--tune=gpu-after needs --device=auto or several GPUs, as in "
                "--device=cuda:0,1";
    else if (options->files0_from != NULL && options->provenance.path_count > 0)
        wrong = "--files0-from names all inputs: no other files";
    else if (interval_is_set(&options->plan.every) && !is_repeatable(options))
        wrong = "--every needs --output, --format=json or jsonl, --stats=only "
                "or --plot=only";
    else if (options->plan.per_file && options->stats != PLACE_ONLY &&
             has_statistics)
        wrong = "--per-file prints no statistics beside the counts: give "
                "--stats=only";
    else if (options->plan.per_file && options->state != NULL &&
             !options->total)
        wrong = "--state with --per-file is of all inputs: give --total";
    else if (has_statistics && options->spec.joint && !options->spec.spectrum)
        wrong = OPTION_ONE_FIELD;
    else if (breaks_order(options))
        wrong = "the figures serial and pi need all bytes of an input in their "
                "order: no --state, --shard, --merge, --where and --reset";
    else if (limits->most != 0 && limits->least > limits->most)
        wrong = "--min-count is greater than --max-count: no value has such a "
                "count";
    else if (options->report.sort == SORT_FIGURE &&
             options->report.figures.count == 0)
        wrong = "--sort by a figure needs --columns; without it the order is "
                "value or count";
    if (options->report.figures.count > 0 &&
        options->spec.text.group_by != NULL && !options->spec.spectrum &&
        options->spec.fields.count == 0 && wrong == NULL &&
        report_check_records(&options->report, error) < 0)
        return -1;
    if (wrong == NULL)
        wrong = find_lacking_bins(options);
    if (wrong == NULL && (check_per_file(options, error) < 0 ||
                          found_bins_check(options, error) < 0))
        return -1;
    if (wrong == NULL)
        return check_output(options, error);
    error_set(error, EXIT_USAGE, "%s", wrong);
    return -1;
}

int
option_check_merge(const struct options *options, struct error *error)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option_row *row = &option_table[i];
        if (row->is_counting && is_given(row, options)) {
            error_set(error, EXIT_USAGE,
                      "%s%s and --merge exclude each other: the states say "
                      "what was counted",
                      option_row_dashes(row), row->name);
            return -1;
        }
    }
    return check_row(option_find("merge", strlen("merge")), options, error);
}
