/* SPDX-License-Identifier: MIT */
/* series_sum.c -- choose the fastest form of series_sum.h for the processor */

#include "hist/series_sum.h"

void
series_sum_add(struct series_sum *sum, const unsigned char *data, size_t size)
{
#ifdef SERIES_SUM_HAS_AVX2
    if (__builtin_cpu_supports("avx2")) {
        series_sum_add_avx2(sum, data, size);
        return;
    }
#endif
    series_sum_add_portable(sum, data, size);
}

uint64_t
series_sum_inside(const unsigned char *data, size_t count)
{
#ifdef SERIES_SUM_HAS_AVX2
    if (__builtin_cpu_supports("avx2"))
        return series_sum_inside_avx2(data, count);
#endif
    return series_sum_inside_portable(data, count);
}
