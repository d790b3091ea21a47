/* SPDX-License-Identifier: MIT */
/* profile_samples.h -- the line of a profile for a field of numbers */

#ifndef GPUHIST_PROFILE_SAMPLES_H
#define GPUHIST_PROFILE_SAMPLES_H

#include <stddef.h>

#include "base/error.h"
#include "report/profile_line.h"
#include "report/request.h"

/* Set the cells of LINE, all 0 but for the field, to the figures of histogram I
   of REPORT, of samples or of codes of numbers.  Returns 0, or -1 with *ERROR
   set. */
int profile_samples_make(struct profile_line *line, const struct report *report,
                         size_t i, struct error *error);

#endif
