/*
 * option_table.h -- every option, once
 *
 * The parser, --help, the completions of shells, and which options go together
 * come from here.  To add an option: its row, a field of the struct that its
 * room reads, and an entry of gpuhist(1).
 */

#ifndef GPUHIST_OPTION_TABLE_H
#define GPUHIST_OPTION_TABLE_H

#include <stddef.h>

#include "cli/option_row.h"
#include "cli/options.h"

/* In the order of --help; option_count of them. */
extern const struct option_row option_table[];
extern const size_t option_count;

/* What is so if no option says otherwise. */
extern const struct options option_defaults;

#endif
