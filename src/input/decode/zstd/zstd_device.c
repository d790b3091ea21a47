/* zstd_device.c -- a device that decodes zstd, and the batches that go to it */

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/thread.h"
#include "input/decode/zstd/zstd_device.h"

#define MIB ((uint32_t)1 << 20)

/* The least number of looks at a call within its timeout; and the longest time
   between two looks, during which cancel_ask() goes unnoticed. */
#define TICKS_LEAST 8
#define TICK_MOST 0.25

/* Starting a driver takes longer than any later call. */
#define TICKS_STARTING 4

/* Another thread has looked for this part of a tick or less. */
#define LOOK_SHARE 0.5

/*
 * A device has, for each of three batches, the content with its window,
 * literals, sequences of eight bytes and packed bytes; and a word for each byte
 * of one content: 1.8 GB.  Text has 20 bytes of content or more for each
 * sequence, and at most a third of the content is literals.
 */
const struct zstd_device_sizes zstd_device_usual = {
    .content = 96 * MIB,
    .packed = 48 * MIB,
    .literals = 64 * MIB,
    .sequences = 12 * MIB,
    .blocks = ZSTD_TASKS_MAX,
    .history = 128 * MIB,
    .slots = ZSTD_DEVICE_BATCHES,
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
        /* Larger batches are better than more batches. */
        sizes->slots = ZSTD_DEVICE_BATCHES_LEAST;
        if (zstd_device_bytes(sizes) <= bytes)
            return true;
    }
    return false;
}

uint64_t
zstd_device_bytes(const struct zstd_device_sizes *sizes)
{
    return sizeof(struct zstd_device) +
           sizes->slots *
               ((uint64_t)LEASE_FRONT_BYTES + sizes->content + sizes->packed +
                sizes->blocks * (sizeof(struct zstd_task) +
                                 sizeof(struct zstd_found) + sizeof(uint64_t)));
}

static unsigned int
slot_of(const struct zstd_device *device, uint64_t number)
{
    return device->slot[number % ZSTD_DEVICE_BATCHES];
}

static struct zstd_device_batch *
batch_of(struct zstd_device *device, uint64_t number)
{
    return &device->batch[slot_of(device, number)];
}

/* Returns a slot with memory that has neither a batch nor leases;
   ZSTD_DEVICE_BATCHES: no such slot. */
static unsigned int
free_place(const struct zstd_device *device)
{
    bool is_used[ZSTD_DEVICE_BATCHES] = {false};
    unsigned int slot = 0;

    for (uint64_t n = device->released; n < device->filled; n++)
        is_used[slot_of(device, n)] = true;
    while (slot < device->opened && (is_used[slot] || device->leases[slot] > 0))
        slot++;
    return slot < device->opened ? slot : ZSTD_DEVICE_BATCHES;
}

/* ---- the threads ---- */

/* Something has changed, under the lock. */
static void
tell_all(struct zstd_device *device)
{
    pthread_cond_broadcast(&device->has_work);
    pthread_cond_broadcast(&device->has_changed);
}

static bool
is_working(const struct zstd_device *device)
{
    return !device->is_closing && (device->state == ZSTD_DEVICE_STARTING ||
                                   device->state == ZSTD_DEVICE_READY);
}

/* A call has returned.  Returns whether it has succeeded, under the lock; if
   not, the thread does nothing more. */
static bool
end_call(struct zstd_caller *caller, int result, struct error *error)
{
    struct zstd_device *device = caller->device;

    /* The device is lost, and the error may belong to somebody else. */
    if (!watchdog_end(&caller->watch)) {
        error_clear(error);
        return false;
    }
    pthread_mutex_lock(&device->lock);
    if (result == 0)
        return true;
    if (is_working(device))
        error_move(&device->error, error);
    if (device->state != ZSTD_DEVICE_LOST)
        device->state = ZSTD_DEVICE_FAILED;
    error_clear(error);
    device->running--;
    tell_all(device);
    pthread_mutex_unlock(&device->lock);
    return false;
}

/* Start the driver.  Returns as end_call(). */
static bool
start(struct zstd_caller *caller)
{
    struct zstd_device *device = caller->device;
    struct zstd_driver *driver = device->driver;
    struct error error = ERROR_NONE;

    watchdog_start(&caller->watch);
    int result = driver->type->open(driver, &device->sizes, &error);
    if (!end_call(caller, result, &error))
        return false;
    device->is_started = true;
    tell_all(device);
    return true;
}

/* Get memory of the slots AHEAD while the driver starts.  Ends under the lock.
 */
static void
take_ahead(struct zstd_caller *caller)
{
    struct zstd_device *device = caller->device;
    const struct zstd_driver_type *type = device->driver->type;

    pthread_mutex_lock(&device->lock);
    for (unsigned int i = 0; i < device->ahead && type->take_batch != NULL &&
                             !device->is_started && is_working(device);
         i++) {
        pthread_mutex_unlock(&device->lock);
        type->take_batch(device->driver, &device->sizes, &device->batch[i]);
        pthread_mutex_lock(&device->lock);
    }
}

/* Open the next slot.  Under the lock.  Returns as end_call(). */
static bool
open_next(struct zstd_caller *caller)
{
    struct zstd_device *device = caller->device;
    struct zstd_driver *driver = device->driver;
    struct error error = ERROR_NONE;
    struct zstd_device_batch *batch = &device->batch[device->opened];
    bool is_needed = device->opened < ZSTD_DEVICE_BATCHES_LEAST;

    pthread_mutex_unlock(&device->lock);
    watchdog_start(&caller->watch);
    int result = driver->type->open_batch(driver, batch, &error);
    if (!end_call(caller, is_needed ? result : 0, &error))
        return false;
    if (result == 0)
        device->opened++;
    else
        device->sizes.slots = device->opened;
    error_clear(&error);
    if (device->state == ZSTD_DEVICE_STARTING)
        device->state = ZSTD_DEVICE_READY;
    tell_all(device);
    return true;
}

/* Make a call for batch number *NEXT, and advance *NEXT.  Under the lock.
   Returns as end_call(). */
static bool
call_for(struct zstd_caller *caller, uint64_t *next)
{
    struct zstd_device *device = caller->device;
    const struct zstd_driver_type *type = device->driver->type;
    struct error error = ERROR_NONE;
    uint64_t number = *next;
    const struct zstd_device_batch *batch = batch_of(device, number);
    int result;

    pthread_mutex_unlock(&device->lock);
    watchdog_start(&caller->watch);
    if (caller->call == ZSTD_CALL_DECODE)
        result = type->decode(device->driver, number, batch, &error);
    else if (caller->call == ZSTD_CALL_AWAIT)
        result = type->await(device->driver, number, batch, &error);
    else
        result = type->await_content(device->driver, number, batch, &error);
    if (!end_call(caller, result, &error))
        return false;
    ++*next;
    tell_all(device);
    return true;
}

/* Returns the number of the next batch to call for, or NULL. */
static uint64_t *
next_of(struct zstd_device *device, enum zstd_call call)
{
    switch (call) {
    case ZSTD_CALL_DECODE:
        return device->started < device->filled &&
                       device->started - device->awaited < ZSTD_DEVICE_DECODING
                   ? &device->started
                   : NULL;
    case ZSTD_CALL_AWAIT:
        return device->awaited < device->started ? &device->awaited : NULL;
    case ZSTD_CALL_FETCH:
        return device->fetched < device->awaited ? &device->fetched : NULL;
    default:
        return NULL;
    }
}

/* Whether a slot should be opened.  Opening takes time, so a slot is opened
   only when somebody needs it. */
static bool
must_open(const struct zstd_device *device)
{
    return device->is_started && device->opened < device->sizes.slots &&
           (device->opened < device->ahead ||
            free_place(device) == ZSTD_DEVICE_BATCHES);
}

/* Work until the device is closed, or fails.  Under the lock.  Returns as
   end_call(). */
static bool
work(struct zstd_caller *caller)
{
    struct zstd_device *device = caller->device;
    bool is_good = true;

    while (is_good && is_working(device)) {
        uint64_t *next = next_of(device, caller->call);
        if (next != NULL)
            is_good = call_for(caller, next);
        else if (caller->call == ZSTD_CALL_OPEN && must_open(device))
            is_good = open_next(caller);
        else
            pthread_cond_wait(&device->has_work, &device->lock);
    }
    return is_good;
}

static void *
caller_main(void *argument)
{
    struct zstd_caller *caller = argument;
    struct zstd_device *device = caller->device;

    if (caller->call == ZSTD_CALL_OPEN)
        take_ahead(caller);
    else if (caller->call != ZSTD_CALL_DECODE)
        pthread_mutex_lock(&device->lock);
    else if (!start(caller))
        return NULL;
    if (!work(caller))
        return NULL;
    device->running--;
    tell_all(device);
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
    for (int i = 0; i < ZSTD_CALLS && ticks > 0; i++) {
        if (!watchdog_tick(&device->caller[i].watch, ticks))
            continue;
        const char *call = atomic_load(&device->driver->call[i]);
        if (device->error.status == EXIT_DONE)
            error_set(&device->error, EXIT_NO_DEVICE,
                      "zstd on a GPU: %s did not return for %g s",
                      call != NULL ? call : "its driver", device->tick * ticks);
        device->state = ZSTD_DEVICE_LOST;
        tell_all(device);
    }
}

void
zstd_device_wait(struct zstd_device *device)
{
    struct timespec end = clock_after(device->tick);

    if (pthread_cond_timedwait(&device->has_changed, &device->lock, &end) == 0)
        return;
    /* One waiting thread looks for all. */
    double now = clock_now();
    if (now - device->looked < device->tick * LOOK_SHARE)
        return;
    device->looked = now;
    look_for_hanging(device);
}

bool
zstd_device_await_start(struct zstd_device *device, const struct cancel *cancel)
{
    pthread_mutex_lock(&device->lock);
    while (device->state == ZSTD_DEVICE_STARTING && !cancel_is_asked(cancel) &&
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
zstd_device_is_ready(struct zstd_device *device)
{
    pthread_mutex_lock(&device->lock);
    bool is_ready = device->state == ZSTD_DEVICE_READY;
    pthread_mutex_unlock(&device->lock);
    return is_ready;
}

void
zstd_device_wait_for_owner(struct zstd_device *device)
{
    pthread_mutex_lock(&device->lock);
    if (device->state == ZSTD_DEVICE_READY && device->is_taken)
        zstd_device_wait(device);
    pthread_mutex_unlock(&device->lock);
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
    pthread_cond_broadcast(&device->has_changed);
    pthread_mutex_unlock(&device->lock);
}

struct zstd_device_batch *
zstd_device_vacant(struct zstd_device *device)
{
    /* The owner may have put something there (zstd_batch_front()), and lower
       slots may be free since. */
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
    device->slot[device->filled++ % ZSTD_DEVICE_BATCHES] = batch->slot;
    device->next = ZSTD_DEVICE_BATCHES;
    pthread_cond_broadcast(&device->has_work);
}

const struct zstd_device_batch *
zstd_device_fetched(struct zstd_device *device, uint64_t number)
{
    return number < device->fetched ? batch_of(device, number) : NULL;
}

/* The END of a lease. */
static void
end_lease(void *owner, unsigned int slot)
{
    struct zstd_device *device = owner;

    pthread_mutex_lock(&device->lock);
    if (--device->leases[slot] == 0)
        pthread_cond_broadcast(&device->has_changed);
    pthread_mutex_unlock(&device->lock);
}

bool
zstd_device_lease(struct zstd_device *device, struct lease *lease)
{
    unsigned int slot = slot_of(device, device->released);
    bool has_other = false;

    /* Without memory for the first slots the device fails. */
    for (unsigned int i = 0;
         i < device->opened || i < ZSTD_DEVICE_BATCHES_LEAST; i++)
        has_other |= i != slot && device->leases[i] == 0;
    if (!has_other)
        return false;
    device->leases[slot]++;
    *lease = (struct lease){.end = end_lease,
                            .owner = device,
                            .slot = slot,
                            .token = device->driver->token};
    return true;
}

void
zstd_device_release(struct zstd_device *device)
{
    device->released++;
}

/* ---- start and end ---- */

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

/* Have the threads end. */
static void
end_threads(struct zstd_device *device)
{
    pthread_mutex_lock(&device->lock);
    device->is_closing = true;
    pthread_cond_broadcast(&device->has_work);
    pthread_mutex_unlock(&device->lock);
}

/* Join COUNT threads, and close DEVICE. */
static void
join(struct zstd_device *device, int count)
{
    for (int i = 0; i < count; i++)
        pthread_join(device->caller[i].thread, NULL);
    free_device(device);
}

struct zstd_device *
zstd_device_open(struct zstd_driver *driver,
                 const struct zstd_device_sizes *sizes,
                 const struct zstd_device_use *use, struct error *error)
{
    struct zstd_device *device = calloc(1, sizeof *device);
    uint64_t batches = use->content / sizes->content + 1;
    char name[sizeof driver->name];
    int started = 0;

    if (device == NULL) {
        driver->type->close(driver);
        (void)error_fail_memory(error);
        return NULL;
    }
    device->driver = driver;
    device->file_bytes_min = use->file_bytes_min;
    device->sizes = *sizes;
    device->ahead =
        batches < sizes->slots ? (unsigned int)batches : sizes->slots;
    device->next = ZSTD_DEVICE_BATCHES;
    for (unsigned int i = 0; i < ZSTD_DEVICE_BATCHES; i++)
        device->batch[i].slot = i;
    device->tick = use->timeout > 0 ? use->timeout / TICKS_LEAST : TICK_MOST;
    if (device->tick > TICK_MOST)
        device->tick = TICK_MOST;
    device->ticks = (unsigned int)(use->timeout / device->tick + 0.5);
    device->patient_until = use->patience > 0 ? clock_now() + use->patience : 0;
    pthread_mutex_init(&device->lock, NULL);
    pthread_cond_init(&device->has_work, NULL);
    clock_cond_init(&device->has_changed);
    /* A thread changes it. */
    snprintf(name, sizeof name, "%s", driver->name);
    device->running = ZSTD_CALLS;
    while (started < ZSTD_CALLS) {
        struct zstd_caller *caller = &device->caller[started];
        *caller = (struct zstd_caller){.device = device,
                                       .call = (enum zstd_call)started};
        if (thread_start(&caller->thread, caller_main, caller) != 0)
            break;
        started++;
    }
    if (started == ZSTD_CALLS)
        return device;
    error_set(error, EXIT_NO_DEVICE, "cannot start a thread for %s", name);
    end_threads(device);
    join(device, started);
    return NULL;
}

bool
zstd_device_close(struct zstd_device *device)
{
    if (device == NULL)
        return true;
    end_threads(device);
    pthread_mutex_lock(&device->lock);
    /* A call that nobody waits for may hang, too. */
    while (device->running > 0 && device->state != ZSTD_DEVICE_STARTING &&
           device->state != ZSTD_DEVICE_LOST)
        zstd_device_wait(device);
    bool is_abandoned = device->state == ZSTD_DEVICE_STARTING ||
                        device->state == ZSTD_DEVICE_LOST;
    pthread_mutex_unlock(&device->lock);
    if (is_abandoned)
        return false;
    join(device, ZSTD_CALLS);
    return true;
}
