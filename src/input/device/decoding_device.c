/* SPDX-License-Identifier: MIT */
/* decoding_device.c -- a device that decodes, and the batches that go to it */

#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/thread.h"
#include "input/device/decoding_device.h"

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
const struct decoding_sizes decoding_device_usual = {
    .content = 96 * MIB,
    .packed = 48 * MIB,
    .literals = 64 * MIB,
    .sequences = 12 * MIB,
    .blocks = ZSTD_TASKS_MAX,
    .history = 128 * MIB,
    .slots = DECODING_BATCHES,
    .belts = 1,
};

/* The least sizes are so many times smaller, but for windows of the usual
   levels. */
#define SHRINK_MOST 32
#define HISTORY_LEAST (8 * MIB)

/* Several belts have batches at most so many times smaller. */
#define BELTS_SHRINK_MOST 8

/* Returns sizes so many times smaller than the usual ones. */
static struct decoding_sizes
shrink(uint32_t by)
{
    struct decoding_sizes sizes = decoding_device_usual;

    sizes.content /= by;
    sizes.packed /= by;
    sizes.literals /= by;
    sizes.sequences /= by;
    sizes.blocks /= by;
    if (sizes.history / by > HISTORY_LEAST)
        sizes.history /= by;
    else
        sizes.history = HISTORY_LEAST;
    return sizes;
}

bool
decoding_device_fit(struct decoding_sizes *sizes, unsigned int belts,
                    uint64_t bytes)
{
    for (uint32_t by = 1; by <= SHRINK_MOST; by *= 2) {
        uint32_t most = by < BELTS_SHRINK_MOST ? BELTS_SHRINK_MOST / by : 1;
        if (belts < most)
            most = belts;
        *sizes = shrink(by * most);
        sizes->belts = most;
        if (decoding_device_bytes(sizes) <= bytes)
            return true;
        /* Larger batches are better than more batches. */
        sizes->slots = DECODING_BATCHES_LEAST;
        if (decoding_device_bytes(sizes) <= bytes)
            return true;
    }
    return false;
}

uint64_t
decoding_device_bytes(const struct decoding_sizes *sizes)
{
    return sizeof(struct decoding_device) +
           sizes->belts * (uint64_t)sizes->slots *
               ((uint64_t)LEASE_FRONT_BYTES + sizes->content + sizes->packed +
                sizes->blocks * (sizeof(struct zstd_task) +
                                 sizeof(struct zstd_found) + sizeof(uint64_t)));
}

uint32_t
decoding_batch_accepted(const struct decoding_batch *batch)
{
    uint32_t members = 0;

    while (members < batch->blocks && batch->refused[members] == 0)
        members++;
    return members;
}

uint32_t
decoding_batch_content(const struct decoding_batch *batch)
{
    if (batch->kind == DECODING_ZSTD)
        return batch->left->is_refused || batch->left->content > batch->room
                   ? 0
                   : batch->left->content;
    uint32_t members = decoding_batch_accepted(batch);
    return members < batch->blocks ? batch->member[members].content_at
                                   : batch->room;
}

static unsigned int
slot_of(const struct decoding_belt *belt, uint64_t number)
{
    return belt->slot[number % DECODING_BATCHES];
}

static struct decoding_batch *
batch_of(struct decoding_belt *belt, uint64_t number)
{
    return &belt->batch[slot_of(belt, number)];
}

/* Returns a slot with memory that has neither a batch nor leases;
   DECODING_BATCHES: no such slot. */
static unsigned int
free_place(const struct decoding_belt *belt)
{
    bool is_used[DECODING_BATCHES] = {false};
    unsigned int slot = 0;

    for (uint64_t n = belt->released; n < belt->filled; n++)
        is_used[slot_of(belt, n)] = true;
    while (slot < belt->opened && (is_used[slot] || belt->leases[slot] > 0))
        slot++;
    return slot < belt->opened ? slot : DECODING_BATCHES;
}

/* ---- the threads ---- */

/* Something has changed on BELT, under the lock. */
static void
tell_belt(struct decoding_belt *belt)
{
    pthread_cond_broadcast(&belt->device->has_work);
    pthread_cond_broadcast(&belt->has_changed);
}

/* Something has changed for everyone, under the lock. */
static void
tell_all(struct decoding_device *device)
{
    pthread_cond_broadcast(device->has_changed);
    for (unsigned int i = 0; i < device->sizes.belts; i++)
        tell_belt(&device->belt[i]);
}

static bool
is_working(const struct decoding_device *device)
{
    return !device->is_closing && (device->state == DECODING_DEVICE_WAITING ||
                                   device->state == DECODING_DEVICE_STARTING ||
                                   device->state == DECODING_DEVICE_READY);
}

/* Whether it is the turn of DEVICE, which waits, to start: a driver opens one
   device at a time, and those that have started decode meanwhile. */
static bool
may_start(const struct decoding_device *device)
{
    switch (device->before->state) {
    case DECODING_DEVICE_WAITING:
    case DECODING_DEVICE_STARTING:
        return false;
    case DECODING_DEVICE_READY:
        return !device->is_held;
    default:
        return true;
    }
}

/* Wait for the turn of DEVICE.  Under the lock. */
static void
await_turn(struct decoding_device *device)
{
    while (device->state == DECODING_DEVICE_WAITING && !device->is_closing) {
        if (may_start(device))
            device->state = DECODING_DEVICE_STARTING;
        else
            pthread_cond_wait(device->has_changed, device->lock);
    }
}

/* A call has returned.  Returns whether it has succeeded, under the lock; if
   not, the thread does nothing more. */
static bool
end_call(struct decoding_caller *caller, int result, struct error *error)
{
    struct decoding_device *device = caller->device;

    /* The device is lost, and the error may belong to somebody else. */
    if (!watchdog_end(&caller->watch)) {
        error_clear(error);
        return false;
    }
    pthread_mutex_lock(device->lock);
    if (result == 0)
        return true;
    if (is_working(device))
        error_move(&device->error, error);
    if (device->state != DECODING_DEVICE_LOST)
        device->state = DECODING_DEVICE_FAILED;
    error_clear(error);
    device->running--;
    tell_all(device);
    pthread_mutex_unlock(device->lock);
    return false;
}

/* Start the driver, under the lock.  Returns as end_call(). */
static bool
start(struct decoding_caller *caller)
{
    struct decoding_device *device = caller->device;
    struct decoding_driver *driver = device->driver;
    struct error error = ERROR_NONE;

    if (!is_working(device))
        return true;
    pthread_mutex_unlock(device->lock);
    watchdog_start(&caller->watch);
    int result = driver->type->open(driver, &device->sizes, &error);
    if (!end_call(caller, result, &error))
        return false;
    device->is_started = true;
    tell_all(device);
    return true;
}

/* Get memory of the slots AHEAD while the driver starts.  Under the lock. */
static void
take_ahead(struct decoding_caller *caller)
{
    struct decoding_device *device = caller->device;
    const struct decoding_driver_type *type = device->driver->type;

    for (unsigned int i = 0; i < device->ahead && type->take_batch != NULL &&
                             !device->is_started && is_working(device);
         i++) {
        const struct decoding_belt *belt =
            &device->belt[i % device->sizes.belts];
        pthread_mutex_unlock(device->lock);
        type->take_batch(device->driver, &device->sizes,
                         &belt->batch[i / device->sizes.belts]);
        pthread_mutex_lock(device->lock);
    }
}

/* Open the next slot of BELT.  Under the lock.  Returns as end_call(). */
static bool
open_next(struct decoding_caller *caller, struct decoding_belt *belt)
{
    struct decoding_device *device = caller->device;
    struct decoding_driver *driver = device->driver;
    struct error error = ERROR_NONE;
    struct decoding_batch *batch = &belt->batch[belt->opened];
    bool is_needed = belt->opened < DECODING_BATCHES_LEAST;

    pthread_mutex_unlock(device->lock);
    watchdog_start(&caller->watch);
    int result = driver->type->open_batch(driver, batch, &error);
    if (!end_call(caller, is_needed ? result : 0, &error))
        return false;
    if (result == 0)
        belt->opened++;
    else
        belt->slots = belt->opened;
    error_clear(&error);
    if (device->state == DECODING_DEVICE_STARTING) {
        device->state = DECODING_DEVICE_READY;
        tell_all(device);
    }
    tell_belt(belt);
    return true;
}

/* Make a call for batch number *NEXT of BELT, and advance *NEXT.  Under the
   lock.  Returns as end_call(). */
static bool
call_for(struct decoding_caller *caller, struct decoding_belt *belt,
         uint64_t *next)
{
    struct decoding_device *device = caller->device;
    const struct decoding_driver_type *type = device->driver->type;
    struct error error = ERROR_NONE;
    uint64_t number = *next;
    const struct decoding_batch *batch = batch_of(belt, number);
    int result;

    if (caller->call == DECODING_CALL_DECODE)
        belt->turn[number % DECODING_BATCHES] = ++device->turns;
    pthread_mutex_unlock(device->lock);
    watchdog_start(&caller->watch);
    if (caller->call == DECODING_CALL_DECODE)
        result = type->decode(device->driver, number, batch, &error);
    else if (caller->call == DECODING_CALL_AWAIT)
        result = type->await(device->driver, number, batch, &error);
    else
        result = type->await_content(device->driver, number, batch, &error);
    if (!end_call(caller, result, &error))
        return false;
    ++*next;
    if (caller->call == DECODING_CALL_FETCH)
        device->content += decoding_batch_content(batch);
    tell_belt(belt);
    return true;
}

/* Returns the number of the next batch of BELT to call for, or NULL. */
static uint64_t *
next_of(struct decoding_belt *belt, enum decoding_call call)
{
    switch (call) {
    case DECODING_CALL_DECODE:
        return belt->started < belt->filled &&
                       belt->started - belt->awaited < DECODING_AT_ONCE
                   ? &belt->started
                   : NULL;
    case DECODING_CALL_AWAIT:
        return belt->awaited < belt->started ? &belt->awaited : NULL;
    case DECODING_CALL_FETCH:
        return belt->fetched < belt->awaited ? &belt->fetched : NULL;
    default:
        return NULL;
    }
}

/* Returns when the last batch before *NEXT, or *NEXT itself unless the call
   starts it, has been started. */
static uint64_t
turn_of(const struct decoding_belt *belt, enum decoding_call call,
        const uint64_t *next)
{
    uint64_t number = *next;

    if (call == DECODING_CALL_DECODE)
        number += DECODING_BATCHES - 1;
    return belt->turn[number % DECODING_BATCHES];
}

/*
 * Returns the belt whose turn it is, or NULL: no call is to be made.  Belts
 * start batches in turns; the other calls are made in the same order, because
 * the device does its work about in this order, and calls wait.
 */
static struct decoding_belt *
next_belt(struct decoding_device *device, enum decoding_call call)
{
    struct decoding_belt *found = NULL;
    uint64_t first = UINT64_MAX;

    for (unsigned int i = 0; i < device->sizes.belts; i++) {
        struct decoding_belt *belt = &device->belt[i];
        const uint64_t *next = next_of(belt, call);
        if (next == NULL || turn_of(belt, call, next) >= first)
            continue;
        first = turn_of(belt, call, next);
        found = belt;
    }
    return found;
}

/*
 * Returns the belt of which a slot should be opened, or NULL.  Opening takes
 * time, so a slot is opened only when somebody needs it.  The first slots come
 * first.
 */
static struct decoding_belt *
belt_to_open(struct decoding_device *device)
{
    struct decoding_belt *found = NULL;
    unsigned int belts = device->sizes.belts;

    for (unsigned int i = 0; i < belts && device->is_started; i++) {
        struct decoding_belt *belt = &device->belt[i];
        if (belt->opened < belt->slots &&
            (belt->opened * belts + i < device->ahead ||
             (belt->is_taken && free_place(belt) == DECODING_BATCHES)) &&
            (found == NULL || belt->opened < found->opened))
            found = belt;
    }
    return found;
}

/* Work until the device is closed, or fails.  Under the lock.  Returns as
   end_call(). */
static bool
work(struct decoding_caller *caller)
{
    struct decoding_device *device = caller->device;
    bool is_good = true;

    while (is_good && is_working(device)) {
        bool opens = caller->call == DECODING_CALL_OPEN;
        struct decoding_belt *belt =
            opens ? belt_to_open(device) : next_belt(device, caller->call);
        if (belt == NULL)
            pthread_cond_wait(&device->has_work, device->lock);
        else if (opens)
            is_good = open_next(caller, belt);
        else
            is_good = call_for(caller, belt, next_of(belt, caller->call));
    }
    return is_good;
}

static void *
caller_main(void *argument)
{
    struct decoding_caller *caller = argument;
    struct decoding_device *device = caller->device;

    pthread_mutex_lock(device->lock);
    await_turn(device);
    if (caller->call == DECODING_CALL_OPEN)
        take_ahead(caller);
    if (caller->call == DECODING_CALL_DECODE && !start(caller))
        return NULL;
    if (!work(caller))
        return NULL;
    device->running--;
    tell_all(device);
    pthread_mutex_unlock(device->lock);
    return NULL;
}

/* ---- the owner ---- */

/* Under the lock. */
static void
look_for_hanging(struct decoding_device *device)
{
    unsigned int ticks = device->ticks;

    if (device->state == DECODING_DEVICE_STARTING)
        ticks *= TICKS_STARTING;
    for (int i = 0; i < DECODING_CALLS && ticks > 0; i++) {
        if (!watchdog_tick(&device->caller[i].watch, ticks))
            continue;
        const char *call = atomic_load(&device->driver->call[i]);
        if (device->error.status == EXIT_DONE)
            error_set(&device->error, EXIT_NO_DEVICE,
                      "decoding on a GPU: %s did not return for %g s",
                      call != NULL ? call : "its driver", device->tick * ticks);
        device->state = DECODING_DEVICE_LOST;
        tell_all(device);
    }
}

void
decoding_device_allow(struct decoding_device *device)
{
    device->is_held = false;
    pthread_cond_broadcast(device->has_changed);
}

void
decoding_device_look(struct decoding_device *device)
{
    double now = clock_now();

    /* One waiting thread looks for all. */
    if (now - device->looked < device->tick * LOOK_SHARE)
        return;
    device->looked = now;
    look_for_hanging(device);
}

/* Wait for CHANGED, or for some time.  Under the lock. */
static void
wait_for(struct decoding_device *device, pthread_cond_t *changed)
{
    struct timespec end = clock_after(device->tick);

    if (pthread_cond_timedwait(changed, device->lock, &end) != 0)
        decoding_device_look(device);
}

void
decoding_belt_wait(struct decoding_belt *belt)
{
    wait_for(belt->device, &belt->has_changed);
}

unsigned int
decoding_device_owners(struct decoding_device *device,
                       struct decoding_belt **belt)
{
    unsigned int owners = 0;

    for (unsigned int i = device->sizes.belts; i-- > 0;) {
        if (device->belt[i].is_taken)
            owners++;
        else
            *belt = &device->belt[i];
    }
    return owners;
}

void
decoding_belt_take(struct decoding_belt *belt)
{
    belt->is_taken = true;
    /* It may need a slot. */
    pthread_cond_broadcast(&belt->device->has_work);
}

void
decoding_belt_drop(struct decoding_belt *belt)
{
    pthread_mutex_lock(belt->lock);
    while (decoding_belt_is_ready(belt) && belt->fetched < belt->filled)
        decoding_belt_wait(belt);
    belt->released = belt->filled;
    pthread_mutex_unlock(belt->lock);
}

void
decoding_belt_give(struct decoding_belt *belt)
{
    pthread_mutex_lock(belt->lock);
    belt->is_taken = false;
    pthread_cond_broadcast(belt->device->has_changed);
    pthread_mutex_unlock(belt->lock);
}

void
decoding_belt_return(struct decoding_belt **belt)
{
    if (*belt != NULL)
        decoding_belt_give(*belt);
    *belt = NULL;
}

bool
decoding_belt_is_ready(const struct decoding_belt *belt)
{
    return belt->device->state == DECODING_DEVICE_READY;
}

struct decoding_batch *
decoding_belt_vacant(struct decoding_belt *belt)
{
    /* The owner may have put something there, and lower slots may be free
       since. */
    if (belt->next == DECODING_BATCHES)
        belt->next = free_place(belt);
    return decoding_belt_is_ready(belt) && belt->next < DECODING_BATCHES
               ? &belt->batch[belt->next]
               : NULL;
}

void
decoding_belt_submit(struct decoding_belt *belt,
                     const struct decoding_batch *batch)
{
    belt->slot[belt->filled++ % DECODING_BATCHES] = batch->slot;
    belt->next = DECODING_BATCHES;
    pthread_cond_broadcast(&belt->device->has_work);
}

const struct decoding_batch *
decoding_belt_fetched(struct decoding_belt *belt, uint64_t number)
{
    return number < belt->fetched ? batch_of(belt, number) : NULL;
}

/* The END of a lease. */
static void
end_lease(void *owner, unsigned int slot)
{
    struct decoding_belt *belt = owner;

    pthread_mutex_lock(belt->lock);
    if (--belt->leases[slot] == 0)
        pthread_cond_broadcast(&belt->has_changed);
    pthread_mutex_unlock(belt->lock);
}

bool
decoding_belt_lease(struct decoding_belt *belt, struct lease *lease)
{
    unsigned int slot = slot_of(belt, belt->released);
    bool has_other = false;

    /* Without memory for the first slots the device fails. */
    for (unsigned int i = 0; i < belt->opened || i < DECODING_BATCHES_LEAST;
         i++)
        has_other |= i != slot && belt->leases[i] == 0;
    if (!has_other)
        return false;
    belt->leases[slot]++;
    *lease = (struct lease){.end = end_lease,
                            .owner = belt,
                            .slot = slot,
                            .token = belt->device->driver->token};
    return true;
}

void
decoding_belt_release(struct decoding_belt *belt)
{
    belt->released++;
}

/* ---- start and end ---- */

static void
free_device(struct decoding_device *device)
{
    device->driver->type->close(device->driver);
    pthread_cond_destroy(&device->has_work);
    for (unsigned int i = 0; i < device->sizes.belts; i++)
        pthread_cond_destroy(&device->belt[i].has_changed);
    error_clear(&device->error);
    free(device);
}

/* Have the threads end. */
static void
end_threads(struct decoding_device *device)
{
    pthread_mutex_lock(device->lock);
    device->is_closing = true;
    pthread_cond_broadcast(&device->has_work);
    pthread_cond_broadcast(device->has_changed);
    pthread_mutex_unlock(device->lock);
}

/* Join COUNT threads, and close DEVICE. */
static void
join(struct decoding_device *device, int count)
{
    for (int i = 0; i < count; i++)
        pthread_join(device->caller[i].thread, NULL);
    free_device(device);
}

static void
open_belts(struct decoding_device *device)
{
    for (unsigned int i = 0; i < device->sizes.belts; i++) {
        struct decoding_belt *belt = &device->belt[i];
        belt->device = device;
        belt->lock = device->lock;
        belt->sizes = &device->sizes;
        belt->slots = device->sizes.slots;
        belt->next = DECODING_BATCHES;
        clock_cond_init(&belt->has_changed);
        for (unsigned int n = 0; n < DECODING_BATCHES; n++) {
            belt->batch[n].belt = i;
            belt->batch[n].slot = n;
        }
    }
}

struct decoding_device *
decoding_device_open(struct decoding_driver *driver,
                     const struct decoding_sizes *sizes,
                     const struct decoding_device_use *use, struct error *error)
{
    struct decoding_device *device = calloc(1, sizeof *device);
    uint64_t batches = use->content / sizes->content + 1;
    char name[sizeof driver->name];
    int started = 0;

    if (device == NULL) {
        driver->type->close(driver);
        (void)error_fail_memory(error);
        return NULL;
    }
    device->driver = driver;
    device->lock = use->lock;
    device->has_changed = use->has_changed;
    device->before = use->before;
    device->is_held = use->is_held;
    if (use->before != NULL)
        device->state = DECODING_DEVICE_WAITING;
    device->sizes = *sizes;
    uint32_t slots = sizes->belts * sizes->slots;
    device->ahead = batches < slots ? (unsigned int)batches : slots;
    device->tick = use->timeout > 0 ? use->timeout / TICKS_LEAST : TICK_MOST;
    if (device->tick > TICK_MOST)
        device->tick = TICK_MOST;
    device->ticks = (unsigned int)(use->timeout / device->tick + 0.5);
    pthread_cond_init(&device->has_work, NULL);
    open_belts(device);
    /* A thread changes it. */
    snprintf(name, sizeof name, "%s", driver->name);
    device->running = DECODING_CALLS;
    while (started < DECODING_CALLS) {
        struct decoding_caller *caller = &device->caller[started];
        *caller = (struct decoding_caller){.device = device,
                                           .call = (enum decoding_call)started};
        if (thread_start(&caller->thread, caller_main, caller) != 0)
            break;
        started++;
    }
    if (started == DECODING_CALLS)
        return device;
    error_set(error, EXIT_NO_DEVICE, "cannot start a thread for %s", name);
    end_threads(device);
    join(device, started);
    return NULL;
}

bool
decoding_device_stop(struct decoding_device *device)
{
    end_threads(device);
    pthread_mutex_lock(device->lock);
    /* A call that nobody waits for may hang, too. */
    while (device->running > 0 && device->state != DECODING_DEVICE_STARTING &&
           device->state != DECODING_DEVICE_LOST)
        wait_for(device, device->has_changed);
    bool is_abandoned = device->state == DECODING_DEVICE_STARTING ||
                        device->state == DECODING_DEVICE_LOST;
    pthread_mutex_unlock(device->lock);
    return !is_abandoned;
}

void
decoding_device_close(struct decoding_device *device)
{
    join(device, DECODING_CALLS);
}
