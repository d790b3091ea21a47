/*
 * trim.h -- cut the empty ends off logarithmic axes without a range
 *
 * Such an axis has bins for all values of its type, and nearly all of them are
 * empty.  A trimmed axis has the bins from the first to the last with a count.
 * If no bin has a count, it has the bin of the value 1.
 */

#ifndef GPUHIST_TRIM_H
#define GPUHIST_TRIM_H

#include "hist/histogram.h"
#include "hist/spec.h"

/*
 * Make *TRIMMED a copy of SPEC with trimmed axes, and move the cells of
 * HISTOGRAM from the shown axes of SPEC to those of *TRIMMED.  Returns 0, or
 * -1: out of memory, and HISTOGRAM is unchanged.  *TRIMMED points into SPEC
 * and must not outlive it.  The caller calls trim_close() in both cases.
 */
int trim_spec(struct spec *trimmed, const struct spec *spec,
              struct histogram *histogram);

/* Free what trim_spec() allocated.  Also after trim_spec() failed. */
void trim_close(struct spec *trimmed);

#endif
