/* SPDX-License-Identifier: MIT */
/*
 * decoding_devices.h -- the devices that decode for a run
 *
 * An owner takes a belt of whichever device has one, for all of a file: so the
 * devices share the files, each as many as it can decode.  They start one after
 * the other, because a driver opens one device at a time; each decodes as soon
 * as it has started.  If one fails, its owners go on with a belt of another
 * device, or without.
 */

#ifndef GPUHIST_DECODING_DEVICES_H
#define GPUHIST_DECODING_DEVICES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/device/decoding_device.h"
#include "sync/cancel.h"

enum {
    DECODING_DEVICES = 8, /* the most */
};

/* The use of the devices of a run. */
struct decoding_devices_use {
    uint64_t content; /* bytes, about, for all of them */
    double timeout;   /* as in struct decoding_device_use */
    double
        patience; /* nobody waits longer for the start; 0: that is no limit */
    off_t file_bytes_min; /* smaller files are not worth it */
    bool wants_sketches;  /* the content is divided between records of FASTQ */
    /* While the first device starts, probably for START seconds, others decode
       so many files, at most. */
    double start;
    unsigned int early;
    bool are_held; /* each but the first waits for decoding_devices_allow() */
};

struct decoding_devices {
    /* Constant. */
    struct decoding_sizes sizes; /* of each device */
    unsigned int count;          /* at least 1 */
    struct decoding_device *device[DECODING_DEVICES];
    struct decoding_devices_use use;
    double patient_until; /* owners wait for the start until then, by
                             clock_now(); 0: as long as that may take */
    double started_at;    /* probably, by clock_now() */

    pthread_mutex_t lock;       /* of all devices */
    pthread_cond_t has_changed; /* for those that have no belt */
    unsigned int early; /* files that others may still decode; under the lock */
};

/*
 * Start COUNT devices of SIZES, which make the calls of DRIVER, and own the
 * drivers.  Returns the devices for decoding_devices_close(), or NULL with
 * *ERROR set; then all drivers are closed.  There are fewer devices if the
 * system refuses threads.
 */
struct decoding_devices *
decoding_devices_open(struct decoding_driver *const *driver, unsigned int count,
                      const struct decoding_sizes *sizes,
                      const struct decoding_devices_use *use,
                      struct error *error);

/* Device I, which may not exist, may start. */
void decoding_devices_allow(struct decoding_devices *devices, unsigned int i);

/* Wait until a device has started, or the common time for waiting is over, or
   CANCEL, which may be NULL, is asked.  Returns whether one is READY. */
bool decoding_devices_await_start(struct decoding_devices *devices,
                                  const struct cancel *cancel);

/* Whether no device is READY, but one may soon be. */
bool decoding_devices_are_starting(struct decoding_devices *devices);

/*
 * Returns whether the caller, without a device, should decode a file with BYTES
 * left: the devices are starting, and the file is probably decoded before.
 */
bool decoding_devices_pass_early(struct decoding_devices *devices, off_t bytes);

/* Whether a device is READY, even if others have all belts. */
bool decoding_devices_are_ready(struct decoding_devices *devices);

/* Wait until something has changed, or for some time, if others have all
   belts. */
void decoding_devices_wait_for_belt(struct decoding_devices *devices);

/* Become the owner of a belt, of the device that has the fewest owners.
   Returns the belt, or NULL: others have all belts, or no device is READY. */
struct decoding_belt *decoding_devices_take(struct decoding_devices *devices);

/*
 * Become the owner of a belt of DEVICES, which may be NULL, for all of a file,
 * and set *BELT to it, unless *BELT is one already.  Waits until a device has
 * started, or CANCEL is asked.  Returns whether *BELT is one.
 */
bool decoding_devices_hold(struct decoding_devices *devices,
                           const struct cancel *cancel,
                           struct decoding_belt **belt);

/*
 * The owner of *BELT has dropped all batches.  If its device has failed, give
 * *BELT back, and set *BELT to one of another device, or NULL.  Returns false
 * if no device is left.
 */
bool decoding_devices_replace(struct decoding_devices *devices,
                              struct decoding_belt **belt);

/*
 * Close DEVICES, which have no owner and may be NULL.  Returns whether their
 * threads have ended; if not, nothing is released, and the process must end
 * with _exit().
 */
bool decoding_devices_close(struct decoding_devices *devices);

#endif
