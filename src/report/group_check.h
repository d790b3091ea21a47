/* group_check.h -- whether a spec has the figures of --columns */

#ifndef GPUHIST_GROUP_CHECK_H
#define GPUHIST_GROUP_CHECK_H

#include "hist/spec.h"
#include "report/request.h"
#include "util/error.h"

/*
 * Check that each histogram of SPEC has the figures that OPTIONS ask for, if
 * any.  Returns 0, or -1 with *ERROR set.
 */
int group_check(const struct spec *spec, const struct report_options *options,
                struct error *error);

#endif
