/*
 * exponential.h -- powers of e, 10 and 2, the same on every processor
 *
 * The functions of C libraries differ in the last bit: between processors, and
 * on x86-64 between those with and without fused multiplication.
 */

#ifndef GPUHIST_EXPONENTIAL_H
#define GPUHIST_EXPONENTIAL_H

#include <stdbool.h>

/*
 * Return e^X and 10^X, rounded from a result with an error below 2^-90.
 * Infinite where that is beyond all doubles.  |X| is at most 2^10.
 */
double exponential_e(double x);
double exponential_10(double x);

/*
 * Return the greatest double that is not above 2^X, or if IS_UP the least one
 * that is not below it: a double is not above 2^X exactly if it is not above
 * the first one.  X is -1022 or more, or whole, and a multiple of 2^-20.
 */
double exponential_2(double x, bool is_up);

#endif
