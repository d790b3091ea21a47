/* SPDX-License-Identifier: MIT */
/* bin_rule.c -- how many bins some numbers should have, by numpy's rules */

#include <assert.h>
#include <math.h>
#include <string.h>

#include "hist/bin_rule.h"
#include "hist/numpy_edges.h"

/* A quotient this near to a whole number counts as that number. */
#define WHOLE_TOLERANCE 1e-9

/* stone tries up to this many bins, or the square root of the count. */
#define STONE_BINS 100

#define PI 3.141592653589793

const char *const bin_rule_words[BIN_RULES] = {
    [BIN_RULE_AUTO] = "auto",       [BIN_RULE_FD] = "fd",
    [BIN_RULE_DOANE] = "doane",     [BIN_RULE_SCOTT] = "scott",
    [BIN_RULE_STONE] = "stone",     [BIN_RULE_RICE] = "rice",
    [BIN_RULE_STURGES] = "sturges", [BIN_RULE_SQRT] = "sqrt",
};

int
bin_rule_find(const char *text)
{
    for (int i = 0; i < BIN_RULES; i++) {
        if (strcmp(bin_rule_words[i], text) == 0)
            return i;
    }
    return -1;
}

bool
bin_rule_needs_values(enum bin_rule rule)
{
    return rule != BIN_RULE_RICE && rule != BIN_RULE_STURGES &&
           rule != BIN_RULE_SQRT;
}

/* ---- moments ---- */

/* A sum with the rounding errors of its additions (A. Neumaier, ZAMM 54,
   1974). */
struct compensated {
    double sum;
    double error;
};

static void
add(struct compensated *to, double x)
{
    double sum = to->sum + x;

    to->error +=
        fabs(to->sum) >= fabs(x) ? to->sum - sum + x : x - sum + to->sum;
    to->sum = sum;
}

static double
total(const struct compensated *sum)
{
    return sum->sum + sum->error;
}

/* Returns the mean of ((x - CENTRE) / SCALE)^POWER over the COUNT numbers. */
static double
mean_power(const struct number_source *source, uint64_t count, double centre,
           double scale, int power)
{
    struct compensated sum = {0, 0};
    double value;
    uint64_t times;

    source->start(source->context);
    while (source->next(source->context, &value, &times)) {
        double base = (value - centre) / scale;
        double term = base;
        for (int p = 1; p < power; p++)
            term *= base;
        add(&sum, term * (double)times);
    }
    return total(&sum) / (double)count;
}

/* Set *MEAN and *SD, the deviation of all numbers. */
static void
find_moments(const struct number_source *source, uint64_t count, double *mean,
             double *sd)
{
    /* The second pass removes the rounding error of the first mean. */
    *mean = mean_power(source, count, 0, 1, 1);
    *mean += mean_power(source, count, *mean, 1, 1);
    *sd = sqrt(mean_power(source, count, *mean, 1, 2));
}

/* ---- quantiles ---- */

/* A place between the sorted numbers, from 0 on. */
static double
place_of(uint64_t i, uint64_t bins, uint64_t count)
{
    /* As numpy's linspace(0, 1, bins + 1). */
    double part = i == bins ? 1 : (double)i * (1.0 / (double)bins);

    return (double)(count - 1) * part;
}

/* Returns the number at PLACE between LOW and HIGH, as numpy does; where the
   distance overflows, and numpy has nan or an infinity, a finite number. */
static double
interpolate(double low, double high, double place)
{
    double part = place - floor(place);

    if (isinf(high - low))
        return low * (1 - part) + high * part;
    return part >= 0.5 ? high - (high - low) * (1 - part)
                       : low + (high - low) * part;
}

void
bin_rule_quantiles(const struct number_source *source, uint64_t count,
                   uint64_t bins, double *edge)
{
    uint64_t before = 0; /* numbers before VALUE */
    uint64_t times = 0;
    double value = 0;
    double previous = 0;
    uint64_t i = 0;

    source->start(source->context);
    while (i <= bins) {
        double place = place_of(i, bins, count);
        uint64_t rank = (uint64_t)place;
        /* The next rank, if there is one, may have another value. */
        uint64_t next = rank + 1 < count ? rank + 1 : rank;
        if (next < before + times) {
            double low = rank < before ? previous : value;
            edge[i++] = interpolate(low, value, place);
            continue;
        }
        before += times;
        previous = value;
        if (!source->next(source->context, &value, &times))
            break;
    }
    assert(i > bins);
}

/* The distance between the quartiles. */
static double
quartile_range(const struct number_source *source, uint64_t count)
{
    double edge[5];

    bin_rule_quantiles(source, count, 4, edge);
    return edge[3] - edge[1];
}

/* ---- stone ---- */

/* The sum of the squared shares of the numbers in each of BINS bins. */
static double
squared_shares(const struct number_facts *facts,
               const struct number_source *source, uint64_t bins)
{
    const struct numpy_edges edges =
        numpy_edges_make(SAMPLE_F8, facts->min, facts->max, bins, false);
    struct compensated sum = {0, 0};
    uint64_t bin = 0;
    uint64_t in_bin = 0;
    uint64_t times;
    double value;

    source->start(source->context);
    while (source->next(source->context, &value, &times)) {
        uint64_t before = bin;
        while (bin + 1 < bins && value >= numpy_edges_at(&edges, bin + 1))
            bin++;
        if (bin != before) {
            double share = (double)in_bin / (double)facts->count;
            add(&sum, share * share);
            in_bin = 0;
        }
        in_bin += times;
    }
    double share = (double)in_bin / (double)facts->count;
    add(&sum, share * share);
    return total(&sum);
}

static double
stone_width(const struct number_facts *facts,
            const struct number_source *source, double range)
{
    double count = (double)facts->count;
    uint64_t most = (uint64_t)sqrt(count);
    uint64_t best = 0;
    double least = 0;

    if (facts->count <= 1 || range == 0)
        return 0;
    most = most < STONE_BINS ? STONE_BINS : most;
    for (uint64_t bins = 1; bins <= most; bins++) {
        double width = range / (double)bins;
        double shares = squared_shares(facts, source, bins);
        double error = (2 - (count + 1) * shares) / width;
        if (best == 0 || error < least) {
            best = bins;
            least = error;
        }
    }
    return range / (double)best;
}

/* ---- the rules ---- */

static double
doane_width(uint64_t numbers, const struct number_source *source, double range)
{
    double count = (double)numbers;
    double mean;
    double sd;

    if (numbers <= 2)
        return 0;
    find_moments(source, numbers, &mean, &sd);
    if (!(sd > 0))
        return 0;
    double skew = mean_power(source, numbers, mean, sd, 3);
    double error = sqrt(6 * (count - 2) / ((count + 1) * (count + 3)));
    return range / (1 + log2(count) + log2(1 + fabs(skew) / error));
}

/* Returns the width that RULE gives; 0: one bin. */
static double
find_width(enum bin_rule rule, const struct number_facts *facts,
           const struct number_source *source, double range)
{
    double count = (double)facts->count;
    double mean;
    double sd;

    switch (rule) {
    case BIN_RULE_FD:
        return 2 * quartile_range(source, facts->count) * pow(count, -1.0 / 3);
    case BIN_RULE_DOANE:
        return doane_width(facts->count, source, range);
    case BIN_RULE_SCOTT:
        find_moments(source, facts->count, &mean, &sd);
        return pow(24 * sqrt(PI) / count, 1.0 / 3) * sd;
    case BIN_RULE_STONE:
        return stone_width(facts, source, range);
    case BIN_RULE_RICE:
        return range / (2 * pow(count, 1.0 / 3));
    case BIN_RULE_STURGES:
        return range / (log2(count) + 1);
    case BIN_RULE_SQRT:
        return range / sqrt(count);
    default:
        break;
    }
    double wide = fmax(find_width(BIN_RULE_FD, facts, source, range),
                       find_width(BIN_RULE_SQRT, facts, source, range) / 2);
    return fmin(wide, find_width(BIN_RULE_STURGES, facts, source, range));
}

uint64_t
bin_rule_bins(enum bin_rule rule, const struct number_facts *facts,
              const struct number_source *source, uint64_t most)
{
    if (facts->count == 0)
        return 1;
    double range = facts->max - facts->min;
    double width = find_width(rule, facts, source, range);

    /* False for NaN, too: the range or a moment is beyond all doubles. */
    if (!(width > 0) || isinf(range) || isinf(width))
        return 1;
    if (!binning_is_float(facts->type) && width < 1)
        width = 1;
    double bins = ceil(range / width - WHOLE_TOLERANCE);
    if (bins >= (double)most)
        return most;
    return bins < 1 ? 1 : (uint64_t)bins;
}
