/* option_errors.h -- what is said of options that do not exist */

#ifndef GPUHIST_OPTION_ERRORS_H
#define GPUHIST_OPTION_ERRORS_H

#include "util/error.h"

/*
 * WORD is "--name" or "--name=value", but no option or the beginning of
 * several: set *ERROR, with what may have been meant.
 */
void option_errors_set_name(const char *word, struct error *error);

/*
 * LETTER, in WORD behind one "-", is no option: set *ERROR, with what may have
 * been meant if WORD was meant to be a name.
 */
void option_errors_set_letter(char letter, const char *word,
                              struct error *error);

#endif
