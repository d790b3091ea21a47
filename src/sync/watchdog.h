/*
 * watchdog.h -- noticing that a call does not return
 *
 * A call of a driver may hang for ever, and then the thread that made it is
 * lost.  What it was working on must not be: somebody else watches, and takes
 * it over.  So what belongs to the calling thread belongs to the watcher from
 * the moment at which watchdog_tick() returns true; the caller, should it come
 * back, is told so by watchdog_end(), and leaves everything alone.  Exactly one
 * of them is told that it is the owner, and sees what the other one wrote.
 *
 * The watcher counts how often it has looked, not what time it is: a process
 * that is stopped for a while and then goes on finds no call late.
 */

#ifndef GPUHIST_WATCHDOG_H
#define GPUHIST_WATCHDOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* All 0: no call yet. */
struct watchdog {
    _Atomic uint64_t state; /* odd: in a call; another number for each */

    /* Only for the watcher. */
    uint64_t seen; /* STATE, when it last looked */
    unsigned int ticks;
};

/* The calling thread, which is the owner, begins a call. */
void watchdog_begin(struct watchdog *watch);

/* It is back.  Whether it is still the owner. */
bool watchdog_end(struct watchdog *watch);

/*
 * The watcher looks, which it does every so often.  Whether it has become the
 * owner: it has found the same call under way LIMIT times after the first.
 */
bool watchdog_tick(struct watchdog *watch, unsigned int limit);

#endif
