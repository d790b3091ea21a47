/* SPDX-License-Identifier: MIT */
/*
 * block_portable.h -- blocks of 64 bytes and their masks on any processor,
 * eight bytes at a time, for the forms of a scan, which define INLINE
 */

#ifndef GPUHIST_BLOCK_PORTABLE_H
#define GPUHIST_BLOCK_PORTABLE_H

#include <stdint.h>
#include <string.h>

#include "kernels/text/hash.h"

#define ONES UINT64_C(0x0101010101010101)

/* The first byte is the lowest one of word[0]. */
typedef struct {
    uint64_t word[8];
} block;

INLINE block
block_load(const unsigned char *data)
{
    block x;

    memcpy(&x, data, sizeof x);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    for (int i = 0; i < 8; i++)
        x.word[i] = __builtin_bswap64(x.word[i]);
#endif
    return x;
}

/* 0x80 in each byte of X that is 0, and 0 in all other bytes. */
INLINE uint64_t
zeros_of(uint64_t x)
{
    const uint64_t low = 0x7f * ONES;

    return ~(((x & low) + low) | x | low);
}

/* From a word with 0x80 in some bytes, a bit for each. */
INLINE uint64_t
mask_of(uint64_t zeros)
{
    return (zeros >> 7) * UINT64_C(0x0102040810204080) >> 56;
}

/*
 * What makes a mask is long here, and forms look for masks in a hundred places.
 * In line it is up to twice as fast; but then a compiler needs half a minute
 * for a form, with a sanitizer more.  So a build for tests may do without.
 */
#ifdef MASKS_ARE_CALLED
#    define MASKING static __attribute__((noinline, unused))
#else
#    define MASKING INLINE
#endif

MASKING uint64_t
words_match(const block *x, unsigned char byte)
{
    uint64_t mask = 0;

    for (int i = 0; i < 8; i++)
        mask |= mask_of(zeros_of(x->word[i] ^ byte * ONES)) << 8 * i;
    return mask;
}

INLINE uint64_t
block_match(block x, unsigned char byte)
{
    return words_match(&x, byte);
}

/* The bytes that are FIRST or SECOND. */
INLINE uint64_t
block_either(block x, unsigned char first, unsigned char second)
{
    return block_match(x, first) | block_match(x, second);
}

MASKING uint64_t
words_gaps(const block *x)
{
    uint64_t mask = 0;

    for (int i = 0; i < 8; i++)
        mask |= mask_of(zeros_of(x->word[i] ^ ' ' * ONES) |
                        zeros_of(x->word[i] ^ '\t' * ONES) |
                        zeros_of(x->word[i] ^ '\n' * ONES) |
                        zeros_of(x->word[i] ^ '\r' * ONES))
                << 8 * i;
    return mask;
}

/* Blanks, with the carriage return, and '\n'. */
INLINE uint64_t
block_gaps(block x)
{
    return words_gaps(&x);
}

INLINE uint32_t
bit_count(uint64_t mask)
{
    return (uint32_t)__builtin_popcountll(mask);
}

/* The lowest bit; 64 if MASK is 0. */
INLINE uint32_t
bit_first(uint64_t mask)
{
    return mask != 0 ? (uint32_t)__builtin_ctzll(mask) : 64;
}

/* 0x80 in each byte of X that is greater than that of Y. */
INLINE uint64_t
greater_of(uint64_t x, uint64_t y)
{
    const uint64_t low = 0x7f * ONES;
    uint64_t above = (x & low) + (low - (y & low)); /* of the low bits */

    return ((x & ~y) | (~(x ^ y) & above)) & ~low;
}

/* The bytes of the 32 at TEXT that differ from that of LIKE in no more than
   MOST says: the exclusive or of both is at most that. */
INLINE uint32_t
text_likes(const unsigned char *text, const unsigned char like[32],
           const unsigned char most[32])
{
    const uint64_t high = 0x80 * ONES;
    uint64_t mask = 0;

    for (int i = 0; i < 32; i += 8) {
        uint64_t other = hash_load(text + i) ^ hash_load(like + i);
        mask |= mask_of(~greater_of(other, hash_load(most + i)) & high) << i;
    }
    return (uint32_t)mask;
}

#endif
