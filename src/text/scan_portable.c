/* scan_portable.c -- scan text on any processor, eight bytes at a time */

#include <string.h>

#include "text/scan_forms.h"

#define TARGET
#define INLINE static inline __attribute__((always_inline))

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

/* 0x80 in each byte of X that is 0, and 0 in the others. */
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

INLINE uint64_t
block_match(block x, unsigned char byte)
{
    uint64_t mask = 0;

    for (int i = 0; i < 8; i++)
        mask |= mask_of(zeros_of(x.word[i] ^ byte * ONES)) << 8 * i;
    return mask;
}

INLINE uint64_t
block_blanks(block x)
{
    uint64_t mask = 0;

    for (int i = 0; i < 8; i++)
        mask |= mask_of(zeros_of(x.word[i] ^ ' ' * ONES) |
                        zeros_of(x.word[i] ^ '\t' * ONES) |
                        zeros_of(x.word[i] ^ '\n' * ONES))
                << 8 * i;
    return mask;
}

INLINE uint32_t
bit_count(uint64_t mask)
{
    return (uint32_t)__builtin_popcountll(mask);
}

/* The lowest bit; any number if there is none. */
INLINE uint32_t
bit_first(uint64_t mask)
{
    return (uint32_t)__builtin_ctzll(mask | (uint64_t)1 << 63);
}

/* Bit N, from 0, of those that are set. */
INLINE uint32_t
bit_nth(uint64_t mask, uint32_t n)
{
    for (; n > 0; n--)
        mask &= mask - 1;
    return bit_first(mask);
}

/* The bits that are set, without the lowest N. */
INLINE uint64_t
bits_from_nth(uint64_t mask, uint32_t n)
{
    for (; n > 0; n--)
        mask &= mask - 1;
    return mask;
}

#include "text/scan_cut.h"
#include "text/scan_loop.h"

size_t
scan_portable(const struct scan *scan, const unsigned char *data, size_t size,
              size_t *done, struct text_slice *slice, size_t records_max,
              uint64_t *comments)
{
    return scan_loop(scan, data, size, done, slice, records_max, comments);
}

void
csv_cut_portable(struct csv_cut *cut, const unsigned char *data, uint32_t size)
{
    cut_loop(cut, data, size);
}
