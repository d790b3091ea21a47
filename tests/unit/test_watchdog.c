/* SPDX-License-Identifier: MIT */
/* test_watchdog.c -- there is exactly one owner at a time */

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <unistd.h>

#include "../tap.h"
#include "sync/watchdog.h"

#define WATCHDOG_SECONDS 60
#define RACES 2000

static void
test_calls_that_return(void)
{
    struct watchdog watch = {0};
    int lost = 0;

    lost += watchdog_tick(&watch, 1);
    lost += watchdog_tick(&watch, 1);
    ok(lost == 0, "before any call nobody is late");
    for (int i = 0; i < 3; i++) {
        watchdog_start(&watch);
        lost += watchdog_tick(&watch, 3);
        lost += watchdog_tick(&watch, 3);
        lost += watchdog_tick(&watch, 3);
        lost += !watchdog_end(&watch);
        lost += watchdog_tick(&watch, 3);
    }
    ok(lost == 0, "calls of 3 ticks are not late");
    for (int i = 0; i < 10; i++) {
        watchdog_start(&watch);
        lost += watchdog_tick(&watch, 1);
        lost += !watchdog_end(&watch);
    }
    ok(lost == 0, "nor are many calls together");
    for (int i = 0; i < 10; i++)
        lost += watchdog_tick(&watch, 1);
    ok(lost == 0, "nor is the time between calls");
}

static void
test_calls_that_hang(void)
{
    for (unsigned int limit = 1; limit <= 5; limit++) {
        struct watchdog watch = {0};
        unsigned int ticks = 1;

        watchdog_start(&watch);
        while (!watchdog_tick(&watch, limit) && ticks < 100)
            ticks++;
        ok(ticks == limit + 1, "limit %u: late at tick %u", limit, ticks);
        ok(!watchdog_tick(&watch, limit) && !watchdog_tick(&watch, limit),
           "limit %u: only once", limit);
        ok(!watchdog_end(&watch), "limit %u: the caller is told", limit);
        ok(!watchdog_tick(&watch, limit), "limit %u: and that is the end",
           limit);
    }
}

/* What a caller and a watcher own in turn, without a lock. */
struct race {
    struct watchdog watch;
    int owned;
    bool is_caller_lost;
};

static void *
race_main(void *argument)
{
    struct race *race = argument;

    for (int i = 0; i < 100; i++) {
        watchdog_start(&race->watch);
        if (i % 8 == 0)
            sched_yield();
        if (!watchdog_end(&race->watch)) {
            race->is_caller_lost = true;
            return NULL;
        }
        race->owned++;
    }
    return NULL;
}

/* Both want it at the same moment: a thread sanitizer sees it if both get it. */
static void
test_races(void)
{
    int wrong = 0;
    int taken = 0;

    for (int i = 0; i < RACES; i++) {
        struct race race = {.owned = 0};
        pthread_t thread;
        bool is_taken = false;

        pthread_create(&thread, NULL, race_main, &race);
        for (int j = 0; j < 500 && !is_taken; j++)
            is_taken = watchdog_tick(&race.watch, 1);
        if (is_taken)
            race.owned++;
        pthread_join(thread, NULL);
        taken += is_taken;
        wrong += is_taken != race.is_caller_lost;
        wrong += !is_taken && race.owned != 100;
    }
    ok(wrong == 0, "%d races, of which the watcher won %d", RACES, taken);
}

int
main(void)
{
    alarm(WATCHDOG_SECONDS);
    test_calls_that_return();
    test_calls_that_hang();
    test_races();
    return done_testing();
}
