/* SPDX-License-Identifier: MIT */
/* option_find.h -- looking up options */

#ifndef GPUHIST_OPTION_FIND_H
#define GPUHIST_OPTION_FIND_H

#include <stddef.h>

#include "base/error.h"
#include "cli/option_row.h"

/* The row named by the LENGTH bytes at NAME; NULL: no row. */
const struct option_row *option_find(const char *name, size_t length);

/*
 * The row named by the LENGTH bytes at NAME, else the only row whose name
 * starts with these bytes; NULL if no row or several rows do.  A new option is
 * found only if no older option starts with these bytes.
 */
const struct option_row *option_find_abbreviated(const char *name,
                                                 size_t length);

/* The row with LETTER, not 0; NULL: no row. */
const struct option_row *option_find_letter(char letter);

/*
 * The row after ROW in alphabetical order; the first row if ROW is NULL.
 * Returns NULL after the last row.
 */
const struct option_row *option_find_next(const struct option_row *row);

/* ---- options that do not exist ---- */

/*
 * Returns a hint on the option LETTER, or on the option named by the LENGTH
 * bytes at NAME, of other programs: its counterpart here.  NULL: unknown.
 */
const char *option_find_foreign_letter(char letter);
const char *option_find_foreign_name(const char *name, size_t length);

/*
 * Set *ERROR to a usage error: WORD, "--name" or "--name=value", is unknown or
 * abbreviates several options.  The message lists these options, or suggests a
 * similar one.
 */
void option_find_fail_name(const char *word, struct error *error);

/*
 * Set *ERROR to a usage error: LETTER of WORD, which has one "-", is unknown.
 * The message suggests an option with a name similar to WORD.
 */
void option_find_fail_letter(char letter, const char *word,
                             struct error *error);

#endif
