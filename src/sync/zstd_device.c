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
    .places = ZSTD_DEVICE_BATCHES,
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
        /* Larger batches are better than more of them. */
        sizes->places = ZSTD_DEVICE_BATCHES_LEAST;
        if (zstd_device_bytes(sizes) <= bytes)
            return true;
    }
    return false;
}

uint64_t
zstd_device_bytes(const struct zstd_device_sizes *sizes)
{
    return sizeof(struct zstd_device) +
           sizes->places *
               ((uint64_t)LEASE_FRONT_BYTES + sizes->content + sizes->packed +
                sizes->blocks * (sizeof(struct zstd_task) +
                                 sizeof(struct zstd_found) + sizeof(uint64_t)));
}

static unsigned int
place_of(const struct zstd_device *device, uint64_t number)
{
    return device->place[number % ZSTD_DEVICE_BATCHES];
}

static struct zstd_device_batch *
batch_of(struct zstd_device *device, uint64_t number)
{
    return &device->batch[place_of(device, number)];
}

/* Returns a place with memory that has neither a batch nor leases;
   ZSTD_DEVICE_BATCHES: there is none. */
static unsigned int
free_place(const struct zstd_device *device)
{
    bool is_used[ZSTD_DEVICE_BATCHES] = {false};
    unsigned int place = 0;

    for (uint64_t n = device->released; n < device->filled; n++)
        is_used[place_of(device, n)] = true;
    while (place < device->opened &&
           (is_used[place] || device->leases[place] > 0))
        place++;
    return place < device->opened ? place : ZSTD_DEVICE_BATCHES;
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
        result = driver->type->open_batch(driver, &device->batch[0], &error);
    if (!end_call(device, result, &error))
        return false;
    device->state = ZSTD_DEVICE_READY;
    device->opened = 1;
    pthread_cond_broadcast(&device->has_changed);
    return true;
}

/* Get the memory of the next place, while others are decoded: that takes time.
   Under the lock.  Returns as end_call(). */
static bool
open_next(struct zstd_device *device)
{
    struct zstd_driver *driver = device->driver;
    struct error error = ERROR_NONE;
    struct zstd_device_batch *batch = &device->batch[device->opened];

    pthread_mutex_unlock(&device->lock);
    watchdog_begin(&device->watch);
    int result = driver->type->open_batch(driver, batch, &error);
    bool is_needed = device->opened < ZSTD_DEVICE_BATCHES_LEAST;
    if (!end_call(device, is_needed ? result : 0, &error))
        return false;
    if (result == 0)
        device->opened++;
    else
        device->sizes.places = device->opened;
    error_clear(&error);
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
    const struct zstd_device_batch *batch = batch_of(device, number);

    pthread_mutex_unlock(&device->lock);
    watchdog_begin(&device->watch);
    int result = call(device->driver, number, batch, &error);
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

    /* What waits is begun first, so that the device is never idle.  When a
       batch is decoded, the content of the one before has come, or will soon.
     */
    while (is_good && !device->is_closing) {
        if (device->begun < device->filled &&
            device->begun - device->awaited < ZSTD_DEVICE_DECODING)
            is_good = call_for(device, &device->begun, type->decode);
        else if (device->opened < device->sizes.places &&
                 free_place(device) == ZSTD_DEVICE_BATCHES)
            is_good = open_next(device);
        else if (device->awaited - device->fetched > 1)
            is_good = call_for(device, &device->fetched, type->await_content);
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
zstd_device_is_starting(struct zstd_device *device)
{
    pthread_mutex_lock(&device->lock);
    bool is_starting = device->state == ZSTD_DEVICE_STARTING;
    pthread_mutex_unlock(&device->lock);
    return is_starting;
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
    /* The owner may have put something there (zstd_batch_front()), and lower
       places may be free since. */
    if (device->next == ZSTD_DEVICE_BATCHES)
        device->next = free_place(device);
    return device->state == ZSTD_DEVICE_READY &&
                   device->next < ZSTD_DEVICE_BATCHES
               ? &device->batch[device->next]
               : NULL;
}

void
zstd_device_submit(struct zstd_device *device,
                   const struct zstd_device_batch *batch)
{
    device->place[device->filled++ % ZSTD_DEVICE_BATCHES] = batch->place;
    device->next = ZSTD_DEVICE_BATCHES;
    pthread_cond_signal(&device->has_work);
}

const struct zstd_device_batch *
zstd_device_fetched(struct zstd_device *device, uint64_t number)
{
    return number < device->fetched ? batch_of(device, number) : NULL;
}

/* The END of a lease. */
static void
end_lease(void *lender, unsigned int place)
{
    struct zstd_device *device = lender;

    pthread_mutex_lock(&device->lock);
    if (--device->leases[place] == 0)
        pthread_cond_broadcast(&device->has_changed);
    pthread_mutex_unlock(&device->lock);
}

bool
zstd_device_lend(struct zstd_device *device, struct lease *lease)
{
    unsigned int place = place_of(device, device->released);
    bool has_other = false;

    for (unsigned int i = 0; i < device->sizes.places; i++)
        has_other |= i != place && device->leases[i] == 0;
    if (!has_other)
        return false;
    device->leases[place]++;
    *lease = (struct lease){.end = end_lease, .lender = device, .place = place};
    return true;
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
    device->next = ZSTD_DEVICE_BATCHES;
    for (unsigned int i = 0; i < ZSTD_DEVICE_BATCHES; i++)
        device->batch[i].place = i;
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
