/* SPDX-License-Identifier: MIT */
/*
 * zstd_bits.h -- the bits of zstd's streams: the only definition
 *
 * All files zstd_*.h are written in the common subset of C11 and CUDA C++.
 * Together they decode the compressed blocks of zstd frames (RFC 8878), up to
 * literals and sequences: see zstd_block.h.
 *
 * The decoder accepts a subset of the data that libzstd accepts, with the same
 * result.  For any data, it reads only the data and the ZSTD_MARGIN bytes after
 * them, and writes only within the room of its callers.
 */

#ifndef GPUHIST_ZSTD_BITS_H
#define GPUHIST_ZSTD_BITS_H

#ifndef __cplusplus
#    include <stdbool.h>
#endif

#include "kernels/binning/binning.h"

/* Readable bytes after all data, on a device also before the data; their values
   do not matter. */
#define ZSTD_MARGIN 16

/* The most bits that can be taken between two calls of zstd_bits_refill(). */
#define ZSTD_BITS_MOST 57

#ifdef __CUDACC__
#    define ZSTD_BITS_AHEAD 4
#    define ZSTD_UNROLL _Pragma("unroll")
#    define ZSTD_TABLE static __device__ const
#    define zstd_trailing_zeros(x) \
        ((binning_u32)(__ffsll((binning_i64)(x)) - 1))
#else
#    define ZSTD_UNROLL
#    define ZSTD_TABLE static const
#    define zstd_trailing_zeros(x) ((binning_u32)__builtin_ctzll(x))
#endif

/* The place of the highest 1 of X, which is not 0. */
DEVICE_FN binning_u32
zstd_highest(binning_u32 x)
{
    return 63 - (binning_u32)binning_leading_zeros((binning_u64)x);
}

/* The 8 bytes at AT, little-endian. */
DEVICE_FN binning_u64
zstd_load(const unsigned char *at)
{
#ifdef __CUDACC__
    /* Two aligned words, whose bytes have margins. */
    const unsigned int shift = 8 * (unsigned int)((size_t)at & 7);
    const uint2 *const word = (const uint2 *)((size_t)at & ~(size_t)7);
    const uint2 low = __ldg(word);
    const uint2 high = __ldg(word + 1);
    const bool is_far = shift >= 32;
    const unsigned int a = is_far ? low.y : low.x;
    const unsigned int b = is_far ? high.x : low.y;
    const unsigned int c = is_far ? high.y : high.x;

    return (binning_u64)__funnelshift_r(b, c, shift) << 32 |
           __funnelshift_r(a, b, shift);
#else
    binning_u64 word;

    memcpy(&word, at, sizeof word);
#    if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#    endif
    return word;
#endif
}

#ifdef ZSTD_BITS_AHEAD

/* The 4 bytes at AT, a multiple of 4. */
DEVICE_FN binning_u32
zstd_load_aligned(const unsigned char *at)
{
#    ifdef __CUDACC__
    return __ldg((const unsigned int *)at);
#    else
    return (binning_u32)zstd_load(at);
#    endif
}

/* The 32 bits of A and B below the highest BITS, less than 32. */
DEVICE_FN binning_u32
zstd_join(binning_u32 a, binning_u32 b, binning_u32 bits)
{
#    ifdef __CUDACC__
    return __funnelshift_l(b, a, bits);
#    else
    return a << bits | b >> 1 >> (31 - bits);
#    endif
}

#endif

/* The COUNT bits, at most 32, after the first BIT bits of DATA, from the lowest
   bit on. */
DEVICE_FN binning_u32
zstd_peek_forward(const unsigned char *data, binning_u32 bit, binning_u32 count)
{
    binning_u64 word = zstd_load(data + (bit >> 3)) >> (bit & 7);

    return (binning_u32)(word & (((binning_u64)1 << count) - 1));
}

/*
 * A stream that is read backwards.  It starts below the highest 1 of the last
 * byte.  Bits taken beyond the end are meaningless; see zstd_bits_are_used().
 */
#ifndef ZSTD_BITS_AHEAD

struct zstd_bits {
    const unsigned char *start;
    const unsigned char *at; /* of WORD */
    binning_u64 word;
    binning_u32 used; /* bits of WORD, from the highest bit on */
};

/* Returns whether the SIZE bytes at DATA are a stream. */
DEVICE_FN bool
zstd_bits_open(struct zstd_bits *bits, const unsigned char *data,
               binning_u32 size)
{
    if (size == 0 || data[size - 1] == 0)
        return false;
    bits->start = data;
    bits->at = size < 8 ? data : data + size - 8;
    bits->word = zstd_load(bits->at);
    bits->used = 8 - zstd_highest(data[size - 1]);
    if (size < 8)
        bits->used += 8 * (8 - size);
    return true;
}

/* Whether a whole word is left before this word. */
DEVICE_FN bool
zstd_bits_are_many(const struct zstd_bits *bits)
{
    return bits->at - bits->start >= 8;
}

/* Load ZSTD_BITS_MOST bits, or all bits left. */
DEVICE_FN void
zstd_bits_refill(struct zstd_bits *bits)
{
    binning_u64 left = (binning_u64)(bits->at - bits->start);
    binning_u32 back = bits->used >> 3;

    if (back > left)
        back = (binning_u32)left;
    bits->at -= back;
    bits->used -= 8 * back;
    bits->word = zstd_load(bits->at);
}

/* The same if zstd_bits_are_many(), and no bits were taken beyond the word. */
DEVICE_FN void
zstd_bits_refill_fast(struct zstd_bits *bits)
{
    bits->at -= bits->used >> 3;
    bits->used &= 7;
    bits->word = zstd_load(bits->at);
}

/* The next bits, from the highest bit on. */
DEVICE_FN binning_u64
zstd_bits_next(const struct zstd_bits *bits)
{
    return bits->word << (bits->used & 63);
}

/* A word with the next bits, and the number of its lowest bits that they are,
   mod 64. */
DEVICE_FN binning_u64
zstd_bits_word(const struct zstd_bits *bits)
{
    return bits->word;
}

DEVICE_FN binning_u64
zstd_bits_place(const struct zstd_bits *bits)
{
    return 64 - bits->used;
}

/* The number of bits left; negative: so many bits too many have been taken. */
DEVICE_FN binning_i64
zstd_bits_left(const struct zstd_bits *bits)
{
    return 8 * (binning_i64)(bits->at - bits->start) + 64 -
           (binning_i64)bits->used;
}

#else

/*
 * The same for a device, which would idle while waiting for memory: aligned
 * words are read long before use.  The next three words start at AT; the words
 * after these are before AT.
 */
struct zstd_bits {
    const unsigned char *start;
    const unsigned char *at;
    binning_u32 word[3]; /* the first is the highest */
    binning_u32 ahead[ZSTD_BITS_AHEAD];
    binning_u32 used; /* bits of WORD */
};

DEVICE_FN bool
zstd_bits_open(struct zstd_bits *bits, const unsigned char *data,
               binning_u32 size)
{
    if (size == 0 || data[size - 1] == 0)
        return false;
    const unsigned char *last = data + size - 1;
    binning_u32 tail = (binning_u32)((size_t)last & 3);
    const unsigned char *at = last - tail;

    bits->start = data;
    bits->used = 32 - 8 * tail - zstd_highest(data[size - 1]);
    ZSTD_UNROLL
    for (int i = 0; i < 3; i++)
        bits->word[i] = zstd_load_aligned(at - 4 * i);
    ZSTD_UNROLL
    for (int i = 0; i < ZSTD_BITS_AHEAD; i++)
        bits->ahead[i] = zstd_load_aligned(at - 4 * (3 + i));
    bits->at = at;
    return true;
}

DEVICE_FN bool
zstd_bits_are_many(const struct zstd_bits *bits)
{
    (void)bits;
    return true;
}

DEVICE_FN void
zstd_bits_refill(struct zstd_bits *bits)
{
    while (bits->used >= 32 && bits->at > bits->start) {
        bits->used -= 32;
        bits->at -= 4;
        bits->word[0] = bits->word[1];
        bits->word[1] = bits->word[2];
        bits->word[2] = bits->ahead[0];
        ZSTD_UNROLL
        for (int i = 1; i < ZSTD_BITS_AHEAD; i++)
            bits->ahead[i - 1] = bits->ahead[i];
        bits->ahead[ZSTD_BITS_AHEAD - 1] =
            zstd_load_aligned(bits->at - 4 * (2 + ZSTD_BITS_AHEAD));
    }
}

DEVICE_FN void
zstd_bits_refill_fast(struct zstd_bits *bits)
{
    zstd_bits_refill(bits);
}

DEVICE_FN binning_u64
zstd_bits_next(const struct zstd_bits *bits)
{
    const binning_u32 used = bits->used & 31;

    return (binning_u64)zstd_join(bits->word[0], bits->word[1], used) << 32 |
           zstd_join(bits->word[1], bits->word[2], used);
}

DEVICE_FN binning_u64
zstd_bits_word(const struct zstd_bits *bits)
{
    return zstd_bits_next(bits);
}

DEVICE_FN binning_u64
zstd_bits_place(const struct zstd_bits *bits)
{
    (void)bits;
    return 0;
}

DEVICE_FN binning_i64
zstd_bits_left(const struct zstd_bits *bits)
{
    return 8 * (binning_i64)(bits->at - bits->start) + 32 -
           (binning_i64)bits->used;
}

#endif

/* COUNT bits, up to 31, of WORD, below the highest AT bits. */
DEVICE_FN binning_u32
zstd_bits_field(binning_u64 word, binning_u32 at, binning_u32 count)
{
#ifdef __CUDACC__
    return __funnelshift_rc((binning_u32)(word << at >> 32), 0, 32 - count);
#else
    return (binning_u32)(word << at >> 1 >> (~count & 63));
#endif
}

/* The next COUNT bits, 0 to 31. */
DEVICE_FN binning_u32
zstd_bits_take(struct zstd_bits *bits, binning_u32 count)
{
#ifdef ZSTD_BITS_AHEAD
    zstd_bits_refill(bits);
#endif
    binning_u64 next = zstd_bits_next(bits);

    bits->used += count;
    return zstd_bits_field(next, 0, count);
}

/* Whether all of the stream has been taken, and no more. */
DEVICE_FN bool
zstd_bits_are_used(const struct zstd_bits *bits)
{
    return zstd_bits_left(bits) == 0;
}

#endif
