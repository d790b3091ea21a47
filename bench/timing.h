/* SPDX-License-Identifier: MIT */
/* timing.h -- processor time of one thread, for the programs of bench/ */

#ifndef GPUHIST_TIMING_H
#define GPUHIST_TIMING_H

#include <stddef.h>
#include <stdint.h>

#define TIMING_WORDS 8

/* The processor time of the calling thread, in seconds. */
double timing_now(void);

/* The median of COUNT times, which are sorted in place. */
double timing_median(double *time, size_t count);

/*
 * Read the SIZE bytes at DATA, as fast as memory allows.  RESULT gets sums of
 * words, so that the compiler cannot remove the loop.
 */
void timing_read(const unsigned char *data, size_t size,
                 uint64_t result[TIMING_WORDS]);

#endif
