/* SPDX-License-Identifier: MIT */
/*
 * inflate_codes.h -- tables of the codes of a block
 *
 * All threads make a table together.  Its index is the next bits of the data;
 * a longer code is found by comparing it with the limits of each length.
 */

#ifndef GPUHIST_INFLATE_CODES_H
#define GPUHIST_INFLATE_CODES_H

#include "kernels/inflate/inflate_kernel.h"

/*
 * An entry: in the lowest byte, the number of bits of the code and its extra
 * bits; in the next byte, the number of bits of the code, and flags; in the
 * high half, a literal, or the least length or distance less 1.
 */
#define INFLATE_IS_MATCH 0x2000u
#define INFLATE_IS_SPECIAL 0x4000u

/* The high half of a special entry. */
enum inflate_special {
    INFLATE_SPECIAL_WRONG,
    INFLATE_SPECIAL_END,
    INFLATE_SPECIAL_LONG /* code */
};

DEVICE_FN binning_u32
inflate_entry(binning_u32 value, binning_u32 bits, binning_u32 extra)
{
    return value << 16 | bits << 8 | (bits + extra);
}

/* The entry of the code for symbol I of literals and lengths. */
DEVICE_FN binning_u32
inflate_literal_entry(binning_u32 i, binning_u32 bits)
{
    const binning_u32 end = 256;
    const binning_u32 longest = 28;
    const binning_u32 l = i - end - 1;

    if (i < end)
        return inflate_entry(i, bits, 0);
    if (i == end)
        return inflate_entry(INFLATE_SPECIAL_END, bits, 0) | INFLATE_IS_SPECIAL;
    if (l > longest)
        return INFLATE_IS_SPECIAL;
    if (l == longest)
        return inflate_entry(INFLATE_MATCH_MAX, bits, 0) | INFLATE_IS_MATCH;
    if (l < 8)
        return inflate_entry(3 + l, bits, 0) | INFLATE_IS_MATCH;
    return inflate_entry(3 + ((4 + l % 4) << (l / 4 - 1)), bits, l / 4 - 1) |
           INFLATE_IS_MATCH;
}

/* Likewise of distances. */
DEVICE_FN binning_u32
inflate_distance_entry(binning_u32 i, binning_u32 bits)
{
    if (i >= 30)
        return INFLATE_IS_SPECIAL;
    if (i < 4)
        return inflate_entry(i, bits, 0);
    return inflate_entry((2 + i % 2) << (i / 2 - 1), bits, i / 2 - 1);
}

DEVICE_FN binning_u32
inflate_entry_of(enum inflate_kind kind, binning_u32 i, binning_u32 bits)
{
    return kind == INFLATE_OF_LITERALS    ? inflate_literal_entry(i, bits)
           : kind == INFLATE_OF_DISTANCES ? inflate_distance_entry(i, bits)
                                          : inflate_entry(i, bits, 0);
}

/* The codes of KIND, and where their symbols start. */
DEVICE_FN DEVICE_SHARED struct inflate_code *
inflate_codes_of(DEVICE_SHARED struct inflate_shared *shared,
                 enum inflate_kind kind)
{
    return &shared->code[kind == INFLATE_OF_LITERALS ? 0 : 1];
}

DEVICE_FN binning_u32
inflate_codes_at(enum inflate_kind kind)
{
    return kind == INFLATE_OF_LITERALS ? 0 : INFLATE_LITERALS;
}

/* The entry of the code C, of BITS bits, which exists. */
DEVICE_FN binning_u32
inflate_codes_entry(DEVICE_SHARED struct inflate_shared *shared,
                    enum inflate_kind kind, binning_u32 c, binning_u32 bits)
{
    const binning_u32 place = inflate_codes_of(shared, kind)->first[bits] +
                              (c >> (INFLATE_CODE_BITS - bits));

    return inflate_entry_of(kind, shared->symbol[place], bits);
}

/* The first BITS of a code that starts with the lowest bit of WORD. */
DEVICE_FN binning_u32
inflate_code_of(binning_u32 word)
{
    return INFLATE_REVERSE(word) >> (32 - INFLATE_CODE_BITS);
}

/* Find the entry of a code with more bits than the index of the table. */
DEVICE_FN binning_u32
inflate_long(DEVICE_SHARED struct inflate_shared *shared,
             enum inflate_kind kind, binning_u32 index_bits, binning_u32 word)
{
    DEVICE_SHARED const struct inflate_code *code =
        inflate_codes_of(shared, kind);
    const binning_u32 c = inflate_code_of(word);
    binning_u32 bits = index_bits + 1;

    if (c >= code->limit[INFLATE_CODE_BITS])
        return INFLATE_IS_SPECIAL;
    while (c >= code->limit[bits])
        bits++;
    return inflate_codes_entry(shared, kind, c, bits);
}

/* ---- making codes ---- */

/* Count the lengths of the codes of each thread, which has SHARE of COUNT. */
DEVICE_FN void
inflate_codes_count(DEVICE_SHARED struct inflate_making *making, binning_u32 at,
                    binning_u32 count, binning_u32 share)
{
    const binning_u32 t = DEVICE_THREAD;

    for (int bits = 0; bits <= INFLATE_CODE_BITS; bits++)
        making->count[bits][t] = 0;
    for (binning_u32 i = t * share; i < (t + 1) * share && i < count; i++)
        making->count[making->length[at + i]][t]++;
}

/* Replace the counts of each length by sums.  Sets FIRST to the whole sum, for
   the time being. */
DEVICE_FN void
inflate_codes_sum(DEVICE_SHARED struct inflate_making *making,
                  DEVICE_SHARED struct inflate_code *code)
{
    for (binning_u32 bits = DEVICE_THREAD; bits <= INFLATE_CODE_BITS;
         bits += DEVICE_THREADS) {
        binning_u32 sum = 0;
        DEVICE_ROLLED
        for (binning_u32 t = 0; t < DEVICE_THREADS; t++) {
            binning_u32 count = making->count[bits][t];
            making->count[bits][t] = (unsigned short)sum;
            sum += count;
        }
        code->first[bits] = sum;
    }
}

/* From the number of codes of each length, which are in FIRST, set LIMIT and
   FIRST; the symbols start at SYMBOLS.  Returns the part of all codes that is
   in use, of 1 << CODE_BITS. */
DEVICE_FN binning_u32
inflate_codes_limit(DEVICE_SHARED struct inflate_code *code,
                    binning_u32 symbols)
{
    binning_u32 limit = 0;

    code->limit[0] = 0;
    DEVICE_ROLLED
    for (binning_u32 bits = 1; bits <= INFLATE_CODE_BITS; bits++) {
        const binning_u32 low = INFLATE_CODE_BITS - bits;
        const binning_u32 count = code->first[bits];
        code->first[bits] = symbols - (limit >> low);
        limit += count << low;
        symbols += count;
        code->limit[bits] = limit;
    }
    return limit;
}

/* Put the symbols of each thread in the order of their codes. */
DEVICE_FN void
inflate_codes_sort(DEVICE_SHARED struct inflate_shared *shared,
                   DEVICE_SHARED const struct inflate_code *code,
                   binning_u32 at, binning_u32 count, binning_u32 share)
{
    DEVICE_SHARED struct inflate_making *making = &shared->of.making;
    const binning_u32 t = DEVICE_THREAD;

    for (binning_u32 i = t * share; i < (t + 1) * share && i < count; i++) {
        const binning_u32 bits = making->length[at + i];
        if (bits == 0)
            continue;
        const binning_u32 start =
            code->limit[bits - 1] >> (INFLATE_CODE_BITS - bits);
        shared->symbol[code->first[bits] + start + making->count[bits][t]++] =
            (unsigned short)i;
    }
}

/*
 * Make the codes of KIND for COUNT symbols, whose lengths start at number AT.
 * Returns the part in use, as inflate_codes_limit() does; if that is more than
 * all, there are too many codes.  All threads call this function.
 */
DEVICE_FN binning_u32
inflate_codes_make(DEVICE_SHARED struct inflate_shared *shared,
                   enum inflate_kind kind, binning_u32 at, binning_u32 count)
{
    DEVICE_SHARED struct inflate_making *making = &shared->of.making;
    DEVICE_SHARED struct inflate_code *code = inflate_codes_of(shared, kind);
    const binning_u32 share = (count + DEVICE_THREADS - 1) / DEVICE_THREADS;

    inflate_codes_count(making, at, count, share);
    DEVICE_BARRIER();
    inflate_codes_sum(making, code);
    DEVICE_BARRIER();
    if (DEVICE_THREAD == 0)
        shared->used = inflate_codes_limit(code, inflate_codes_at(kind));
    DEVICE_BARRIER();
    const binning_u32 used = shared->used;
    if (used <= 1u << INFLATE_CODE_BITS)
        inflate_codes_sort(shared, code, at, count, share);
    DEVICE_BARRIER();
    return used;
}

/* Fill the TABLE of KIND, with an index of INDEX_BITS. */
DEVICE_FN void
inflate_codes_fill(DEVICE_SHARED struct inflate_shared *shared,
                   DEVICE_SHARED binning_u32 *table, enum inflate_kind kind,
                   binning_u32 index_bits)
{
    DEVICE_SHARED const struct inflate_code *code =
        inflate_codes_of(shared, kind);
    binning_u32 limit[INFLATE_LITERAL_INDEX + 1];

    DEVICE_UNROLL
    for (int bits = 0; bits <= INFLATE_LITERAL_INDEX; bits++)
        limit[bits] = code->limit[bits];
    DEVICE_ROLLED
    for (binning_u32 i = DEVICE_THREAD; i < 1u << index_bits;
         i += DEVICE_THREADS) {
        const binning_u32 c = inflate_code_of(i);
        binning_u32 bits = 0;
        DEVICE_UNROLL
        for (int b = 0; b <= INFLATE_LITERAL_INDEX; b++)
            bits += c >= limit[b];
        table[i] = bits <= index_bits
                       ? inflate_codes_entry(shared, kind, c, bits)
                       : inflate_entry(INFLATE_SPECIAL_LONG, 0, 0) |
                             INFLATE_IS_SPECIAL;
    }
}

#endif
