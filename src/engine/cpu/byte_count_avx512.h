/* byte_count_avx512.h -- count bytes with AVX-512, where the build can */

#ifndef GPUHIST_BYTE_COUNT_AVX512_H
#define GPUHIST_BYTE_COUNT_AVX512_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/byte_count_portable.h"

#ifdef BYTE_COUNT_HAS_AVX512
/* Whether this processor, and the kernel that runs it, have what it takes. */
bool byte_count_avx512_is_possible(void);

/* All values by comparing bits, without tables; the contract is that of
   byte_count_tables(). */
void byte_count_avx512(const unsigned char *data, size_t size,
                       uint64_t bin[BYTE_COUNT_BINS]);
#endif

#endif
