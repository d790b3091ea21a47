/* SPDX-License-Identifier: MIT */
/*
 * byte_count_avx2.c -- count the frequent bytes of a buffer with AVX2
 *
 * As in byte_count_avx512.c, values are counted in classes of eight by adding
 * up bits; see byte_count_classes.h.  VPSHUFB looks up the halves of the bytes.
 * This is faster than tables for at most 56 values; a plan chooses them, see
 * byte_count_plan.h.
 */

#include <immintrin.h>

#include "engine/cpu/bytes/byte_count_avx2.h"

/* Per function, not per file: see byte_count_avx512.c. */
#define TARGET __attribute__((target("avx2,popcnt")))
#define INLINE static inline TARGET __attribute__((always_inline))

enum {
    VECTOR_BYTES = 32,
};

typedef __m256i vector;

#include "engine/cpu/bytes/byte_count_classes.h"

/* VPSHUFB needs the 16 bytes in both halves of a vector. */
INLINE vector
table_of(const unsigned char table[16])
{
    return _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)table));
}

INLINE void
load(struct byte_block *x, const unsigned char *data, int i)
{
    const vector half = _mm256_set1_epi8(15);
    const unsigned char *at = data + i * VECTOR_BYTES;
    vector v = _mm256_loadu_si256((const __m256i *)(const void *)at);

    byte_count_ahead(at);
    x->low[i] = _mm256_and_si256(v, half);
    x->high[i] = _mm256_and_si256(_mm256_srli_epi16(v, 4), half);
}

INLINE vector
bits_of(const struct value_class *class, struct byte_block *x, int i,
        bool is_first)
{
    vector bits =
        _mm256_and_si256(_mm256_shuffle_epi8(class->low, x->low[i]),
                         _mm256_shuffle_epi8(class->high, x->high[i]));

    x->seen[i] = is_first ? bits : _mm256_or_si256(x->seen[i], bits);
    return bits;
}

INLINE vector
add_bits(vector *sum, vector a, vector b)
{
    vector differ = _mm256_xor_si256(a, b);
    vector carry =
        _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(differ, *sum));

    *sum = _mm256_xor_si256(differ, *sum);
    return carry;
}

INLINE void
count_bits(uint64_t count[COUNT_CLASS_VALUES], vector bits, unsigned int weight)
{
    for (int r = COUNT_CLASS_VALUES - 1; r >= 0; r--) {
        unsigned int mask = (unsigned int)_mm256_movemask_epi8(bits);
        count[r] += (uint64_t)weight * (unsigned int)_mm_popcnt_u32(mask);
        bits = _mm256_add_epi8(bits, bits);
    }
}

INLINE vector
least(vector a, vector b)
{
    return _mm256_min_epu8(a, b);
}

INLINE unsigned int
zeros_of(vector x)
{
    return (unsigned int)_mm256_movemask_epi8(
        _mm256_cmpeq_epi8(x, _mm256_setzero_si256()));
}

INLINE bool
has_zero(vector x)
{
    return zeros_of(x) != 0;
}

INLINE size_t
count_unseen(uint64_t bin[BYTE_COUNT_BINS], vector seen,
             const unsigned char *data)
{
    unsigned int zeros = zeros_of(seen);
    size_t count = (unsigned int)_mm_popcnt_u32(zeros);

    for (; zeros != 0; zeros &= zeros - 1)
        bin[data[__builtin_ctz(zeros)]]++;
    return count;
}

/*
 * In tenths of a cycle of a Xeon of the fifth generation.  An escape costs a
 * mispredicted branch.
 */
static const struct count_costs costs = {
    .look = 90,
    .class = 74,
    .escape = 100,
    .all_escape = 64 * 250,
    .otherwise = 620,
};

bool
byte_count_avx2_is_possible(void)
{
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx2");
}

void
byte_count_avx2(const unsigned char *data, size_t size,
                uint64_t bin[BYTE_COUNT_BINS])
{
    count_in_classes(&costs, data, size, bin);
}
