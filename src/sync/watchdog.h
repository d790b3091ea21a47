/* SPDX-License-Identifier: MIT */
/*
 * watchdog.h -- detects a hanging call
 *
 * A call of a driver may hang for ever, and then the thread is lost.  The
 * chunks of the thread must not be lost: a watcher takes them over.  When
 * watchdog_tick() returns true, everything owned by the calling thread belongs
 * to the watcher.  If the call returns later, watchdog_end() returns false, and
 * the calling thread must touch nothing.  Exactly one of the two threads
 * becomes the owner, and sees everything that the other thread wrote before.
 *
 * The watcher counts ticks and does not look at the clock.  So a process that
 * was stopped (SIGSTOP) and continues finds no call late.
 */

#ifndef GPUHIST_WATCHDOG_H
#define GPUHIST_WATCHDOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* All 0: no call yet. */
struct watchdog {
    _Atomic uint64_t state; /* odd during a call; different for each call */

    /* Only for the watcher. */
    uint64_t seen;      /* STATE at the last tick */
    unsigned int ticks; /* that have found the same call since */
};

/* The calling thread, which is the owner, starts a call. */
void watchdog_start(struct watchdog *watch);

/* The call has returned.  Returns whether the caller is still the owner. */
bool watchdog_end(struct watchdog *watch);

/*
 * The watcher calls this at regular intervals.  Returns true once, when it
 * becomes the owner: LIMIT ticks after the first have found the same call.
 */
bool watchdog_tick(struct watchdog *watch, unsigned int limit);

#endif
