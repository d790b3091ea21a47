/* SPDX-License-Identifier: MIT */
/*
 * sequence_words.h -- 16 bytes of sequences at a time
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.  Its
 * functions must agree with sequence.h to the last byte.
 *
 * A mask has a bit for each byte, that of the first byte in the lowest place.
 */

#ifndef GPUHIST_SEQUENCE_WORDS_H
#define GPUHIST_SEQUENCE_WORDS_H

#include "kernels/seq/sequence.h"

#define SEQUENCE_WORDS 4

/* The first byte is in the lowest bits of the first word. */
struct sequence_bytes {
    binning_u32 word[SEQUENCE_WORDS];
};

/* BYTE in each byte of a word. */
DEVICE_FN binning_u32
sequence_repeat(binning_u32 byte)
{
    return byte * 0x01010101u;
}

/* 1 in each byte in which WORD and OTHER are equal, else 0. */
DEVICE_FN binning_u32
sequence_equal(binning_u32 word, binning_u32 other)
{
    binning_u32 differs = word ^ other;
    /* No byte carries into the next one. */
    binning_u32 sum = (differs & 0x7f7f7f7fu) + 0x7f7f7f7fu;

    return ~(sum | differs) >> 7 & 0x01010101u;
}

/* The mask of a word with 1 or 0 in each byte.  The products of the four bits
   have different places, so nothing carries. */
DEVICE_FN binning_u32
sequence_gather(binning_u32 ones)
{
    return ones * 0x01020408u >> 24;
}

DEVICE_FN binning_u32
sequence_mask_equal(const struct sequence_bytes *bytes, binning_u32 byte)
{
    binning_u32 mask = 0;

    for (binning_u32 w = 0; w < SEQUENCE_WORDS; w++)
        mask |= sequence_gather(
                    sequence_equal(bytes->word[w], sequence_repeat(byte)))
                << 4 * w;
    return mask;
}

/* BYTES with letters in upper case.  Other bytes change, too, but none becomes
   a letter. */
DEVICE_FN struct sequence_bytes
sequence_fold_cases(const struct sequence_bytes *bytes)
{
    struct sequence_bytes folded;

    for (binning_u32 w = 0; w < SEQUENCE_WORDS; w++)
        folded.word[w] = bytes->word[w] & ~sequence_repeat(0x20);
    return folded;
}

/* Two bits of each byte, which tell A (0), C (1), T (2) and G (3) apart. */
DEVICE_FN binning_u32
sequence_two_bits(binning_u32 word)
{
    return word >> 1 & sequence_repeat(3);
}

/* The bytes that are A, C, G or T, of upper case. */
DEVICE_FN binning_u32
sequence_mask_acgt(const struct sequence_bytes *bytes)
{
    binning_u32 mask = 0;

    for (binning_u32 w = 0; w < SEQUENCE_WORDS; w++) {
        binning_u32 bits = sequence_two_bits(bytes->word[w]);
        binning_u32 is_t = bits >> 1 & ~bits & sequence_repeat(1);
        /* A, C and G are odd numbers from 'A' on; T is 15 after its own. */
        binning_u32 letter = sequence_repeat('A') + 2 * bits + 15 * is_t;

        mask |= sequence_gather(sequence_equal(bytes->word[w], letter))
                << 4 * w;
    }
    return mask;
}

/* The bytes that are G or C, of either case. */
DEVICE_FN binning_u32
sequence_mask_gc(const struct sequence_bytes *bytes)
{
    binning_u32 mask = 0;

    /* Only C, G, c and g have these bits. */
    for (binning_u32 w = 0; w < SEQUENCE_WORDS; w++)
        mask |=
            sequence_gather(sequence_equal(
                bytes->word[w] & ~sequence_repeat(0x24), sequence_repeat('C')))
            << 4 * w;
    return mask;
}

/* The bytes from 32 to 127: those of SEQUENCE_QUALITIES. */
DEVICE_FN binning_u32
sequence_mask_qualities(const struct sequence_bytes *bytes)
{
    binning_u32 mask = 0;

    for (binning_u32 w = 0; w < SEQUENCE_WORDS; w++) {
        binning_u32 word = bytes->word[w];
        mask |= sequence_gather((word >> 5 | word >> 6) & ~(word >> 7) &
                                sequence_repeat(1))
                << 4 * w;
    }
    return mask;
}

/*
 * The codes (sequence_base_code()) of all bytes, two bits each, the first byte
 * in the highest bits.  Bytes other than nucleotides have any code.
 */
DEVICE_FN binning_u32
sequence_pack(const struct sequence_bytes *bytes)
{
    binning_u32 codes = 0;

    for (binning_u32 w = 0; w < SEQUENCE_WORDS; w++) {
        binning_u32 bits = sequence_two_bits(bytes->word[w]);
        binning_u32 code = bits ^ (bits >> 1 & sequence_repeat(1));

        /* Here, too, the products have different places. */
        codes = codes << 8 | code * 0x40100401u >> 24;
    }
    return codes;
}

/* The codes of the reverse complement of 32 bases with CODES. */
DEVICE_FN binning_u64
sequence_reverse(binning_u64 codes)
{
    const binning_u64 pairs = 0x3333333333333333u;
    const binning_u64 halves = 0x0f0f0f0f0f0f0f0fu;
    const binning_u64 bytes = 0x00ff00ff00ff00ffu;
    const binning_u64 shorts = 0x0000ffff0000ffffu;

    codes = ~codes;
    codes = (codes >> 2 & pairs) | (codes & pairs) << 2;
    codes = (codes >> 4 & halves) | (codes & halves) << 4;
    codes = (codes >> 8 & bytes) | (codes & bytes) << 8;
    codes = (codes >> 16 & shorts) | (codes & shorts) << 16;
    return codes >> 32 | codes << 32;
}

/* The bits of MASK with which a run of at least LENGTH bits, 1 to 32, starts.
 */
DEVICE_FN binning_u32
sequence_runs(binning_u32 mask, binning_u32 length)
{
    binning_u32 known = 1;

    while (known < length) {
        binning_u32 more = length - known < known ? length - known : known;

        mask &= mask >> more;
        known += more;
    }
    return mask;
}

#endif
