/* SPDX-License-Identifier: MIT */
/* byte_count.h -- count bytes by the fastest form for the processor */

#ifndef GPUHIST_BYTE_COUNT_H
#define GPUHIST_BYTE_COUNT_H

#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/bytes/byte_count_portable.h"

/* The fastest form of the processor; the contract is that of
   byte_count_tables(). */
void byte_count_fast(const unsigned char *data, size_t size,
                     uint64_t bin[BYTE_COUNT_BINS]);

/*
 * Returns the approximate time of byte_count_fast() relative to
 * byte_count_tables(), for plan.h.  The time does not affect the output.
 */
double byte_count_cost(void);

#endif
