/* watcher.h -- waits for the consumers, and for no device that hangs */

#ifndef GPUHIST_WATCHER_H
#define GPUHIST_WATCHER_H

#include <stdbool.h>

#include "run/consumers.h"

/* Returns the seconds between calls of watcher_tick(); 0: call it never. */
double watcher_seconds(const struct consumers *all);

/* Give the chunks of devices that hang to other engines. */
void watcher_tick(struct consumers *all);

/*
 * Wait for the threads, after all readers have ended; but not for a GPU that
 * hangs, or that is still starting and that the user did not request.  Returns
 * whether a thread may still be running because of that.
 */
bool watcher_await(struct consumers *all);

#endif
