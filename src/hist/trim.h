/*
 * trim.h -- logarithmic axes without a range show the bins that occur
 *
 * Such an axis has bins for all values that the type can have, and nearly all
 * are empty.  What is shown of it are the bins from the first to the last that
 * has a count; or where none has, the bin of the value 1.
 */

#ifndef GPUHIST_TRIM_H
#define GPUHIST_TRIM_H

#include "hist/histogram.h"
#include "hist/spec.h"

/*
 * Let *TRIMMED be SPEC, but for the axes that are shown without their empty
 * ends; and HISTOGRAM, which is of the shown axes of SPEC, of those of
 * *TRIMMED.  Returns 0, or -1: out of memory, and nothing has changed.
 * *TRIMMED must not outlive SPEC, and trim_close() is due.
 */
int trim_spec(struct spec *trimmed, const struct spec *spec,
              struct histogram *histogram);

/* Also after a failed trim_spec(). */
void trim_close(struct spec *trimmed);

#endif
