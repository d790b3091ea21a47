/* SPDX-License-Identifier: MIT */
/*
 * throughput.h -- the throughput of the CPU for text: when does a GPU pay?
 *
 * The plan cannot know the cost of a byte of text.  So the readers look now and
 * then at the bytes counted and at the processor time of all threads.
 * Processor time, unlike elapsed time, does not count a slow disk or other
 * programs.  The time before the first bytes, as for the start of a driver,
 * does not matter.  Each look lasts as long as all earlier looks together.
 *
 * The start is slow with many keys, because their tables grow.  So only the
 * bytes counted since the last look matter.  If counting became cheaper from
 * one look to the next, the model expects the same change once more.  Early
 * looks are short, so two of them, one after the other, must say that a GPU
 * pays.
 */

#ifndef GPUHIST_THROUGHPUT_H
#define GPUHIST_THROUGHPUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "run/plan.h"

struct throughput {
    atomic_flag is_looking; /* the lock of one thread, for: */
    bool has_started;
    double start;      /* busy seconds of all threads; since then: */
    double next;       /* seconds of the next look */
    double busy;       /* at the last look, for the counted bytes */
    uint64_t counted;  /* bytes, at the last look */
    double time;       /* for a byte, of the last look; 0: none yet */
    unsigned int paid; /* looks, one after the other, that a GPU would pay */
};

/* The sample of one look. */
struct throughput_sample {
    double busy; /* seconds of all threads, since the start */
    uint64_t read;
    uint64_t counted; /* bytes of READ */
};

/* Start before a run by PLAN. */
void throughput_open(struct throughput *throughput, const struct plan *plan);

/*
 * Whether the next look is due; call this after some bytes are read.  If true,
 * no other thread looks until throughput_look().
 */
bool throughput_is_due(struct throughput *throughput, double busy);

/*
 * Look at SIGHT and at the KEYS found so far.  Returns whether GPUs should
 * start; true only once.
 */
bool throughput_look(struct throughput *throughput, const struct plan *plan,
                     const struct throughput_sample *sight, uint64_t keys);

#endif
