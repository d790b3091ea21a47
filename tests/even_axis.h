/* SPDX-License-Identifier: MIT */
/* even_axis.h -- axes for unit tests of the faster forms of binning.h */

#ifndef GPUHIST_EVEN_AXIS_H
#define GPUHIST_EVEN_AXIS_H

#include <stdint.h>

#include "kernels/binning/binning.h"
#include "noise.h"

/* Set *AXIS to BINS even bins of f4 samples.  Which edges belong to a bin is
   drawn at random. */
static inline void
even_axis(struct binning_axis *axis, double lo, double hi, uint64_t bins)
{
    *axis = (struct binning_axis){
        .bins = bins,
        .stride = 1,
        .mask = UINT64_MAX,
        .type = SAMPLE_F4,
        .kind = BINNING_EVEN,
        .closed = (uint32_t)(noise() % 3),
        .lo = lo,
        .hi = hi,
        .width = (hi - lo) / (double)bins,
        .scale = (double)bins / (hi - lo),
    };
}

#endif
