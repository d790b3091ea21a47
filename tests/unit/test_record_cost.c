/* SPDX-License-Identifier: MIT */
/* test_record_cost.c -- the cost of counting beside what was measured */

#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "cli/option_parse.h"
#include "engine/cpu/bytes/byte_count.h"
#include "engine/cpu/cells/record_cost.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define WORDS_MAX 16
#define BYTE_TIME 0.385 /* nanoseconds: what a cost is relative to */

/* Nanoseconds a byte, of one thread, without reading: bench/RESULTS.md. */
static const struct {
    const char *line;
    double time;
} measured[] = {
    {"--dtype=u2", 1 / 2.96},
    {"--dtype=f4 -b100 --range=0,1", 1 / 5.14},
    {"--dtype=f4 -b100000 --range=0,1", 1 / 2.25},
    {"--dtype=f4 -b256 --range=auto", 1 / 3.11},
    {"--dtype=f4 --log=10 --range=1e-33,1e33", 1 / 0.65},
    {"--dtype=f8 -b100 --range=0,1", 1 / 5.67},
    {"--dtype=u4 -b100 --range=0,4294967296", 1 / 2.92},
    {"--dtype=u8 -b100 --range=0,4294967296", 1 / 3.84},
    {"--record=u1,u1 --joint", 1 / 1.15},
    {"--record=f4,f4 --joint -b100 --range=0,1", 1 / 4.19},
    {"--record=u1,u4 --weights=2", 1 / 2.04},
    {"--record=f4,f4 -b100 --range=0,1 --weights=2", 1 / 2.26},
    {"--record=f8,f8 -b100 --range=0,1 --weights=2", 1 / 2.94},
    {"--record=u1*3", 1 / 1.84},
    {"--dtype=u4 -b4194304 --range=0,4294967296", 1.2},
    {"--dtype=u4 -b67108864 --range=0,4294967296", 2.4},
};

static double
cost_of(const char *line)
{
    char text[256];
    char *argv[WORDS_MAX] = {text};
    int argc = 0;
    struct options options;
    struct spec spec;
    struct error error = ERROR_NONE;

    snprintf(text, sizeof text, "gpuhist %s", line);
    for (char *word = strtok(text, " "); word != NULL; word = strtok(NULL, " "))
        argv[argc++] = word;
    if (option_parse(&options, argc, argv, &error) < 0 ||
        spec_make(&spec, &options.spec, NULL, options.plan.memory_limit,
                  &error) < 0) {
        printf("Bail out! %s: %s\n", line, error.text);
        exit(99);
    }
    double cost = record_cost(&spec);
    spec_close(&spec);
    return cost;
}

int
main(void)
{
    for (size_t i = 0; i < COUNT(measured); i++) {
        double time = cost_of(measured[i].line) * BYTE_TIME;
        ok(time > measured[i].time / 2 && time < measured[i].time * 2,
           "%s: within a factor of 2 (%.2f, measured %.2f ns)",
           measured[i].line, time, measured[i].time);
    }
    ok(cost_of("") == byte_count_cost(), "bytes");
    ok(cost_of("--record=f4,x*96 -b100 --range=0,1") * 20 <
           cost_of("--dtype=f4 -b100 --range=0,1"),
       "bytes that are left out cost nothing");
    return done_testing();
}
