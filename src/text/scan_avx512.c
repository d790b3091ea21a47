/* SPDX-License-Identifier: MIT */
/*
 * scan_avx512.c -- scan text with AVX-512: a compare gives the mask
 *
 * Vectors of bytes are compressed (VBMI2), which the first processors with
 * AVX-512 cannot do: these run scan_avx2.c, and the forms for AVX2 of all that
 * asks scan_avx512_is_possible(), also of sequences.
 */

#include <immintrin.h>

#include "text/scan_forms.h"

/* Per function, not per file: a function for any processor, inlined here, must
   not be compiled with these instructions. */
#define TARGET      \
    __attribute__(( \
        target("avx512f,avx512bw,avx512vbmi2,bmi,bmi2,popcnt,pclmul")))
#define INLINE static inline TARGET __attribute__((always_inline))

#include "text/block_avx512.h"

INLINE uint64_t
block_brackets(block x)
{
    block place = _mm512_sub_epi8(x, _mm512_set1_epi8('['));

    return _mm512_cmple_epu8_mask(place, _mm512_set1_epi8(']' - '['));
}

/* The bytes up to the space. */
INLINE uint64_t
block_lows(block x)
{
    return _mm512_cmple_epu8_mask(x, _mm512_set1_epi8(' '));
}

/* Bit N, from 0, of the set bits. */
INLINE uint32_t
bit_nth(uint64_t mask, uint32_t n)
{
    return (uint32_t)_tzcnt_u64(_pdep_u64((uint64_t)1 << n, mask));
}

/* The bits that are set, without the lowest N. */
INLINE uint64_t
bits_from_nth(uint64_t mask, uint32_t n)
{
    return n < 64 ? _pdep_u64(~(uint64_t)0 << n, mask) : 0;
}

/* As store_bits(), with up to 64 entries in all. */
INLINE uint32_t
block_list(uint32_t *out, uint32_t base, uint64_t mask)
{
    const uint32_t count = bit_count(mask);
    block places = block_places(mask);

    _mm512_storeu_si512(out, places_first(base, places));
    /* Few blocks have more than 16. */
    if (count > 16) {
        _mm512_storeu_si512(out + 16, places_second(base, places));
        _mm512_storeu_si512(out + 32, places_third(base, places));
        _mm512_storeu_si512(out + 48, places_fourth(base, places));
    }
    return count;
}

/* A list costs little here, but the first field is found without one. */
enum {
    LIST_BYTES = 40,
    LIST_NEAR = 1,
};

#include "text/scan_cut.h"
#include "text/scan_loop.h"

bool
scan_avx512_is_possible(void)
{
    return __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vbmi2") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") &&
           __builtin_cpu_supports("pclmul");
}

TARGET size_t
scan_avx512(const struct scan *scan, const unsigned char *data, size_t size,
            size_t *done, struct text_slice *slice, size_t records_max,
            struct scan_ledger *ledger)
{
    return scan_loop(scan, data, size, done, slice, records_max, ledger);
}

TARGET void
csv_cut_avx512(struct csv_cut *cut, const unsigned char *data, uint32_t size)
{
    cut_loop(cut, data, size);
}
