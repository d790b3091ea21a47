/* SPDX-License-Identifier: MIT */
/* scan_portable.c -- scan text on any processor, eight bytes at a time */

#include "text/scan_forms.h"

#define TARGET
#define INLINE static inline __attribute__((always_inline))

#include "text/block_portable.h"

MASKING uint64_t
words_blanks(const block *x)
{
    uint64_t mask = 0;

    for (int i = 0; i < 8; i++)
        mask |= mask_of(zeros_of(x->word[i] ^ ' ' * ONES) |
                        zeros_of(x->word[i] ^ '\t' * ONES) |
                        zeros_of(x->word[i] ^ '\n' * ONES))
                << 8 * i;
    return mask;
}

INLINE uint64_t
block_blanks(block x)
{
    return words_blanks(&x);
}

/* Quotes and opening brackets. */
INLINE uint64_t
block_opens(block x)
{
    return block_either(x, '"', '[');
}

/* Quotes and backslashes. */
INLINE uint64_t
block_quotes(block x)
{
    return block_either(x, '"', '\\');
}

/* Brackets, and the backslash between them. */
MASKING uint64_t
words_brackets(const block *x)
{
    uint64_t mask = 0;

    for (int i = 0; i < 8; i++)
        mask |= mask_of(zeros_of(x->word[i] ^ '[' * ONES) |
                        zeros_of(x->word[i] ^ '\\' * ONES) |
                        zeros_of(x->word[i] ^ ']' * ONES))
                << 8 * i;
    return mask;
}

INLINE uint64_t
block_brackets(block x)
{
    return words_brackets(&x);
}

/* The bytes up to the space. */
MASKING uint64_t
words_lows(const block *x)
{
    const uint64_t low = 0x7f * ONES;
    uint64_t mask = 0;

    for (int i = 0; i < 8; i++) {
        uint64_t above = (x->word[i] & low) + (0x7f - ' ') * ONES;
        mask |= mask_of(~(above | x->word[i] | low)) << 8 * i;
    }
    return mask;
}

INLINE uint64_t
block_lows(block x)
{
    return words_lows(&x);
}

/* Bit N, from 0, of the set bits. */
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

/* Bit I is the exclusive or of bits 0 to I. */
INLINE uint64_t
prefix_xor(uint64_t mask)
{
    for (unsigned int shift = 1; shift < 64; shift *= 2)
        mask ^= mask << shift;
    return mask;
}

#define block_list store_bits /* scan_block.h */

enum {
    LIST_BYTES = 16,
    LIST_NEAR = 4,
};

#include "text/scan_cut.h"
#include "text/scan_loop.h"

size_t
scan_portable(const struct scan *scan, const unsigned char *data, size_t size,
              size_t *done, struct text_slice *slice, size_t records_max,
              struct scan_ledger *ledger)
{
    return scan_loop(scan, data, size, done, slice, records_max, ledger);
}

void
csv_cut_portable(struct csv_cut *cut, const unsigned char *data, uint32_t size)
{
    cut_loop(cut, data, size);
}
