/* SPDX-License-Identifier: MIT */
/* figure_names.c -- the names of figures, and lists of names */

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "base/near_names.h"
#include "base/quoted.h"
#include "base/word_list.h"
#include "report/figure.h"
#include "text/field_chain.h"

/* Room for a figure that is meant; more is cut. */
#define FIGURE_MEANT_BYTES 120

/* Set *FIGURE to KIND with the percentage in the LENGTH bytes at TEXT.  Returns
   0, or -1: not a percentage. */
static int
read_percentage(struct figure *figure, enum figure_kind kind, const char *text,
                size_t length)
{
    uint64_t nano = 0;
    int decimals = -1; /* -1 until the decimal point */

    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && decimals < 0) {
            decimals = 0;
            continue;
        }
        if (!ascii_is_digit(text[i]) || decimals == 9 ||
            nano > PERCENTILE_NANO_MAX)
            return -1;
        nano = nano * 10 + (uint64_t)(text[i] - '0');
        decimals += decimals >= 0;
    }
    for (int i = decimals < 0 ? 0 : decimals; i < 9; i++) {
        if (nano > PERCENTILE_NANO_MAX)
            return -1;
        nano *= 10;
    }
    if (nano == 0 || nano > PERCENTILE_NANO_MAX)
        return -1;
    *figure =
        (struct figure){.kind = kind, .percentile = {nano, text, (int)length}};
    return 0;
}

/* Returns the kind whose name is LETTER, before a percentage; FIGURE_KINDS:
   none. */
static enum figure_kind
find_letter(char letter)
{
    for (unsigned int k = FIGURE_WORDS; k < FIGURE_KINDS; k++) {
        if (figure_rows[k].name[0] == letter)
            return (enum figure_kind)k;
    }
    return FIGURE_KINDS;
}

/* Whether the LENGTH bytes at TEXT can only be meant as a letter and a
   percentage: "p50", but "p101", too. */
static bool
has_letter(const char *text, size_t length)
{
    return length > 1 && find_letter(text[0]) != FIGURE_KINDS &&
           strspn(text + 1, "-+.0123456789") >= length - 1;
}

int
figure_find(struct figure *figure, const char *text, size_t length)
{
    for (unsigned int k = 0; k < FIGURE_WORDS; k++) {
        if (strlen(figure_rows[k].name) != length ||
            memcmp(figure_rows[k].name, text, length) != 0)
            continue;
        *figure = (struct figure){.kind = (enum figure_kind)k};
        return 0;
    }
    return has_letter(text, length)
               ? read_percentage(figure, find_letter(text[0]), text + 1,
                                 length - 1)
               : -1;
}

/* Returns the name in the LENGTH bytes at TEXT, "FIELD:NAME" or "NAME", and
   sets *FIGURE to the field alone; NULL: nothing is before the colon. */
static const char *
split_field(struct figure *figure, const char *text, size_t length)
{
    const char *colon = memrchr(text, ':', length);

    *figure = (struct figure){.kind = FIGURE_COUNT};
    if (colon == NULL)
        return text;
    figure->field = text;
    figure->field_length = (int)(colon - text);
    return colon == text ? NULL : colon + 1;
}

int
figure_find_of_field(struct figure *figure, const char *text, size_t length)
{
    struct figure field;
    const char *name = split_field(&field, text, length);

    if (name == NULL ||
        figure_find(figure, name, length - (size_t)(name - text)) < 0)
        return -1;
    figure->field = field.field;
    figure->field_length = field.field_length;
    return 0;
}

/* The figure whose name is most similar to the LENGTH bytes at TEXT, or which
   other programs call so; NULL: none. */
static const char *
find_near(const char *text, size_t length)
{
    /* As for options: one letter in three may be wrong. */
    size_t nearest = (length < 3 ? 3 : length) / 3 + 1;
    const char *near = NULL;

    for (unsigned int k = 0; k < FIGURE_WORDS; k++) {
        const char *name = figure_rows[k].name;
        if (word_list_has(figure_rows[k].aliases, text, length) ||
            (strlen(name) == length && strncasecmp(name, text, length) == 0))
            return name;
        size_t distance = spelling_distance(text, length, name);
        if (distance < nearest && distance < length) {
            nearest = distance;
            near = name;
        }
    }
    return near;
}

bool
figure_resembles(const char *text, size_t length)
{
    return has_letter(text, length) || find_near(text, length) != NULL;
}

const char *
figure_name(const struct figure *figure, const char *suffix,
            char name[FIGURE_NAME_BYTES])
{
    const struct percentile *percentile = &figure->percentile;

    snprintf(name, FIGURE_NAME_BYTES, "%s%.*s%s", figure_row(figure)->name,
             percentile->text_length,
             percentile->text != NULL ? percentile->text : "", suffix);
    return name;
}

const char *
figure_suffix(const struct figure *figure, bool has_bounds, size_t t)
{
    static const char *const suffixes[FIGURE_SHAPES][2][FIGURE_TEXTS_MAX] = {
        [FIGURE_PLAIN] = {{""}, {""}},
        [FIGURE_PLACE] = {{""}, {"_lo", "_hi"}},
        [FIGURE_ESTIMATE] = {{""}, {"", "_least", "_most"}},
        [FIGURE_BOUNDS] = {{""}, {"_least", "_most"}},
    };

    return t < FIGURE_TEXTS_MAX
               ? suffixes[figure_row(figure)->shape][has_bounds][t]
               : NULL;
}

const char *
figure_words(char text[FIGURE_WORDS_BYTES])
{
    size_t used = 0;

    for (unsigned int k = 0; k < FIGURE_WORDS; k++)
        used += (size_t)snprintf(text + used, FIGURE_WORDS_BYTES - used, "%s%s",
                                 k > 0 ? ", " : "", figure_rows[k].name);
    snprintf(text + used, FIGURE_WORDS_BYTES - used, "%s",
             " and percentages, as p50, p99.9, n50 and l50");
    return text;
}

int
figure_fail_name(const char *option, const char *text, size_t length,
                 struct error *error)
{
    const char *near = find_near(text, length);
    char words[FIGURE_WORDS_BYTES];

    if (has_letter(text, length))
        error_set(
            error, EXIT_USAGE,
            "--%s: '%.*s' has no percentage: a number above 0, up to 100, "
            "with up to 9 decimals",
            option, (int)length, text);
    else if (near != NULL)
        error_set(error, EXIT_USAGE,
                  "--%s: there is no figure '%.*s' (did you mean %s?)", option,
                  (int)length, text, near);
    else
        error_set(error, EXIT_USAGE,
                  "--%s: there is no figure '%.*s'; there are %s", option,
                  (int)length, text, figure_words(words));
    return -1;
}

/* Write to MEANT the figure and its field that are the LENGTH bytes at TEXT in
   the form of another program, or of a column: "avg(price)", "mean:price",
   "price_mean".  Returns whether they are. */
static bool
find_meant(const char *text, size_t length, char meant[FIGURE_MEANT_BYTES])
{
    const char *paren = memchr(text, '(', length);
    const char *colon = memchr(text, ':', length);
    const char *bar = memrchr(text, '_', length);
    const char *middle = paren != NULL ? paren : colon != NULL ? colon : bar;
    struct figure figure;

    if (middle == NULL || middle == text)
        return false;
    bool is_last = middle == bar;
    const char *end =
        text + length - (middle == paren && text[length - 1] == ')');
    const char *name = is_last ? middle + 1 : text;
    const char *field = is_last ? text : middle + 1;
    int name_length = (int)(is_last ? end - name : middle - name);
    int field_length = (int)(is_last ? middle - field : end - field);
    if (figure_find(&figure, name, (size_t)name_length) < 0) {
        name = find_near(name, (size_t)name_length);
        name_length = name != NULL ? (int)strlen(name) : 0;
    }
    if (name == NULL || field_length <= 0)
        return false;
    snprintf(meant, FIGURE_MEANT_BYTES, "%.*s:%.*s", field_length, field,
             name_length, name);
    return true;
}

int
figure_fail_of_field(const char *option, const char *text, size_t length,
                     struct error *error)
{
    struct figure field;
    const char *name = split_field(&field, text, length);
    char meant[FIGURE_MEANT_BYTES];

    if (name == NULL) {
        error_set(error, EXIT_USAGE,
                  "--%s: '%.*s' has no field before the colon", option,
                  (int)length, text);
        return -1;
    }
    size_t size = length - (size_t)(name - text);
    if (size == 0 && length > 0) {
        error_set(error, EXIT_USAGE,
                  "--%s: '%.*s' has no figure after the colon", option,
                  (int)length, text);
        return -1;
    }
    if (figure_resembles(name, size) || !find_meant(text, length, meant))
        return figure_fail_name(option, name, size, error);
    error_set(error, EXIT_USAGE,
              "--%s: there is no figure '%.*s' (did you mean %s?)", option,
              (int)size, name, meant);
    return -1;
}

/* ---- lists ---- */

/* Adds what the LENGTH bytes at TEXT name to FIGURES, which has room for one
   figure.  Returns 0, or -1: they name nothing. */
typedef int list_add(struct figures *figures, const char *text, size_t length);

/* Add the figures that the LENGTH bytes at NAME, the word "all", mean, each of
   the field of FIELD.  Returns 0, or -1: another word. */
static int
add_words(struct figures *figures, const char *name, size_t length,
          const struct figure *field)
{
    if (length != 3 || memcmp(name, "all", 3) != 0)
        return -1;
    for (unsigned int k = 0; k < FIGURE_ALL && figures->count < FIGURES_MAX;
         k++) {
        struct figure *figure = &figures->figure[figures->count++];
        *figure = *field;
        figure->kind = (enum figure_kind)k;
    }
    return 0;
}

static int
add_named(struct figures *figures, const char *text, size_t length)
{
    const struct figure none = {.kind = FIGURE_COUNT};

    if (add_words(figures, text, length, &none) == 0)
        return 0;
    return figure_find(&figures->figure[figures->count++], text, length);
}

static int
add_of_field(struct figures *figures, const char *text, size_t length)
{
    struct figure field;
    const char *name = split_field(&field, text, length);

    if (name != NULL &&
        add_words(figures, name, length - (size_t)(name - text), &field) == 0)
        return 0;
    return figure_find_of_field(&figures->figure[figures->count++], text,
                                length);
}

static int
add_percentile(struct figures *figures, const char *text, size_t length)
{
    return read_percentage(&figures->figure[figures->count++],
                           FIGURE_PERCENTILE, text, length);
}

/* Returns the length of the first item of LIST.  A field between quotes may
   have commas. */
static size_t
item_length(const char *list)
{
    size_t size;
    const char *end = *list == '"' ? quoted_read(list, NULL, &size) : NULL;

    return end != NULL ? (size_t)(end - list) + strcspn(end, ",")
                       : field_chain_item(list, true);
}

/* Add the items of LIST to FIGURES.  Returns NULL, or the item that names
   nothing or has no room. */
static const char *
read_list(struct figures *figures, const char *list, list_add *add)
{
    for (;;) {
        size_t length = item_length(list);

        if (figures->count == FIGURES_MAX || add(figures, list, length) < 0)
            return list;
        if (list[length] == '\0')
            return NULL;
        list += length + 1;
    }
}

int
figures_read(struct figures *figures, const char *option, const char *list,
             bool have_fields, struct error *error)
{
    const char *wrong =
        read_list(figures, list, have_fields ? add_of_field : add_named);

    if (wrong == NULL)
        return 0;
    size_t length = item_length(wrong);
    struct figure figure;
    bool is_figure = figure_find_of_field(&figure, wrong, length) == 0;
    if (is_figure && !have_fields && figure.field != NULL) {
        error_set(error, EXIT_USAGE,
                  "--%s: '%.*s' has a field, as only figures of --columns have",
                  option, (int)length, wrong);
        return -1;
    }
    if (figures->count < FIGURES_MAX || !is_figure)
        return have_fields ? figure_fail_of_field(option, wrong, length, error)
                           : figure_fail_name(option, wrong, length, error);
    error_set(error, EXIT_USAGE, "--%s: more than %d figures", option,
              FIGURES_MAX);
    return -1;
}

int
figures_read_percentiles(struct figures *figures, const char *list)
{
    return read_list(figures, list, add_percentile) == NULL ? 0 : -1;
}
