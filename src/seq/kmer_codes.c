/* SPDX-License-Identifier: MIT */
/* kmer_codes.c -- the codes of all k-mers of a sequence */

#include <string.h>

#include "base/eight_bytes.h"
#include "kernels/text/hash.h"
#include "seq/kmer_codes.h"

struct kmer_codes
kmer_codes_of(unsigned int k, bool is_canonical)
{
    struct kmer_codes codes = {k,
                               is_canonical,
                               false,
                               kmer_codes_short_portable,
                               kmer_codes_long_portable,
                               kmer_codes_pair_portable};

#ifdef SCAN_HAS_AVX2
    if (kmer_codes_avx2_is_possible())
        codes.run_short = kmer_codes_short_avx2;
#endif
#ifdef SCAN_HAS_AVX512
    if (kmer_codes_avx512_is_possible()) {
        codes.run_short = kmer_codes_short_avx512;
        codes.run_long = kmer_codes_long_avx512;
        codes.run_pair = kmer_codes_pair_avx512;
    }
#endif
    return codes;
}

/* ---- the portable form ---- */

/* The bases of a word, with 2 bits for each. */
#define WORD_BASES KMER_WORD_MAX

struct word {
    uint64_t forward; /* the codes of the bases, the first one highest */
    uint64_t reverse; /* of the complements, the first base lowest */
    uint64_t valid;   /* a bit for each base that has a code */
};

/* The codes of 4 bytes in 8 bits, as a product whose terms do not meet. */
static inline uint64_t
first_highest(uint64_t codes)
{
    return (codes & 0xffffffff) * 0x40100401 >> 24 & 0xff;
}

static inline uint64_t
first_lowest(uint64_t codes)
{
    return (codes & 0xffffffff) * 0x01041040 >> 24 & 0xff;
}

/* Add bases I to I + 7 to WORD. */
static inline void
add_eight(struct word *word, unsigned int i, uint64_t bytes)
{
    /* A 41, C 43, G 47, T 54: 0, 1, 2, 3.  All other bytes have a code, too,
       and are compared with the letter of that code. */
    uint64_t codes = (bytes >> 1 ^ bytes >> 2) & EIGHT_BYTES(3);
    uint64_t low = codes & EIGHT_BYTES(1);
    uint64_t high = codes >> 1 & EIGHT_BYTES(1);
    uint64_t letters = EIGHT_BYTES('A') + low * ('C' - 'A') +
                       high * ('G' - 'A') +
                       (low & high) * ('T' - 'G' - 'C' + 'A');
    uint64_t wrong = (bytes & EIGHT_BYTES(0xdf)) ^ letters;
    uint64_t complement = codes ^ EIGHT_BYTES(3);

    word->forward = word->forward << 16 | first_highest(codes) << 8 |
                    first_highest(codes >> 32);
    word->reverse |=
        (first_lowest(complement) | first_lowest(complement >> 32) << 8)
        << 2 * i;
    if (wrong != 0) {
        wrong =
            (((wrong & EIGHT_BYTES(0x7f)) + EIGHT_BYTES(0x7f)) | wrong) >> 7 &
            EIGHT_BYTES(1);
        word->valid &= ~((wrong * UINT64_C(0x0102040810204080) >> 56) << i);
    }
}

/* The word of base AT, a multiple of WORD_BASES, of the BASES at BASE, and of
   the bases after AT, if any. */
static inline struct word
read_word(const unsigned char *base, size_t bases, size_t at)
{
    struct word word = {0, 0, UINT32_MAX};
    size_t count = at < bases ? bases - at : 0;
    unsigned char tail[WORD_BASES];

    if (count >= WORD_BASES) {
        base += at;
    } else {
        memset(tail, 0, sizeof tail);
        if (count > 0)
            memcpy(tail, base + at, count);
        base = tail;
    }
    for (unsigned int i = 0; i < WORD_BASES; i += 8)
        add_eight(&word, i, hash_load(base + i));
    return word;
}

/* Whether K bases from each bit of VALID on are valid: a bit for each. */
static inline uint64_t
whole_windows(uint64_t valid, unsigned int k)
{
    unsigned int done = 1;

    for (; 2 * done <= k; done *= 2)
        valid &= valid >> done;
    return valid & valid >> (k - done);
}

/* The code of the window that starts with base I of WORD. */
static inline uint64_t
code_at(const struct word *word, const struct word *next, unsigned int i,
        unsigned int k, const bool is_canonical, const bool is_folded)
{
    uint64_t forward = word->forward << 2 * i;
    uint64_t reverse = word->reverse >> 2 * i;

    /* Two shifts: one may be by 64. */
    forward |= next->forward >> 1 >> (63 - 2 * i);
    forward >>= 64 - 2 * k;
    if (!is_canonical)
        return forward;
    reverse |= next->reverse << 1 << (63 - 2 * i);
    reverse &= kmer_mask(k);
    if (!is_folded)
        return reverse < forward ? reverse : forward;
    uint64_t low = ((uint64_t)1 << k) - 1;
    uint64_t code = (forward >> k & 1) != 0 ? reverse : forward;
    return (code & low) | (code >> 1 & ~low);
}

/* Both forms: CODE is an array of uint32_t if IS_SHORT, else of uint64_t. */
static inline __attribute__((always_inline)) size_t
write_codes(unsigned int k, const bool is_canonical, const bool is_folded,
            const unsigned char *base, size_t windows, const bool is_short,
            void *code)
{
    uint32_t *short_code = code;
    uint64_t *long_code = code;
    size_t bases = windows + k - 1;
    struct word next = read_word(base, bases, 0);
    size_t count = 0;

    for (size_t at = 0; at < windows; at += WORD_BASES) {
        struct word word = next;
        size_t left = windows - at < WORD_BASES ? windows - at : WORD_BASES;
        next = read_word(base, bases, at + WORD_BASES);
        uint64_t whole = whole_windows(word.valid | next.valid << 32, k);
        bool is_all = (~whole & (((uint64_t)1 << left) - 1)) == 0;
        for (unsigned int i = 0; i < left; i++) {
            uint64_t own = code_at(&word, &next, i, k, is_canonical, is_folded);
            if (is_short)
                short_code[count] = (uint32_t)own;
            else
                long_code[count] = own;
            count += is_all || (whole >> i & 1) != 0;
        }
    }
    return count;
}

size_t
kmer_codes_short_portable(const struct kmer_codes *codes,
                          const unsigned char *base, size_t windows,
                          uint32_t *code)
{
    if (codes->is_folded)
        return write_codes(codes->k, true, true, base, windows, true, code);
    return codes->is_canonical
               ? write_codes(codes->k, true, false, base, windows, true, code)
               : write_codes(codes->k, false, false, base, windows, true, code);
}

size_t
kmer_codes_long_portable(const struct kmer_codes *codes,
                         const unsigned char *base, size_t windows,
                         uint64_t *code)
{
    return codes->is_canonical
               ? write_codes(codes->k, true, false, base, windows, false, code)
               : write_codes(codes->k, false, false, base, windows, false,
                             code);
}

/* ---- codes of two words ---- */

/* As whole_windows(), of the bits of VALID and, after these, of NEXT. */
static inline uint64_t
whole_long_windows(uint64_t valid, uint64_t next, unsigned int k)
{
    for (unsigned int done = 1; done < k;) {
        unsigned int step = 2 * done <= k ? done : k - done;
        valid &= valid >> step | next << 1 << (63 - step);
        next &= next >> step;
        done += step;
    }
    return valid;
}

/* The code of the window that starts with base I of the first of three words.
 */
static inline struct kmer_code
pair_at(const struct word word[3], unsigned int i, unsigned int k,
        const bool is_canonical)
{
    const unsigned int right = 128 - 2 * k;
    uint64_t high = word[0].forward << 2 * i;
    uint64_t low = word[1].forward << 2 * i;

    /* Two shifts: one may be by 64. */
    high |= word[1].forward >> 1 >> (63 - 2 * i);
    low |= word[2].forward >> 1 >> (63 - 2 * i);
    struct kmer_code forward = {high >> right,
                                low >> right | high << 1 << (63 - right)};
    if (!is_canonical)
        return forward;
    low = word[0].reverse >> 2 * i;
    low |= word[1].reverse << 1 << (63 - 2 * i);
    high = word[1].reverse >> 2 * i;
    high |= word[2].reverse << 1 << (63 - 2 * i);
    struct kmer_code reverse = {high & kmer_mask(k - KMER_WORD_MAX), low};
    return kmer_code_is_less(reverse, forward) ? reverse : forward;
}

/* As write_codes(), of codes of two words. */
static inline __attribute__((always_inline)) size_t
write_pairs(unsigned int k, const bool is_canonical, const unsigned char *base,
            size_t windows, uint64_t *code)
{
    const size_t bases = windows + k - 1;
    struct word word[3] = {{0, 0, 0},
                           read_word(base, bases, 0),
                           read_word(base, bases, WORD_BASES)};
    size_t count = 0;

    for (size_t at = 0; at < windows; at += WORD_BASES) {
        size_t left = windows - at < WORD_BASES ? windows - at : WORD_BASES;
        word[0] = word[1];
        word[1] = word[2];
        word[2] = read_word(base, bases, at + 2 * WORD_BASES);
        uint64_t whole = whole_long_windows(word[0].valid | word[1].valid << 32,
                                            word[2].valid, k);
        for (unsigned int i = 0; i < left; i++) {
            struct kmer_code own = pair_at(word, i, k, is_canonical);
            code[2 * count] = own.high;
            code[2 * count + 1] = own.low;
            count += whole >> i & 1;
        }
    }
    return count;
}

size_t
kmer_codes_pair_portable(const struct kmer_codes *codes,
                         const unsigned char *base, size_t windows,
                         uint64_t *code)
{
    return codes->is_canonical
               ? write_pairs(codes->k, true, base, windows, code)
               : write_pairs(codes->k, false, base, windows, code);
}
