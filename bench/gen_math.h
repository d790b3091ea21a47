/*
 * gen_math.h -- functions that have the same bits everywhere
 *
 * Those of libm differ between machines and versions in the last place.
 * These are made of the operations that IEEE 754 rounds exactly.  They are
 * right to about one unit in the last place, in the ranges used here.
 */

#ifndef GPUHIST_GEN_MATH_H
#define GPUHIST_GEN_MATH_H

/* The natural logarithm; X is a normal number above 0. */
double gen_math_log(double x);

/* log(1 + x), for X above -1, to all digits where it is small. */
double gen_math_log1p(double x);

/* e to the power of X; X is below 700. */
double gen_math_exp(double x);

/* exp(x) - 1, likewise, to all digits where it is small. */
double gen_math_expm1(double x);

#endif
