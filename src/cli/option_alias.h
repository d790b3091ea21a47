/* SPDX-License-Identifier: MIT */
/* option_alias.h -- letters of sort, awk and uniq, for options of ours */

#ifndef GPUHIST_OPTION_ALIAS_H
#define GPUHIST_OPTION_ALIAS_H

#include "cli/option_row.h"

/* Returns the option that LETTER is an alias of; NULL: none. */
const struct option_row *option_alias_find(char letter);

/*
 * Check VALUE, the argument of the alias LETTER.  Sets *ROW to the option that
 * is meant with this argument, and *VALUE to its argument or NULL.  Returns 0,
 * or -1 with *ERROR set.
 */
int option_alias_take(char letter, const struct option_row **row,
                      const char **value, struct error *error);

/*
 * Count lines for -c, if OPTIONS do not say what is counted.  Before the
 * options are checked.  Returns 0, or -1 with *ERROR set: other options need
 * what -c does not say.
 */
int option_alias_complete(struct options *options, struct error *error);

#endif
