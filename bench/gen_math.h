/* SPDX-License-Identifier: MIT */
/*
 * gen_math.h -- functions with the same results on all machines
 *
 * The functions of libm differ between machines and versions in the last place.
 * These functions use only operations that IEEE 754 rounds correctly.  Their
 * error is about one unit in the last place in the ranges used here.
 */

#ifndef GPUHIST_GEN_MATH_H
#define GPUHIST_GEN_MATH_H

/* The natural logarithm; X is a normal number above 0. */
double gen_math_log(double x);

/* log(1 + x), accurate for small X; X is above -1. */
double gen_math_log1p(double x);

/* e to the power of X; X is below 700. */
double gen_math_exp(double x);

/* exp(x) - 1, accurate for small X; X is below 700. */
double gen_math_expm1(double x);

#endif
