/* SPDX-License-Identifier: MIT */
/* byte_count_avx2.h -- count bytes with AVX2, if the build supports it */

#ifndef GPUHIST_BYTE_COUNT_AVX2_H
#define GPUHIST_BYTE_COUNT_AVX2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/bytes/byte_count_portable.h"

#ifdef BYTE_COUNT_HAS_AVX2
/* Whether the processor and the operating system support AVX2. */
bool byte_count_avx2_is_possible(void);

/* Counts frequent values by bit operations and all others by tables.  The
   contract is that of byte_count_tables(). */
void byte_count_avx2(const unsigned char *data, size_t size,
                     uint64_t bin[BYTE_COUNT_BINS]);
#endif

#endif
