/* SPDX-License-Identifier: MIT */
/*
 * inflate_header.h -- the header of a deflate block, and its codes
 *
 * One thread reads the header, because each number depends on those before it;
 * all threads make the tables.  zlib accepts any header that is accepted here.
 */

#ifndef GPUHIST_INFLATE_HEADER_H
#define GPUHIST_INFLATE_HEADER_H

#include "kernels/inflate/inflate_codes.h"

enum inflate_type {
    INFLATE_STORED,
    INFLATE_FIXED,
    INFLATE_DYNAMIC
};

/* All codes; and the only incomplete set that is accepted: one of 1 bit. */
#define INFLATE_USED_ALL (1u << INFLATE_CODE_BITS)
#define INFLATE_USED_ONE (1u << (INFLATE_CODE_BITS - 1))

/* Take the next COUNT bits, up to 16, of the window at *BIT. */
DEVICE_FN binning_u32
inflate_take(DEVICE_SHARED const struct inflate_shared *shared,
             binning_u32 *bit, binning_u32 count)
{
    const binning_u32 word = inflate_peek(shared, *bit);

    *bit += count;
    return INFLATE_BELOW(word, count);
}

/* Read the lengths of the codes for lengths of codes.  LENGTH is 0 before. */
DEVICE_FN void
inflate_header_read_first(DEVICE_SHARED struct inflate_shared *shared,
                          binning_u32 *bit)
{
    const binning_u32 count = 4 + inflate_take(shared, bit, 4);

    DEVICE_ROLLED
    for (binning_u32 i = 0; i < count; i++) {
        /* 16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15 */
        const binning_u32 symbol = i < 3        ? 16 + i
                                   : i == 3     ? 0
                                   : i % 2 == 0 ? 6 + i / 2
                                                : 9 - i / 2;
        shared->of.making.length[symbol] =
            (unsigned char)inflate_take(shared, bit, 3);
    }
}

/* Read the start of a block, whose window starts at word FIRST: thread 0. */
DEVICE_FN void
inflate_header_read(DEVICE_SHARED struct inflate_shared *shared,
                    binning_u32 first)
{
    binning_u32 bit = shared->bit - 32 * first;

    shared->is_last = inflate_take(shared, &bit, 1);
    shared->type = inflate_take(shared, &bit, 2);
    if (shared->type == INFLATE_STORED) {
        bit = (bit + 7) / 8 * 8;
        shared->stored = inflate_take(shared, &bit, 16);
        if (inflate_take(shared, &bit, 16) != (shared->stored ^ 0xffff))
            shared->refusal = INFLATE_REFUSED_DATA;
    } else if (shared->type == INFLATE_FIXED) {
        shared->codes[INFLATE_OF_LITERALS] = INFLATE_LITERALS;
        shared->codes[INFLATE_OF_DISTANCES] = INFLATE_DISTANCES;
    } else if (shared->type == INFLATE_DYNAMIC) {
        shared->codes[INFLATE_OF_LITERALS] =
            257 + inflate_take(shared, &bit, 5);
        shared->codes[INFLATE_OF_DISTANCES] = 1 + inflate_take(shared, &bit, 5);
        if (shared->codes[INFLATE_OF_LITERALS] > 286 ||
            shared->codes[INFLATE_OF_DISTANCES] > 30)
            shared->refusal = INFLATE_REFUSED_DATA;
        inflate_header_read_first(shared, &bit);
    } else {
        shared->refusal = INFLATE_REFUSED_DATA;
    }
    shared->bit = 32 * first + bit;
}

/*
 * Read the lengths of all codes at BIT of the window, up to COUNT of them:
 * thread 0.  LENGTH is 0 before.  Returns the next bit, or 0: they are wrong.
 */
DEVICE_FN binning_u32
inflate_header_read_lengths(DEVICE_SHARED struct inflate_shared *shared,
                            binning_u32 bit, binning_u32 count)
{
    DEVICE_SHARED unsigned char *length = shared->of.making.length;
    binning_u32 before = 0;
    binning_u32 i = 0;

    DEVICE_ROLLED
    while (i < count) {
        const binning_u32 word = inflate_peek(shared, bit);
        const binning_u32 entry =
            shared->distance[word & ((1u << INFLATE_LENGTHS_INDEX) - 1)];
        const binning_u32 code_bits = entry & 0xff;
        const binning_u32 symbol = entry >> 16;
        const binning_u32 extra = word >> code_bits;
        binning_u32 repeats = 1;
        bit += code_bits;
        if (symbol < 16) {
            before = symbol;
        } else if (symbol == 16) {
            repeats = 3 + (extra & 3);
            bit += 2;
            if (i == 0)
                return 0;
        } else if (symbol == 17) {
            repeats = 3 + (extra & 7);
            bit += 3;
            before = 0;
        } else {
            repeats = 11 + (extra & 127);
            bit += 7;
            before = 0;
        }
        if (repeats > count - i)
            return 0;
        if (before != 0)
            for (binning_u32 k = 0; k < repeats; k++)
                length[i + k] = (unsigned char)before;
        i += repeats;
    }
    return length[256] != 0 ? bit : 0;
}

/* Set the lengths of fixed codes. */
DEVICE_FN void
inflate_header_set_lengths(DEVICE_SHARED struct inflate_shared *shared)
{
    for (binning_u32 i = DEVICE_THREAD;
         i < INFLATE_LITERALS + INFLATE_DISTANCES; i += DEVICE_THREADS)
        shared->of.making.length[i] = i < 144   ? 8
                                      : i < 256 ? 9
                                      : i < 280 ? 7
                                      : i < 288 ? 8
                                                : 5;
}

/* Set all lengths to 0. */
DEVICE_FN void
inflate_header_clear(DEVICE_SHARED struct inflate_shared *shared)
{
    for (binning_u32 i = DEVICE_THREAD;
         i < INFLATE_LITERALS + INFLATE_DISTANCES; i += DEVICE_THREADS)
        shared->of.making.length[i] = 0;
}

/* Find the lengths of the codes of a dynamic block, whose window starts at word
   FIRST.  Sets the refusal. */
DEVICE_FN void
inflate_header_find_lengths(DEVICE_SHARED struct inflate_shared *shared,
                            binning_u32 first)
{
    const binning_u32 used =
        inflate_codes_make(shared, INFLATE_OF_LENGTHS, 0, INFLATE_LENGTHS);

    if (used == INFLATE_USED_ALL)
        inflate_codes_fill(shared, shared->distance, INFLATE_OF_LENGTHS,
                           INFLATE_LENGTHS_INDEX);
    inflate_header_clear(shared);
    DEVICE_BARRIER();
    if (DEVICE_THREAD == 0) {
        const binning_u32 bit =
            used != INFLATE_USED_ALL
                ? 0
                : inflate_header_read_lengths(
                      shared, shared->bit - 32 * first,
                      shared->codes[INFLATE_OF_LITERALS] +
                          shared->codes[INFLATE_OF_DISTANCES]);
        if (bit == 0)
            shared->refusal = INFLATE_REFUSED_DATA;
        shared->bit = 32 * first + bit;
    }
    DEVICE_BARRIER();
}

/* Make the tables of a block, from the lengths.  Returns false if the codes are
   wrong. */
DEVICE_FN bool
inflate_header_make(DEVICE_SHARED struct inflate_shared *shared)
{
    bool is_right = true;

    DEVICE_ROLLED
    for (int k = 0; k < INFLATE_KINDS && is_right; k++) {
        const bool is_literals = k == INFLATE_OF_LITERALS;
        const enum inflate_kind kind =
            is_literals ? INFLATE_OF_LITERALS : INFLATE_OF_DISTANCES;
        const binning_u32 used = inflate_codes_make(
            shared, kind, is_literals ? 0 : shared->codes[INFLATE_OF_LITERALS],
            shared->codes[kind]);
        is_right = used == INFLATE_USED_ALL;
        if (!is_literals && !is_right) {
            /* One code, or none. */
            DEVICE_SHARED const struct inflate_code *code =
                inflate_codes_of(shared, kind);
            is_right = used == 0 ||
                       (used == INFLATE_USED_ONE && code->limit[1] == used);
        }
        if (is_right)
            inflate_codes_fill(
                shared, is_literals ? shared->literal : shared->distance, kind,
                is_literals ? INFLATE_LITERAL_INDEX : INFLATE_DISTANCE_INDEX);
        DEVICE_BARRIER();
    }
    return is_right;
}

/*
 * Read the header of the next block, and make its tables.  The refusal is set
 * if the block is wrong.  All threads call this function; afterwards all see
 * what has been found.
 */
DEVICE_FN void
inflate_header(DEVICE_SHARED struct inflate_shared *shared,
               const struct inflate_data *data)
{
    const binning_u32 first = shared->bit / 32;

    inflate_window_load(shared, data, first);
    inflate_header_clear(shared);
    DEVICE_BARRIER();
    if (DEVICE_THREAD == 0)
        inflate_header_read(shared, first);
    DEVICE_BARRIER();
    if (shared->refusal != 0 || shared->type == INFLATE_STORED)
        return;
    if (shared->type == INFLATE_DYNAMIC) {
        inflate_header_find_lengths(shared, first);
        if (shared->refusal != 0)
            return;
    } else {
        inflate_header_set_lengths(shared);
        DEVICE_BARRIER();
    }
    const bool is_right = inflate_header_make(shared);
    if (!is_right && DEVICE_THREAD == 0)
        shared->refusal = INFLATE_REFUSED_DATA;
    DEVICE_BARRIER();
}

#endif
