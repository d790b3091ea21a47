/*
 * gpu_decoding.c -- the device that decodes for the readers of a run
 *
 * The device (input/device) and its driver for CUDA (engine/gpu/decoding) do
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

/* Returns the device of PLAN, or NULL with *ERROR set. */
static struct decoding_device *
start(const struct plan *plan, const struct decoding_sizes *sizes,
      struct error *error)
{
    struct decoding_driver *driver = decoding_cuda_new(plan->cuda, *plan->gpu);

    if (driver == NULL) {
        error_fail_memory(error);
        return NULL;
    }
    bool is_demanded = plan->decoding == GPU_DECODE_ALWAYS;
    /* The plan has weighed the others; these would wait for each other. */
    const struct decoding_device_use use = {
        .content = plan->decoding_bytes,
        .timeout = plan->gpu_timeout,
        .patience = is_demanded ? 0 : PATIENCE,
        .start = START,
        .early = plan->decoding_early,
        .file_bytes_min = is_demanded ? 0 : (off_t)PLAN_DECODING_FILE_MIN,
    };
    return decoding_device_open(driver, sizes, &use, error);
}

int
gpu_decoding_start(const struct plan *plan, struct budget *budget,
                   struct error *error)
{
    struct decoding_sizes sizes;

    if (plan->decoding == GPU_DECODE_NEVER)
        return 0;
    bool is_demanded = plan->decoding == GPU_DECODE_ALWAYS;
    if (!decoding_device_fit(&sizes, plan->decoding_belts,
                             budget_total(budget) / MEMORY_SHARE)) {
        if (!is_demanded)
            return 0;
        error_set(
            error, EXIT_USAGE,
            "--memory-limit leaves too little for --tune=gpu-decode=always");
        return -1;
    }
    /* What the device does not take must be enough for libzstd. */
    if (!is_demanded && budget_total(budget) - decoding_device_bytes(&sizes) <
                            plan->decoding_window + DECODER_BYTES)
        return 0;
    struct decoding_device *device = start(plan, &sizes, error);
    budget->device = device;
    if (device == NULL) {
        if (is_demanded)
            return -1;
        error_clear(error); /* readers do without */
        return 0;
    }
    budget_resize(budget, budget_total(budget) - decoding_device_bytes(&sizes));
    if (!is_demanded || decoding_device_await_start(device, NULL))
        return 0;
    error_move(error, &device->error);
    return -1;
}

bool
gpu_decoding_end(struct budget *budget)
{
    struct decoding_device *device = budget->device;

    budget->device = NULL;
    return decoding_device_close(device);
}

const struct error *
gpu_decoding_error(const struct budget *budget)
{
    struct decoding_device *device = budget->device;

    if (device == NULL)
        return NULL;
    pthread_mutex_lock(&device->lock);
    bool has_failed = device->error.status != EXIT_DONE;
    pthread_mutex_unlock(&device->lock);
    return has_failed ? &device->error : NULL;
}
