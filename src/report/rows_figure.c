/* rows_figure.c -- the figures of a row as text, beside its count */

#include <math.h>

#include "report/rows.h"

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
