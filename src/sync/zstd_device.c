/* zstd_device.c -- a device that decodes zstd, and the batches that go to it */

#include <stdlib.h>

#include "sync/zstd_device.h"
#include "util/clock.h"
#include "util/thread.h"

#define MIB ((uint32_t)1 << 20)

/* How often a hanging call is looked for in its time, at least; and the longest
   time between two looks, in which cancel_ask() would not be noticed. */
#define TICKS_LEAST 8
#define TICK_MOST 0.25

/* Starting a driver takes longer than any later call. */
#define TICKS_STARTING 4

/* Another thread has looked for this part of a tick or less. */
#define LOOK_SHARE 0.5

/*
 * A device has, of each of two batches, the content with its window, literals,
 * sequences of eight bytes and what is packed; and a word for each byte of one
 * content with its window: 1.8 GB.  Text has 20 bytes of content or more for
 * each sequence, and a third or less of it is literals.
 */
const struct zstd_device_sizes zstd_device_usual = {
    .content = 96 * MIB,
    .packed = 48 * MIB,
    .literals = 64 * MIB,
    .sequences = 12 * MIB,
    .blocks = ZSTD_TASKS_MAX,
    .history = 128 * MIB,
};

/* The least sizes are so many times smaller, but for windows of the usual
   levels. */
#define SHRINK_MOST 32
#define HISTORY_LEAST (8 * MIB)

bool
zstd_device_fit(struct zstd_device_sizes *sizes, uint64_t bytes)
{
    for (uint32_t by = 1; by <= SHRINK_MOST; by *= 2) {
        *sizes = zstd_device_usual;
        sizes->content /= by;
        sizes->packed /= by;
        sizes->literals /= by;
        sizes->sequences /= by;
        sizes->blocks /= by;
        if (sizes->history / by > HISTORY_LEAST)
            sizes->history /= by;
        else
            sizes->history = HISTORY_LEAST;
        if (zstd_device_bytes(sizes) <= bytes)
            return true;
    }
    return false;
}

uint64_t
zstd_device_bytes(const struct zstd_device_sizes *sizes)
{
    return sizeof(struct zstd_device) +
           ZSTD_DEVICE_BATCHES *
               ((uint64_t)sizes->content + sizes->packed +
                sizes->blocks * (sizeof(struct zstd_task) +
                                 sizeof(struct zstd_found) + sizeof(uint64_t)));
}

static struct zstd_device_batch *
batch_of(struct zstd_device *device, uint64_t number)
{
    return &device->batch[number % ZSTD_DEVICE_BATCHES];
}

/* ---- the thread ---- */

/* A call has returned.  Returns whether it has succeeded, under the lock; if
   not, the thread does nothing more. */
static bool
end_call(struct zstd_device *device, int result, struct error *error)
{
    /* The device is lost, and the error may be that of somebody else. */
    if (!watchdog_end(&device->watch)) {
        error_clear(error);
        return false;
    }
    pthread_mutex_lock(&device->lock);
    if (result == 0)
        return true;
    device->state = ZSTD_DEVICE_FAILED;
    error_move(&device->error, error);
    pthread_cond_broadcast(&device->has_changed);
    pthread_mutex_unlock(&device->lock);
    return false;
}

/* Start the driver.  Returns as end_call(). */
static bool
start(struct zstd_device *device)
{
    struct zstd_driver *driver = device->driver;
    struct error error = ERROR_NONE;

    watchdog_begin(&device->watch);
    int result = driver->type->open(driver, &device->sizes, &error);
    if (result == 0)
        result =
            driver->type->open_batch(driver, 0, batch_of(device, 0), &error);
    if (!end_call(device, result, &error))
        return false;
    device->state = ZSTD_DEVICE_READY;
    device->opened = 1;
    pthread_cond_broadcast(&device->has_changed);
    return true;
}

/* Get the memory of the next batch, while others are decoded: that takes time.
   Under the lock.  Returns as end_call(). */
static bool
open_next(struct zstd_device *device)
{
    struct zstd_driver *driver = device->driver;
    struct error error = ERROR_NONE;
    uint64_t number = device->opened;

    pthread_mutex_unlock(&device->lock);
    watchdog_begin(&device->watch);
    int result = driver->type->open_batch(driver, number,
                                          batch_of(device, number), &error);
    if (!end_call(device, result, &error))
        return false;
    device->opened++;
    pthread_cond_broadcast(&device->has_changed);
    return true;
}

/* Make CALL of the driver for batch number *NEXT, and advance that.  Under the
   lock.  Returns as end_call(). */
static bool
call_for(struct zstd_device *device, uint64_t *next,
         int (*call)(struct zstd_driver *driver, uint64_t number,
                     const struct zstd_device_batch *batch,
                     struct error *error))
{
    struct error error = ERROR_NONE;
    uint64_t number = *next;

    pthread_mutex_unlock(&device->lock);
    watchdog_begin(&device->watch);
    int result = call(device->driver, number, batch_of(device, number), &error);
    if (!end_call(device, result, &error))
        return false;
    ++*next;
    pthread_cond_broadcast(&device->has_changed);
    return true;
}

/* Work until the device is closed.  Under the lock.  Returns as end_call(). */
static bool
work(struct zstd_device *device)
{
    const struct zstd_driver_type *type = device->driver->type;
    bool is_good = true;

    /* What waits is begun first, so that the device is never idle. */
    while (is_good && !device->is_closing) {
        if (device->begun < device->filled &&
            device->begun - device->awaited < ZSTD_DEVICE_DECODING)
            is_good = call_for(device, &device->begun, type->decode);
        else if (device->opened < ZSTD_DEVICE_BATCHES &&
                 device->opened == device->filled)
            is_good = open_next(device);
        else if (device->awaited < device->begun)
            is_good = call_for(device, &device->awaited, type->await);
        else if (device->fetched < device->awaited)
            is_good = call_for(device, &device->fetched, type->await_content);
        else
            pthread_cond_wait(&device->has_work, &device->lock);
    }
    return is_good;
}

static void *
thread_main(void *argument)
{
    struct zstd_device *device = argument;

    if (start(device) && work(device))
        pthread_mutex_unlock(&device->lock);
    return NULL;
}

/* ---- the owner ---- */

/* Under the lock. */
static void
look_for_hanging(struct zstd_device *device)
{
    unsigned int ticks = device->ticks;

    if (device->state == ZSTD_DEVICE_STARTING)
        ticks *= TICKS_STARTING;
    if (ticks == 0 || !watchdog_tick(&device->watch, ticks))
        return;
    const char *call = atomic_load(&device->driver->call);
    error_set(&device->error, EXIT_NO_DEVICE,
              "zstd on a GPU: %s did not return for %g s",
              call != NULL ? call : "its driver", device->tick * ticks);
    device->state = ZSTD_DEVICE_LOST;
    pthread_cond_broadcast(&device->has_changed);
}

void
zstd_device_wait(struct zstd_device *device)
{
    struct timespec end = clock_after(device->tick);

    if (pthread_cond_timedwait(&device->has_changed, &device->lock, &end) == 0)
        return;
    /* Of those that wait, one looks for all. */
    double now = clock_now();
    if (now - device->looked < device->tick * LOOK_SHARE)
        return;
    device->looked = now;
    look_for_hanging(device);
}

bool
zstd_device_await_start(struct zstd_device *device)
{
    pthread_mutex_lock(&device->lock);
    while (device->state == ZSTD_DEVICE_STARTING &&
           (device->patient_until == 0 || clock_now() < device->patient_until))
        zstd_device_wait(device);
    bool is_ready = device->state == ZSTD_DEVICE_READY;
    pthread_mutex_unlock(&device->lock);
    return is_ready;
}

bool
zstd_device_take(struct zstd_device *device)
{
    pthread_mutex_lock(&device->lock);
    bool is_free = device->state == ZSTD_DEVICE_READY && !device->is_taken;
    device->is_taken |= is_free;
    pthread_mutex_unlock(&device->lock);
    return is_free;
}

void
zstd_device_drop(struct zstd_device *device)
{
    pthread_mutex_lock(&device->lock);
    while (device->state == ZSTD_DEVICE_READY &&
           device->fetched < device->filled)
        zstd_device_wait(device);
    device->released = device->filled;
    pthread_mutex_unlock(&device->lock);
}

void
zstd_device_give(struct zstd_device *device)
{
    pthread_mutex_lock(&device->lock);
    device->is_taken = false;
    pthread_mutex_unlock(&device->lock);
}

struct zstd_device_batch *
zstd_device_vacant(struct zstd_device *device)
{
    bool is_open = device->filled < device->opened ||
                   device->opened == ZSTD_DEVICE_BATCHES;

    return device->state == ZSTD_DEVICE_READY && is_open &&
                   device->filled - device->released < ZSTD_DEVICE_BATCHES
               ? batch_of(device, device->filled)
               : NULL;
}

void
zstd_device_submit(struct zstd_device *device)
{
    device->filled++;
    pthread_cond_signal(&device->has_work);
}

const struct zstd_device_batch *
zstd_device_fetched(struct zstd_device *device, uint64_t number)
{
    return number < device->fetched ? batch_of(device, number) : NULL;
}

void
zstd_device_release(struct zstd_device *device)
{
    device->released++;
}

/* ---- begin and end ---- */

static void
free_device(struct zstd_device *device)
{
    device->driver->type->close(device->driver);
    pthread_mutex_destroy(&device->lock);
    pthread_cond_destroy(&device->has_work);
    pthread_cond_destroy(&device->has_changed);
    error_clear(&device->error);
    free(device);
}

struct zstd_device *
zstd_device_open(struct zstd_driver *driver,
                 const struct zstd_device_sizes *sizes, double timeout,
                 double patience, struct error *error)
{
    struct zstd_device *device = calloc(1, sizeof *device);

    if (device == NULL) {
        driver->type->close(driver);
        (void)error_fail_memory(error);
        return NULL;
    }
    device->driver = driver;
    device->sizes = *sizes;
    device->tick = timeout > 0 ? timeout / TICKS_LEAST : TICK_MOST;
    if (device->tick > TICK_MOST)
        device->tick = TICK_MOST;
    device->ticks = (unsigned int)(timeout / device->tick + 0.5);
    device->patient_until = patience > 0 ? clock_now() + patience : 0;
    pthread_mutex_init(&device->lock, NULL);
    pthread_cond_init(&device->has_work, NULL);
    clock_cond_init(&device->has_changed);
    int result = thread_start(&device->thread, thread_main, device);
    if (result == 0)
        return device;
    error_set(error, EXIT_NO_DEVICE, "cannot start a thread for %s",
              driver->name);
    free_device(device);
    return NULL;
}

bool
zstd_device_close(struct zstd_device *device)
{
    if (device == NULL)
        return true;
    pthread_mutex_lock(&device->lock);
    bool is_abandoned = device->state == ZSTD_DEVICE_STARTING ||
                        device->state == ZSTD_DEVICE_LOST;
    device->is_closing = true;
    pthread_cond_signal(&device->has_work);
    pthread_mutex_unlock(&device->lock);
    if (is_abandoned)
        return false;
    pthread_join(device->thread, NULL);
    free_device(device);
    return true;
}
