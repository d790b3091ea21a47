/* gen_sample.h -- numbers as the bytes of a type */

#ifndef GPUHIST_GEN_SAMPLE_H
#define GPUHIST_GEN_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "binning.h"

/*
 * Write COUNT numbers as samples of TYPE in the machine's byte order.  An
 * integer is rounded to the nearest one, half to even, and one that the type
 * does not hold becomes the least or the most that it holds.  A float is
 * rounded likewise; beyond the largest it is infinite.
 */
void gen_sample_put(enum sample_type type, const double *number, size_t count,
                    unsigned char *out);

/* The same for integers, in two's complement, that the type holds. */
void gen_sample_put_integers(enum sample_type type, const uint64_t *integer,
                             size_t count, unsigned char *out);

/* Turn each of COUNT samples of SIZE bytes round. */
void gen_sample_swap(size_t size, unsigned char *sample, size_t count);

/* What an integer TYPE holds. */
double gen_sample_least(enum sample_type type);
double gen_sample_most(enum sample_type type);

/* The least number of a float TYPE that is at or above X, which is finite. */
double gen_sample_at_or_above(enum sample_type type, double x);

#endif
