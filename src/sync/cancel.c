/* SPDX-License-Identifier: MIT */
/* cancel.c -- stop the readers, even in a blocking system call */

#include <errno.h>
#include <signal.h>
#include <stddef.h>

#include "sync/cancel.h"

void
cancel_open(struct cancel *cancel)
{
    pthread_mutex_init(&cancel->lock, NULL);
    atomic_init(&cancel->state, CANCEL_FORBIDDEN);
    cancel->calls = NULL;
}

static void
do_nothing(int signal)
{
    (void)signal;
}

void
cancel_allow(struct cancel *cancel)
{
    struct sigaction action = {.sa_handler = do_nothing}; /* no SA_RESTART */
    sigset_t set;

    sigaction(SIGURG, &action, NULL);
    /* Threads inherit the mask of the thread that creates them. */
    sigemptyset(&set);
    sigaddset(&set, SIGURG);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    /* A run that starts again may have been asked to stop. */
    int before = CANCEL_FORBIDDEN;
    atomic_compare_exchange_strong(&cancel->state, &before, CANCEL_ALLOWED);
}

bool
cancel_close(struct cancel *cancel)
{
    pthread_mutex_lock(&cancel->lock);
    bool was_asked = atomic_load(&cancel->state) == CANCEL_ASKED;
    if (!was_asked)
        atomic_store(&cancel->state, CANCEL_FORBIDDEN);
    pthread_mutex_unlock(&cancel->lock);
    return was_asked;
}

bool
cancel_ask(struct cancel *cancel)
{
    pthread_mutex_lock(&cancel->lock);
    bool is_allowed = atomic_load(&cancel->state) == CANCEL_ALLOWED;
    if (is_allowed)
        atomic_store(&cancel->state, CANCEL_ASKED);
    pthread_mutex_unlock(&cancel->lock);
    return is_allowed;
}

bool
cancel_is_allowed(const struct cancel *cancel)
{
    return atomic_load(&cancel->state) == CANCEL_ALLOWED;
}

bool
cancel_interrupt(struct cancel *cancel)
{
    pthread_mutex_lock(&cancel->lock);
    for (struct cancel_call *call = cancel->calls; call != NULL;
         call = call->next)
        pthread_kill(call->thread, SIGURG);
    bool has_calls = cancel->calls != NULL;
    pthread_mutex_unlock(&cancel->lock);
    return has_calls;
}

bool
cancel_is_asked(const struct cancel *cancel)
{
    return cancel != NULL && atomic_load(&cancel->state) == CANCEL_ASKED;
}

bool
cancel_start_call(struct cancel *cancel, struct cancel_call *call)
{
    call->is_listed = false;
    if (cancel == NULL || atomic_load(&cancel->state) == CANCEL_FORBIDDEN)
        return true;

    pthread_mutex_lock(&cancel->lock);
    if (atomic_load(&cancel->state) == CANCEL_ALLOWED) {
        call->is_listed = true;
        call->thread = pthread_self();
        call->next = cancel->calls;
        cancel->calls = call;
    }
    pthread_mutex_unlock(&cancel->lock);
    return call->is_listed;
}

void
cancel_end_call(struct cancel *cancel, struct cancel_call *call)
{
    int reason = errno;

    if (!call->is_listed)
        return;
    pthread_mutex_lock(&cancel->lock);
    struct cancel_call **link = &cancel->calls;
    while (*link != call)
        link = &(*link)->next;
    *link = call->next;
    pthread_mutex_unlock(&cancel->lock);
    errno = reason;
}
