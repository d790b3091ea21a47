/* output_files.h -- that no output of a run replaces what must stay */

#ifndef GPUHIST_OUTPUT_FILES_H
#define GPUHIST_OUTPUT_FILES_H

#include "base/error.h"
#include "base/output.h"
#include "cli/options.h"
#include "sync/budget.h"

/*
 * Check the files that OPTIONS name for output, and set *FILES to those that
 * must not be inputs, which inputs_open() checks; the sum of --merge may be one
 * of the states.  A file with names or edges must be none of them, and text on
 * standard output or standard error must not be lost.  Call it before anything
 * is opened for output.  Returns 0, or -1 with *ERROR set.
 */
int output_files_check(struct written_files *files,
                       const struct options *options, struct error *error);

/*
 * Check that the file of --state, if there is one, is a state or empty.  BUDGET
 * is for decoders.  Returns 0, or -1 with *ERROR set.
 */
int output_files_check_state(const struct options *options,
                             struct budget *budget, struct error *error);

#endif
