/* SPDX-License-Identifier: MIT */
/* option_set.c -- functions that set an option */

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "base/interval.h"
#include "base/near_names.h"
#include "base/number.h"
#include "base/size.h"
#include "cli/option_set.h"
#include "input/archive/members.h"

/* Room for "tune=" and a key. */
#define OPTION_NAME_BYTES 40

/* Limits of gpu-timeout, in seconds. */
#define GPU_TIMEOUT_MIN 0.01
#define GPU_TIMEOUT_MAX 1e6

/* Write the words of ROW to TEXT as "a, b or c", words that resemble VALUE
   first. */
static void
list_nearest(const struct option_row *row, const char *value,
             char text[OPTION_LIST_BYTES])
{
    const char *word[NEAR_NAMES_MAX + 1];
    struct near_names names = {near_names_string, word, 0, ""};
    char list[NEAR_NAMES_BYTES];
    const char *remark;

    while (names.count < NEAR_NAMES_MAX &&
           (word[names.count] = option_row_word(row, names.count, &remark)) !=
               NULL)
        names.count++;
    near_names_list(&names, value, strlen(value), list);
    const char *last = strrchr(list, ',');
    int first = last != NULL ? (int)(last - list) : 0;
    snprintf(text, OPTION_LIST_BYTES, "%.*s%s%.80s", first, list,
             last != NULL ? " or " : "",
             last != NULL ? last + strlen(", ") : list);
}

/* Set *ERROR: VALUE is not valid for ROW.  Returns -1. */
static int
bad_value(const struct option_row *row, const char *value, struct error *error)
{
    char words[OPTION_LIST_BYTES];
    const char *wanted = row->wanted;

    bool is_size =
        row->set == option_set_size || row->set == option_set_interval;
    if (is_size && row->most == 0 && size_is_too_large(value)) {
        error_set(error, EXIT_USAGE,
                  "--%s: '%s' is too large: at most 2^63 - 1", row->name,
                  value);
        return -1;
    }
    if (wanted == NULL) {
        list_nearest(row, value, words);
        wanted = words;
    }
    error_set(error, EXIT_USAGE, "--%s: '%s' is not %s", row->name, value,
              wanted);
    return -1;
}

static void *
field_of(const struct option_row *row, struct options *options)
{
    return (char *)options + row->field.offset;
}

/* Copy SOURCE, of size BYTES, to the field of ROW.  Returns 0. */
static int
store(const struct option_row *row, struct options *options, const void *source,
      size_t bytes)
{
    assert(row->field.bytes == bytes);
    memcpy(field_of(row, options), source, bytes);
    return 0;
}

/* ---- kinds of options ---- */

int
option_set_flag(const struct option_row *row, struct options *options,
                const char *value, struct error *error)
{
    static const bool is_set = true;

    (void)value;
    (void)error;
    return store(row, options, &is_set, sizeof is_set);
}

int
option_set_members(const struct option_row *row, struct options *options,
                   const char *value, struct error *error)
{
    if (members_type() != NULL)
        return option_set_flag(row, options, value, error);
    error_set(error, EXIT_USAGE,
              "--members: this gpuhist is built without libarchive");
    return -1;
}

int
option_set_constant(const struct option_row *row, struct options *options,
                    const char *value, struct error *error)
{
    (void)value;
    (void)error;
    return store(row, options, &row->first, sizeof row->first);
}

int
option_set_word(const struct option_row *row, struct options *options,
                const char *value, struct error *error)
{
    unsigned int enumerator = row->absent;

    if (value != NULL) {
        int word = option_row_find_word(row, value, strlen(value));
        if (word < 0)
            return bad_value(row, value, error);
        enumerator = row->first + (unsigned int)word;
    }
    return store(row, options, &enumerator, sizeof enumerator);
}

int
option_set_help(const struct option_row *row, struct options *options,
                const char *value, struct error *error)
{
    options->action = ACTION_HELP;
    return option_set_word(row, options, value, error);
}

static bool
is_within(const struct option_row *row, uint64_t number)
{
    return number >= row->least && (row->most == 0 || number <= row->most);
}

int
option_set_size(const struct option_row *row, struct options *options,
                const char *value, struct error *error)
{
    uint64_t size;

    if (size_parse(value, &size) < 0 || !is_within(row, size))
        return bad_value(row, value, error);
    return store(row, options, &size, sizeof size);
}

/* Read decimal digits, a number up to MOST.  Returns 0, or -1. */
static int
parse_digits(const char *text, unsigned int most, unsigned int *number)
{
    struct wide integer;

    if (text[strspn(text, "0123456789")] != '\0' ||
        number_parse_digits(text, &integer) < 0 || integer.high > 0 ||
        integer.low > most)
        return -1;
    *number = (unsigned int)integer.low;
    return 0;
}

int
option_set_number(const struct option_row *row, struct options *options,
                  const char *value, struct error *error)
{
    unsigned int number;

    if (parse_digits(value, UINT_MAX, &number) < 0 || !is_within(row, number))
        return bad_value(row, value, error);
    return store(row, options, &number, sizeof number);
}

int
option_set_text(const struct option_row *row, struct options *options,
                const char *value, struct error *error)
{
    (void)error;
    return store(row, options, &value, sizeof value);
}

/* More digits are probably a mistake. */
#define PERCENTAGE_BYTES_MAX 20

int
option_set_percentage(const struct option_row *row, struct options *options,
                      const char *value, struct error *error)
{
    char digits[PERCENTAGE_BYTES_MAX + 1] = "";
    size_t size = strspn(value, "0123456789.");
    double percent = 0;

    if (size > 0 && size <= PERCENTAGE_BYTES_MAX)
        memcpy(digits, value, size);
    bool is_wrong = strcmp(value + size, "%") != 0 || digits[0] == '.' ||
                    value[size - (size > 0)] == '.' ||
                    number_parse(digits, &percent) < 0;
    if (is_wrong || percent <= 0 || percent > 100)
        return bad_value(row, value, error);
    return store(row, options, &value, sizeof value);
}

int
option_set_output(const struct option_row *row, struct options *options,
                  const char *value, struct error *error)
{
    return option_set_text(row, options, strcmp(value, "-") == 0 ? NULL : value,
                           error);
}

int
option_set_file(const struct option_row *row, struct options *options,
                const char *value, struct error *error)
{
    if (strcmp(value, "-") == 0)
        return bad_value(row, value, error);
    return option_set_text(row, options, value, error);
}

int
option_set_axis(const struct option_row *row, struct options *options,
                const char *value, struct error *error)
{
    struct axis_option *option = field_of(row, options);

    assert(row->field.bytes == sizeof *option);
    if (option->count == SPEC_AXES_MAX) {
        error_set(error, EXIT_USAGE, "--%s is given more than %d times",
                  row->name, SPEC_AXES_MAX);
        return -1;
    }
    option->name = row->name;
    option->text[option->count++] = value != NULL ? value : row->words[0];
    return 0;
}

int
option_set_interval(const struct option_row *row, struct options *options,
                    const char *value, struct error *error)
{
    struct interval interval;

    if (interval_parse(value, &interval) < 0)
        return bad_value(row, value, error);
    return store(row, options, &interval, sizeof interval);
}

/* ---- single options ---- */

/* Whether TEXT is a valid name of a Prometheus metric. */
static bool
is_metric(const char *text)
{
    static const char first[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ_:";

    if (strspn(text, first) == 0)
        return false;
    while (*text != '\0' &&
           (strchr(first, *text) != NULL || ascii_is_digit(*text)))
        text++;
    return *text == '\0';
}

int
option_set_metric(const struct option_row *row, struct options *options,
                  const char *value, struct error *error)
{
    if (!is_metric(value))
        return bad_value(row, value, error);
    return option_set_text(row, options, value, error);
}

/* Read "N[,N]...", distinct ordinals of GPUs.  Returns 0, or -1. */
static int
parse_gpus(const char *list, struct plan_options *plan)
{
    plan->gpu_count = 0;
    for (;;) {
        char word[16];
        size_t length = strcspn(list, ",");
        unsigned int ordinal;

        if (length >= sizeof word || plan->gpu_count == PLAN_GPUS_MAX)
            return -1;
        memcpy(word, list, length);
        word[length] = '\0';
        if (parse_digits(word, INT_MAX, &ordinal) < 0)
            return -1;
        for (size_t i = 0; i < plan->gpu_count; i++) {
            if (plan->gpu[i] == (int)ordinal)
                return -1;
        }
        plan->gpu[plan->gpu_count++] = (int)ordinal;
        if (list[length] == '\0')
            return 0;
        list += length + 1;
    }
}

int
option_set_device(const struct option_row *row, struct options *options,
                  const char *value, struct error *error)
{
    struct plan_options *plan = &options->plan;
    size_t length = strcspn(value, ":");
    int word = option_row_find_word(row, value, length);

    if (word < 0)
        return bad_value(row, value, error);
    plan->device = (enum device)word;
    bool has_ordinals = plan_demands_gpu(plan);
    plan->gpu[0] = plan->device == DEVICE_OPENCL ? ENGINE_BEST : 0;
    plan->gpu_count = 1;
    if (value[length] == '\0')
        return 0;
    if (!has_ordinals || parse_gpus(value + length + 1, plan) < 0)
        return bad_value(row, value, error);
    return 0;
}

int
option_set_gpu_timeout(const struct option_row *row, struct options *options,
                       const char *value, struct error *error)
{
    double seconds = 0;

    if (strcmp(value, "none") != 0 &&
        (number_parse(value, &seconds) < 0 || seconds < GPU_TIMEOUT_MIN ||
         seconds > GPU_TIMEOUT_MAX))
        return bad_value(row, value, error);
    options->plan.gpu_timeout = seconds;
    options->has_gpu_timeout = true;
    return 0;
}

/* The key NAME of ROW, which is before its keys; NULL: none. */
static const struct option_row *
find_key(const struct option_row *row, const char *name)
{
    for (const struct option_row *key = row + 1; key->is_key; key++) {
        if (strcmp(key->name, name) == 0)
            return key;
    }
    return NULL;
}

/* Set the key in TEXT, "KEY=VALUE".  Returns 0, or -1 with *ERROR set. */
static int
set_key(const struct option_row *row, struct options *options, char *text,
        struct error *error)
{
    char *value = text;
    char name[OPTION_NAME_BYTES];

    strsep(&value, "=");
    const struct option_row *key = find_key(row, text);
    if (key == NULL)
        return bad_value(row, text, error);
    if (value == NULL) {
        error_set(error, EXIT_USAGE, "--tune: '%s' needs a value: --tune=%s=%s",
                  text, text, key->argument);
        return -1;
    }
    struct option_row own = *key;
    snprintf(name, sizeof name, "tune=%s", key->name);
    own.name = name; /* for messages */
    return own.set(&own, options, value, error);
}

int
option_set_keys(const struct option_row *row, struct options *options,
                const char *value, struct error *error)
{
    char *list = strdup(value);
    char *next = list;
    int result = list != NULL ? 0 : error_fail_memory(error);

    while (result == 0 && next != NULL) {
        char *item = strsep(&next, ",");
        result = set_key(row, options, item, error);
    }
    free(list);
    return result;
}

int
option_set_shard(const struct option_row *row, struct options *options,
                 const char *value, struct error *error)
{
    size_t length = strcspn(value, "/");
    unsigned int number;
    unsigned int count;
    char word[16];

    if (value[length] == '\0' || length >= sizeof word)
        return bad_value(row, value, error);
    memcpy(word, value, length);
    word[length] = '\0';
    if (parse_digits(word, UINT_MAX, &number) < 0 ||
        parse_digits(value + length + 1, UINT_MAX, &count) < 0 || count == 0)
        return bad_value(row, value, error);
    if (number == 0 || number > count) {
        /* Arrays of jobs count from 0 unless told otherwise. */
        error_set(error, EXIT_USAGE,
                  "--shard: there is no shard %u of %u: they have the numbers "
                  "1 to %u (Slurm: --array=1-%u)",
                  number, count, count, count);
        return -1;
    }
    options->shard = (struct shard){.number = number, .count = count};
    return 0;
}

int
option_set_percentiles(const struct option_row *row, struct options *options,
                       const char *value, struct error *error)
{
    struct figures *percentiles = &options->percentiles;

    percentiles->count = 0;
    return figures_read_percentiles(percentiles, value) == 0
               ? 0
               : bad_value(row, value, error);
}

int
option_set_columns(const struct option_row *row, struct options *options,
                   const char *value, struct error *error)
{
    struct figures *figures = &options->report.figures;

    figures->count = 0;
    return figures_read(figures, row->name, value, true, error);
}

/* Set *ERROR: VALUE is neither a figure nor OTHERS, words of ROW.  Returns
   -1. */
static int
fail_figure(const struct option_row *row, const char *value, const char *others,
            struct error *error)
{
    char shown[VISIBLE_BYTES];
    char words[FIGURE_WORDS_BYTES];

    if (figure_resembles(value, strlen(value)))
        return figure_fail_name(row->name, value, strlen(value), error);
    error_set(error, EXIT_USAGE, "--%s: '%s' is not %s a figure: %s", row->name,
              visible_name(shown, value, strlen(value)), others,
              figure_words(words));
    return -1;
}

int
option_set_stats(const struct option_row *row, struct options *options,
                 const char *value, struct error *error)
{
    const char *remark;
    const char *const only = option_row_word(row, 0, &remark);
    const size_t length = strlen(only);
    bool is_only = value != NULL && strncmp(value, only, length) == 0 &&
                   (value[length] == ',' || value[length] == '\0');
    unsigned int place = is_only ? row->first : row->absent;

    options->summary.figures.count = 0;
    (void)store(row, options, &place, sizeof place);
    if (is_only)
        value += length + (value[length] == ',');
    if (value == NULL || (is_only && value[0] == '\0'))
        return 0;
    if (strchr(value, ',') == NULL && !figure_resembles(value, strlen(value)))
        return fail_figure(row, value, "only, nor", error);
    return figures_read(&options->summary.figures, row->name, value, false,
                        error);
}

int
option_set_sort(const struct option_row *row, struct options *options,
                const char *value, struct error *error)
{
    const int word = option_row_find_word(row, value, strlen(value));

    if (word >= 0 && row->first + (unsigned int)word <= SORT_COUNT)
        return option_set_word(row, options, value, error);
    if (figure_find_of_field(&options->report.sort_figure, value,
                             strlen(value)) < 0)
        return strpbrk(value, ":(_") != NULL
                   ? figure_fail_of_field(row->name, value, strlen(value),
                                          error)
                   : fail_figure(row, value,
                                 "value or count, nor with --columns", error);
    options->report.sort = SORT_FIGURE;
    return 0;
}
