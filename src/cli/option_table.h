/* SPDX-License-Identifier: MIT */
/*
 * option_table.h -- one row for each option
 *
 * The parser, --help, the shells' completions and the rules for combinations
 * read this table.  To add an option, add a row, a member of the struct that
 * the option's room reads, and an entry in a man page.
 */

#ifndef GPUHIST_OPTION_TABLE_H
#define GPUHIST_OPTION_TABLE_H

#include <stddef.h>

#include "cli/option_row.h"
#include "cli/options.h"

/* The message about statistics of several fields. */
#define OPTION_ONE_FIELD \
    "--stats and --percentiles do not work with --joint or --weights"

/* The rows, in the order of --help; option_count of them. */
extern const struct option_row option_table[];
extern const size_t option_count;

/* The values before any option is applied. */
extern const struct options option_defaults;

#endif
