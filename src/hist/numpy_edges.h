/* SPDX-License-Identifier: MIT */
/*
 * numpy_edges.h -- even edges between two numbers, as numpy computes them
 *
 * numpy.histogram(x) has the edges of numpy.linspace(): each step is rounded to
 * the type of x, if that is f2 or f4, and to a double for all other types.
 */

#ifndef GPUHIST_NUMPY_EDGES_H
#define GPUHIST_NUMPY_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/binning/binning.h"

struct numpy_edges {
    enum sample_type type;
    double lo;
    double hi;
    uint64_t bins;
    double width; /* rounded to the type, unless: */
    bool is_wide; /* only the edges are rounded, not each step */
};

/* Returns X rounded to TYPE, if TYPE is f2 or f4. */
double numpy_edges_round(enum sample_type type, double x);

/*
 * Returns the edges of BINS bins from LO to HI, numbers of TYPE.  If HAS_NONE,
 * there are no numbers, and LO and HI are doubles; so they are if their
 * distance is beyond all numbers of the type, where numpy has NaN.
 */
struct numpy_edges numpy_edges_make(enum sample_type type, double lo, double hi,
                                    uint64_t bins, bool has_none);

/* Returns edge I, 0 .. bins.  Edges may be equal or infinite, if the type has
   too few numbers. */
double numpy_edges_at(const struct numpy_edges *edges, uint64_t i);

#endif
