/* SPDX-License-Identifier: MIT */
/* numpy_edges.c -- even edges between two numbers, as numpy computes them */

#include <math.h>

#include "hist/numpy_edges.h"

/* Of f2: the bits of a fraction, the least exponent, and the least number that
   is rounded to infinity. */
#define HALF_BITS 10
#define HALF_EXPONENT_MIN (-14)
#define HALF_INFINITE 65520.0

/* X rounded to the nearest f2, to an even fraction if two are as near. */
static double
round_half(double x)
{
    if (x == 0 || !(fabs(x) < HALF_INFINITE))
        return fabs(x) >= HALF_INFINITE ? copysign(INFINITY, x) : x;
    int exponent = ilogb(x);
    int last = (exponent > HALF_EXPONENT_MIN ? exponent : HALF_EXPONENT_MIN) -
               HALF_BITS;
    return ldexp(nearbyint(ldexp(x, -last)), last);
}

/* A double holds the exact or nearly exact result of each operation on short
   floats, so that one more rounding gives the right one. */
double
numpy_edges_round(enum sample_type type, double x)
{
    if (type == SAMPLE_F4)
        return (double)(float)x;
    return type == SAMPLE_F2 ? round_half(x) : x;
}

struct numpy_edges
numpy_edges_make(enum sample_type type, double lo, double hi, uint64_t bins,
                 bool has_none)
{
    struct numpy_edges edges = {.type = type, .lo = lo, .hi = hi, .bins = bins};
    double range = numpy_edges_round(type, hi - lo);

    edges.is_wide = has_none || isinf(range);
    edges.width =
        edges.is_wide
            ? (hi - lo) / (double)bins
            : numpy_edges_round(type,
                                range / numpy_edges_round(type, (double)bins));
    return edges;
}

double
numpy_edges_at(const struct numpy_edges *edges, uint64_t i)
{
    enum sample_type type = edges->is_wide ? SAMPLE_F8 : edges->type;

    if (i == edges->bins)
        return edges->hi;
    double step = numpy_edges_round(type, (double)i);
    double distance = numpy_edges_round(type, step * edges->width);
    return numpy_edges_round(edges->type, distance + edges->lo);
}
