/* SPDX-License-Identifier: MIT */
/* gpu_decoding.h -- the devices that decode for the readers of a run */

#ifndef GPUHIST_GPU_DECODING_H
#define GPUHIST_GPU_DECODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "input/device/decoding_devices.h"
#include "run/plan.h"
#include "sync/budget.h"

/*
 * Start the devices of PLAN, if it has any, or as many as memory is left for,
 * for the decoders of BUDGET, which nobody uses yet: BUDGET->devices is set,
 * for gpu_decoding_end().  If the user demands that a GPU decodes, wait until
 * one has started.  Returns 0, or -1 with *ERROR set.
 */
int gpu_decoding_start(const struct plan *plan, struct budget *budget,
                       struct error *error);

/*
 * All decoders are closed: close the devices of BUDGET.  A driver may hang
 * here.  Returns whether they are closed; if not, the process must end with
 * _exit().
 */
bool gpu_decoding_end(struct budget *budget);

/* Returns the device of BUDGET for GPU number I of the plan, or NULL. */
const struct decoding_device *gpu_decoding_device(const struct budget *budget,
                                                  size_t i);

/* GPU number I - 1 of the plan counts: number I may start to decode. */
void gpu_decoding_allow(const struct budget *budget, size_t i);

/* Whether DEVICE has neither started nor failed. */
bool gpu_decoding_is_starting(const struct decoding_device *device);

/* Returns the error of DEVICE, or NULL: there is none.  It stays while nobody
   uses the device. */
const struct error *gpu_decoding_error(const struct decoding_device *device);

/* Returns how many bytes of content DEVICE has decoded. */
uint64_t gpu_decoding_bytes(const struct decoding_device *device);

#endif
