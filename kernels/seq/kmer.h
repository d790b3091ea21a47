/* SPDX-License-Identifier: MIT */
/*
 * kmer.h -- the k-mers of a sequence and their codes: the only definition
 *
 * This file is written in the common subset of C11, CUDA C++ and OpenCL C.
 * Faster forms must agree with this file to the last bit.
 *
 * A window is K consecutive bases of one record, 1 to KMER_MAX.  A window of A,
 * C, G and T alone, of either case, is whole, and its bases are a k-mer.  Any
 * other window is broken.  A record of L bases has L - K + 1 windows, or none.
 *
 * The code of a k-mer has 2 bits for each base (sequence_base_code()), the
 * first base in the highest bits.  So codes sort as the texts of their k-mers.
 * Up to KMER_WORD_MAX bases have a code of one word.  The canonical code is the
 * lesser code of the k-mer and of its reverse complement.
 */

#ifndef GPUHIST_KMER_H
#define GPUHIST_KMER_H

#include "kernels/seq/sequence.h"

#define KMER_MAX 64

/* The bases of a word. */
#define KMER_WORD_MAX 32

struct kmer_code {
    binning_u64 high; /* 0 if the code has one word */
    binning_u64 low;
};

/* The window that ends with the last base. */
struct kmer_window {
    struct kmer_code forward; /* the code of the last K bases ... */
    struct kmer_code reverse; /* ... and that of the reverse complement */
    binning_u32 bases; /* that the last ones of a k-mer can be, at most K */
};

/* The bits that codes of BASES bases have, of 1 to KMER_WORD_MAX bases. */
DEVICE_FN binning_u64
kmer_mask(binning_u32 bases)
{
    return ~(binning_u64)0 >> (64 - 2 * bases);
}

/* Before the first base of a record. */
DEVICE_FN void
kmer_start(struct kmer_window *window)
{
    window->forward.high = window->forward.low = 0;
    window->reverse.high = window->reverse.low = 0;
    window->bases = 0;
}

/*
 * Push BASE, a byte of a sequence, into WINDOW.  Returns whether the window is
 * whole.
 */
DEVICE_FN int
kmer_push(struct kmer_window *window, binning_u32 base, binning_u32 k)
{
    struct kmer_code *forward = &window->forward;
    struct kmer_code *reverse = &window->reverse;
    binning_u64 code = sequence_base_code(base);

    if (code > 3) {
        window->bases = 0;
        return 0;
    }
    forward->high = forward->high << 2 | forward->low >> 62;
    forward->low = forward->low << 2 | code;
    reverse->low = reverse->low >> 2 | reverse->high << 62;
    reverse->high >>= 2;
    if (k > KMER_WORD_MAX) {
        forward->high &= kmer_mask(k - KMER_WORD_MAX);
        reverse->high |= (3 - code) << (2 * (k - 1 - KMER_WORD_MAX));
    } else {
        forward->high = 0;
        forward->low &= kmer_mask(k);
        reverse->low |= (3 - code) << (2 * (k - 1));
    }
    window->bases += window->bases < k;
    return window->bases == k;
}

/* Whether code A is less than code B. */
DEVICE_FN int
kmer_code_is_less(struct kmer_code a, struct kmer_code b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/* The code of WINDOW, which is whole. */
DEVICE_FN struct kmer_code
kmer_code(const struct kmer_window *window, int is_canonical)
{
    return is_canonical && kmer_code_is_less(window->reverse, window->forward)
               ? window->reverse
               : window->forward;
}

/* Letter I, from 0 on, of BASES bases in WORD, at most KMER_WORD_MAX. */
DEVICE_FN unsigned char
kmer_letter(binning_u64 word, binning_u32 bases, binning_u32 i)
{
    binning_u32 base = (binning_u32)(word >> (2 * (bases - 1 - i))) & 3u;

    return (unsigned char)(0x54474341u >> (8 * base)); /* A, C, G, T */
}

/* Write the K letters of the k-mer with CODE to LETTER. */
DEVICE_FN void
kmer_write(struct kmer_code code, binning_u32 k, unsigned char *letter)
{
    binning_u32 high = k > KMER_WORD_MAX ? k - KMER_WORD_MAX : 0;

    for (binning_u32 i = 0; i < high; i++)
        letter[i] = kmer_letter(code.high, high, i);
    for (binning_u32 i = 0; i < k - high; i++)
        letter[high + i] = kmer_letter(code.low, k - high, i);
}

/* The number of windows of a sequence of LENGTH bases. */
DEVICE_FN binning_u64
kmer_windows(binning_u64 length, binning_u32 k)
{
    return length < k ? 0 : length - k + 1;
}

#endif
