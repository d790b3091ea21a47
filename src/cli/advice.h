/* advice.h -- messages that name the option or program for a content */

#ifndef GPUHIST_ADVICE_H
#define GPUHIST_ADVICE_H

#include <stdbool.h>

#include "cli/messages.h"
#include "cli/options.h"
#include "input/read/inputs.h"

/*
 * Warn of INPUTS that look like something else than what is counted, unless
 * --quiet is given.  HAVE_FAILED: all inputs have failed, not only those with
 * an error.
 */
void advice_put_looks(struct messages *messages, const struct inputs *inputs,
                      bool have_failed);

/*
 * If nothing in OPTIONS says what to count, and standard error is a terminal,
 * say which option counts the content of INPUTS.
 */
void advice_put_countable(struct messages *messages,
                          const struct options *options,
                          const struct inputs *inputs);

/* Say that standard input is a terminal, if OPTIONS let the program read it. */
void advice_put_terminal(struct messages *messages,
                         const struct options *options);

#endif
