/* group_check.h -- whether a spec has the figures of --columns */

#ifndef GPUHIST_GROUP_CHECK_H
#define GPUHIST_GROUP_CHECK_H

#include "base/error.h"
#include "hist/spec.h"
#include "report/request.h"

/*
 * Check that each histogram of SPEC has the figures that OPTIONS ask for, if
 * any.  Returns 0, or -1 with *ERROR set.
 */
int group_check(const struct spec *spec, const struct report_options *options,
                struct error *error);

/*
 * Check that OPTIONS ask for no figure but the number of records: that is all
 * there is of groups without a field.  Returns 0, or -1 with *ERROR set.
 */
int group_check_records(const struct report_options *options,
                        struct error *error);

#endif
