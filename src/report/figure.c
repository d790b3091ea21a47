/* figure.c -- names, ranks and texts of figures */

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/number.h"
#include "base/wide_integer.h"
#include "report/figure.h"

#define SIGN_BIT (UINT64_C(1) << 63)

/* ---- names ---- */

/* 100 percent, in 10^-9 percent. */
#define NANO_MAX UINT64_C(100000000000)

int
figure_find_percentile(struct figure *figure, const char *text, size_t length)
{
    uint64_t nano = 0;
    int decimals = -1; /* -1 until the decimal point */

    for (size_t i = 0; i < length; i++) {
        if (text[i] == '.' && decimals < 0) {
            decimals = 0;
            continue;
        }
        if (text[i] < '0' || text[i] > '9' || decimals == 9 || nano > NANO_MAX)
            return -1;
        nano = nano * 10 + (uint64_t)(text[i] - '0');
        decimals += decimals >= 0;
    }
    for (int i = decimals < 0 ? 0 : decimals; i < 9; i++) {
        if (nano > NANO_MAX)
            return -1;
        nano *= 10;
    }
    if (nano == 0 || nano > NANO_MAX)
        return -1;
    *figure = (struct figure){FIGURE_PERCENTILE, {nano, text, (int)length}};
    return 0;
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
    return length > 1 && text[0] == 'p'
               ? figure_find_percentile(figure, text + 1, length - 1)
               : -1;
}

/* Whether the words of LIST have the LENGTH bytes at TEXT. */
static bool
has_word(const char *list, const char *text, size_t length)
{
    while (list != NULL && *list != '\0') {
        size_t size = strcspn(list, " ");
        if (size == length && strncasecmp(list, text, length) == 0)
            return true;
        list += size + strspn(list + size, " ");
    }
    return false;
}

const char *
figure_alias(const char *text, size_t length)
{
    for (unsigned int k = 0; k < FIGURE_KINDS; k++) {
        const struct figure_row *row = &figure_rows[k];
        if (has_word(row->aliases, text, length))
            return row->example != NULL ? row->example : row->name;
    }
    return NULL;
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
figure_words(char text[FIGURE_WORDS_BYTES])
{
    size_t used = 0;

    for (unsigned int k = 0; k < FIGURE_WORDS; k++)
        used += (size_t)snprintf(text + used, FIGURE_WORDS_BYTES - used, "%s%s",
                                 k > 0 ? ", " : "", figure_rows[k].name);
    return text;
}

unsigned int
figures_needs(const struct figures *figures)
{
    unsigned int needs = 0;

    for (size_t c = 0; c < figures->count; c++)
        needs |= figure_row(&figures->figure[c])->needs;
    return needs;
}

int
figure_check(const struct figure *figure, const struct spec *spec, size_t i,
             struct error *error)
{
    const struct binning_axis *axis = &spec->shown[i];
    const struct figure_row *row = figure_row(figure);
    char text[SPEC_FIELD_BYTES];

    if ((row->needs & FIGURE_NEEDS_NUMBERS) != 0 && axis_has_names(axis))
        error_set(error, EXIT_USAGE,
                  "--columns: %s is of numbers, and the field %s has keys",
                  figure->kind == FIGURE_PERCENTILE ? "a percentile"
                                                    : row->name,
                  spec_field_text(spec, i, text));
    else if ((row->needs & FIGURE_NEEDS_EXACT) != 0 && !axis_is_key(axis))
        error_set(error, EXIT_USAGE,
                  "--columns: bins do not have the figure %s, only count, min, "
                  "max and percentiles; leave out the bins",
                  row->name);
    else
        return 0;
    return -1;
}

/* ---- values of figures ---- */

uint64_t
percentile_rank(uint64_t nano, uint64_t count)
{
    struct wide product = wide_product(count, nano);
    uint64_t left;
    uint64_t whole = wide_divide(product, NANO_MAX, &left).low;

    return whole + (left > 0);
}

int
figure_rank_compare(const struct figure_rank *a, const struct figure_rank *b)
{
    if (a->major != b->major)
        return a->major < b->major ? -1 : 1;
    return decimal_sum_compare(&a->minor, &b->minor);
}

struct figure_rank
figure_rank_of_double(double number)
{
    struct figure_rank rank = {0};

    if (isnan(number))
        return rank;
    uint64_t bits = binning_double_bits(number == 0 ? 0 : number);
    rank.major = bits & SIGN_BIT ? ~bits : bits | SIGN_BIT;
    return rank;
}

struct figure_rank
figure_rank_of(const struct figure_value *value)
{
    switch (value->form) {
    case FIGURE_WHOLE:
        return (struct figure_rank){.major = value->whole};
    case FIGURE_REAL:
        return figure_rank_of_double(value->real);
    case FIGURE_DECIMAL:
        /* Finite sums have one rank between the infinities. */
        return (struct figure_rank){SIGN_BIT, value->decimal};
    case FIGURE_ROW:
        return *value->rank;
    default:
        return figure_rank_of_double((double)NAN);
    }
}

char *
figure_put(const struct figure_value *value, char *at)
{
    switch (value->form) {
    case FIGURE_WHOLE:
        return number_put(value->whole, at);
    case FIGURE_REAL:
        return number_put_double(value->real, at);
    case FIGURE_DECIMAL:
        return decimal_sum_put(&value->decimal, at);
    default:
        return number_put_double((double)NAN, at);
    }
}
