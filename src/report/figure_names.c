/* SPDX-License-Identifier: MIT */
/* figure_names.c -- the names of figures, and lists of names */

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "base/near_names.h"
#include "base/word_list.h"
#include "report/figure.h"

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
    *figure = (struct figure){kind, {nano, text, (int)length}};
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
    else if (memchr(text, '(', length) != NULL)
        error_set(error, EXIT_USAGE,
                  "--%s: figures are of all --fields, and each field has lines "
                  "of its own: name %.*s alone",
                  option, (int)strcspn(text, "("), text);
    else
        error_set(error, EXIT_USAGE,
                  "--%s: there is no figure '%.*s'; there are %s", option,
                  (int)length, text, figure_words(words));
    return -1;
}

/* ---- lists ---- */

/* Adds what the LENGTH bytes at TEXT name to FIGURES, which has room for one
   figure.  Returns 0, or -1: they name nothing. */
typedef int list_add(struct figures *figures, const char *text, size_t length);

static int
add_named(struct figures *figures, const char *text, size_t length)
{
    if (length != 3 || memcmp(text, "all", 3) != 0)
        return figure_find(&figures->figure[figures->count++], text, length);
    for (unsigned int k = 0; k < FIGURE_ALL && figures->count < FIGURES_MAX;
         k++)
        figures->figure[figures->count++] =
            (struct figure){.kind = (enum figure_kind)k};
    return 0;
}

static int
add_percentile(struct figures *figures, const char *text, size_t length)
{
    return read_percentage(&figures->figure[figures->count++],
                           FIGURE_PERCENTILE, text, length);
}

/* Add the items of LIST to FIGURES.  Returns NULL, or the item that names
   nothing or has no room. */
static const char *
read_list(struct figures *figures, const char *list, list_add *add)
{
    for (;;) {
        size_t length = strcspn(list, ",");

        if (figures->count == FIGURES_MAX || add(figures, list, length) < 0)
            return list;
        if (list[length] == '\0')
            return NULL;
        list += length + 1;
    }
}

int
figures_read(struct figures *figures, const char *option, const char *list,
             struct error *error)
{
    const char *wrong = read_list(figures, list, add_named);

    if (wrong == NULL)
        return 0;
    size_t length = strcspn(wrong, ",");
    struct figure figure;
    if (figures->count < FIGURES_MAX || figure_find(&figure, wrong, length) < 0)
        return figure_fail_name(option, wrong, length, error);
    error_set(error, EXIT_USAGE, "--%s: more than %d figures", option,
              FIGURES_MAX);
    return -1;
}

int
figures_read_percentiles(struct figures *figures, const char *list)
{
    return read_list(figures, list, add_percentile) == NULL ? 0 : -1;
}
