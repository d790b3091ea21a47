/* SPDX-License-Identifier: MIT */
/* figure.c -- ranks and texts of figures */

#include <math.h>

#include "base/double_order.h"
#include "base/number.h"
#include "report/figure.h"

#define SIGN_BIT (UINT64_C(1) << 63)

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
    rank.major = double_order(number);
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
