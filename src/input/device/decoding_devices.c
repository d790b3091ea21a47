/* SPDX-License-Identifier: MIT */
/* decoding_devices.c -- the devices that decode for a run */

#include <stdlib.h>

#include "base/clock.h"
#include "input/device/decoding_devices.h"

/* Bytes of a file that a thread decodes in a second, about. */
#define HOST_RATE 100e6

/* ---- under the lock ---- */

/* Whether a device is in STATE. */
static bool
is_any(const struct decoding_devices *devices, enum decoding_device_state state)
{
    for (unsigned int i = 0; i < devices->count; i++) {
        if (devices->device[i]->state == state)
            return true;
    }
    return false;
}

static bool
are_starting(const struct decoding_devices *devices)
{
    return !is_any(devices, DECODING_DEVICE_READY) &&
           (is_any(devices, DECODING_DEVICE_STARTING) ||
            is_any(devices, DECODING_DEVICE_WAITING));
}

/* Wait until something has changed, or for some time. */
static void
wait_for_change(struct decoding_devices *devices)
{
    struct timespec end = clock_after(devices->device[0]->tick);

    if (pthread_cond_timedwait(&devices->has_changed, &devices->lock, &end) ==
        0)
        return;
    for (unsigned int i = 0; i < devices->count; i++)
        decoding_device_look(devices->device[i]);
}

/* Returns a belt without an owner, or NULL. */
static struct decoding_belt *
free_belt(struct decoding_devices *devices)
{
    struct decoding_belt *found = NULL;
    unsigned int least = devices->sizes.belts;

    for (unsigned int i = 0; i < devices->count; i++) {
        struct decoding_device *device = devices->device[i];
        struct decoding_belt *belt;
        if (device->state != DECODING_DEVICE_READY)
            continue;
        unsigned int owners = decoding_device_owners(device, &belt);
        if (owners >= least)
            continue;
        least = owners;
        found = belt;
    }
    return found;
}

/* ---- the owners ---- */

void
decoding_devices_allow(struct decoding_devices *devices, unsigned int i)
{
    pthread_mutex_lock(&devices->lock);
    if (i < devices->count)
        decoding_device_allow(devices->device[i]);
    pthread_mutex_unlock(&devices->lock);
}

bool
decoding_devices_await_start(struct decoding_devices *devices,
                             const struct cancel *cancel)
{
    pthread_mutex_lock(&devices->lock);
    while (
        are_starting(devices) && !cancel_is_asked(cancel) &&
        (devices->patient_until == 0 || clock_now() < devices->patient_until))
        wait_for_change(devices);
    bool are_ready = is_any(devices, DECODING_DEVICE_READY);
    pthread_mutex_unlock(&devices->lock);
    return are_ready;
}

bool
decoding_devices_are_starting(struct decoding_devices *devices)
{
    pthread_mutex_lock(&devices->lock);
    bool result = are_starting(devices);
    pthread_mutex_unlock(&devices->lock);
    return result;
}

bool
decoding_devices_pass_early(struct decoding_devices *devices, off_t bytes)
{
    double end = clock_now() + (double)bytes / HOST_RATE;

    pthread_mutex_lock(&devices->lock);
    bool is_early = are_starting(devices) && devices->early > 0 &&
                    end < devices->started_at;
    devices->early -= is_early;
    pthread_mutex_unlock(&devices->lock);
    return is_early;
}

bool
decoding_devices_are_ready(struct decoding_devices *devices)
{
    pthread_mutex_lock(&devices->lock);
    bool are_ready = is_any(devices, DECODING_DEVICE_READY);
    pthread_mutex_unlock(&devices->lock);
    return are_ready;
}

void
decoding_devices_wait_for_belt(struct decoding_devices *devices)
{
    pthread_mutex_lock(&devices->lock);
    if (is_any(devices, DECODING_DEVICE_READY) && free_belt(devices) == NULL)
        wait_for_change(devices);
    pthread_mutex_unlock(&devices->lock);
}

struct decoding_belt *
decoding_devices_take(struct decoding_devices *devices)
{
    pthread_mutex_lock(&devices->lock);
    struct decoding_belt *belt = free_belt(devices);
    if (belt != NULL)
        decoding_belt_take(belt);
    pthread_mutex_unlock(&devices->lock);
    return belt;
}

bool
decoding_devices_hold(struct decoding_devices *devices,
                      const struct cancel *cancel, struct decoding_belt **belt)
{
    if (*belt == NULL && devices != NULL &&
        decoding_devices_await_start(devices, cancel))
        *belt = decoding_devices_take(devices);
    return *belt != NULL;
}

bool
decoding_devices_replace(struct decoding_devices *devices,
                         struct decoding_belt **belt)
{
    pthread_mutex_lock(&devices->lock);
    bool is_ready = decoding_belt_is_ready(*belt);
    bool is_any_left =
        is_any(devices, DECODING_DEVICE_READY) || are_starting(devices);
    pthread_mutex_unlock(&devices->lock);
    if (is_ready)
        return true;
    decoding_belt_give(*belt);
    *belt = decoding_devices_take(devices);
    return is_any_left;
}

/* ---- start and end ---- */

/* Close the drivers FIRST and after, of COUNT. */
static void
close_drivers(struct decoding_driver *const *driver, unsigned int first,
              unsigned int count)
{
    for (unsigned int i = first; i < count; i++)
        driver[i]->type->close(driver[i]);
}

static void
release(struct decoding_devices *devices)
{
    for (unsigned int i = 0; i < devices->count; i++)
        decoding_device_close(devices->device[i]);
    pthread_mutex_destroy(&devices->lock);
    pthread_cond_destroy(&devices->has_changed);
    free(devices);
}

struct decoding_devices *
decoding_devices_open(struct decoding_driver *const *driver, unsigned int count,
                      const struct decoding_sizes *sizes,
                      const struct decoding_devices_use *use,
                      struct error *error)
{
    struct decoding_devices *devices = calloc(1, sizeof *devices);

    if (devices == NULL) {
        close_drivers(driver, 0, count);
        (void)error_fail_memory(error);
        return NULL;
    }
    devices->sizes = *sizes;
    devices->use = *use;
    devices->started_at = clock_now() + use->start;
    devices->early = use->early;
    devices->patient_until =
        use->patience > 0 ? clock_now() + use->patience : 0;
    pthread_mutex_init(&devices->lock, NULL);
    clock_cond_init(&devices->has_changed);
    struct decoding_device_use one = {
        .content = use->content / count,
        .timeout = use->timeout,
        .lock = &devices->lock,
        .has_changed = &devices->has_changed,
        .is_held = use->are_held,
    };
    for (unsigned int i = 0; i < count; i++) {
        devices->device[i] =
            decoding_device_open(driver[i], sizes, &one, error);
        one.before = devices->device[i];
        if (one.before == NULL) {
            close_drivers(driver, i + 1, count);
            break;
        }
        devices->count++;
    }
    if (devices->count == 0) {
        release(devices);
        return NULL;
    }
    error_clear(error);
    return devices;
}

bool
decoding_devices_close(struct decoding_devices *devices)
{
    bool have_stopped = true;

    if (devices == NULL)
        return true;
    /* A device may look at the one before. */
    for (unsigned int i = devices->count; i-- > 0;)
        have_stopped &= decoding_device_stop(devices->device[i]);
    if (have_stopped)
        release(devices);
    return have_stopped;
}
