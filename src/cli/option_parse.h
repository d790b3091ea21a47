/* SPDX-License-Identifier: MIT */
/* option_parse.h -- from the command line to struct options */

#ifndef GPUHIST_OPTION_PARSE_H
#define GPUHIST_OPTION_PARSE_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/option_row.h"
#include "cli/options.h"

/*
 * Read the command line; ARGV[ARGC] is NULL.  Files and options may be mixed,
 * unless the environment has POSIXLY_CORRECT: then everything after the first
 * file is a file.  ARGV is permuted, options first, and *OPTIONS points into
 * it.  With --merge, the states must say what was counted before the options
 * are complete.  Returns 0, or -1 with *ERROR set.
 */
int option_parse(struct options *options, int argc, char **argv,
                 struct error *error);

/*
 * Check the combination of all options, and set the members that depend on
 * several.  Returns 0, or -1 with *ERROR set.
 */
int option_parse_complete(struct options *options, struct error *error);

/* Takes options, one by one. */
struct option_taker {
    /* VALUE, in the words, is NULL if the option has none.  Returns 0, or -1
       with *ERROR set. */
    int (*take)(void *context, const struct option_row *row, const char *value,
                struct error *error);
    void *context;
    bool has_files; /* a word that is not an option is a file */
};

/*
 * Let TAKER have the option of WORDS[0], or the options, if these are letters.
 * WORDS[1], NULL at the end, may be the argument.  Returns the number of words
 * used, 1 or 2, or -1 with *ERROR set.
 */
int option_parse_word(const struct option_taker *taker, char *const *words,
                      struct error *error);

#endif
