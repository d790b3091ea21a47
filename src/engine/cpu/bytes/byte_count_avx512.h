/* SPDX-License-Identifier: MIT */
/* byte_count_avx512.h -- count bytes with AVX-512, if the build supports it */

#ifndef GPUHIST_BYTE_COUNT_AVX512_H
#define GPUHIST_BYTE_COUNT_AVX512_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/bytes/byte_count_portable.h"

#ifdef BYTE_COUNT_HAS_AVX512
/* Whether the processor and the operating system support AVX-512. */
bool byte_count_avx512_is_possible(void);

/* Counts all values by bit operations, without tables.  The contract is that
   of byte_count_tables(). */
void byte_count_avx512(const unsigned char *data, size_t size,
                       uint64_t bin[BYTE_COUNT_BINS]);
#endif

#endif
