/* SPDX-License-Identifier: MIT */
/* watchdog.c -- detects a hanging call */

#include "sync/watchdog.h"

/* The watcher has become the owner; the final state. */
#define LOST UINT64_MAX

void
watchdog_start(struct watchdog *watch)
{
    atomic_fetch_add(&watch->state, 1);
}

bool
watchdog_end(struct watchdog *watch)
{
    uint64_t state = atomic_load(&watch->state);

    return state != LOST &&
           atomic_compare_exchange_strong(&watch->state, &state, state + 1);
}

bool
watchdog_tick(struct watchdog *watch, unsigned int limit)
{
    uint64_t state = atomic_load(&watch->state);

    if (state == LOST)
        return false;
    if (state % 2 == 0 || state != watch->seen) {
        watch->seen = state;
        watch->ticks = 0;
        return false;
    }
    watch->ticks++;
    return watch->ticks >= limit &&
           atomic_compare_exchange_strong(&watch->state, &state, LOST);
}
