/* SPDX-License-Identifier: MIT */
/* option_check.h -- checks of combinations of options */

#ifndef GPUHIST_OPTION_CHECK_H
#define GPUHIST_OPTION_CHECK_H

#include "base/error.h"
#include "cli/option_row.h"

/*
 * Refuse contradicting combinations, and options without effect.  Returns 0, or
 * -1 with *ERROR set.
 */
int option_check(const struct options *options, struct error *error);

/*
 * The same with --merge, before the states say what was counted: check the
 * options that no state can change.
 */
int option_check_merge(const struct options *options, struct error *error);

/*
 * ROW is given next: check that ROW does not replace another option about what
 * is counted.  Returns 0, or -1 with *ERROR set.
 */
int option_check_constant(const struct option_row *row,
                          const struct options *options, struct error *error);

#endif
