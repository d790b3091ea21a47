/* SPDX-License-Identifier: MIT */
/* percentile.h -- which of some numbers in order is a percentile */

#ifndef GPUHIST_PERCENTILE_H
#define GPUHIST_PERCENTILE_H

#include <stdint.h>

/* 100 percent, in 10^-9 percent. */
#define PERCENTILE_NANO_MAX UINT64_C(100000000000)

/* Returns the rank of the percentile NANO among COUNT numbers in order: from 1
   on; 0 if COUNT is 0. */
uint64_t percentile_rank(uint64_t nano, uint64_t count);

/*
 * Quartile Q, 1 to 3, of COUNT numbers in order, at least 1, lies between two
 * neighbours.  Returns the rank of the lower one, from 1 on, and sets *PART to
 * the quarters of the way from it to the next number: 0 to 3.  This is the
 * linear quantile of numpy.
 */
uint64_t quartile_rank(unsigned int q, uint64_t count, unsigned int *part);

#endif
