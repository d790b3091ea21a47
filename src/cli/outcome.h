/* outcome.h -- the messages at the end of a run */

#ifndef GPUHIST_OUTCOME_H
#define GPUHIST_OUTCOME_H

#include <stddef.h>
#include <stdint.h>

#include "cli/messages.h"
#include "hist/snapshot.h"
#include "input/inputs.h"
#include "report/report.h"
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

/* Warn of what is HIDDEN: values of SPEC that are counted and not shown. */
void outcome_put_hidden(struct messages *messages, const struct spec *spec,
                        const struct report_hidden *hidden);

/* Warn of the records of COUNTS whose weight is missing. */
void outcome_put_unweighted(struct messages *messages,
                            const struct snapshot *counts);

/* Warn of each field of text that no record of COUNTS has. */
void outcome_put_missing(struct messages *messages,
                         const struct snapshot *counts);

#endif
