/* extent.h -- find the extent of the elements of a buffer, on the CPU */

#ifndef GPUHIST_EXTENT_H
#define GPUHIST_EXTENT_H

#include <stddef.h>

#include "hist/lattice.h"
#include "kernels/binning/binning.h"

/*
 * Widen EXTENT by the elements of AXIS in the SIZE bytes at DATA, which are
 * whole records of RECORD_BYTES.
 */
void extent_widen(struct extent *extent, const struct binning_axis *axis,
                  const unsigned char *data, size_t size, size_t record_bytes);

#endif
