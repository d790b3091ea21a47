/* SPDX-License-Identifier: MIT */
/* test_throughput.c -- when a GPU pays by the throughput of the CPU */

#include "../tap.h"
#include "run/throughput.h"

#define GB 1e9

/* A run on CPUS processors with GIGABYTES of text: a byte takes FIRST
   nanoseconds until SLOW gigabytes are counted, then LATER. */
struct run {
    unsigned int cpus;
    double gigabytes;
    double first, slow, later;
};

/* Returns the seconds after which a GPU starts; 0: it never does. */
static double
start_of(const struct run *run)
{
    const struct plan plan = {
        .host_threads = run->cpus,
        .cpus = run->cpus,
        .payoff = {.known_bytes = (uint64_t)(run->gigabytes * GB),
                   .read_time = 0.2e-9,
                   .device_rate = run->cpus < 10 ? run->cpus / 0.2e-9 : 50e9,
                   .device_cost = 0.42}};
    struct throughput throughput;
    double counted = 0;

    throughput_open(&throughput, &plan);
    for (double seconds = 0; counted < run->gigabytes * GB; seconds += 1e-4) {
        double time = counted < run->slow * GB ? run->first : run->later;
        const struct throughput_sample sight = {
            .busy = seconds * run->cpus,
            .read = (uint64_t)counted,
            .counted = (uint64_t)counted,
        };
        if (throughput_is_due(&throughput, sight.busy) &&
            throughput_look(&throughput, &plan, &sight, 0)) {
            bool is_once = !throughput_is_due(&throughput, 1e9);
            ok(is_once, "no look after that");
            return seconds;
        }
        counted += 1e-4 * run->cpus / (time * 1e-9);
    }
    return 0;
}

/* Returns the seconds from when a GPU has decoded the first of 10 GB, which it
   counts at 24 GB/s and two processors at 8, until it counts, too; 0: never.
   Until it decodes, its start takes BEFORE seconds of processors. */
static double
join_of(double before)
{
    const struct plan plan = {.host_threads = 2,
                              .cpus = 2,
                              .payoff = {.known_bytes = 10000000000,
                                         .read_time = 0.2e-9,
                                         .device_rate = 24e9,
                                         .device_cost = 0.07}};
    struct throughput throughput;

    throughput_open(&throughput, &plan);
    for (double seconds = 0; seconds < 1.25; seconds += 1e-3) {
        double counted = seconds * 8e9;
        const struct throughput_sample sight = {.busy = before + 2 * seconds,
                                                .read =
                                                    (uint64_t)counted + 4000000,
                                                .counted = (uint64_t)counted};
        if (throughput_is_due(&throughput, sight.busy) &&
            throughput_look(&throughput, &plan, &sight, 0))
            return seconds;
    }
    return 0;
}

int
main(void)
{
    static const struct run fast = {16, 4, 0.5, 0, 0.5};
    static const struct run slow = {4, 4, 1, 0, 1};
    static const struct run slow_start = {16, 4, 4, 0.02, 0.5};
    static const struct run slow_begin = {16, 3, 4, 0.07, 2};
    static const struct run slow_tables = {16, 3, 5, 0.08, 2};
    static const struct run slow_end = {4, 40, 0.2, 8, 4};
    struct throughput throughput;
    double start = start_of(&slow);

    ok(start_of(&fast) == 0, "fast: the CPU counts alone");
    ok(start > 0 && start < 0.05, "slow: a GPU starts soon (%g s)", start);
    ok(start_of(&slow_start) == 0, "a slow begin alone does not start a GPU");
    ok(start_of(&slow_begin) == 0, "... nor one that lasts for two looks");
    ok(start_of(&slow_tables) == 0, "... nor one of 25 ms");
    start = start_of(&slow_end);
    ok(start > 0.39 && start < 3, "one starts when it becomes slow (%g s)",
       start);

    start = join_of(0.5);
    ok(start > 0 && start < 0.05,
       "a GPU that decodes soon counts, too, however it starts (%g s)", start);

    const struct plan plan = {.host_threads = 4,
                              .cpus = 4,
                              .payoff = {.known_bytes = 1000000000000,
                                         .read_time = 0.2e-9,
                                         .device_rate = 20e9,
                                         .device_start = 0.42}};
    const struct throughput_sample none = {1, 50000000, 0};
    throughput_open(&throughput, &plan);
    ok(!throughput_is_due(&throughput, 0.1) &&
           !throughput_is_due(&throughput, 0.139) &&
           throughput_is_due(&throughput, 0.141) &&
           !throughput_is_due(&throughput, 0.15),
       "one thread looks, after each processor has counted for 10 ms");
    ok(!throughput_look(&throughput, &plan, &none, 0) &&
           !throughput_is_due(&throughput, 1.8) &&
           throughput_is_due(&throughput, 2),
       "nothing is counted: the next look is later");
    const struct throughput_sample some = {2.1, 600000000, 500000000};
    ok(!throughput_look(&throughput, &plan, &some, 0),
       "one look is not enough");
    const struct throughput_sample more = {4.2, 1100000000, 1000000000};
    ok(throughput_is_due(&throughput, 4.2) &&
           !throughput_look(&throughput, &plan, &more, 0),
       "... nor one that says that a GPU pays");
    const struct throughput_sample most = {8.4, 2100000000, 2000000000};
    ok(throughput_is_due(&throughput, 8.4) &&
           throughput_look(&throughput, &plan, &most, 0),
       "two are");
    return done_testing();
}
