/* SPDX-License-Identifier: MIT */
/* long_tuples.c -- the tuples of a group with long numbers */

#include "engine/cpu/keys/long_tuples.h"

/* Known numbers of a group with long numbers, and the finite sum of the group
   less the least sum that numbers with KNOWN have. */
struct known_decimals {
    size_t count;
    uint64_t rank[SPEC_RANKS_MAX];
    struct ordered_decimal number[SPEC_RANKS_MAX];
    struct decimal_sum sum[SPEC_RANKS_MAX]; /* of each number alone */
    struct decimal_sum remainder;
};

/* Returns the sum of the nanos of GROUP. */
static struct decimal_sum
sum_of_nanos(const struct cached_group *group)
{
    const uint64_t sign = group->sum_high >> 63 != 0 ? UINT64_MAX : 0;
    const struct decimal_sum sum = {
        {group->sum_low, group->sum_high, sign, sign, sign}};

    return decimal_sum_scale(&sum, DECIMAL_SUM_PLACES - DECIMAL_NANO_PLACES);
}

static struct decimal_sum
subtract(const struct decimal_sum *from, const struct decimal_sum *less)
{
    struct decimal_sum difference = decimal_sum_negate(less);

    decimal_sum_add(&difference, from);
    return difference;
}

/* Set the remainder of KNOWN, whose sums are set, of a group with TOTAL. */
static void
find_remainder(struct known_decimals *known, const struct decimal_sum *total)
{
    known->remainder = *total;
    for (size_t k = 0; k < known->count; k++) {
        uint64_t equal =
            k + 1 < known->count ? known->rank[k + 1] - known->rank[k] : 1;
        struct decimal_sum multiple =
            decimal_sum_multiply(&known->sum[k], equal);
        known->remainder = subtract(&known->remainder, &multiple);
    }
}

/* Write BETWEEN numbers between number K of KNOWN and the next one, as
   write_figures() of group_settling.c does. */
static void
write_between(struct tuple_writer *writer, struct known_decimals *known,
              size_t k, uint64_t between)
{
    const struct decimal_sum unit = {{1}};
    struct decimal_sum step = subtract(&known->sum[k + 1], &known->sum[k]);
    struct decimal_sum share = decimal_sum_multiply(&step, between);

    if (decimal_sum_compare(&known->remainder, &share) < 0)
        share = known->remainder;
    known->remainder = subtract(&known->remainder, &share);
    struct decimal_sum number = decimal_sum_part(&share, 1, between);
    struct decimal_sum multiple = decimal_sum_multiply(&number, between);
    uint64_t above = subtract(&share, &multiple).word[0];
    decimal_sum_add(&number, &known->sum[k]);
    tuple_writer_put_sum(writer, &number, between - above);
    decimal_sum_add(&number, &unit);
    tuple_writer_put_sum(writer, &number, above);
}

/* ---- numbers that are kept ---- */

/* A long_visit(): add NUMBER to the sums. */
static bool
add_long(void *context, const struct ordered_decimal *number)
{
    ordered_sums_add(context, number);
    return true;
}

/* Set the numbers of KNOWN, with these RANKS among VALUES with EXTREMES. */
static void
find_numbers(struct known_decimals *known, struct value_search *search,
             const struct spec_ranks *ranks, const struct group_values *values,
             const struct long_extremes *extremes)
{
    known->count = spec_ranks_find(ranks, extremes->highs.numbers, known->rank);
    group_values_find_long(search, &values, 1, extremes, known->rank,
                           known->count, known->number);
}

/* Set the sums of KNOWN, whose numbers are finite; GROUP has VALUES. */
static void
find_sums(struct known_decimals *known, const struct cached_group *group,
          const struct group_values *values)
{
    struct ordered_sums sums = {{{0}}};
    struct decimal_sum total = sum_of_nanos(group);

    (void)group_values_visit_long(values, add_long, &sums);
    const struct decimal_sum longs = ordered_sums_total(&sums);
    decimal_sum_add(&total, &longs);
    for (size_t k = 0; k < known->count; k++)
        known->sum[k] = ordered_decimal_sum(&known->number[k]);
    find_remainder(known, &total);
}

void
long_tuples_write_values(struct tuple_writer *writer,
                         struct value_search *search,
                         const struct spec_ranks *ranks,
                         const struct cached_group *group,
                         const struct group_values *values)
{
    const struct value_extremes nanos = {.least = group->least,
                                         .greatest = group->greatest};
    struct long_extremes extremes = long_extremes_none();
    struct known_decimals known;

    extremes.highs.numbers = group->count;
    long_extremes_add_nanos(&extremes, &nanos);
    long_extremes_add(&extremes, values);
    find_numbers(&known, search, ranks, values, &extremes);
    bool is_finite =
        !ordered_decimal_is_infinite(&known.number[0]) &&
        !ordered_decimal_is_infinite(&known.number[known.count - 1]);
    if (is_finite)
        find_sums(&known, group, values);
    for (size_t k = 0; k < known.count; k++) {
        uint64_t between =
            k + 1 < known.count ? known.rank[k + 1] - known.rank[k] - 1 : 0;
        bool has_sum = is_finite && between > 0;
        /* If the sum is infinite, other numbers cannot change it. */
        (void)tuple_writer_put_long(writer, &known.number[k],
                                    has_sum ? 1 : between + 1);
        if (has_sum)
            write_between(writer, &known, k, between);
    }
}

/* ---- numbers that are not kept ---- */

/* The least or the greatest number of a group. */
struct long_bound {
    int infinite; /* -1 or 1: an infinity; 0: the number is SUM */
    struct decimal_sum sum;
};

static struct long_bound
bound_of(const struct ordered_decimal *number)
{
    if (ordered_decimal_is_infinite(number))
        return (struct long_bound){.infinite = number->high < 0 ? -1 : 1};
    return (struct long_bound){.sum = ordered_decimal_sum(number)};
}

static int
compare_bounds(const struct long_bound *a, const struct long_bound *b)
{
    if (a->infinite != b->infinite || a->infinite != 0)
        return a->infinite - b->infinite;
    return decimal_sum_compare(&a->sum, &b->sum);
}

/* Some bounds, two for each kind of number that a group has. */
struct long_bounds {
    size_t count;
    struct long_bound bound[6];
};

/* Find the bounds of GROUP and LONGS. */
static struct long_bounds
find_bounds(const struct cached_group *group, const struct group_longs *longs)
{
    struct long_bounds found = {0};
    struct long_bound *bound = found.bound;

    if (group->least <= group->greatest) {
        bound++->sum = decimal_sum_of_nano(group->least);
        bound++->sum = decimal_sum_of_nano(group->greatest);
    }
    if (longs->count > 0) {
        *bound++ = bound_of(&longs->least);
        *bound++ = bound_of(&longs->greatest);
    }
    if (longs->longer > 0) {
        bound++->sum = longs->longer_least;
        bound++->sum = longs->longer_greatest;
    }
    found.count = (size_t)(bound - found.bound);
    return found;
}

/* Write BOUND, COUNT times. */
static void
write_bound(struct tuple_writer *writer, const struct long_bound *bound,
            uint64_t count)
{
    const struct ordered_decimal infinity = {
        bound->infinite * ORDERED_DECIMAL_INFINITE, 0};

    if (bound->infinite == 0)
        tuple_writer_put_sum(writer, &bound->sum, count);
    else
        (void)tuple_writer_put_long(writer, &infinity, count);
}

void
long_tuples_write(struct tuple_writer *writer, const struct cached_group *group,
                  const struct group_longs *longs)
{
    const struct long_bounds bounds = find_bounds(group, longs);
    const struct long_bound *least = bounds.bound;
    const struct long_bound *greatest = bounds.bound;
    struct decimal_sum total = sum_of_nanos(group);
    const struct decimal_sum sum = ordered_sums_total(&longs->sums);
    uint64_t others = group->count - 1;

    decimal_sum_add(&total, &sum);
    decimal_sum_add(&total, &longs->longer_sum);
    for (size_t b = 1; b < bounds.count; b++) {
        const struct long_bound *bound = &bounds.bound[b];
        least = compare_bounds(bound, least) < 0 ? bound : least;
        greatest = compare_bounds(bound, greatest) > 0 ? bound : greatest;
    }
    /* If the sum is infinite, other numbers cannot change it. */
    bool is_finite = least->infinite == 0 && greatest->infinite == 0;
    if (is_finite && others > 1) {
        struct known_decimals known = {.count = 2,
                                       .rank = {1, group->count},
                                       .sum = {least->sum, greatest->sum}};
        find_remainder(&known, &total);
        write_between(writer, &known, 0, others - 1);
        others = 1;
    }
    if (others > 0)
        write_bound(writer, least, others);
    write_bound(writer, greatest, 1);
}
