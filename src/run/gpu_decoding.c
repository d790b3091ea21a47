/* SPDX-License-Identifier: MIT */
/*
 * gpu_decoding.c -- the devices that decode for the readers of a run
 *
 * A device (input/device) and its driver for CUDA (engine/gpu/decoding) do
 * not know each other.  They are joined here.
 */

#include "run/gpu_decoding.h"
#include "engine/gpu/decoding/decoding_cuda.h"

/* A GPU that nobody demands starts within this time, in seconds, or the CPU
   decodes. */
#define PATIENCE 2

/* It probably starts in so many seconds (bench/RESULTS.md). */
#define START 0.25

/* What the host's side of a device may take of the memory of decoders. */
#define MEMORY_SHARE 2

/* What a decoder needs beside its window, or more. */
#define DECODER_BYTES ((uint64_t)4 << 20)

/* Returns COUNT devices of PLAN, or NULL with *ERROR set. */
static struct decoding_devices *
start(const struct plan *plan, unsigned int count,
      const struct decoding_sizes *sizes, struct error *error)
{
    struct decoding_driver *driver[DECODING_DEVICES];
    bool is_demanded = plan->decoding == GPU_DECODE_ALWAYS;
    /* The plan has weighed the others; these would wait for each other. */
    const struct decoding_devices_use use = {
        .content = plan->decoding_bytes,
        .timeout = plan->gpu_timeout,
        .patience = is_demanded ? 0 : PATIENCE,
        .start = START,
        .early = plan->decoding_early,
        .wants_sketches = plan->decoding_sketches,
        .are_held = true,
        .file_bytes_min = is_demanded ? 0 : (off_t)PLAN_DECODING_FILE_MIN,
    };

    for (unsigned int i = 0; i < count; i++) {
        driver[i] = decoding_cuda_new(plan->cuda, plan->gpu[i]);
        if (driver[i] != NULL)
            continue;
        error_fail_memory(error);
        while (i-- > 0)
            driver[i]->type->close(driver[i]);
        return NULL;
    }
    return decoding_devices_open(driver, count, sizes, &use, error);
}

/* Returns how many devices of PLAN fit into a share of TOTAL bytes, and sets
   *SIZES to the sizes of each. */
static unsigned int
fit(struct decoding_sizes *sizes, const struct plan *plan, uint64_t total)
{
    unsigned int count = plan->decoding_gpus;

    while (count > 0 && !decoding_device_fit(sizes, plan->decoding_belts,
                                             total / MEMORY_SHARE / count))
        count--;
    return count;
}

int
gpu_decoding_start(const struct plan *plan, struct budget *budget,
                   struct error *error)
{
    struct decoding_sizes sizes;
    uint64_t total = budget_total(budget);

    if (plan->decoding == GPU_DECODE_NEVER)
        return 0;
    bool is_demanded = plan->decoding == GPU_DECODE_ALWAYS;
    unsigned int count = fit(&sizes, plan, total);
    if (count == 0) {
        if (!is_demanded)
            return 0;
        error_set(
            error, EXIT_USAGE,
            "--memory-limit leaves too little for --tune=gpu-decode=always");
        return -1;
    }
    uint64_t left = total - count * decoding_device_bytes(&sizes);
    /* What the devices do not take must be enough for libzstd. */
    if (!is_demanded && left < plan->decoding_window + DECODER_BYTES)
        return 0;
    struct decoding_devices *devices = start(plan, count, &sizes, error);
    budget->devices = devices;
    if (devices == NULL) {
        if (is_demanded)
            return -1;
        error_clear(error); /* readers do without */
        return 0;
    }
    budget_resize(budget, left);
    if (!is_demanded || decoding_devices_await_start(devices, NULL))
        return 0;
    error_move(error, &devices->device[0]->error);
    return -1;
}

bool
gpu_decoding_end(struct budget *budget)
{
    struct decoding_devices *devices = budget->devices;

    budget->devices = NULL;
    return decoding_devices_close(devices);
}

const struct decoding_device *
gpu_decoding_device(const struct budget *budget, size_t i)
{
    const struct decoding_devices *devices = budget->devices;

    return devices != NULL && i < devices->count ? devices->device[i] : NULL;
}

void
gpu_decoding_allow(const struct budget *budget, size_t i)
{
    if (budget->devices != NULL)
        decoding_devices_allow(budget->devices, (unsigned int)i);
}

bool
gpu_decoding_is_starting(const struct decoding_device *device)
{
    pthread_mutex_lock(device->lock);
    bool is_starting = device->state == DECODING_DEVICE_WAITING ||
                       device->state == DECODING_DEVICE_STARTING;
    pthread_mutex_unlock(device->lock);
    return is_starting;
}

const struct error *
gpu_decoding_error(const struct decoding_device *device)
{
    pthread_mutex_lock(device->lock);
    bool has_failed = device->error.status != EXIT_DONE;
    pthread_mutex_unlock(device->lock);
    return has_failed ? &device->error : NULL;
}

uint64_t
gpu_decoding_bytes(const struct decoding_device *device)
{
    pthread_mutex_lock(device->lock);
    uint64_t bytes = device->content;
    pthread_mutex_unlock(device->lock);
    return bytes;
}
