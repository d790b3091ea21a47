/* SPDX-License-Identifier: MIT */
/* ticks.h -- round numbers along an axis of bands */

#ifndef GPUHIST_TICKS_H
#define GPUHIST_TICKS_H

#include <stddef.h>

#include "plot/band.h"
#include "plot/scale.h"

/*
 * Find round numbers on AXIS, ascending.  If two do not fit, find both ends of
 * the axis.  The VALUE of a tick is a position in bands: band i reaches from i
 * to i + 1.  Returns the number of ticks written to TICK: at most MOST and
 * SCALE_TICKS_MAX; 1 if the axis has one value; none if MOST is below 2.
 */
size_t ticks_find(const struct band_axis *axis, size_t most, struct tick *tick);

#endif
