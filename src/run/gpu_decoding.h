/* gpu_decoding.h -- the device that decodes for the readers of a run */

#ifndef GPUHIST_GPU_DECODING_H
#define GPUHIST_GPU_DECODING_H

#include <stdbool.h>

#include "base/error.h"
#include "input/device/decoding_device.h"
#include "run/plan.h"
#include "sync/budget.h"

/*
 * Start the device of PLAN, if it has one, for the decoders of BUDGET, which
 * nobody uses yet: BUDGET->device is set, for gpu_decoding_end().  If the
 * user demands it, wait until it has started.  Returns 0, or -1 with *ERROR
 * set.
 */
int gpu_decoding_start(const struct plan *plan, struct budget *budget,
                       struct error *error);

/*
 * All decoders are closed: close the device of BUDGET.  A driver may hang here.
 * Returns whether the device is closed; if not, the process must end with
 * _exit().
 */
bool gpu_decoding_end(struct budget *budget);

/* Returns the error of the device of BUDGET, or NULL: there is none.  It stays
   while nobody uses the device. */
const struct error *gpu_decoding_error(const struct budget *budget);

#endif
