/* option_errors.h -- messages about unknown options */

#ifndef GPUHIST_OPTION_ERRORS_H
#define GPUHIST_OPTION_ERRORS_H

#include "base/error.h"

/*
 * Set *ERROR to a usage error: WORD, "--name" or "--name=value", is no option,
 * or it abbreviates several.  The message lists these options, or suggests a
 * similar one.
 */
void option_errors_set_name(const char *word, struct error *error);

/*
 * Set *ERROR to a usage error: LETTER of WORD, which has one "-", is no option.
 * The message suggests an option with a name similar to WORD.
 */
void option_errors_set_letter(char letter, const char *word,
                              struct error *error);

#endif
