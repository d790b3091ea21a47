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
 * The canonical code is the lesser code of the k-mer and of its reverse
 * complement.
 */

#ifndef GPUHIST_KMER_H
#define GPUHIST_KMER_H

#include "kernels/seq/sequence.h"

#define KMER_MAX 32

/* The window that ends with the last base. */
struct kmer_window {
    binning_u64 forward; /* the code of the last K bases ... */
    binning_u64 reverse; /* ... and the code of the reverse complement */
    binning_u32 bases;   /* that the last ones of a k-mer can be, at most K */
};

/* The bits that codes of K bases have. */
DEVICE_FN binning_u64
kmer_mask(binning_u32 k)
{
    return ~(binning_u64)0 >> (64 - 2 * k);
}

/* Before the first base of a record. */
DEVICE_FN void
kmer_start(struct kmer_window *window)
{
    window->forward = window->reverse = 0;
    window->bases = 0;
}

/*
 * Push BASE, a byte of a sequence, into WINDOW.  Returns whether the window is
 * whole.
 */
DEVICE_FN int
kmer_push(struct kmer_window *window, binning_u32 base, binning_u32 k)
{
    binning_u64 code = sequence_base_code(base);

    if (code > 3) {
        window->bases = 0;
        return 0;
    }
    window->forward = (window->forward << 2 | code) & kmer_mask(k);
    window->reverse = window->reverse >> 2 | (3 - code) << (2 * (k - 1));
    window->bases += window->bases < k;
    return window->bases == k;
}

/* The code of WINDOW, which is whole. */
DEVICE_FN binning_u64
kmer_code(const struct kmer_window *window, int is_canonical)
{
    return is_canonical && window->reverse < window->forward ? window->reverse
                                                             : window->forward;
}

/* Letter I, from 0 on, of the k-mer with CODE. */
DEVICE_FN unsigned char
kmer_letter(binning_u64 code, binning_u32 k, binning_u32 i)
{
    binning_u32 base = (binning_u32)(code >> (2 * (k - 1 - i))) & 3u;

    return (unsigned char)(0x54474341u >> (8 * base)); /* A, C, G, T */
}

/* The number of windows of a sequence of LENGTH bases. */
DEVICE_FN binning_u64
kmer_windows(binning_u64 length, binning_u32 k)
{
    return length < k ? 0 : length - k + 1;
}

#endif
