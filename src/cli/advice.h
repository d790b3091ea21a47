/* SPDX-License-Identifier: MIT */
/* advice.h -- messages that name the option or program for a content */

#ifndef GPUHIST_ADVICE_H
#define GPUHIST_ADVICE_H

#include <stdbool.h>

#include "cli/messages.h"
#include "cli/options.h"
#include "input/read/inputs.h"

/*
 * Unless --quiet is given, warn of INPUTS whose content looks unlike the
 * counted format.  HAVE_FAILED: all inputs have failed, not only inputs with an
 * error.
 */
void advice_put_looks(struct messages *messages, const struct inputs *inputs,
                      bool have_failed);

/* If only the number of bases is printed, and no option names them, say how to
   count reads. */
void advice_put_bases(struct messages *messages, const struct options *options,
                      const struct spec *spec);

/*
 * If no option says what to count, and standard error is a terminal, name the
 * option for the content of INPUTS.  Returns whether there is one.
 */
bool advice_put_countable(struct messages *messages,
                          const struct options *options,
                          const struct inputs *inputs);

/*
 * If the result has LINES of counts on a terminal, which are more than its
 * ROWS, and no option chooses lines, say which one does.
 */
void advice_put_long(struct messages *messages, const struct options *options,
                     uint64_t lines, size_t rows);

/* If OPTIONS let the program read a terminal as standard input, say so. */
void advice_put_terminal(struct messages *messages,
                         const struct options *options);

#endif
