/* scan_portable.c -- scan text on any processor, eight bytes at a time */

#include <string.h>

#include "kernels/seq/sequence.h"
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

/* Brackets, and the backslash between them. */
INLINE uint64_t
block_brackets(block x)
{
    uint64_t mask = 0;

    for (int i = 0; i < 8; i++)
        mask |= mask_of(zeros_of(x.word[i] ^ '[' * ONES) |
                        zeros_of(x.word[i] ^ '\\' * ONES) |
                        zeros_of(x.word[i] ^ ']' * ONES))
                << 8 * i;
    return mask;
}

/* 0x80 in each byte of X that is a letter, and 0 in the others. */
INLINE uint64_t
letters_of(uint64_t x)
{
    uint64_t lower = (x & 0x5f * ONES) | 0x20 * ONES;

    /* No sum is above 0xff.  A byte above 0x7f is no letter. */
    return (lower + (0x80 - 'a') * ONES) & ~(lower + (0x7f - 'z') * ONES) & ~x &
           0x80 * ONES;
}

/* Blanks, with the carriage return, and '\n'. */
INLINE uint64_t
block_gaps(block x)
{
    uint64_t mask = 0;

    for (int i = 0; i < 8; i++)
        mask |= mask_of(zeros_of(x.word[i] ^ ' ' * ONES) |
                        zeros_of(x.word[i] ^ '\t' * ONES) |
                        zeros_of(x.word[i] ^ '\n' * ONES) |
                        zeros_of(x.word[i] ^ '\r' * ONES))
                << 8 * i;
    return mask;
}

INLINE uint64_t
block_letters(block x)
{
    uint64_t letters = 0;

    for (int i = 0; i < 8; i++)
        letters |= mask_of(letters_of(x.word[i])) << 8 * i;
    return letters;
}

/* Few bytes of a sequence are not letters: they are looked at one by one. */
INLINE struct block_kinds
block_kinds(block x)
{
    struct block_kinds kinds = {.bases = block_letters(x)};
    uint64_t rest;

    for (rest = ~kinds.bases; rest != 0; rest &= rest - 1) {
        unsigned int i = (unsigned int)__builtin_ctzll(rest);
        uint64_t bit = (uint64_t)1 << i;
        uint32_t byte = x.word[i / 8] >> i % 8 * 8 & 255;
        if (byte == '\n') {
            kinds.ends |= bit;
        } else if (sequence_is_base(byte)) {
            kinds.bases |= bit;
        } else if (!sequence_is_blank(byte)) {
            kinds.others = bit;
            break;
        }
    }
    return kinds;
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

/* Bit I is the exclusive or of bits 0 to I. */
INLINE uint64_t
prefix_xor(uint64_t mask)
{
    for (unsigned int shift = 1; shift < 64; shift *= 2)
        mask ^= mask << shift;
    return mask;
}

#include "text/scan_cut.h"
#include "text/scan_loop.h"
#include "text/sequence_loop.h"

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

size_t
sequence_scan_portable(const unsigned char *data, size_t size, size_t *done,
                       bool is_end, struct sequence_record *record,
                       size_t records_max, enum sequence_found *found,
                       struct sequence_record *rest)
{
    return sequence_loop(data, size, done, is_end, record, records_max, found,
                         rest);
}
