/*
 * even.c -- 32-bit floats in even bins, many at a time, on the CPU
 *
 * As in kernels/floats.cuh the position among the bins is computed in float,
 * in a loop that compilers turn into vector instructions.  Where it is
 * further from every edge than its error can be (floats.h), the bin is
 * certain.  For the others, two comparisons decide: with the smallest float
 * that is at or above an edge, or above it where the bin is closed on the
 * right.
 *
 * The rows are in the order of the axis: 0 is underflow, 1 the first bin,
 * bins + 1 overflow.  What is not a number is in row 0 at first.
 */

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "even.h"
#include "floats.h"

/* So many are looked at in one go: they stay in the first-level cache. */
#define BLOCK 1024

/*
 * Adding to one cell again and again waits for the store before it; so
 * neighbours have tables of their own, as long as these fit into the cache.
 */
#define TABLES 4 /* add_to_tables() knows that, too */
#define TABLE_ROWS_MAX (EVEN_BINS_FEW + 2)

/* The smallest float at or above EDGE; or above it, if it is EXCLUDED. */
static float
threshold_of(double edge, bool excluded)
{
    float above = (float)edge;

    if ((double)above < edge || (excluded && (double)above == edge))
        above = nextafterf(above, INFINITY);
    return above;
}

size_t
even_bytes(const struct binning_axis *axis)
{
    return ((size_t)axis->bins + 3) * sizeof(float);
}

int
even_make(const struct binning_axis *axis, float **threshold)
{
    *threshold = NULL;
    if (axis->kind != BINNING_EVEN || axis->type != SAMPLE_F4 ||
        !floats_are_enough(axis))
        return 0;
    float *made = malloc(even_bytes(axis));
    if (made == NULL)
        return -1;

    /* Nothing is below row 0, and nothing above row bins + 1. */
    made[0] = -INFINITY;
    for (uint64_t i = 0; i <= axis->bins; i++) {
        bool excluded = axis->closed == BINNING_RIGHT ||
                        (axis->closed == BINNING_NUMPY && i == axis->bins);
        made[i + 1] = threshold_of(binning_even_edge(axis, i), excluded);
    }
    made[axis->bins + 2] = NAN;
    *threshold = made;
    return 0;
}

/* Copy COUNT elements, a record's size apart, to X. */
static void
load(const struct binning_axis *axis, const unsigned char *data, size_t count,
     size_t record_bytes, float *x)
{
    if (record_bytes == sizeof *x && !axis->is_swapped) {
        memcpy(x, data, count * sizeof *x);
        return;
    }
    for (size_t i = 0; i < count; i++, data += record_bytes)
        x[i] = binning_bits_float(
            (uint32_t)binning_load(data, SAMPLE_F4, axis->is_swapped));
}

/* Set in a row that is not certain: the right one may be one off. */
#define UNCERTAIN INT32_MIN

/* Find the rows of BLOCK floats; returns how many are not numbers. */
static uint32_t
find_rows(const struct binning_axis *axis, const float *x, int32_t *row)
{
    float lo = (float)axis->lo;
    float scale = (float)axis->scale;
    float last = (float)axis->bins + 0.5f;
    float certain = (float)(0.5 - floats_margin(axis));
    uint32_t nans = 0;

    for (size_t i = 0; i < BLOCK; i++) {
        float position = (x[i] - lo) * scale;
        /* Half a bin outside is certain; so is, here, what is no number. */
        position = position > -0.5f ? position : -0.5f;
        position = position < last ? position : last;
        position += 1;
        int32_t whole = (int32_t)position;
        float excess = position - (float)whole - 0.5f;
        row[i] = fabsf(excess) < certain ? whole : whole | UNCERTAIN;
        nans += x[i] != x[i];
    }
    return nans;
}

/* The row of X, for which ROW was found. */
static size_t
exact_row(const float *threshold, float x, int32_t row)
{
    size_t exact = (size_t)(row & ~UNCERTAIN);

    if (x >= threshold[exact + 1])
        return exact + 1;
    return exact - (x < threshold[exact]);
}

/* Few rows: COUNT of BLOCK floats to TABLES tables in turn. */
static void
add_to_tables(const float *threshold, const float *x, const int32_t *row,
              size_t count, uint32_t (*table)[TABLE_ROWS_MAX])
{
    size_t i = 0;

    for (; i + TABLES <= count; i += TABLES) {
        if ((row[i] | row[i + 1] | row[i + 2] | row[i + 3]) >= 0) {
            for (size_t t = 0; t < TABLES; t++)
                table[t][row[i + t]]++;
        } else {
            for (size_t t = 0; t < TABLES; t++)
                table[t][exact_row(threshold, x[i + t], row[i + t])]++;
        }
    }
    for (; i < count; i++)
        table[0][exact_row(threshold, x[i], row[i])]++;
}

/* The cell of ROW. */
static uint64_t
row_cell(const struct binning_axis *axis, uint64_t row)
{
    if (row == 0)
        return axis->bins + BINNING_UNDERFLOW;
    return row <= axis->bins ? row - 1 : axis->bins + BINNING_OVERFLOW;
}

/* Many rows: to the cells themselves. */
static void
add_to_cells(const struct binning_axis *axis, const float *threshold,
             const float *x, const int32_t *row, size_t count, uint64_t *value)
{
    for (size_t i = 0; i < count; i++)
        value[row_cell(axis, row[i] >= 0
                                 ? (size_t)row[i]
                                 : exact_row(threshold, x[i], row[i]))]++;
}

void
even_count(const struct binning_axis *axis, const float *threshold,
           const unsigned char *data, size_t count, size_t record_bytes,
           uint64_t *value)
{
    size_t rows = (size_t)axis->bins + 2;
    bool has_tables = rows <= TABLE_ROWS_MAX;
    uint32_t table[TABLES][TABLE_ROWS_MAX];
    float x[BLOCK];
    int32_t row[BLOCK];
    uint64_t nans = 0;

    /* As many as a table can count. */
    assert(count <= UINT32_MAX);
    for (size_t t = 0; has_tables && t < TABLES; t++)
        memset(table[t], 0, rows * sizeof *table[t]);
    while (count > 0) {
        size_t some = count < BLOCK ? count : BLOCK;
        load(axis, data, some, record_bytes, x);
        /* The last block is as long as the others, but for its counts. */
        memset(x + some, 0, (BLOCK - some) * sizeof *x);
        nans += find_rows(axis, x, row);
        if (has_tables)
            add_to_tables(threshold, x, row, some, table);
        else
            add_to_cells(axis, threshold, x, row, some, value);
        data += some * record_bytes;
        count -= some;
    }
    for (size_t r = 0; has_tables && r < rows; r++) {
        for (size_t t = 0; t < TABLES; t++)
            value[row_cell(axis, r)] += table[t][r];
    }
    value[axis->bins + BINNING_UNDERFLOW] -= nans;
    value[axis->bins + BINNING_NAN] += nans;
}
