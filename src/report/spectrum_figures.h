/* spectrum_figures.h -- statistics of a spectrum: of all keys, not of rows */

#ifndef GPUHIST_SPECTRUM_FIGURES_H
#define GPUHIST_SPECTRUM_FIGURES_H

#include <stddef.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "hist/spec.h"

struct spectrum_figures {
    uint64_t unique;   /* keys that occur once */
    uint64_t distinct; /* keys */
    uint64_t total;    /* how often all of them occur */
    uint64_t most;     /* how often the most frequent one does; 0: no keys */
};

/* Returns the figures of the spectrum I of SPEC, in HISTOGRAM, which has the
   shown axes. */
struct spectrum_figures spectrum_figures_of(const struct spec *spec,
                                            const struct histogram *histogram,
                                            size_t i);

/*
 * Returns the percentile NANO * 10^-9 of how often the keys occur: the least
 * multiplicity such that at least this percentage of the keys, and at least
 * one, does not exceed it.  There are keys: FIGURES are those of the spectrum.
 */
uint64_t spectrum_figures_percentile(const struct spectrum_figures *figures,
                                     const struct spec *spec,
                                     const struct histogram *histogram,
                                     size_t i, uint64_t nano);

#endif
