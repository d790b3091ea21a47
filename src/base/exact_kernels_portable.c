/* SPDX-License-Identifier: MIT */
/* exact_kernels_portable.c -- exact sums of a block of numbers, one by one */

#include <float.h>
#include <math.h>

#include "base/exact_kernels.h"

#define EXACT_KERNELS exact_kernels_portable

/* A processor that rounds to more bits than a double has (x87) would round
   twice. */
#define LANES_ARE_EXACT (FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1)

/* Without an instruction that multiplies and adds, it takes too long. */
#define LANES_HAVE_REST false

#define VEC double
#define LANES 1
#define VEC4 float
#define LANES4 1

static inline double
lanes_set(double x)
{
    return x;
}

static inline double
lanes_load_f8(const double *x)
{
    return *x;
}

static inline double
lanes_load_f4(const float *x)
{
    return (double)*x;
}

static inline void
lanes_store(double *to, double x)
{
    *to = x;
}

static inline double
lanes_add(double a, double b)
{
    return a + b;
}

static inline double
lanes_subtract(double a, double b)
{
    return a - b;
}

static inline double
lanes_square(double a)
{
    return a * a;
}

static inline double
lanes_square_rest(double a, double square)
{
    (void)square;
    return a;
}

/* 0 if A and B are both 0. */
static inline double
lanes_or(double a, double b)
{
    return fabs(a) + fabs(b);
}

static inline double
lanes_min(double a, double b)
{
    return a < b ? a : b;
}

static inline double
lanes_max(double a, double b)
{
    return a > b ? a : b;
}

/* Not 0 if A is NaN. */
static inline double
lanes_nan(double a)
{
    return a != a ? 1 : 0;
}

static inline float
lanes4_set(float x)
{
    return x;
}

static inline float
lanes4_load(const float *x)
{
    return *x;
}

static inline void
lanes4_store(float *to, float x)
{
    *to = x;
}

/* The same, of what lanes4_nan() returns. */
static inline float
lanes4_or(float a, float b)
{
    return a + b;
}

static inline float
lanes4_min(float a, float b)
{
    return a < b ? a : b;
}

static inline float
lanes4_max(float a, float b)
{
    return a > b ? a : b;
}

static inline float
lanes4_nan(float a)
{
    return a != a ? 1 : 0;
}

#include "base/exact_lanes.h"
