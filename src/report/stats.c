/* stats.c -- statistics of one field, from its histogram */

#include <math.h>

#include "report/column.h"
#include "report/gamma.h"
#include "report/stats.h"

/* ---- a walk over the rows that have values ---- */

struct walk {
    const struct histogram *histogram;
    struct column column;
    uint64_t next;
    uint64_t count; /* values in the column's row, at least 1 */
};

static void
walk_begin(struct walk *walk, const struct spec *spec,
           const struct histogram *histogram, size_t i)
{
    walk->histogram = histogram;
    walk->next = 0;
    column_open(&walk->column, spec, i, false, LABELS_DEC);
}

static bool
walk_next(struct walk *walk)
{
    while (walk->next < walk->column.rows) {
        column_go(&walk->column, walk->next++);
        walk->count =
            walk->histogram->value[walk->column.axis->base + walk->column.cell];
        if (walk->count > 0)
            return true;
    }
    return false;
}

static bool
is_nan_row(const struct column *column)
{
    return column->cell == column->axis->bins + BINNING_NAN;
}

/* ---- minimum, maximum and mode ---- */

/* Whether all values of the row are equal. */
static bool
is_one_value(const struct column *column)
{
    long double lo;
    long double hi;

    column_limits(column, &lo, &hi);
    return lo == hi;
}

static void
find_rows(struct stats *stats, struct walk walk)
{
    uint64_t mode_count = 0;

    stats->min_row = stats->max_row = stats->mode_row = STATS_NO_ROW;
    while (walk_next(&walk)) {
        const struct column *column = &walk.column;
        bool is_flow = column_is_flow(column);

        stats->values += walk.count;
        if (is_flow)
            stats->outside += walk.count;
        if (!is_flow && walk.count > mode_count) {
            mode_count = walk.count;
            stats->mode_row = column->row;
        }
        if (is_nan_row(column))
            continue;
        stats->numbers += walk.count;
        if (stats->min_row == STATS_NO_ROW)
            stats->min_row = column->row;
        stats->max_row = column->row;
        stats->distinct_least++;
        stats->distinct_most += is_one_value(column) ? 1 : walk.count;
    }
}

/* ---- moments ---- */

/*
 * For integers that are known exactly.  Distances from the first bin are small;
 * the integers themselves may leave no precision for a fraction.
 */
static void
find_exact_moments(struct stats *stats, struct walk walk)
{
    struct walk again = walk;
    number_integer count = (number_integer)stats->numbers;
    number_integer first = axis_value(walk.column.axis, 0);
    number_integer sum =
        0; /* cannot overflow: the input has fewer than 2^64 bytes */
    long double squares = 0;

    while (walk_next(&walk))
        sum += (number_integer)walk.column.cell * (number_integer)walk.count;
    long double rest = (long double)(sum % count) / (long double)count;
    stats->mean = (struct stats_figure){
        .value = (double)((long double)(first + sum / count) + rest),
        .is_exact = true,
    };

    while (walk_next(&again)) {
        number_integer whole = (number_integer)again.column.cell - sum / count;
        long double distance = (long double)whole - rest;
        squares += (long double)again.count * distance * distance;
    }
    stats->deviation = (struct stats_figure){
        .value = (double)sqrtl(squares / (long double)count),
        .is_exact = true,
    };
}

/*
 * A sum of numbers and infinities of one sign.  They are kept apart, because
 * arithmetic of long double with infinities is slow on some processors.
 */
struct bound {
    long double finite;
    long double infinite; /* or 0 */
};

static void
bound_add(struct bound *bound, long double addend)
{
    if (isinf(addend))
        bound->infinite = addend;
    else
        bound->finite += addend;
}

static long double
bound_value(const struct bound *bound)
{
    return bound->infinite != 0 ? bound->infinite : bound->finite;
}

/* Returns the number that stands for all values of the row. */
static long double
row_position(const struct column *column)
{
    long double lo;
    long double hi;

    column_limits(column, &lo, &hi);
    if (isinf(lo))
        return hi;
    return isinf(hi) ? lo : lo / 2 + hi / 2;
}

/*
 * Estimate the mean and its bounds, with all numbers at their positions and at
 * the ends of their bins.  Returns the mean.
 */
static long double
estimate_mean(struct stats *stats, struct walk walk)
{
    long double numbers = (long double)stats->numbers;
    struct bound least = {0, 0};
    struct bound most = {0, 0};
    long double sum = 0;

    while (walk_next(&walk)) {
        long double count = (long double)walk.count;
        long double lo;
        long double hi;

        if (is_nan_row(&walk.column))
            continue;
        column_limits(&walk.column, &lo, &hi);
        bound_add(&least, count / numbers * lo);
        bound_add(&most, count / numbers * hi);
        sum += count * row_position(&walk.column);
    }
    stats->mean = (struct stats_figure){
        .value = (double)(sum / numbers),
        .least = (double)bound_value(&least),
        .most = (double)bound_value(&most),
    };
    return sum / numbers;
}

/*
 * Estimate the deviation from the positions.  Each value is at most half a bin
 * from its position.  By Minkowski's inequality, the deviation is wrong by at
 * most the deviation of these distances.
 */
static void
estimate_deviation(struct stats *stats, struct walk walk, long double mean)
{
    long double numbers = (long double)stats->numbers;
    long double squares = 0;
    struct bound errors = {0, 0};

    while (walk_next(&walk)) {
        long double count = (long double)walk.count;
        long double distance = row_position(&walk.column) - mean;
        long double lo;
        long double hi;

        if (is_nan_row(&walk.column))
            continue;
        column_limits(&walk.column, &lo, &hi);
        squares += count * distance * distance;
        bound_add(&errors, count * (hi / 2 - lo / 2) * (hi / 2 - lo / 2));
    }

    long double deviation = sqrtl(squares / numbers);
    long double error = sqrtl(bound_value(&errors) / numbers);
    stats->deviation = (struct stats_figure){
        .value = (double)deviation,
        .least = (double)fmaxl(deviation - error, 0),
        .most = (double)(deviation + error),
    };
}

static void
find_moments(struct stats *stats, const struct walk *walk)
{
    if (stats->numbers == 0) {
        stats->mean = (struct stats_figure){.value = NAN, .is_exact = true};
        stats->deviation = stats->mean;
    } else if (axis_is_direct(walk->column.axis) && stats->outside == 0) {
        find_exact_moments(stats, *walk);
    } else {
        long double mean = estimate_mean(stats, *walk);
        estimate_deviation(stats, *walk, mean);
    }
}

/* ---- how even the counts are ---- */

static void
find_entropy(struct stats *stats, struct walk walk)
{
    long double entropy = 0;

    while (walk_next(&walk)) {
        long double share =
            (long double)walk.count / (long double)stats->values;
        entropy -= share * log2l(share);
    }
    stats->entropy = (double)entropy;
}

static void
find_chi_square(struct stats *stats, struct walk walk)
{
    uint64_t bins = walk.column.axis->bins;
    uint64_t in_bins = stats->values - stats->outside;
    long double expected = (long double)in_bins / (long double)bins;
    long double squares = 0;
    uint64_t empty = bins;

    stats->chi_square = stats->p_value = NAN;
    if (in_bins == 0 || bins < 2)
        return;
    while (walk_next(&walk)) {
        if (column_is_flow(&walk.column))
            continue;
        long double excess = (long double)walk.count - expected;
        squares += excess * excess;
        empty--;
    }
    squares += (long double)empty * expected * expected;
    stats->chi_square = (double)(squares / expected);
    stats->p_value = gamma_upper((double)(bins - 1) / 2, stats->chi_square / 2);
}

void
stats_make(struct stats *stats, const struct spec *spec,
           const struct histogram *histogram, size_t i)
{
    struct walk walk;

    *stats = (struct stats){0};
    walk_begin(&walk, spec, histogram, i);
    find_rows(stats, walk);
    find_moments(stats, &walk);
    find_entropy(stats, walk);
    find_chi_square(stats, walk);
}

uint64_t
stats_percentile(const struct stats *stats, const struct spec *spec,
                 const struct histogram *histogram, size_t i, uint64_t nano)
{
    const number_integer whole = 100000000000;
    struct walk walk;
    uint64_t so_far = 0;

    /* At least this many numbers are at or below the percentile. */
    number_integer numbers = (number_integer)stats->numbers;
    number_integer wanted =
        (numbers * (number_integer)nano + whole - 1) / whole;
    walk_begin(&walk, spec, histogram, i);
    while (walk_next(&walk)) {
        if (is_nan_row(&walk.column))
            continue;
        so_far += walk.count;
        if ((number_integer)so_far >= wanted)
            return walk.column.row;
    }
    return STATS_NO_ROW;
}
