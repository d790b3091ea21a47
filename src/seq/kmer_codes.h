/* SPDX-License-Identifier: MIT */
/*
 * kmer_codes.h -- the codes of all k-mers of a sequence
 *
 * kernels/seq/kmer.h decides.  All forms write the same codes, and none reads a
 * byte outside of the bases.
 *
 * The forms pack the bases to words of 2 bits for each.  A code is then a part
 * of two neighbouring words, or of three if it has two words itself, so codes
 * do not wait for the codes before.
 */

#ifndef GPUHIST_KMER_CODES_H
#define GPUHIST_KMER_CODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/seq/kmer.h"

/* The longest k-mer whose codes have 32 bits. */
#define KMER_SHORT_MAX 16

/* The codes of so many windows may be written, too. */
#define KMER_CODES_SLACK 64

/* Forms of kmer_codes_short(), kmer_codes_long() and kmer_codes_pair(). */
struct kmer_codes;
typedef size_t kmer_codes_short_form(const struct kmer_codes *codes,
                                     const unsigned char *base, size_t windows,
                                     uint32_t *code);
typedef size_t kmer_codes_long_form(const struct kmer_codes *codes,
                                    const unsigned char *base, size_t windows,
                                    uint64_t *code);
typedef kmer_codes_long_form kmer_codes_pair_form;

struct kmer_codes {
    unsigned int k; /* 1 to KMER_MAX */
    bool is_canonical;
    bool is_folded; /* only canonical ones: see kmer_codes_fold() */
    kmer_codes_short_form *run_short;
    kmer_codes_long_form *run_long;
    kmer_codes_pair_form *run_pair;
};

/* Returns codes of K bases, in the fastest form. */
struct kmer_codes kmer_codes_of(unsigned int k, bool is_canonical);

/*
 * Write the codes of the whole windows among the first WINDOWS windows, which
 * have WINDOWS + K - 1 bases from BASE on, in their order, to CODE.  CODE has
 * room for WINDOWS + KMER_CODES_SLACK.  Returns the number of whole windows;
 * the others are broken.  K is at most KMER_SHORT_MAX.
 */
static inline size_t
kmer_codes_short(const struct kmer_codes *codes, const unsigned char *base,
                 size_t windows, uint32_t *code)
{
    return codes->run_short(codes, base, windows, code);
}

/* The same for codes of 64 bits.  K is at most KMER_WORD_MAX. */
static inline size_t
kmer_codes_long(const struct kmer_codes *codes, const unsigned char *base,
                size_t windows, uint64_t *code)
{
    return codes->run_long(codes, base, windows, code);
}

/*
 * The same for codes of two words, the high one first: CODE has room for twice
 * as many words.  K is more than KMER_WORD_MAX.
 */
static inline size_t
kmer_codes_pair(const struct kmer_codes *codes, const unsigned char *base,
                size_t windows, uint64_t *code)
{
    return codes->run_pair(codes, base, windows, code);
}

/*
 * Let kmer_codes_short() write folded codes from now on.  K is odd, at most
 * KMER_SHORT_MAX, and CODES are canonical.  Of a k-mer and its reverse
 * complement, one has A or C as its middle base.  The folded code is its code,
 * without the high bit of this base: below half of 4^K, and all of them occur.
 */
static inline void
kmer_codes_fold(struct kmer_codes *codes)
{
    codes->is_folded = true;
}

/* The code of the reverse complement of CODE of K bases, at most
   KMER_SHORT_MAX. */
static inline uint32_t
kmer_code_reverse(uint32_t code, unsigned int k)
{
    code = ~code;
    code = (code >> 2 & 0x33333333) | (code & 0x33333333) << 2;
    code = (code >> 4 & 0x0f0f0f0f) | (code & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(code) >> (32 - 2 * k);
}

/* The code of K bases, with A or C in the middle, that FOLDED is of. */
static inline uint32_t
kmer_code_unfolded(uint32_t folded, unsigned int k)
{
    uint32_t low = ((uint32_t)1 << k) - 1;

    return (folded & low) | (folded & ~low) << 1;
}

/* The canonical code that FOLDED is of. */
static inline uint32_t
kmer_code_lesser(uint32_t folded, unsigned int k)
{
    uint32_t code = kmer_code_unfolded(folded, k);
    uint32_t reverse = kmer_code_reverse(code, k);

    return code < reverse ? code : reverse;
}

/* ---- the forms, for kmer_codes.c and for tests ---- */

kmer_codes_short_form kmer_codes_short_portable;
kmer_codes_long_form kmer_codes_long_portable;
kmer_codes_pair_form kmer_codes_pair_portable;

#ifdef SCAN_HAS_AVX2
bool kmer_codes_avx2_is_possible(void);
kmer_codes_short_form kmer_codes_short_avx2;
#endif

#ifdef SCAN_HAS_AVX512
bool kmer_codes_avx512_is_possible(void);
kmer_codes_short_form kmer_codes_short_avx512;
kmer_codes_long_form kmer_codes_long_avx512;
kmer_codes_pair_form kmer_codes_pair_avx512;
#endif

#endif
