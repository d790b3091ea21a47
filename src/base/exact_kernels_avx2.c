/* SPDX-License-Identifier: MIT */
/* exact_kernels_avx2.c -- exact sums of a block of numbers, for AVX2 and FMA */

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/exact_kernels.h"

#ifdef __clang__
#    pragma clang attribute push(__attribute__((target("avx2,fma"))), \
                                 apply_to = function)
#else
#    pragma GCC push_options
#    pragma GCC target("avx2,fma")
#endif

#define EXACT_KERNELS exact_kernels_avx2
#define LANES_ARE_EXACT true
#define LANES_HAVE_REST true

#define VEC __m256d
#define LANES 4
#define VEC4 __m256
#define LANES4 8

static inline VEC
lanes_set(double x)
{
    return _mm256_set1_pd(x);
}

static inline VEC
lanes_load_f8(const double *x)
{
    return _mm256_load_pd(x);
}

static inline VEC
lanes_load_f4(const float *x)
{
    return _mm256_cvtps_pd(_mm_load_ps(x));
}

static inline void
lanes_store(double *to, VEC x)
{
    _mm256_storeu_pd(to, x);
}

static inline VEC
lanes_add(VEC a, VEC b)
{
    return _mm256_add_pd(a, b);
}

static inline VEC
lanes_subtract(VEC a, VEC b)
{
    return _mm256_sub_pd(a, b);
}

static inline VEC
lanes_square(VEC a)
{
    return _mm256_mul_pd(a, a);
}

/* What SQUARE, the rounded square of A, lacks. */
static inline VEC
lanes_square_rest(VEC a, VEC square)
{
    return _mm256_fmsub_pd(a, a, square);
}

static inline VEC
lanes_or(VEC a, VEC b)
{
    return _mm256_or_pd(a, b);
}

/* B if one of both is NaN. */
static inline VEC
lanes_min(VEC a, VEC b)
{
    return _mm256_min_pd(a, b);
}

static inline VEC
lanes_max(VEC a, VEC b)
{
    return _mm256_max_pd(a, b);
}

/* Not 0 where A is NaN. */
static inline VEC
lanes_nan(VEC a)
{
    return _mm256_cmp_pd(a, a, _CMP_UNORD_Q);
}

static inline VEC4
lanes4_set(float x)
{
    return _mm256_set1_ps(x);
}

static inline VEC4
lanes4_load(const float *x)
{
    return _mm256_load_ps(x);
}

static inline void
lanes4_store(float *to, VEC4 x)
{
    _mm256_storeu_ps(to, x);
}

static inline VEC4
lanes4_or(VEC4 a, VEC4 b)
{
    return _mm256_or_ps(a, b);
}

static inline VEC4
lanes4_min(VEC4 a, VEC4 b)
{
    return _mm256_min_ps(a, b);
}

static inline VEC4
lanes4_max(VEC4 a, VEC4 b)
{
    return _mm256_max_ps(a, b);
}

static inline VEC4
lanes4_nan(VEC4 a)
{
    return _mm256_cmp_ps(a, a, _CMP_UNORD_Q);
}

#include "base/exact_lanes.h"

#ifdef __clang__
#    pragma clang attribute pop
#else
#    pragma GCC pop_options
#endif
