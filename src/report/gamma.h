/* SPDX-License-Identifier: MIT */
/* gamma.h -- the regularised incomplete gamma function */

#ifndef GPUHIST_GAMMA_H
#define GPUHIST_GAMMA_H

/*
 * Returns Q(a, x) for A > 0 and X >= 0.  If A is half the degrees of freedom
 * and X half the chi-square, Q is the probability of a greater chi-square.
 * Exact to 12 digits for A up to 10^6, and to 9 above.
 *
 * Below A + 1 by the series DLMF 8.11.4; above by the continued fraction DLMF
 * 8.9.2, evaluated by Lentz's method (Numerical Recipes, 6.2).  The common
 * factor is computed as in Loader, "Fast and accurate computation of binomial
 * probabilities", 2000.
 */
double gamma_upper(double a, double x);

#endif
