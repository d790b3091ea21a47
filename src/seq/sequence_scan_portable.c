/* SPDX-License-Identifier: MIT */
/* sequence_scan_portable.c -- find sequences on any processor */

#include "seq/sequence_scan.h"

#define TARGET
#define INLINE static inline __attribute__((always_inline))

#include "text/block_portable.h"

/* 0x80 in each byte of X that is a letter, and 0 in all other bytes. */
INLINE uint64_t
letters_of(uint64_t x)
{
    uint64_t lower = (x & 0x5f * ONES) | 0x20 * ONES;

    /* No sum is above 0xff.  A byte above 0x7f is not a letter. */
    return (lower + (0x80 - 'a') * ONES) & ~(lower + (0x7f - 'z') * ONES) & ~x &
           0x80 * ONES;
}

INLINE uint64_t
block_letters(block x)
{
    uint64_t letters = 0;

    for (int i = 0; i < 8; i++)
        letters |= mask_of(letters_of(x.word[i])) << 8 * i;
    return letters;
}

/* Few bytes of a sequence are not letters: each of these is looked at alone. */
INLINE struct block_kinds
block_kinds(block x)
{
    struct block_kinds kinds = {.bases = block_letters(x)};
    uint64_t left;

    for (left = ~kinds.bases; left != 0; left &= left - 1) {
        unsigned int i = (unsigned int)__builtin_ctzll(left);
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

#include "seq/sequence_loop.h"

size_t
sequence_scan_portable(const unsigned char *data, size_t size, size_t *done,
                       bool is_end, struct sequence_record *record,
                       size_t records_max, enum sequence_found *found,
                       struct sequence_record *tail)
{
    return sequence_loop(data, size, done, is_end, record, records_max, found,
                         tail);
}
