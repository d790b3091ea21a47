/* pace.c -- how fast the CPU counts text, to know when a GPU pays */

#include "run/pace.h"

/* The first look is after this time of each processor since the begin. */
#define FIRST_SECONDS 0.005

void
pace_open(struct pace *pace, const struct plan *plan)
{
    *pace = (struct pace){.is_looking = ATOMIC_FLAG_INIT,
                          .next = FIRST_SECONDS * plan->cpus};
}

bool
pace_is_due(struct pace *pace, double busy)
{
    if (atomic_flag_test_and_set(&pace->is_looking))
        return false;
    if (!pace->has_begun) {
        pace->has_begun = true;
        pace->begin = busy;
    }
    if (!pace->pays && busy - pace->begin >= pace->next)
        return true;
    atomic_flag_clear(&pace->is_looking);
    return false;
}

bool
pace_look(struct pace *pace, const struct plan *plan,
          const struct pace_sight *sight, uint64_t keys)
{
    double since = sight->busy - pace->begin;
    /* What was read ahead is not counted yet. */
    double busy =
        since - plan->pace.read_time * (double)(sight->read - sight->counted);
    /* With --per-file, counting starts over. */
    if (sight->counted < pace->counted)
        pace->counted = 0;
    uint64_t counted = sight->counted - pace->counted;
    double time = counted > 0 ? (busy - pace->busy) / (double)counted : 0;

    if (time > 0) {
        double change = pace->time > time ? time / pace->time : 1;
        pace->pays = pace->time > 0 &&
                     plan_gpu_pays(plan, sight->counted, time * change, keys);
        pace->time = time;
        pace->busy = busy;
        pace->counted = sight->counted;
    }
    pace->next = 2 * since;
    bool pays = pace->pays;
    atomic_flag_clear(&pace->is_looking);
    return pays;
}
