/* SPDX-License-Identifier: MIT */
/*
 * extremes.h -- the exact least and greatest value of a field of samples
 *
 * An extent (lattice.h) has doubles up to BINNING_AUTO_MAX.  Extremes have all
 * finite numbers, and integers of 64 bits exactly.
 */

#ifndef GPUHIST_EXTREMES_H
#define GPUHIST_EXTREMES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/number.h"
#include "base/wide_integer.h"
#include "kernels/binning/binning.h"

/* All 0: no values yet. */
struct extremes {
    bool has_any;
    double min; /* of floating-point numbers */
    double max;
    struct wide least; /* of integers */
    struct wide most;
};

/* Widen EXTREMES to the finite values of AXIS in the whole records of
   RECORD_BYTES in the SIZE bytes at DATA. */
void extremes_widen(struct extremes *extremes, const struct binning_axis *axis,
                    const unsigned char *data, size_t size,
                    size_t record_bytes);

/* Widen EXTREMES to include all values of MORE, of an axis of the same type. */
void extremes_join(struct extremes *extremes, const struct extremes *more);

#endif
