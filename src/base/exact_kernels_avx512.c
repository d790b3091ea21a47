/* SPDX-License-Identifier: MIT */
/* exact_kernels_avx512.c -- exact sums of a block of numbers, for AVX-512 */

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/exact_kernels.h"

#ifdef __clang__
#    pragma clang attribute push(                                      \
        __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl"))), \
        apply_to = function)
#else
#    pragma GCC push_options
#    pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl")
#endif

#define EXACT_KERNELS exact_kernels_avx512
#define LANES_ARE_EXACT true
#define LANES_HAVE_REST true

#define VEC __m512d
#define LANES 8
#define VEC4 __m512
#define LANES4 16

static inline VEC
lanes_set(double x)
{
    return _mm512_set1_pd(x);
}

static inline VEC
lanes_load_f8(const double *x)
{
    return _mm512_load_pd(x);
}

static inline VEC
lanes_load_f4(const float *x)
{
    return _mm512_cvtps_pd(_mm256_load_ps(x));
}

static inline void
lanes_store(double *to, VEC x)
{
    _mm512_storeu_pd(to, x);
}

static inline VEC
lanes_add(VEC a, VEC b)
{
    return _mm512_add_pd(a, b);
}

static inline VEC
lanes_subtract(VEC a, VEC b)
{
    return _mm512_sub_pd(a, b);
}

static inline VEC
lanes_square(VEC a)
{
    return _mm512_mul_pd(a, a);
}

/* What SQUARE, the rounded square of A, lacks. */
static inline VEC
lanes_square_rest(VEC a, VEC square)
{
    return _mm512_fmsub_pd(a, a, square);
}

static inline VEC
lanes_or(VEC a, VEC b)
{
    return _mm512_or_pd(a, b);
}

/* B if one of both is NaN. */
static inline VEC
lanes_min(VEC a, VEC b)
{
    return _mm512_min_pd(a, b);
}

static inline VEC
lanes_max(VEC a, VEC b)
{
    return _mm512_max_pd(a, b);
}

/* Not 0 where A is NaN. */
static inline VEC
lanes_nan(VEC a)
{
    return _mm512_castsi512_pd(
        _mm512_movm_epi64(_mm512_cmp_pd_mask(a, a, _CMP_UNORD_Q)));
}

static inline VEC4
lanes4_set(float x)
{
    return _mm512_set1_ps(x);
}

static inline VEC4
lanes4_load(const float *x)
{
    return _mm512_load_ps(x);
}

static inline void
lanes4_store(float *to, VEC4 x)
{
    _mm512_storeu_ps(to, x);
}

static inline VEC4
lanes4_or(VEC4 a, VEC4 b)
{
    return _mm512_or_ps(a, b);
}

static inline VEC4
lanes4_min(VEC4 a, VEC4 b)
{
    return _mm512_min_ps(a, b);
}

static inline VEC4
lanes4_max(VEC4 a, VEC4 b)
{
    return _mm512_max_ps(a, b);
}

static inline VEC4
lanes4_nan(VEC4 a)
{
    return _mm512_castsi512_ps(
        _mm512_movm_epi32(_mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q)));
}

#include "base/exact_lanes.h"

#ifdef __clang__
#    pragma clang attribute pop
#else
#    pragma GCC pop_options
#endif
