/* SPDX-License-Identifier: MIT */
/* watcher.c -- waits for the consumers, and for no device that hangs */

#include "run/watcher.h"
#include "base/clock.h"

/*
 * The ticks of the watchdog in one timeout.  Opening a device takes longer than
 * any later call.
 */
#define WATCH_TICKS 8
#define WATCH_TICKS_OPENING (4 * WATCH_TICKS)

/*
 * The timeout of CONSUMER in ticks; 0: none.  A GPU that the user did not
 * request may take any time to start.
 */
static unsigned int
ticks_max(struct consumer *consumer)
{
    struct consumers *all = consumer->all;

    pthread_mutex_lock(&all->lock);
    bool may_hang = consumer_is_device(consumer);
    bool is_opening = consumer->state == CONSUMER_STARTING;
    pthread_mutex_unlock(&all->lock);
    if (!may_hang)
        return 0;
    if (!is_opening)
        return WATCH_TICKS;
    return all->plan->gpu_is_demanded ? WATCH_TICKS_OPENING : 0;
}

/* A call of CONSUMER's thread has not returned for TICKS: abandon it. */
static void
consumer_lose(struct consumer *consumer, unsigned int ticks)
{
    struct consumers *all = consumer->all;
    struct error failure = ERROR_NONE;

    pthread_mutex_lock(&all->lock);
    consumer->is_lost = true;
    bool is_counting = consumer->state == CONSUMER_COUNTING;
    const char *call = atomic_load(&consumer->engine->call);
    error_set(&failure, EXIT_NO_DEVICE, "%s: %s did not return for %g s",
              consumer->name, call != NULL ? call : "its driver",
              all->plan->gpu_timeout * ticks / WATCH_TICKS);
    pthread_mutex_unlock(&all->lock);
    if (is_counting)
        consumer_end(consumer);
    consumer_fail(consumer, &failure);
}

void
watcher_tick(struct consumers *all)
{
    pthread_mutex_lock(&all->lock);
    size_t count = all->count;
    pthread_mutex_unlock(&all->lock);
    for (size_t i = 0; i < count; i++) {
        struct consumer *consumer = &all->consumer[i];
        unsigned int ticks = ticks_max(consumer);
        if (ticks > 0 && watchdog_tick(&consumer->watch, ticks))
            consumer_lose(consumer, ticks);
    }
}

double
watcher_seconds(const struct consumers *all)
{
    const struct plan *plan = all->plan;

    return plan->gpu_count > 0 ? plan->gpu_timeout / WATCH_TICKS : 0;
}

/* Wait until CONSUMER is DONE or has FAILED, which includes being lost. */
static void
await(struct consumers *all, const struct consumer *consumer)
{
    double seconds = watcher_seconds(all);

    pthread_mutex_lock(&all->lock);
    while (seconds > 0 && (consumer->state == CONSUMER_STARTING ||
                           consumer->state == CONSUMER_COUNTING)) {
        struct timespec end = clock_after(seconds);
        if (pthread_cond_timedwait(&all->ended, &all->lock, &end) == 0)
            continue;
        pthread_mutex_unlock(&all->lock);
        watcher_tick(all);
        pthread_mutex_lock(&all->lock);
    }
    pthread_mutex_unlock(&all->lock);
}

/* Returns consumer number I, or NULL: there is none yet. */
static struct consumer *
consumer_at(struct consumers *all, size_t i)
{
    pthread_mutex_lock(&all->lock);
    struct consumer *consumer = i < all->count ? &all->consumer[i] : NULL;
    pthread_mutex_unlock(&all->lock);
    return consumer;
}

bool
watcher_await(struct consumers *all)
{
    struct consumer *consumer;
    bool is_abandoned = false;

    /*
     * All readers have ended.  Only a consumer that is not DONE may still add a
     * consumer: a GPU adds the next GPU, and any consumer adds CPU threads for
     * refused chunks.
     */
    for (size_t i = 0; (consumer = consumer_at(all, i)) != NULL; i++) {
        pthread_mutex_lock(&all->lock);
        consumer->is_starting = consumer->state == CONSUMER_STARTING &&
                                consumer_is_device(consumer) &&
                                !all->plan->gpu_is_demanded;
        pthread_mutex_unlock(&all->lock);
        if (!consumer->is_starting && !consumer->is_reader)
            await(all, consumer);
        if (consumer->is_starting || consumer->is_lost)
            is_abandoned = true;
        else if (!consumer->is_reader)
            pthread_join(consumer->thread, NULL);
    }
    return is_abandoned;
}
