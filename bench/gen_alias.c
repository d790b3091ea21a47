/* SPDX-License-Identifier: MIT */
/* gen_alias.c -- samples of discrete distributions, by the alias method */

#include <stdbool.h>
#include <stdlib.h>

#include "gen_alias.h"
#include "gen_math.h"

/* Less likely outcomes are left out; relative to the mode. */
#define NEGLIGIBLE 0x1p-80

/*
 * The outcomes on one side of the mode are fewer, for every variance up to
 * GEN_ALIAS_VARIANCE_MAX.
 */
#define SIDE_MAX 131072

/* Zipf's values in the table, which fits into a processor's fast caches. */
#define ZIPF_ENTRIES 4096

#define NO_TAIL UINT32_MAX

/* PROBABILITY as a share of all 64-bit words; 1 becomes UINT64_MAX. */
static uint64_t
border(double probability)
{
    return probability < 1 ? (uint64_t)(probability * 0x1p64) : UINT64_MAX;
}

int
gen_alias_make(struct gen_alias *alias, const double *weight, uint64_t count)
{
    size_t entries = (size_t)(count < SIZE_MAX ? count : SIZE_MAX);
    struct gen_alias_column *column = calloc(entries, sizeof *column);
    double *height = calloc(entries, sizeof *height);
    uint32_t *stack = calloc(entries, sizeof *stack);
    uint64_t small = 0;     /* stack[0 .. small): entries below 1 column */
    uint64_t large = count; /* stack[large .. count): the other entries */
    double sum = 0;

    *alias =
        (struct gen_alias){.column = column, .count = count, .tail = NO_TAIL};
    if (column == NULL || height == NULL || stack == NULL) {
        free(column);
        free(height);
        free(stack);
        return -1;
    }

    for (uint64_t i = 0; i < count; i++)
        sum += weight[i];
    for (uint64_t i = 0; i < count; i++) {
        height[i] = weight[i] / sum * (double)count;
        stack[height[i] < 1 ? small++ : --large] = (uint32_t)i;
    }
    /* A large entry fills a small one's column, and may become small itself. */
    while (small > 0 && large < count) {
        uint32_t under = stack[--small];
        uint32_t over = stack[large];
        column[under].border = border(height[under]);
        column[under].entry[0] = over;
        column[under].entry[1] = under;
        height[over] = (height[over] + height[under]) - 1;
        if (height[over] < 1) {
            large++;
            stack[small++] = over;
        }
    }
    /* The entries that are left over fill their columns, but for rounding. */
    for (uint64_t i = 0; i < count; i++) {
        if (i >= small && i < large)
            continue;
        column[stack[i]].border = UINT64_MAX;
        column[stack[i]].entry[0] = stack[i];
        column[stack[i]].entry[1] = stack[i];
    }
    free(height);
    free(stack);
    return 0;
}

/* The ratio of the probabilities of VALUE + 1 and VALUE. */
struct ratio {
    bool is_binomial;
    double trials; /* binomial */
    double factor; /* probability / (1 - probability); Poisson: mean */
};

static double
ratio_at(const struct ratio *ratio, double value)
{
    if (ratio->is_binomial)
        return (ratio->trials - value) / (value + 1) * ratio->factor;
    return ratio->factor / (value + 1);
}

/*
 * Make the table from MODE to both sides, until outcomes become negligible.
 * Returns 0, or -1: out of memory.
 */
static int
make_from_mode(struct gen_alias *alias, const struct ratio *ratio, double mode)
{
    double *weight = calloc(2 * SIDE_MAX, sizeof *weight);
    uint64_t start = SIDE_MAX;
    uint64_t end = SIDE_MAX;
    double value = mode;

    if (weight == NULL)
        return -1;
    for (double w = 1; w > NEGLIGIBLE && end < UINT64_C(2) * SIDE_MAX; end++) {
        weight[end] = w;
        w *= ratio_at(ratio, value++);
    }
    value = mode;
    for (double w = 1; value > 0 && start > 0; start--) {
        w /= ratio_at(ratio, --value);
        if (!(w > NEGLIGIBLE))
            break;
        weight[start - 1] = w;
    }
    int result = gen_alias_make(alias, weight + start, end - start);
    alias->first = mode - (double)(SIDE_MAX - start);
    free(weight);
    return result;
}

int
gen_alias_make_binomial(struct gen_alias *alias, double trials,
                        double probability)
{
    struct ratio ratio = {true, trials, probability / (1 - probability)};
    double mode = (double)(int64_t)((trials + 1) * probability);

    if (mode > trials) /* by rounding */
        mode = trials;
    if (probability >= 1) { /* the ratio is infinite */
        ratio.factor = 0;
        mode = 0;
    }
    int result = make_from_mode(alias, &ratio, mode);
    if (probability >= 1)
        alias->first = trials;
    return result;
}

int
gen_alias_make_poisson(struct gen_alias *alias, double mean)
{
    struct ratio ratio = {false, 0, mean};

    return make_from_mode(alias, &ratio, (double)(int64_t)mean);
}

/* The integral of x^-exponent from 1 to X, and the inverse; SLOPE as below. */
static double
zipf_integral(double slope, double x)
{
    double log_x = gen_math_log(x);

    return slope == 0 ? log_x : gen_math_expm1(slope * log_x) / slope;
}

static double
zipf_inverse(double slope, double integral)
{
    return gen_math_exp(slope == 0 ? integral
                                   : gen_math_log1p(slope * integral) / slope);
}

static double
power(double x, double exponent)
{
    return gen_math_exp(gen_math_log(x) * exponent);
}

int
gen_alias_make_zipf(struct gen_alias *alias, double exponent, double values)
{
    double weight[ZIPF_ENTRIES + 1];
    uint32_t count = values < ZIPF_ENTRIES ? (uint32_t)values : ZIPF_ENTRIES;
    double slope = 1 - exponent;
    double start = ZIPF_ENTRIES + 0.5;
    double mass = 0;

    for (uint32_t i = 0; i < count; i++)
        weight[i] = power(i + 1, -exponent);
    if (values > count) {
        mass = zipf_integral(slope, (values + 0.5) / start);
        weight[count] = mass * power(start, slope);
    }
    if (gen_alias_make(alias, weight, count + (values > count)) < 0)
        return -1;
    alias->first = 1;
    alias->tail = values > count ? count : NO_TAIL;
    alias->tail_start = start;
    alias->tail_mass = mass;
    alias->last = values;
    alias->slope = slope;
    return 0;
}

/*
 * Draw an outcome of Zipf's tail: the value at a random integral, rounded.
 * Returns 0 if it is rejected.  The integral from k - 1/2 to k + 1/2 is larger
 * than the weight of k; the excess, on the left, is rejected.
 */
static double
draw_tail(const struct gen_alias *alias, struct gen_random *random)
{
    double slope = alias->slope;
    double start = alias->tail_start;
    double integral = gen_random_unit(random) * alias->tail_mass;
    double x = zipf_inverse(slope, integral) * start;
    double k = (double)(int64_t)(x + 0.5);

    if (k < start || k > alias->last) /* by rounding */
        return 0;
    /* In the tail the excess is below 10^-4 for all exponents up to 100. */
    if (x > k - 0.4999)
        return k;
    double end = zipf_integral(slope, (k + 0.5) / start);
    return integral >= end - power(k / start, slope - 1) / start ? k : 0;
}

void
gen_alias_draw(const struct gen_alias *alias, struct gen_random *random,
               double *sample, size_t count)
{
    struct gen_random local = *random;

    for (size_t i = 0; i < count;) {
        uint32_t entry = gen_alias_entry(alias, gen_random_word(&local));
        double outcome = alias->first + entry;
        if (entry == alias->tail) {
            outcome = draw_tail(alias, &local);
            if (outcome == 0)
                continue;
        }
        sample[i++] = outcome;
    }
    *random = local;
}

void
gen_alias_close(struct gen_alias *alias)
{
    free(alias->column);
    alias->column = NULL;
}
