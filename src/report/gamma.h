/* gamma.h -- the regularised incomplete gamma function */

#ifndef GPUHIST_GAMMA_H
#define GPUHIST_GAMMA_H

/*
 * Q(a, x) for A > 0 and X >= 0: with half the degrees of freedom and half the
 * chi-square, the probability of a greater one.  Good to 12 digits for A up
 * to 10^6, and to 9 beyond.
 *
 * The series DLMF 8.11.4 below A + 1, the continued fraction DLMF 8.9.2 above,
 * evaluated as Lentz does (Numerical Recipes, 6.2); what both are multiplied
 * by as Loader computes Poisson probabilities (Fast and accurate computation
 * of binomial probabilities, 2000).
 */
double gamma_upper(double a, double x);

#endif
