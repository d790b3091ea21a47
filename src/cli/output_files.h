/* SPDX-License-Identifier: MIT */
/* output_files.h -- no output of a run may replace a file that must stay */

#ifndef GPUHIST_OUTPUT_FILES_H
#define GPUHIST_OUTPUT_FILES_H

#include "base/error.h"
#include "base/output.h"
#include "cli/options.h"
#include "sync/budget.h"

/*
 * Check the output files of OPTIONS, and set *FILES to the files that must not
 * be inputs, for inputs_open() to check; the sum of --merge may be one of the
 * states.  No output file may be a file of names or edges, and text on standard
 * output or standard error must not be lost.  Call this before anything is
 * opened for output.  Returns 0, or -1 with *ERROR set.
 */
int output_files_check(struct written_files *files,
                       const struct options *options, struct error *error);

/*
 * Check that the file of --state, if it exists, is a state or empty.  BUDGET is
 * for decoders.  Returns 0, or -1 with *ERROR set.
 */
int output_files_check_state(const struct options *options,
                             struct budget *budget, struct error *error);

#endif
