/* SPDX-License-Identifier: MIT */
/* timing.c -- processor time of one thread, for the programs of bench/ */

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "engine/cpu/bytes/byte_count_portable.h"
#include "timing.h"

double
timing_now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int
compare(const void *left, const void *right)
{
    double a = *(const double *)left;
    double b = *(const double *)right;

    return (a > b) - (a < b);
}

double
timing_median(double *time, size_t count)
{
    qsort(time, count, sizeof *time, compare);
    return time[count / 2];
}

/* Wide loads, if the processor has them, read memory faster. */
#if defined BYTE_COUNT_HAS_AVX512 && defined __gnu_linux__ && !defined __clang__
#    define WIDE __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#    define WIDE
#endif

WIDE void
timing_read(const unsigned char *data, size_t size,
            uint64_t result[TIMING_WORDS])
{
    uint64_t sum[TIMING_WORDS] = {0};
    uint64_t word[TIMING_WORDS];

    for (size_t i = 0; i + sizeof word <= size; i += sizeof word) {
        byte_count_ahead(data + i);
        memcpy(word, data + i, sizeof word);
        for (int w = 0; w < TIMING_WORDS; w++)
            sum[w] += word[w];
    }
    memcpy(result, sum, sizeof sum);
}
