/* outcome.h -- the messages about a run that is over */

#ifndef GPUHIST_OUTCOME_H
#define GPUHIST_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

#include "cli/messages.h"
#include "input/inputs.h"
#include "run/pipeline.h"

/* Say which GPUs did not work and, with -v, what else the run lacked. */
void outcome_put_engines(struct messages *messages,
                         const struct pipeline *pipeline);

/* Say what is wrong with the inputs.  Returns the number of bad ones. */
size_t outcome_put_inputs(struct messages *messages,
                          const struct inputs *inputs);

/* Warn of HIDDEN values that are in no bin and not shown, if there are any. */
void outcome_put_hidden(struct messages *messages, uint64_t hidden);

#endif
