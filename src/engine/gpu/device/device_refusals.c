/* SPDX-License-Identifier: MIT */
/* device_refusals.c -- batches of chunks that a device may refuse */

#include <stdlib.h>

#include "engine/gpu/device/device_refusals.h"
#include "kernels/text/text_work.h"

/*
 * The chunks of a batch: while one batch is counted, another is copied.  Small
 * chunks are still in the processor's cache at their copy, but a kernel for 2
 * MiB spends most of its time on its start and its last blocks.
 */
#define BATCH_CHUNKS ((size_t)4)
#define BATCH_BYTES ((size_t)8 << 20) /* a larger chunk is a batch */
_Static_assert(BATCH_CHUNKS <= SEQUENCE_BATCH_MAX &&
                   BATCH_CHUNKS <= TEXT_BATCH_MAX &&
                   CHECKPOINT_SLOTS % (2 * BATCH_CHUNKS) == 0,
               "there are slots for two whole batches");

size_t
device_refusals_batch(const struct device_engine *device)
{
    size_t batch = 1;

    /* A chunk in place has memory of its own. */
    while (!device->is_in_place && 2 * batch <= BATCH_CHUNKS &&
           2 * batch * device->stride <= BATCH_BYTES)
        batch *= 2;
    return batch;
}

int
device_refusals_open(struct device_engine *device, struct error *error)
{
    size_t depth = device->engine.depth;

    /* A multiple: the words of a batch are side by side. */
    device->refusal_count =
        (depth + CHECKPOINT_SLOTS - 1) / CHECKPOINT_SLOTS * CHECKPOINT_SLOTS;
    size_t bytes = device->refusal_count * sizeof *device->refusal;
    device_open_host(device, &device->status, bytes);
    device->refusal = device->status.address;
    if (device->refusal == NULL)
        device->refusal = malloc(bytes);
    device->refused = calloc(depth, sizeof *device->refused);
    device->engine.refused = device->refused;
    if (device->refusal == NULL || device->refused == NULL)
        return error_fail_memory(error);
    return device->operations->allocate(device, &device->refusals,
                                        device->batch * sizeof(binning_u32),
                                        NULL, error);
}

int
device_refusals_read(struct device_engine *device, struct device_slot *last,
                     size_t chunks, struct error *error)
{
    const struct device_command command = {
        QUEUE_COUNTING, {device->last}, &last->counted};
    uint32_t *refusal =
        &device->refusal[device->launched % device->refusal_count];

    if (device->operations->read(device, &command, refusal, device->refusals,
                                 chunks * sizeof *refusal, error) < 0)
        return -1;
    device->last = &last->counted;
    return 0;
}
