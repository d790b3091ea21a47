/* SPDX-License-Identifier: MIT */
/* profile_numbers.c -- the figures of a field whose values are all numbers */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "base/double_order.h"
#include "base/long_sum.h"
#include "hist/key_decimal.h"
#include "report/profile_numbers.h"

/* ---- numbers ---- */

/* Returns the double nearest to VALUE, a number. */
static double
real_of(const struct profile_value *value)
{
    const struct text_number *number = &value->number;

    if (number->kind == TEXT_NUMBER_FINITE)
        return decimal_round(number, value->byte);
    if (number->kind == TEXT_NUMBER_NAN)
        return (double)NAN;
    return number->is_negative ? -(double)INFINITY : (double)INFINITY;
}

/* Returns less than 0, 0, or more than 0, as A is less than, equal to, or more
   than B.  Neither is NaN. */
static int
compare(const struct profile_number *a, const struct profile_number *b)
{
    if (a->real != b->real)
        return a->real < b->real ? -1 : 1;
    if (isinf(a->real))
        return 0;
    return decimal_order(&a->value.number, a->value.byte, &b->value.number,
                         b->value.byte);
}

/* Whether VALUE, a finite number, is written with digits and a sign alone. */
static bool
is_integer(const struct profile_value *value)
{
    const struct text_number *number = &value->number;
    uint32_t end = number->end;

    if (number->kind != TEXT_NUMBER_FINITE ||
        memchr(value->byte + number->start, '.', end - number->start) != NULL)
        return false;
    /* Blanks may follow, but no exponent. */
    return end == value->size || text_number_is_blank(value->byte[end]);
}

char *
profile_number_put(const struct profile_number *number, char *at)
{
    unsigned char code[KEY_CODE_DECIMAL_ROOM];
    struct key_component component;
    unsigned char *end = key_decimal_put(code, &number->value.number,
                                         number->value.byte, number->real);

    (void)key_code_read(code, end, KEY_DECIMAL, true, &component);
    return key_decimal_put_text(&component, at);
}

/* ---- sums ---- */

/* Words of the sum of squares of nanos. */
#define SQUARE_WORDS 4

/* The sum of squares of short numbers, in units of 10^-18, the lowest word
   first.  2^64 values below 2^62 have a sum below 2^188. */
struct short_squares {
    uint64_t word[SQUARE_WORDS];
};

/* Add the square of NANO, COUNT times. */
static void
add_square(struct short_squares *squares, int64_t nano, uint64_t count)
{
    uint64_t size = nano < 0 ? -(uint64_t)nano : (uint64_t)nano;
    struct wide square = wide_product(size, size);
    struct wide low = wide_product(square.low, count);
    struct wide high = wide_product(square.high, count);

    high.low += low.high;
    high.high += high.low < low.high;
    const uint64_t more[SQUARE_WORDS] = {low.low, high.low, high.high, 0};
    long_sum_add(squares->word, more, SQUARE_WORDS);
}

/* Add SQUARES to FIGURES. */
static void
add_squares(struct group_figures *figures, const struct short_squares *squares)
{
    struct natural all;

    natural_set(&all, squares->word, SQUARE_WORDS);
    natural_scale(&all, 2 * (DECIMAL_SUM_PLACES - DECIMAL_NANO_PLACES));
    natural_add(&figures->squares.decimal, &all);
}

/* Add VALUE, a finite number but not a nano, to the sums of NUMBERS. */
static void
add_long(struct profile_numbers *numbers, const struct profile_number *number)
{
    struct group_figures *figures = &numbers->figures;
    const struct profile_value *value = &number->value;
    struct decimal_sum sum;
    struct natural factor;
    struct natural square;
    struct natural product;

    if (decimal_sum_read(&sum, &value->number, value->byte) < 0) {
        numbers->are_short = false;
        return;
    }
    struct decimal_sum multiple = decimal_sum_multiply(&sum, value->count);
    decimal_sum_add(&figures->sum.of.decimal, &multiple);
    if (decimal_sum_is_negative(&sum))
        sum = decimal_sum_negate(&sum);
    natural_set(&factor, sum.word, DECIMAL_SUM_WORDS);
    natural_product(&square, &factor, &factor);
    natural_set(&factor, &value->count, 1);
    natural_product(&product, &square, &factor);
    natural_add(&figures->squares.decimal, &product);
}

/* Add NUMBER, not NaN, to the sums of NUMBERS. */
static void
add_to_sums(struct profile_numbers *numbers, struct short_squares *squares,
            const struct profile_number *number)
{
    struct group_figures *figures = &numbers->figures;
    const struct profile_value *value = &number->value;
    int64_t nano;

    if (value->number.kind != TEXT_NUMBER_FINITE) {
        figures->infinite[value->number.is_negative] += value->count;
        return;
    }
    if (!decimal_nano_read(&nano, &value->number)) {
        add_long(numbers, number);
        return;
    }
    struct decimal_sum sum = decimal_sum_of_nano(nano);
    struct decimal_sum multiple = decimal_sum_multiply(&sum, value->count);
    decimal_sum_add(&figures->sum.of.decimal, &multiple);
    add_square(squares, nano, value->count);
}

/* ---- the first walk ---- */

/* The bits of the order of doubles that a walk looks at. */
#define STEP_BITS 16
#define STEPS (64 / STEP_BITS)
#define STEP_CELLS ((size_t)1 << STEP_BITS)

/* The numbers in one part of the order: how many, and of how many keys. */
struct step_cell {
    uint64_t count;
    uint64_t keys;
};

/* Add NUMBER, not NaN, to NUMBERS. */
static void
add_number(struct profile_numbers *numbers, struct short_squares *squares,
           const struct profile_number *number)
{
    struct group_figures *figures = &numbers->figures;

    if (figures->count == 0 || compare(number, &numbers->min) < 0)
        numbers->min = *number;
    if (figures->count == 0 || compare(number, &numbers->max) > 0)
        numbers->max = *number;
    figures->count += number->value.count;
    add_to_sums(numbers, squares, number);
    numbers->are_integers &= is_integer(&number->value);
}

/* Find all figures but the percentile, and count the numbers in CELL, unless it
   is NULL, by their first bits.  Returns whether all values are numbers. */
static bool
add_values(struct profile_numbers *numbers, struct profile_keys keys,
           struct step_cell *cell)
{
    struct short_squares squares = {{0}};
    struct profile_number number;

    while (profile_keys_next(&keys, &number.value)) {
        if (number.value.number.kind == TEXT_NUMBER_INVALID)
            return false;
        number.real = real_of(&number.value);
        /* Beyond all doubles. */
        if (isinf(number.real) &&
            number.value.number.kind == TEXT_NUMBER_FINITE)
            return false;
        if (isnan(number.real)) {
            numbers->nan += number.value.count;
            numbers->are_integers = false;
            continue;
        }
        add_number(numbers, &squares, &number);
        if (cell == NULL)
            continue;
        size_t first = (size_t)(double_order(number.real) >> (64 - STEP_BITS));
        cell[first].count += number.value.count;
        cell[first].keys++;
    }
    add_squares(&numbers->figures, &squares);
    return true;
}

/* ---- the percentile ---- */

/* So few numbers are sorted. */
#define SORTED_MOST 8192

/* The search for the number of a rank: the first STEP steps of its order are
   PREFIX, and RANK counts the numbers with them, from 1. */
struct rank_search {
    uint64_t rank;
    uint64_t prefix;
    unsigned int steps;
};

/* Returns the first STEPS steps of the order of REAL. */
static uint64_t
prefix_of(double real, unsigned int steps)
{
    return steps == 0 ? 0 : double_order(real) >> (64 - steps * STEP_BITS);
}

/* Choose the cell that has the rank of SEARCH.  Returns the cell. */
static const struct step_cell *
choose_cell(struct rank_search *search, const struct step_cell *cell)
{
    uint64_t c = 0;

    while (search->rank > cell[c].count)
        search->rank -= cell[c++].count;
    search->prefix = search->prefix << STEP_BITS | c;
    search->steps++;
    return &cell[c];
}

/* Count the numbers that SEARCH is about in CELL, by the bits of the next
   step. */
static void
count_step(const struct rank_search *search, struct profile_keys keys,
           struct step_cell *cell)
{
    struct profile_value value;

    memset(cell, 0, STEP_CELLS * sizeof *cell);
    while (profile_keys_next(&keys, &value)) {
        double real = real_of(&value);
        if (isnan(real) || prefix_of(real, search->steps) != search->prefix)
            continue;
        size_t c = prefix_of(real, search->steps + 1) & (STEP_CELLS - 1);
        cell[c].count += value.count;
        cell[c].keys++;
    }
}

static int
compare_numbers(const void *a, const void *b)
{
    const struct profile_number *left = a;
    const struct profile_number *right = b;
    int order = compare(left, right);

    /* A stable order: keys ascend by their bytes. */
    if (order != 0)
        return order;
    uint32_t size = left->value.size < right->value.size ? left->value.size
                                                         : right->value.size;
    order = memcmp(left->value.byte, right->value.byte, size);
    return order != 0 ? order
                      : (left->value.size > right->value.size) -
                            (left->value.size < right->value.size);
}

/* Sort the numbers that SEARCH is about, COUNT of them, and set *FOUND to the
   one of the rank.  Returns 0, or -1 with *ERROR set. */
static int
sort_numbers(const struct rank_search *search, struct profile_keys keys,
             uint64_t count, struct profile_number *found, struct error *error)
{
    struct profile_number *number = calloc((size_t)count, sizeof *number);
    uint64_t before = 0;
    size_t n = 0;

    if (number == NULL)
        return error_fail_memory(error);
    while (n < count && profile_keys_next(&keys, &number[n].value)) {
        number[n].real = real_of(&number[n].value);
        n += !isnan(number[n].real) &&
             prefix_of(number[n].real, search->steps) == search->prefix;
    }
    qsort(number, n, sizeof *number, compare_numbers);
    n = 0;
    while (before + number[n].value.count < search->rank)
        before += number[n++].value.count;
    *found = number[n];
    free(number);
    return 0;
}

/* Find the median of NUMBERS.  CELL counts the numbers by their first bits;
   NULL: they are few.  Returns 0, or -1 with *ERROR set. */
static int
find_median(struct profile_numbers *numbers, const struct profile_keys *keys,
            struct step_cell *cell, struct error *error)
{
    uint64_t count = numbers->figures.count;
    struct rank_search search = {.rank = count - count / 2};
    const struct step_cell all = {.keys = keys->end - keys->next};
    const struct step_cell *chosen = &all;

    if (count == 0)
        return 0;
    if (cell != NULL)
        chosen = choose_cell(&search, cell);
    while (chosen->keys > SORTED_MOST && search.steps < STEPS) {
        count_step(&search, *keys, cell);
        chosen = choose_cell(&search, cell);
    }
    return sort_numbers(&search, *keys, chosen->keys, &numbers->p50, error);
}

int
profile_numbers_find(struct profile_numbers *numbers,
                     const struct profile_keys *keys, struct error *error)
{
    bool are_few = keys->end - keys->next <= SORTED_MOST;
    struct step_cell *cell = are_few ? NULL : calloc(STEP_CELLS, sizeof *cell);

    *numbers =
        (struct profile_numbers){.are_integers = true, .are_short = true};
    if (!are_few && cell == NULL)
        return error_fail_memory(error);
    int result = add_values(numbers, *keys, cell);
    if (result > 0 && find_median(numbers, keys, cell, error) < 0)
        result = -1;
    free(cell);
    return result;
}
