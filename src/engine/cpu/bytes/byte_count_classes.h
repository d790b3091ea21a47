/* SPDX-License-Identifier: MIT */
/*
 * byte_count_classes.h -- count the frequent bytes of a buffer in classes
 *
 * The common part of byte_count_avx2.c and byte_count_neon.c.  Each includes
 * this file once, after it has defined for its processor:
 *
 *   vector        a type of VECTOR_BYTES bytes
 *   TARGET        the attribute of functions that use it; may be empty
 *   INLINE        TARGET, static and always inline
 *
 * and defines the functions that this file declares and does not define.
 *
 * Bit r of a byte of a vector is 1 if the input byte is value r of the class.
 * Two look-ups find these bits: the values of the class with the low half of
 * the byte, and the values with the high half.  The AND of the two is the
 * value.  (Two look-ups for a class of bytes: as in simdjson, by G. Langdale
 * and D. Lemire.)  A carry-save adder turns three vectors of weight w into one
 * of weight w and one of weight 2 w.  32 vectors become one vector of weight
 * 32, and only its bits are counted one by one.
 *
 * A value without a rank has no bit in any class.  The OR of all classes is 0
 * where such a byte escapes; these are counted byte by byte.
 */

#ifndef GPUHIST_BYTE_COUNT_CLASSES_H
#define GPUHIST_BYTE_COUNT_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "engine/cpu/bytes/byte_count_plan.h"

enum {
    BLOCK_VECTORS = 32,
    BLOCK_BYTES = BLOCK_VECTORS * VECTOR_BYTES,
    WEIGHTS = 5, /* 1 to 16: half of a block */
    PIECE_BYTES = 8 << 10,
    PLAN_BYTES = 512 << 10, /* the longest that a plan is used for */
    SMALL_BYTES = 16 << 10,
};

_Static_assert(1 << WEIGHTS == BLOCK_VECTORS, "what is added up in a block");
_Static_assert(PIECE_BYTES % BLOCK_BYTES == 0, "whole blocks");

struct value_class {
    vector low, high; /* for each half byte: the values that have it */
    vector sum[WEIGHTS];
    uint64_t count[COUNT_CLASS_VALUES];
};

struct class_counter {
    struct value_class class[COUNT_CLASSES_MAX];
    struct count_plan plan;
    uint64_t *bin;
};

struct byte_block {
    vector low[BLOCK_VECTORS]; /* the halves of all bytes */
    vector high[BLOCK_VECTORS];
    vector seen[BLOCK_VECTORS]; /* 0 where a byte is in no class */
};

/* ---- defined for the processor ---- */

/* Returns the table in the form that bits_of() needs. */
INLINE vector table_of(const unsigned char table[16]);

/* Load vector number I of the block at DATA; SEEN is not set. */
INLINE void load(struct byte_block *x, const unsigned char *data, int i);

/* Returns the bits of the values of CLASS and adds them to SEEN, or sets it if
   the class is the first one. */
INLINE vector bits_of(const struct value_class *class, struct byte_block *x,
                      int i, bool is_first);

/* Add A, B and *SUM, of one weight, bitwise: *SUM is the sum.  Returns the
   carry, of twice the weight. */
INLINE vector add_bits(vector *sum, vector a, vector b);

/* Add WEIGHT to the count of a value for each of its bits in BITS. */
INLINE void count_bits(uint64_t count[COUNT_CLASS_VALUES], vector bits,
                       unsigned int weight);

/* Returns in each byte the lesser one. */
INLINE vector least(vector a, vector b);

INLINE bool has_zero(vector x);

/* Count the bytes of DATA where SEEN is 0.  Returns their number. */
INLINE size_t count_unseen(uint64_t bin[BYTE_COUNT_BINS], vector seen,
                           const unsigned char *data);

/* ---- the same for all ---- */

/* Add 2, 4, 8, 16 or 32 vectors from number I on.  Returns the carry. */
INLINE vector
add_2(vector *sum, const struct value_class *class, struct byte_block *x, int i,
      bool is_first)
{
    vector bits = bits_of(class, x, i, is_first);
    return add_bits(&sum[0], bits, bits_of(class, x, i + 1, is_first));
}

INLINE vector
add_4(vector *sum, const struct value_class *class, struct byte_block *x, int i,
      bool is_first)
{
    vector carry = add_2(sum, class, x, i, is_first);
    return add_bits(&sum[1], carry, add_2(sum, class, x, i + 2, is_first));
}

INLINE vector
add_8(vector *sum, const struct value_class *class, struct byte_block *x, int i,
      bool is_first)
{
    vector carry = add_4(sum, class, x, i, is_first);
    return add_bits(&sum[2], carry, add_4(sum, class, x, i + 4, is_first));
}

INLINE vector
add_16(vector *sum, const struct value_class *class, struct byte_block *x,
       int i, bool is_first)
{
    vector carry = add_8(sum, class, x, i, is_first);
    return add_bits(&sum[3], carry, add_8(sum, class, x, i + 8, is_first));
}

INLINE vector
add_32(vector *sum, const struct value_class *class, struct byte_block *x,
       bool is_first)
{
    vector carry = add_16(sum, class, x, 0, is_first);
    return add_bits(&sum[4], carry, add_16(sum, class, x, 16, is_first));
}

INLINE void
count_class(struct value_class *class, struct byte_block *x, bool is_first)
{
    vector sum[WEIGHTS];

    for (int w = 0; w < WEIGHTS; w++)
        sum[w] = class->sum[w];
    vector carry = add_32(sum, class, x, is_first);
    for (int w = 0; w < WEIGHTS; w++)
        class->sum[w] = sum[w];
    count_bits(class->count, carry, BLOCK_VECTORS);
}

/* Count SIZE bytes, whole blocks.  Returns how many bytes had no rank. */
TARGET static size_t
count_blocks(struct class_counter *counter, const unsigned char *data,
             size_t size)
{
    size_t escapes = 0;

    for (const unsigned char *end = data + size; data < end;
         data += BLOCK_BYTES) {
        struct byte_block x;

        for (int i = 0; i < BLOCK_VECTORS; i++)
            load(&x, data, i);
        count_class(&counter->class[0], &x, true);
        for (unsigned int g = 1; g < counter->plan.classes; g++)
            count_class(&counter->class[g], &x, false);

        vector all = x.seen[0];
        for (int i = 1; i < BLOCK_VECTORS; i++)
            all = least(all, x.seen[i]);
        if (!has_zero(all))
            continue;
        for (int i = 0; i < BLOCK_VECTORS; i++)
            escapes +=
                count_unseen(counter->bin, x.seen[i], data + i * VECTOR_BYTES);
    }
    return escapes;
}

TARGET static void
start_classes(struct class_counter *counter)
{
    const struct count_plan *plan = &counter->plan;

    memset(counter->class, 0, sizeof counter->class);
    for (unsigned int g = 0; g < plan->classes; g++) {
        unsigned char low[16] = {0}, high[16] = {0};
        for (unsigned int i = 0; i < COUNT_CLASS_VALUES; i++) {
            unsigned int r = g * COUNT_CLASS_VALUES + i;
            if (r >= plan->ranks)
                break;
            low[plan->value[r] & 15u] |= (unsigned char)(1u << i);
            high[plan->value[r] >> 4] |= (unsigned char)(1u << i);
        }
        counter->class[g].low = table_of(low);
        counter->class[g].high = table_of(high);
    }
}

/* Move the counts of the ranks to their values. */
TARGET static void
end_classes(struct class_counter *counter)
{
    const struct count_plan *plan = &counter->plan;

    for (unsigned int g = 0; g < plan->classes; g++) {
        struct value_class *class = &counter->class[g];
        for (int w = 0; w < WEIGHTS; w++)
            count_bits(class->count, class->sum[w], 1u << w);
    }
    for (unsigned int r = 0; r < plan->ranks; r++) {
        const struct value_class *class =
            &counter->class[r / COUNT_CLASS_VALUES];
        counter->bin[plan->value[r]] += class->count[r % COUNT_CLASS_VALUES];
    }
}

/* Count blocks while the plan is good.  Returns the number of bytes. */
static size_t
count_planned(struct class_counter *counter, const unsigned char *data,
              size_t size)
{
    size_t limit = PIECE_BYTES / 32 + (size_t)2 * PIECE_BYTES /
                                          COUNT_SAMPLE_BYTES *
                                          counter->plan.escapes;
    size_t done = 0;
    size_t escapes = 0;

    start_classes(counter);
    while (done < size && escapes <= limit) {
        size_t piece = size - done < PIECE_BYTES ? size - done : PIECE_BYTES;
        escapes = count_blocks(counter, data + done, piece);
        done += piece;
    }
    end_classes(counter);
    return done;
}

/* The contract is that of byte_count_tables(). */
static void
count_in_classes(const struct count_costs *costs, const unsigned char *data,
                 size_t size, uint64_t bin[BYTE_COUNT_BINS])
{
    struct class_counter counter;

    counter.bin = bin;
    while (size >= SMALL_BYTES) {
        count_plan_make(&counter.plan, costs, data, bin);
        data += COUNT_SAMPLE_BYTES;
        size -= COUNT_SAMPLE_BYTES;

        size_t part = size < PLAN_BYTES ? size : PLAN_BYTES;
        part -= part % BLOCK_BYTES;
        /* byte_count_tables() counts a block of one value at once. */
        if (counter.plan.classes == 0 || counter.plan.ranks == 1)
            byte_count_tables(data, part, bin);
        else
            part = count_planned(&counter, data, part);
        data += part;
        size -= part;
    }
    byte_count_tables(data, size, bin);
}

#endif
