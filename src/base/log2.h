/* log2.h -- binary logarithms, the same on every processor */

#ifndef GPUHIST_LOG2_H
#define GPUHIST_LOG2_H

#include <stdint.h>

#include "base/precise.h"

/* From 1 to 2, in steps of 1 / LOG2_STEPS. */
#define LOG2_STEPS 64

/* The logarithms of 1 + i / LOG2_STEPS. */
struct log2_table {
    struct precise of[LOG2_STEPS + 1];
};

void log2_table_make(struct log2_table *table);

/* Returns the logarithm of VALUE, not 0; its error is at most 2^-68. */
struct precise log2_whole(const struct log2_table *table, uint64_t value);

/* Returns the logarithm of X, positive and normal; its error is a few units of
   2^-53, relative to it. */
double log2_double(const struct log2_table *table, double x);

#endif
