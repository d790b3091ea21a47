/* byte_count.h -- the form of counting bytes that suits the processor */

#ifndef GPUHIST_BYTE_COUNT_H
#define GPUHIST_BYTE_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/byte_count_portable.h"

/* The fastest form that this processor has; the contract is that of
   byte_count_tables(). */
void byte_count_fast(const unsigned char *data, size_t size,
                     uint64_t bin[BYTE_COUNT_BINS]);

/*
 * About how long byte_count_fast() takes, where byte_count_tables() takes 1:
 * for a plan, not for anything that is printed.
 */
double byte_count_cost(void);

#endif
