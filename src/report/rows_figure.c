/* rows_figure.c -- the figures of a row beside its count, and their text */

#include <math.h>

#include "report/rows.h"

double
rows_line_density(const struct rows *rows)
{
    double density = amount_double(rows->report->spec, &rows->amount);

    if (rows->is_other)
        return (double)NAN;
    /*
     * Divide in the same order as numpy, to get numpy's result.  The width of a
     * flow cell is NaN.
     */
    for (size_t i = 0; i < rows->columns; i++)
        density /= column_width(&rows->column[i]);
    return density / rows->in_bins_double;
}

double
rows_line_percent(const struct rows *rows)
{
    return 100 * amount_double(rows->report->spec, &rows->amount) /
           rows->all_double;
}

static char *
put_lut(const struct rows *rows, char *at)
{
    const struct column *column = &rows->column[0];
    uint64_t last = column->axis->bins - 1;
    uint64_t bin = column->cell <= last                           ? column->cell
                   : column->cell == last + 1 + BINNING_UNDERFLOW ? 0
                                                                  : last;

    return rows->is_other ? number_put_double((double)NAN, at)
                          : number_put(rows->report->lut[bin], at);
}

char *
rows_put_figure(const struct rows *rows, enum rows_figure figure, char *at)
{
    struct amount cumulative = amount_of_total(&rows->cumulative);

    switch (figure) {
    case ROWS_LUT:
        return put_lut(rows, at);
    case ROWS_CUMULATIVE:
        return amount_put(rows->report->spec, &cumulative, at);
    case ROWS_DENSITY:
        return number_put_double(rows->density, at);
    default:
        return number_put_double(rows->percent, at);
    }
}
