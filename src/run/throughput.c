/* SPDX-License-Identifier: MIT */
/* throughput.c -- how fast the CPU counts text, to know when a GPU pays */

#include "run/throughput.h"

/* The time of each processor from the start to the first look. */
#define FIRST_SECONDS 0.01

/* So many looks, one after the other, must say that a GPU pays. */
#define LOOKS_TO_PAY 2

static bool
pays(const struct throughput *throughput)
{
    return throughput->paid >= LOOKS_TO_PAY;
}

void
throughput_open(struct throughput *throughput, const struct plan *plan)
{
    *throughput = (struct throughput){.is_looking = ATOMIC_FLAG_INIT,
                                      .next = FIRST_SECONDS * plan->cpus};
}

bool
throughput_is_due(struct throughput *throughput, double busy)
{
    if (atomic_flag_test_and_set(&throughput->is_looking))
        return false;
    if (!throughput->has_started) {
        throughput->has_started = true;
        throughput->start = busy;
    }
    if (!pays(throughput) && busy - throughput->start >= throughput->next)
        return true;
    atomic_flag_clear(&throughput->is_looking);
    return false;
}

bool
throughput_look(struct throughput *throughput, const struct plan *plan,
                const struct throughput_sample *sight, uint64_t keys)
{
    double since = sight->busy - throughput->start;
    /* Bytes read ahead are not counted yet. */
    double busy =
        since - plan->payoff.read_time * (double)(sight->read - sight->counted);
    /* With --per-file, counting starts over. */
    if (sight->counted < throughput->counted)
        throughput->counted = 0;
    uint64_t counted = sight->counted - throughput->counted;
    double time = counted > 0 ? (busy - throughput->busy) / (double)counted : 0;

    if (time > 0) {
        double change = throughput->time > time ? time / throughput->time : 1;
        bool would_pay =
            throughput->time > 0 &&
            plan_gpu_pays(plan, sight->counted, time * change, keys);
        throughput->paid = would_pay ? throughput->paid + 1 : 0;
        throughput->time = time;
        throughput->busy = busy;
        throughput->counted = sight->counted;
    }
    throughput->next = 2 * since;
    bool does_pay = pays(throughput);
    atomic_flag_clear(&throughput->is_looking);
    return does_pay;
}
