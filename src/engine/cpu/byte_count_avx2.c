/*
 * byte_count_avx2.c -- count the frequent bytes of a buffer with AVX2
 *
 * As in byte_count_avx512.c, values are counted in groups of eight by adding up
 * bits.  A carry-save adder turns three vectors of weight w into one of weight
 * w and one of weight 2 w.  So 32 vectors become one of weight 32, and only the
 * bits of that vector are counted one by one.
 *
 * Bit r of a byte of such a vector is 1 if the input byte is value r of the
 * group.  VPSHUFB looks up both halves of the byte: in which of the eight
 * values the low half is the same, and in which the high half.  The AND of the
 * two is the value.  (Two look-ups for a class of bytes: as in simdjson, by
 * G. Langdale and D. Lemire.)
 *
 * This is faster than tables for at most 56 values; a plan chooses them, see
 * byte_count_plan.h.  All other values escape: a look-up in a set of 256 bits
 * finds them, and they are counted byte by byte.
 */

#include <immintrin.h>
#include <string.h>

#include "engine/cpu/byte_count_avx2.h"
#include "engine/cpu/byte_count_plan.h"

/* Per function, not per file: see byte_count_avx512.c. */
#define TARGET __attribute__((target("avx2,popcnt")))
#define INLINE static inline TARGET __attribute__((always_inline))

enum {
    VECTOR_BYTES = 32,
    BLOCK_VECTORS = 32,
    BLOCK_BYTES = BLOCK_VECTORS * VECTOR_BYTES,
    WEIGHTS = 5, /* 1 to 16: half of a block */
    PIECE_BYTES = 8 * BLOCK_BYTES,
    PLAN_BYTES = 512 << 10, /* the longest that a plan is used for */
    SMALL_BYTES = 16 << 10,
};

_Static_assert(1 << WEIGHTS == BLOCK_VECTORS, "what is added up in a block");

struct group {
    __m256i low, high; /* for each half byte: the values that have it */
    __m256i sum[WEIGHTS];
    uint64_t count[COUNT_GROUP_VALUES];
};

/* Bit h % 8 of byte l of half[h / 8]: whether 16 * h + l has a rank. */
struct known {
    __m256i half[2];
};

struct counter {
    struct group group[COUNT_GROUPS_MAX];
    struct known known;
    struct count_plan plan;
    uint64_t *bin;
};

/* The halves of all bytes of a block. */
struct halves {
    __m256i low[BLOCK_VECTORS];
    __m256i high[BLOCK_VECTORS];
};

/* Add A, B and *SUM, of one weight, bitwise: *SUM is the sum.  Returns the
   carry, of twice the weight. */
INLINE __m256i
add_bits(__m256i *sum, __m256i a, __m256i b)
{
    __m256i differ = _mm256_xor_si256(a, b);
    __m256i carry =
        _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(differ, *sum));
    *sum = _mm256_xor_si256(differ, *sum);
    return carry;
}

INLINE __m256i
bits_of(const struct group *group, const struct halves *x, int i)
{
    return _mm256_and_si256(_mm256_shuffle_epi8(group->low, x->low[i]),
                            _mm256_shuffle_epi8(group->high, x->high[i]));
}

/* Add 2, 4, 8, 16 or 32 vectors from number I on.  Returns the carry. */
INLINE __m256i
add_2(__m256i *sum, const struct group *group, const struct halves *x, int i)
{
    return add_bits(&sum[0], bits_of(group, x, i), bits_of(group, x, i + 1));
}

INLINE __m256i
add_4(__m256i *sum, const struct group *group, const struct halves *x, int i)
{
    __m256i carry = add_2(sum, group, x, i);
    return add_bits(&sum[1], carry, add_2(sum, group, x, i + 2));
}

INLINE __m256i
add_8(__m256i *sum, const struct group *group, const struct halves *x, int i)
{
    __m256i carry = add_4(sum, group, x, i);
    return add_bits(&sum[2], carry, add_4(sum, group, x, i + 4));
}

INLINE __m256i
add_16(__m256i *sum, const struct group *group, const struct halves *x, int i)
{
    __m256i carry = add_8(sum, group, x, i);
    return add_bits(&sum[3], carry, add_8(sum, group, x, i + 8));
}

INLINE __m256i
add_32(__m256i *sum, const struct group *group, const struct halves *x)
{
    __m256i carry = add_16(sum, group, x, 0);
    return add_bits(&sum[4], carry, add_16(sum, group, x, 16));
}

/* Add WEIGHT to the count of a value for each of its bits in BITS. */
INLINE void
count_bits(uint64_t count[COUNT_GROUP_VALUES], __m256i bits,
           unsigned int weight)
{
    for (int r = COUNT_GROUP_VALUES - 1; r >= 0; r--) {
        unsigned int mask = (unsigned int)_mm256_movemask_epi8(bits);
        count[r] += (uint64_t)weight * (unsigned int)_mm_popcnt_u32(mask);
        bits = _mm256_add_epi8(bits, bits);
    }
}

TARGET static void
count_group(struct group *group, const struct halves *x)
{
    __m256i sum[WEIGHTS];

    for (int w = 0; w < WEIGHTS; w++)
        sum[w] = group->sum[w];
    __m256i carry = add_32(sum, group, x);
    for (int w = 0; w < WEIGHTS; w++)
        group->sum[w] = sum[w];
    count_bits(group->count, carry, BLOCK_VECTORS);
}

/* Returns all ones in each byte where the byte of X has no rank. */
INLINE __m256i
escapes_of(const struct known *known, __m256i x, __m256i high)
{
    const __m256i bit =
        _mm256_set1_epi64x((long long)UINT64_C(0x8040201008040201));
    /* VPSHUFB gives 0 if the highest bit of the index is set. */
    __m256i first = _mm256_and_si256(x, _mm256_set1_epi8((char)0x8f));
    __m256i second = _mm256_xor_si256(first, _mm256_set1_epi8((char)0x80));
    __m256i set = _mm256_or_si256(_mm256_shuffle_epi8(known->half[0], first),
                                  _mm256_shuffle_epi8(known->half[1], second));

    set = _mm256_and_si256(set, _mm256_shuffle_epi8(bit, high));
    return _mm256_cmpeq_epi8(set, _mm256_setzero_si256());
}

INLINE __m256i
load(const unsigned char *data, int i)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)data + i);
}

/* Count the bytes of a block that have no rank.  Returns their number. */
TARGET static size_t
count_escapes(struct counter *counter, const unsigned char *block,
              const struct halves *x)
{
    size_t escapes = 0;

    for (int i = 0; i < BLOCK_VECTORS; i++) {
        __m256i escape =
            escapes_of(&counter->known, load(block, i), x->high[i]);
        unsigned int mask = (unsigned int)_mm256_movemask_epi8(escape);
        escapes += (unsigned int)_mm_popcnt_u32(mask);
        for (; mask != 0; mask &= mask - 1)
            counter->bin[block[i * VECTOR_BYTES + __builtin_ctz(mask)]]++;
    }
    return escapes;
}

/* Count SIZE bytes, whole blocks.  Returns how many bytes had no rank. */
TARGET static size_t
count_blocks(struct counter *counter, const unsigned char *data, size_t size)
{
    const __m256i half = _mm256_set1_epi8(15);
    size_t escapes = 0;

    for (size_t done = 0; done < size; done += BLOCK_BYTES) {
        const unsigned char *block = data + done;
        __m256i any = _mm256_setzero_si256();
        struct halves x;

        for (int i = 0; i < BLOCK_VECTORS; i++) {
            __m256i v = load(block, i);
            byte_count_ahead(block + i * VECTOR_BYTES);
            x.low[i] = _mm256_and_si256(v, half);
            x.high[i] = _mm256_and_si256(_mm256_srli_epi16(v, 4), half);
            any =
                _mm256_or_si256(any, escapes_of(&counter->known, v, x.high[i]));
        }
        if (_mm256_movemask_epi8(any) != 0)
            escapes += count_escapes(counter, block, &x);
        for (unsigned int g = 0; g < counter->plan.groups; g++)
            count_group(&counter->group[g], &x);
    }
    return escapes;
}

/* Returns the 16 bytes in both halves of a vector, as VPSHUFB needs them. */
INLINE __m256i
table_of(const unsigned char table[16])
{
    return _mm256_broadcastsi128_si256(
        _mm_loadu_si128((const __m128i *)(const void *)table));
}

TARGET static void
begin_groups(struct counter *counter)
{
    const struct count_plan *plan = &counter->plan;
    unsigned char known[2][16] = {{0}};

    memset(counter->group, 0, sizeof counter->group);
    for (unsigned int g = 0; g < plan->groups; g++) {
        unsigned char low[16] = {0}, high[16] = {0};
        for (unsigned int i = 0; i < COUNT_GROUP_VALUES; i++) {
            unsigned int r = g * COUNT_GROUP_VALUES + i;
            if (r >= plan->ranks)
                break;
            unsigned int l = plan->value[r] & 15u, h = plan->value[r] >> 4;
            low[l] |= (unsigned char)(1u << i);
            high[h] |= (unsigned char)(1u << i);
            known[h / 8][l] |= (unsigned char)(1u << h % 8);
        }
        counter->group[g].low = table_of(low);
        counter->group[g].high = table_of(high);
    }
    counter->known.half[0] = table_of(known[0]);
    counter->known.half[1] = table_of(known[1]);
}

/* Move the counts of the ranks to their values. */
TARGET static void
end_groups(struct counter *counter)
{
    const struct count_plan *plan = &counter->plan;

    for (unsigned int g = 0; g < plan->groups; g++) {
        struct group *group = &counter->group[g];
        for (int w = 0; w < WEIGHTS; w++)
            count_bits(group->count, group->sum[w], 1u << w);
    }
    for (unsigned int r = 0; r < plan->ranks; r++) {
        const struct group *group = &counter->group[r / COUNT_GROUP_VALUES];
        counter->bin[plan->value[r]] += group->count[r % COUNT_GROUP_VALUES];
    }
}

/*
 * In tenths of a cycle of a Xeon of the fifth generation.  An escape costs a
 * mispredicted branch.
 */
static const struct count_costs costs = {
    .look = 90,
    .group = 74,
    .escape = 100,
    .all_escape = 64 * 250,
    .otherwise = 620,
};

/* Count blocks while the plan is good.  Returns the number of bytes. */
static size_t
count_planned(struct counter *counter, const unsigned char *data, size_t size)
{
    size_t limit = PIECE_BYTES / 32 + (size_t)2 * PIECE_BYTES /
                                          COUNT_SAMPLE_BYTES *
                                          counter->plan.escapes;
    size_t done = 0;
    size_t escapes = 0;

    begin_groups(counter);
    while (done < size && escapes <= limit) {
        size_t piece = size - done < PIECE_BYTES ? size - done : PIECE_BYTES;
        escapes = count_blocks(counter, data + done, piece);
        done += piece;
    }
    end_groups(counter);
    return done;
}

bool
byte_count_avx2_is_possible(void)
{
    return __builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx2");
}

void
byte_count_avx2(const unsigned char *data, size_t size,
                uint64_t bin[BYTE_COUNT_BINS])
{
    struct counter counter;

    counter.bin = bin;
    while (size >= SMALL_BYTES) {
        count_plan_make(&counter.plan, &costs, data, bin);
        data += COUNT_SAMPLE_BYTES;
        size -= COUNT_SAMPLE_BYTES;

        size_t part = size < PLAN_BYTES ? size : PLAN_BYTES;
        part -= part % BLOCK_BYTES;
        /* byte_count_tables() counts a block of one value at once. */
        if (counter.plan.groups == 0 || counter.plan.ranks == 1)
            byte_count_tables(data, part, bin);
        else
            part = count_planned(&counter, data, part);
        data += part;
        size -= part;
    }
    byte_count_tables(data, size, bin);
}
