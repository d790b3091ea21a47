/* outcome.h -- the messages at the end of a run */

#ifndef GPUHIST_OUTCOME_H
#define GPUHIST_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

#include "cli/messages.h"
#include "cli/results.h"
#include "hist/spec.h"
#include "input/read/inputs.h"
#include "run/pipeline.h"

/*
 * Print a warning for each GPU that failed.  With -v, also print which GPUs
 * could not be used and what the system refused.
 */
void outcome_put_engines(struct messages *messages,
                         const struct pipeline *pipeline);

/*
 * Print an error for each input that failed, and the warnings about inputs.
 * Returns the number of inputs that failed.
 */
size_t outcome_put_inputs(struct messages *messages,
                          const struct inputs *inputs);

/* Warn of lines of logs that do not fit their format, but are counted. */
void outcome_put_misfits(struct messages *messages,
                         const struct pipeline *pipeline);

/* Warn of what is UNSHOWN of SPEC.  FIRST has the members of the first object
   of JSON; it may be NULL. */
void outcome_put_unshown(struct messages *messages, const struct spec *spec,
                         const struct unshown *unshown,
                         const struct first_values *first);

#endif
