/* SPDX-License-Identifier: MIT */
/*
 * zstd_fse.h -- tables of zstd's finite state entropy coding: the only
 * definition
 *
 * See zstd_bits.h, and RFC 8878, section 4.1.
 */

#ifndef GPUHIST_ZSTD_FSE_H
#define GPUHIST_ZSTD_FSE_H

#include "kernels/zstd/zstd_bits.h"

#define ZSTD_FSE_LOG_MAX 9
#define ZSTD_FSE_SYMBOLS_MAX 53

/* How often each symbol occurs among 1 << LOG; -1: less than once. */
struct zstd_counts {
    binning_u32 log;
    binning_u32 symbols;
    short count[ZSTD_FSE_SYMBOLS_MAX];
};

/*
 * A state of a table, in one word: from the lowest bit on, 8 bits are the
 * symbol; 8 the number of bits to take; and 16 the base of the next state, to
 * which the taken bits are added. zstd_states_fill() has another use for the
 * lowest and the highest bits.
 */
typedef binning_u64 zstd_state;

DEVICE_FN binning_u32
zstd_state_symbol(zstd_state state)
{
    return state & 255;
}

DEVICE_FN binning_u32
zstd_state_bits(zstd_state state)
{
    return state >> 8 & 255;
}

DEVICE_FN binning_u32
zstd_state_next(zstd_state state)
{
    return state >> 16 & 65535;
}

/*
 * Read a description of counts, with up to LOG_MAX and SYMBOLS_MAX, from the
 * SIZE bytes at DATA.  Returns the bytes of the description; 0: refused.
 */
DEVICE_FN binning_u32
zstd_counts_read(struct zstd_counts *counts, binning_u32 log_max,
                 binning_u32 symbols_max, const unsigned char *data,
                 binning_u32 size)
{
    binning_u32 bit = 4;
    binning_u32 symbol = 0;

    if (size == 0)
        return 0;
    counts->log = (data[0] & 15u) + 5;
    if (counts->log > log_max)
        return 0;
    binning_u32 left = 1u << counts->log;
    while (left > 0) {
        if (symbol >= symbols_max || bit > 8 * size)
            return 0;
        /* A number up to LEFT + 1; small numbers save a bit. */
        binning_u32 width = zstd_highest(left + 1) + 1;
        binning_u32 low = (1u << (width - 1)) - 1;
        binning_u32 saved = 2 * low - left;
        binning_u32 number = zstd_peek_forward(data, bit, width);
        if ((number & low) < saved) {
            number &= low;
            bit += width - 1;
        } else {
            number -= number > low ? saved : 0;
            bit += width;
        }
        counts->count[symbol++] = (short)((int)number - 1);
        left -= number == 0 ? 1 : number - 1;
        binning_u32 zeros = number == 1 ? 3 : 0;
        while (zeros == 3) {
            if (bit > 8 * size)
                return 0;
            zeros = zstd_peek_forward(data, bit, 2);
            bit += 2;
            if (zeros > symbols_max - symbol)
                return 0;
            for (binning_u32 i = 0; i < zeros; i++)
                counts->count[symbol++] = 0;
        }
    }
    counts->symbols = symbol;
    binning_u32 bytes = (bit + 7) / 8;
    return bytes <= size ? bytes : 0;
}

/* Working memory for making a table. */
struct zstd_making {
    struct zstd_counts counts;
    unsigned short next[ZSTD_FSE_SYMBOLS_MAX]; /* of each symbol */
};

/* Make the 1 << COUNTS.log states of MAKING's counts, whose sum is right. */
DEVICE_FN void
zstd_fse_make(struct zstd_making *making, zstd_state *state)
{
    const struct zstd_counts *const counts = &making->counts;
    unsigned short *const next = making->next;
    const binning_u32 size = 1u << counts->log;
    const binning_u32 step = (size >> 1) + (size >> 3) + 3;
    binning_u32 high = size;
    binning_u32 at = 0;

    /* Rare symbols are at the end. */
    for (binning_u32 s = 0; s < counts->symbols; s++) {
        next[s] = 1;
        if (counts->count[s] < 0)
            state[--high] = s;
        else
            next[s] = (unsigned short)counts->count[s];
    }
    for (binning_u32 s = 0; s < counts->symbols; s++) {
        for (int i = 0; i < counts->count[s]; i++) {
            state[at] = s;
            do
                at = (at + step) & (size - 1);
            while (at >= high);
        }
    }
    /* The next symbol is read before anything is written. */
    binning_u32 symbol = (binning_u32)state[0];
    for (binning_u32 i = 0; i < size; i++) {
        binning_u32 after = (binning_u32)state[(i + 1) & (size - 1)];
        binning_u32 n = next[symbol]++;
        binning_u32 bits = counts->log - zstd_highest(n);
        state[i] = symbol | bits << 8 | ((n << bits) - size) << 16;
        symbol = after;
    }
}

#endif
