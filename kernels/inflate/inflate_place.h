/* SPDX-License-Identifier: MIT */
/*
 * inflate_place.h -- make content from the tokens of a round
 *
 * Each thread makes single bytes, side by side with the bytes of its
 * neighbours.  The bit map STARTS has a bit for each byte of the round, which
 * is set where a token starts, so the number of bits up to a byte is the number
 * of its token.  The bytes that a match copies lie before the token, perhaps in
 * another token of the same tile: then that token is looked up, and so on.
 * Content of earlier tiles is in device memory.
 */

#ifndef GPUHIST_INFLATE_PLACE_H
#define GPUHIST_INFLATE_PLACE_H

#include "kernels/inflate/inflate_lanes.h"

/* The bytes that a thread makes of a tile. */
#define INFLATE_PLACE_EACH 4u

/* A source that is a byte itself, and above all places. */
#define INFLATE_PLACE_FINAL 0x40000000

/* Set BEFORE to the number of tokens that start before each word, for a round
   that ends at place END.  All threads call this function. */
DEVICE_FN void
inflate_place_count(DEVICE_SHARED struct inflate_shared *shared,
                    binning_u32 end)
{
    const binning_u32 words = (end + 31) / 32;
    const binning_u32 each = (words + DEVICE_THREADS - 1) / DEVICE_THREADS;
    const binning_u32 self = DEVICE_THREAD;
    const binning_u32 from = self * each;
    const binning_u32 to = from + each < words ? from + each : words;
    binning_u32 sum = 0;

    DEVICE_ROLLED
    for (binning_u32 w = from; w < to; w++)
        sum += DEVICE_POPCOUNT(shared->starts[w]);
    shared->sum[self] = sum;
    DEVICE_BARRIER();
    sum = 0;
    for (binning_u32 t = 0; t < self; t++)
        sum += shared->sum[t];
    DEVICE_ROLLED
    for (binning_u32 w = from; w < to; w++) {
        shared->before[w] = (unsigned short)sum;
        sum += DEVICE_POPCOUNT(shared->starts[w]);
    }
    DEVICE_BARRIER();
}

/* The source of the byte at place P of the round: a place, which is negative
   before the round, or FINAL. */
DEVICE_FN binning_i32
inflate_place_look(DEVICE_SHARED const struct inflate_shared *shared,
                   binning_u32 p)
{
    const binning_u32 up_to = 0xffffffffu >> (31 - p % 32);
    const binning_u32 number = shared->before[p / 32] - 1 +
                               DEVICE_POPCOUNT(shared->starts[p / 32] & up_to);
    const binning_u32 token = shared->of.token[number];

    if ((token & INFLATE_TOKEN_MATCH) == 0)
        return INFLATE_PLACE_FINAL | (binning_i32)(token & 0xff);
    const binning_u32 start = token >> 16;
    const binning_u32 distance = (token & (INFLATE_TOKEN_MATCH - 1)) + 1;
    binning_u32 i = p - start;
    /* A near match repeats. */
    if (i >= distance)
        i %= distance;
    return (binning_i32)(start + i) - (binning_i32)distance;
}

/* Make the tile at place TILE of OUT, from BEGIN up to END of the round. */
DEVICE_FN void
inflate_place_tile(DEVICE_SHARED const struct inflate_shared *shared,
                   unsigned char *out, binning_u32 tile, binning_u32 begin,
                   binning_u32 end)
{
    binning_i32 source[INFLATE_PLACE_EACH];
    const binning_u32 known = tile > begin ? tile : begin;

    DEVICE_UNROLL
    for (binning_u32 k = 0; k < INFLATE_PLACE_EACH; k++) {
        const binning_u32 p = tile + k * DEVICE_THREADS + DEVICE_THREAD;
        source[k] = INFLATE_PLACE_FINAL;
        if (p < begin || p >= end)
            continue;
        source[k] = inflate_place_look(shared, p);
        DEVICE_ROLLED
        while ((binning_u32)source[k] - known < p - known)
            source[k] = inflate_place_look(shared, (binning_u32)source[k]);
    }
    /* All of these at a time. */
    DEVICE_UNROLL
    for (binning_u32 k = 0; k < INFLATE_PLACE_EACH; k++)
        if (source[k] < INFLATE_PLACE_FINAL)
            source[k] = out[source[k]];
    DEVICE_UNROLL
    for (binning_u32 k = 0; k < INFLATE_PLACE_EACH; k++) {
        const binning_u32 p = tile + k * DEVICE_THREADS + DEVICE_THREAD;
        if (p >= begin && p < end)
            out[p] = (unsigned char)source[k];
    }
}

/*
 * Make the bytes from BEGIN up to END of the round, in OUT, which is where
 * place 0 is.  All threads call this function; barriers are before and after.
 */
DEVICE_FN void
inflate_place(DEVICE_SHARED struct inflate_shared *shared, unsigned char *out,
              binning_u32 begin, binning_u32 end)
{
    inflate_place_count(shared, end);
    DEVICE_ROLLED
    for (binning_u32 tile = 0; tile < end;
         tile += INFLATE_PLACE_EACH * DEVICE_THREADS) {
        inflate_place_tile(shared, out, tile, begin, end);
        DEVICE_BARRIER();
    }
}

#endif
