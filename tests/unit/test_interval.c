/* SPDX-License-Identifier: MIT */
/* test_interval.c -- intervals of time and bytes */

#include <stddef.h>

#include "../tap.h"
#include "base/interval.h"

static void
test_good(void)
{
    static const struct {
        const char *text;
        double seconds;
        uint64_t bytes;
    } good[] = {
        {"10s", 10, 0},       {"1ms", 1e-3, 0},      {"0.001s", 1e-3, 0},
        {"1.5min", 90, 0},    {"2h", 7200, 0},       {"7d", 604800, 0},
        {"1e3ms", 1, 0},      {".5s", 0.5, 0},       {"1", 0, 1},
        {"1Gi", 0, 1u << 30}, {"1.5k", 0, 1500},     {"2M", 0, 2000000},
        {"1kB", 0, 1000},     {"2MiB", 0, 2u << 20}, {"0x1d", 0, 29},
    };

    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct interval got = {-1, 1};
        int result = interval_parse(good[i].text, &got);
        ok(result == 0 && got.seconds == good[i].seconds &&
               got.bytes == good[i].bytes && interval_is_set(&got),
           "%s", good[i].text);
    }
}

static void
test_bad(void)
{
    static const char *const bad[] = {
        "",      "s",    "ms",   "min",    "0",
        "0s",    "-1s",  "1m",   "1S",     "1x",
        "1 s",   " 1s",  "infs", "nand",   "0d",
        "0.9ms", "1e9h", "1ks",  "1sms",   "1.5",
        "1e-3",  "0x1s", "++s",  "1e400s", "00000000000000000000000000000001s",
        "1B",    "1sB",  "0x",   "0x1ms",  "0x0",
    };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct interval got;
        ok(interval_parse(bad[i], &got) < 0, "not '%s'", bad[i]);
    }
    ok(!interval_is_set(&(struct interval){0}), "none");
}

int
main(void)
{
    test_good();
    test_bad();
    return done_testing();
}
