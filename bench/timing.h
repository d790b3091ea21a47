/* timing.h -- how long one thread takes, for the programs of this directory */

#ifndef GPUHIST_TIMING_H
#define GPUHIST_TIMING_H

#include <stddef.h>
#include <stdint.h>

#define TIMING_WORDS 8

/* The seconds of a processor that this thread has had. */
double timing_now(void);

/* The median of COUNT times, which are put in order. */
double timing_median(double *time, size_t count);

/*
 * Read the SIZE bytes at DATA and do nothing with them: the limit that memory
 * sets.  The sums are there so that the compiler cannot leave it out.
 */
void timing_read(const unsigned char *data, size_t size,
                 uint64_t result[TIMING_WORDS]);

#endif
