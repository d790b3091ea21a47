/* SPDX-License-Identifier: MIT */
/* outcome.h -- the messages at the end of a run */

#ifndef GPUHIST_OUTCOME_H
#define GPUHIST_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

#include "cli/messages.h"
#include "cli/results.h"
#include "hist/spec.h"
#include "input/read/inputs.h"
#include "run/tracks.h"

/*
 * Print a warning for each GPU that failed.  With -v, also print the unusable
 * GPUs and the refusals of the system.
 */
void outcome_put_engines(struct messages *messages,
                         const struct tracks *tracks);

/*
 * Print an error for each failed input, and the warnings about inputs.  Returns
 * the number of failed inputs.
 */
size_t outcome_put_inputs(struct messages *messages,
                          const struct inputs *inputs);

/* Warn of counted lines of logs that do not fit their format. */
void outcome_put_misfits(struct messages *messages,
                         const struct pipeline *pipeline);

/* Warn of the UNSHOWN values of SPEC.  FIRST has the members of the first
   object of JSON; FIRST may be NULL.  SAMPLE is the argument of --sample, a
   condition of SPEC; NULL: it is not given. */
void outcome_put_unshown(struct messages *messages, const struct spec *spec,
                         const struct unshown *unshown,
                         const struct first_values *first, const char *sample);

#endif
