/* SPDX-License-Identifier: MIT */
/* watcher.h -- waits for the consumers, and for no device that hangs */

#ifndef GPUHIST_WATCHER_H
#define GPUHIST_WATCHER_H

#include <stdbool.h>

#include "run/consumers.h"

/* Returns the seconds between calls of watcher_tick(); 0: call it never. */
double watcher_seconds(const struct consumers *all);

/* Give the chunks of hanging devices to other engines. */
void watcher_tick(struct consumers *all);

/*
 * Wait for the threads, after all readers have ended; but not for a hanging
 * GPU, nor for an unrequested GPU that is still starting.  Returns whether the
 * thread of such a GPU may still be running.
 */
bool watcher_await(struct consumers *all);

#endif
