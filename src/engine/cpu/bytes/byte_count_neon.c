/* SPDX-License-Identifier: MIT */
/*
 * byte_count_neon.c -- count the frequent bytes of a buffer with NEON
 *
 * Values are counted in classes of eight; see byte_count_classes.h.  TBL looks
 * up the halves of the bytes.  An adder takes three instructions, because BSL
 * selects the carry.
 *
 * For 16 bytes, compilers make 13 instructions for a class and 8 for the rest
 * of the block; tables take 64, 16 of which are stores.  Most processors do two
 * vector instructions, but one store, in a cycle.  No processor has been
 * measured yet.  The costs below allow only one or two classes, where the
 * estimate is clear.
 */

#include <arm_neon.h>

#include "engine/cpu/bytes/byte_count_neon.h"

#define TARGET
#define INLINE static inline __attribute__((always_inline))

enum {
    VECTOR_BYTES = 16,
};

typedef uint8x16_t vector;

#include "engine/cpu/bytes/byte_count_classes.h"

INLINE vector
table_of(const unsigned char table[16])
{
    return vld1q_u8(table);
}

INLINE void
load(struct byte_block *x, const unsigned char *data, int i)
{
    const unsigned char *at = data + i * VECTOR_BYTES;
    vector v = vld1q_u8(at);

    if (i % 4 == 0)
        byte_count_ahead(at);
    x->low[i] = vandq_u8(v, vdupq_n_u8(15));
    x->high[i] = vshrq_n_u8(v, 4);
}

INLINE vector
bits_of(const struct value_class *class, struct byte_block *x, int i,
        bool is_first)
{
    vector bits = vandq_u8(vqtbl1q_u8(class->low, x->low[i]),
                           vqtbl1q_u8(class->high, x->high[i]));

    x->seen[i] = is_first ? bits : vorrq_u8(x->seen[i], bits);
    return bits;
}

INLINE vector
add_bits(vector *sum, vector a, vector b)
{
    vector differ = veorq_u8(a, b);
    vector carry = vbslq_u8(differ, *sum, a);

    *sum = veorq_u8(differ, *sum);
    return carry;
}

INLINE void
count_bits(uint64_t count[COUNT_CLASS_VALUES], vector bits, unsigned int weight)
{
    for (unsigned int r = 0; r < COUNT_CLASS_VALUES; r++) {
        vector bit = vandq_u8(bits, vdupq_n_u8((uint8_t)(1u << r)));
        count[r] += (uint64_t)weight * vaddvq_u8(vcntq_u8(bit));
    }
}

INLINE vector
least(vector a, vector b)
{
    return vminq_u8(a, b);
}

INLINE bool
has_zero(vector x)
{
    return vminvq_u8(x) == 0;
}

INLINE size_t
count_unseen(uint64_t bin[BYTE_COUNT_BINS], vector seen,
             const unsigned char *data)
{
    unsigned char byte[VECTOR_BYTES];
    size_t count = 0;

    if (!has_zero(seen))
        return 0;
    vst1q_u8(byte, seen);
    for (int k = 0; k < VECTOR_BYTES; k++) {
        if (byte[k] == 0) {
            bin[data[k]]++;
            count++;
        }
    }
    return count;
}

/*
 * In tenths of a cycle, estimated: two vector instructions in a cycle, or one
 * store.  An escape costs a mispredicted branch.  Tables take 640; less is said
 * here, so that classes must be faster by a half.
 */
static const struct count_costs costs = {
    .look = 80,
    .class = 160,
    .escape = 150,
    .all_escape = 64 * 250,
    .otherwise = 430,
};

void
byte_count_neon(const unsigned char *data, size_t size,
                uint64_t bin[BYTE_COUNT_BINS])
{
    count_in_classes(&costs, data, size, bin);
}
