/* crew.c -- several threads that share one task */

#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#include "base/crew.h"
#include "base/thread.h"

struct member {
    crew_work *work;
    void *task;
    unsigned int number;
};

static void *
member_main(void *argument)
{
    const struct member *member = argument;

    member->work(member->task, member->number);
    return NULL;
}

void
crew_run(unsigned int members, crew_work *work, void *task)
{
    pthread_t thread[CREW_MAX];
    struct member member[CREW_MAX];
    unsigned int started = 0;

    assert(members > 0 && members <= CREW_MAX);
    while (started + 1 < members) {
        member[started] = (struct member){work, task, started};
        if (thread_start(&thread[started], member_main, &member[started]) != 0)
            break;
        started++;
    }
    for (unsigned int m = started; m < members; m++)
        work(task, m);
    for (unsigned int t = 0; t < started; t++)
        pthread_join(thread[t], NULL);
}
