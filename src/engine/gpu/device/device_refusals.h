/* SPDX-License-Identifier: MIT */
/*
 * device_refusals.h -- batches of chunks that a device may refuse
 *
 * For jobs whose kernels set a word for each chunk (device_engine.h).
 */

#ifndef GPUHIST_DEVICE_REFUSALS_H
#define GPUHIST_DEVICE_REFUSALS_H

#include "engine/gpu/device/device_engine.h"

/* Returns the most chunks of a batch: a power of two. */
size_t device_refusals_batch(const struct device_engine *device);

/*
 * Allocate memory for the words of all chunks held by the engine.  As
 * operations; the engine releases the memory.
 */
int device_refusals_open(struct device_engine *device, struct error *error);

/*
 * Copy the words of CHUNKS to the host, after the last kernel: the end of the
 * batch.  LAST has the last chunk.  As operations.
 */
int device_refusals_read(struct device_engine *device, struct device_slot *last,
                         size_t chunks, struct error *error);

#endif
