/* stop.c -- have the readers stop, also one that waits in a system call */

#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include "stop.h"

void
stop_open(struct stop *stop)
{
    pthread_mutex_init(&stop->lock, NULL);
    atomic_init(&stop->state, STOP_FORBIDDEN);
    stop->calls = NULL;
}

static void
do_nothing(int signal)
{
    (void)signal;
}

void
stop_allow(struct stop *stop)
{
    struct sigaction action = {.sa_handler = do_nothing}; /* no SA_RESTART */
    sigset_t set;

    sigaction(SIGURG, &action, NULL);
    /* The threads to come have the mask of this one. */
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    atomic_store(&stop->state, STOP_ALLOWED);
}

bool
stop_close(struct stop *stop)
{
    pthread_mutex_lock(&stop->lock);
    bool was_asked = atomic_load(&stop->state) == STOP_ASKED;
    if (!was_asked)
        atomic_store(&stop->state, STOP_FORBIDDEN);
    pthread_mutex_unlock(&stop->lock);
    return was_asked;
}

bool
stop_ask(struct stop *stop)
{
    pthread_mutex_lock(&stop->lock);
    bool is_allowed = atomic_load(&stop->state) == STOP_ALLOWED;
    if (is_allowed)
        atomic_store(&stop->state, STOP_ASKED);
    pthread_mutex_unlock(&stop->lock);
    return is_allowed;
}

bool
stop_interrupt(struct stop *stop)
{
    pthread_mutex_lock(&stop->lock);
    for (struct stop_call *call = stop->calls; call != NULL; call = call->next)
        pthread_kill(call->thread, SIGURG);
    bool has_calls = stop->calls != NULL;
    pthread_mutex_unlock(&stop->lock);
    return has_calls;
}

bool
stop_is_asked(const struct stop *stop)
{
    return stop != NULL && atomic_load(&stop->state) == STOP_ASKED;
}

bool
stop_begin_call(struct stop *stop, struct stop_call *call)
{
    call->is_listed = false;
    if (stop == NULL || atomic_load(&stop->state) == STOP_FORBIDDEN)
        return true;

    pthread_mutex_lock(&stop->lock);
    if (atomic_load(&stop->state) == STOP_ALLOWED) {
        call->is_listed = true;
        call->thread = pthread_self();
        call->next = stop->calls;
        stop->calls = call;
    }
    pthread_mutex_unlock(&stop->lock);
    return call->is_listed;
}

void
stop_end_call(struct stop *stop, struct stop_call *call)
{
    int reason = errno;

    if (!call->is_listed)
        return;
    pthread_mutex_lock(&stop->lock);
    struct stop_call **link = &stop->calls;
    while (*link != call)
        link = &(*link)->next;
    *link = call->next;
    pthread_mutex_unlock(&stop->lock);
    errno = reason;
}
