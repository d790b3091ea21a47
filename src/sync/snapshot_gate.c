/* SPDX-License-Identifier: MIT */
/* snapshot_gate.c -- holds the readers while a snapshot is taken */

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "sync/snapshot_gate.h"

/* Set SHUT_AT for the next snapshot.  Under the lock, or before threads. */
static void
set_shut_at(struct snapshot_gate *gate)
{
    uint64_t every = gate->every_bytes;
    uint64_t record = gate->record_bytes;

    if (every == 0)
        return;
    /* No overflow: EVERY and the bytes of any run are below 2^63. */
    uint64_t multiple = (gate->bytes / every + 1) * every;
    gate->shut_at =
        record == 0 ? multiple : (multiple + record - 1) / record * record;
}

int
snapshot_gate_open(struct snapshot_gate *gate, struct pool *pool, bool is_timed,
                   uint64_t every_bytes, size_t record_bytes,
                   struct error *error)
{
    *gate = (struct snapshot_gate){.pool = pool,
                                   .every_bytes = every_bytes,
                                   .record_bytes = record_bytes,
                                   .wake = -1};
    if (is_timed) {
        gate->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (gate->wake < 0) {
            error_set(error, EXIT_DATA, "cannot prepare for --every: %s",
                      strerror(errno));
            return -1;
        }
    }
    set_shut_at(gate);
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->reopened, NULL);
    return 0;
}

void
snapshot_gate_close(struct snapshot_gate *gate)
{
    if (gate->wake >= 0)
        close(gate->wake);
    pthread_mutex_destroy(&gate->lock);
    pthread_cond_destroy(&gate->reopened);
}

/* Pause the pool if no bytes are on their way to it.  Under the lock. */
static void
pause_if_outside(struct snapshot_gate *gate)
{
    if (gate->is_shut && gate->inside == 0)
        pool_pause(gate->pool);
}

void
snapshot_gate_shut(struct snapshot_gate *gate)
{
    const uint64_t one = 1;

    pthread_mutex_lock(&gate->lock);
    gate->is_shut = true;
    if (gate->wake >= 0)
        (void)!write(gate->wake, &one, sizeof one);
    pause_if_outside(gate);
    pthread_mutex_unlock(&gate->lock);
}

void
snapshot_gate_reopen(struct snapshot_gate *gate)
{
    uint64_t count;

    pthread_mutex_lock(&gate->lock);
    if (gate->wake >= 0)
        (void)!read(gate->wake, &count, sizeof count);
    gate->is_shut = false;
    pool_resume(gate->pool);
    pthread_cond_broadcast(&gate->reopened);
    pthread_mutex_unlock(&gate->lock);
}

void
snapshot_gate_enter(struct snapshot_gate *gate)
{
    if (gate == NULL)
        return;
    pthread_mutex_lock(&gate->lock);
    while (gate->is_shut)
        pthread_cond_wait(&gate->reopened, &gate->lock);
    gate->inside++;
    pthread_mutex_unlock(&gate->lock);
}

void
snapshot_gate_await(struct snapshot_gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    while (gate->is_shut)
        pthread_cond_wait(&gate->reopened, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
}

size_t
snapshot_gate_room(struct snapshot_gate *gate, size_t room)
{
    if (gate == NULL || gate->every_bytes == 0 || gate->record_bytes == 0)
        return room;
    pthread_mutex_lock(&gate->lock);
    uint64_t left = gate->shut_at - gate->bytes;
    pthread_mutex_unlock(&gate->lock);
    return left < room ? (size_t)left : room;
}

bool
snapshot_gate_awaits_end(const struct snapshot_gate *gate)
{
    return gate != NULL && gate->every_bytes > 0 && gate->record_bytes == 0;
}

size_t
snapshot_gate_left(struct snapshot_gate *gate)
{
    if (!snapshot_gate_awaits_end(gate))
        return SIZE_MAX;
    pthread_mutex_lock(&gate->lock);
    uint64_t left = gate->shut_at - gate->bytes;
    pthread_mutex_unlock(&gate->lock);
    return left < SIZE_MAX ? (size_t)left : SIZE_MAX;
}

bool
snapshot_gate_is_timed(const struct snapshot_gate *gate)
{
    return gate != NULL && gate->wake >= 0;
}

int
snapshot_gate_wait_input(const struct snapshot_gate *gate, int fd, int wake)
{
    /* poll() ignores a negative descriptor. */
    struct pollfd wait[] = {
        {.fd = gate != NULL ? gate->wake : -1, .events = POLLIN},
        {.fd = wake, .events = POLLIN},
        {.fd = fd, .events = POLLIN}};

    if (poll(wait, 3, -1) < 0)
        return -1;
    return wait[0].revents == 0 && wait[1].revents == 0;
}

void
snapshot_gate_leave(struct snapshot_gate *gate, size_t bytes)
{
    if (gate == NULL)
        return;
    pthread_mutex_lock(&gate->lock);
    assert(gate->inside > 0);
    gate->inside--;
    gate->bytes += bytes;
    if (gate->every_bytes > 0 && gate->bytes >= gate->shut_at) {
        gate->is_shut = true;
        set_shut_at(gate);
    }
    pause_if_outside(gate);
    pthread_mutex_unlock(&gate->lock);
}
