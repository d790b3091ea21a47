/* option_parse.h -- from the command line to struct options */

#ifndef GPUHIST_OPTION_PARSE_H
#define GPUHIST_OPTION_PARSE_H

#include "cli/options.h"
#include "util/error.h"

/*
 * Read the command line; ARGV[ARGC] is NULL.  Files and options may be mixed,
 * unless the environment has POSIXLY_CORRECT: then everything after the first
 * file is a file.  ARGV is permuted, options first, and *OPTIONS points into
 * it.  Returns 0, or -1 with *ERROR set.
 */
int option_parse(struct options *options, int argc, char **argv,
                 struct error *error);

#endif
