/* SPDX-License-Identifier: MIT */
/* byte_count.c -- count bytes by the fastest form for the processor */

#include "engine/cpu/bytes/byte_count.h"
#include "engine/cpu/bytes/byte_count_avx2.h"
#include "engine/cpu/bytes/byte_count_avx512.h"
#include "engine/cpu/bytes/byte_count_neon.h"

double
byte_count_cost(void)
{
#ifdef BYTE_COUNT_HAS_AVX512
    if (byte_count_avx512_is_possible())
        return 0.4;
#endif
    /* AVX2 and NEON are faster only for data with few values. */
    return 1;
}

/* Checking the processor's features on each call reads only one word. */
void
byte_count_fast(const unsigned char *data, size_t size,
                uint64_t bin[BYTE_COUNT_BINS])
{
#ifdef BYTE_COUNT_HAS_AVX512
    if (byte_count_avx512_is_possible()) {
        byte_count_avx512(data, size, bin);
        return;
    }
#endif
#ifdef BYTE_COUNT_HAS_AVX2
    if (byte_count_avx2_is_possible()) {
        byte_count_avx2(data, size, bin);
        return;
    }
#endif
#ifdef BYTE_COUNT_HAS_NEON
    byte_count_neon(data, size, bin);
#else
    byte_count_tables(data, size, bin);
#endif
}
