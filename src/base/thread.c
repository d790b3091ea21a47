/* SPDX-License-Identifier: MIT */
/* thread.c -- threads with enough stack, and crews that share one task */

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "base/thread.h"

/* The stack that counting and printing need, with a margin. */
#define STACK_BYTES_MIN ((size_t)1 << 20)

int
thread_start(pthread_t *thread, void *(*function)(void *), void *argument)
{
    pthread_attr_t attributes;
    size_t stack_bytes;
    int result = pthread_attr_init(&attributes);

    if (result != 0)
        return result;
    if (pthread_attr_getstacksize(&attributes, &stack_bytes) == 0 &&
        stack_bytes < STACK_BYTES_MIN)
        (void)pthread_attr_setstacksize(&attributes, STACK_BYTES_MIN);
    result = pthread_create(thread, &attributes, function, argument);
    pthread_attr_destroy(&attributes);
    return result;
}

/* ---- crews ---- */

struct crew_member {
    crew_work *work;
    void *task;
    unsigned int number;
};

static void *
member_main(void *argument)
{
    const struct crew_member *member = argument;

    member->work(member->task, member->number);
    return NULL;
}

void
crew_run(unsigned int members, crew_work *work, void *task)
{
    pthread_t thread[CREW_MAX];
    struct crew_member member[CREW_MAX];
    unsigned int started = 0;

    assert(members > 0 && members <= CREW_MAX);
    while (started + 1 < members) {
        member[started] = (struct crew_member){work, task, started};
        if (thread_start(&thread[started], member_main, &member[started]) != 0)
            break;
        started++;
    }
    for (unsigned int m = started; m < members; m++)
        work(task, m);
    for (unsigned int t = 0; t < started; t++)
        pthread_join(thread[t], NULL);
}
