/*
 * throughput.h -- how fast the CPU counts text, to know when a GPU pays
 *
 * The plan cannot know what a byte of text costs.  So the readers look now and
 * then at how much is counted and how long all threads have run, together: at
 * time that is spent, not at time that passes, so a slow disk or other programs
 * do not look like slow counting.  What is spent before there are bytes, as
 * for the start of a driver, does not matter.  Each look lasts as long as all
 * before it.
 *
 * The begin is slow where there are many keys, whose tables grow.  So only what
 * was counted since the last look matters; and where counting became cheaper
 * from one look to the next, it will once more.
 */

#ifndef GPUHIST_THROUGHPUT_H
#define GPUHIST_THROUGHPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "run/plan.h"

struct throughput {
    atomic_flag is_looking; /* one thread; that is its lock for: */
    bool has_begun;
    double begin;     /* busy seconds of all threads; since then: */
    double next;      /* seconds of the next look */
    double busy;      /* at the last look, for what was counted */
    uint64_t counted; /* bytes, at the last look */
    double time;      /* for a byte, of the last look; 0: none yet */
    bool pays;        /* a look has found that a GPU pays */
};

/* What a look sees. */
struct throughput_sample {
    double busy; /* seconds of all threads, since the start */
    uint64_t read;
    uint64_t counted; /* bytes of those that are read */
};

/* Begin before a run by PLAN. */
void throughput_open(struct throughput *throughput, const struct plan *plan);

/*
 * Whether it is time to look again, if some bytes have been read: then no other
 * thread looks until throughput_look().
 */
bool throughput_is_due(struct throughput *throughput, double busy);

/*
 * Look at SIGHT, and at the KEYS found so far.  Returns whether GPUs should
 * start; true only once.
 */
bool throughput_look(struct throughput *throughput, const struct plan *plan,
                     const struct throughput_sample *sight, uint64_t keys);

#endif
