/* SPDX-License-Identifier: MIT */
/* rebin.h -- move counts to the wider lattices of a later spec */

#ifndef GPUHIST_REBIN_H
#define GPUHIST_REBIN_H

#include "hist/histogram.h"
#include "hist/spec.h"

/*
 * Move the counts in HISTOGRAM, which has the counted axes, from the lattices
 * of FROM to the lattices of TO.  TO may differ from FROM only in growing axes
 * (spec_grows()), and its lattices contain those of FROM.  Returns 0, or -1:
 * out of memory, and HISTOGRAM is unchanged.
 */
int rebin_histogram(const struct spec *from, const struct spec *to,
                    struct histogram *histogram);

#endif
