/*
 * exponential.h -- powers of e and 10, the same on every processor
 *
 * The functions of C libraries differ in the last bit: between processors, and
 * on x86-64 between those with and without fused multiplication.
 */

#ifndef GPUHIST_EXPONENTIAL_H
#define GPUHIST_EXPONENTIAL_H

/*
 * Return e^X and 10^X, rounded from a result with an error below 2^-90.
 * Infinite where that is beyond all doubles.  |X| is at most 2^10.
 */
double exponential_e(double x);
double exponential_10(double x);

#endif
