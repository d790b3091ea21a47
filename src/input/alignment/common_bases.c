/* SPDX-License-Identifier: MIT */
/* common_bases.c -- letters of bases in SAM, of which nearly all are common */

#include <string.h>

#include "base/eight_bytes.h"
#include "input/alignment/common_bases.h"

#define STEP 8

/* The bits in which two letters differ that are each other's complement. */
#define OF_A_T ('A' ^ 'T')
#define OF_C_G ('C' ^ 'G')

/* What eight letters are, by the bits in which common ones differ: 1 in the
   bytes that are of the kind, else 0. */
struct letters {
    uint64_t is_odd;   /* C, G or N, not A or T */
    uint64_t is_late;  /* T, G or N, not A or C */
    uint64_t is_any;   /* N */
    uint64_t is_wrong; /* 0: all letters are common */
};

static inline struct letters
look_at(uint64_t word)
{
    const uint64_t odd = word >> 1 & EIGHT_BYTES(1);
    const uint64_t late = word >> 2 & EIGHT_BYTES(1);
    const uint64_t any = word >> 3 & odd & late;
    const uint64_t common = EIGHT_BYTES('A') + odd * ('C' - 'A') +
                            (late & ~odd) * ('T' - 'A') +
                            (late & odd) * ('G' - 'C') + any * ('N' - 'G');

    return (struct letters){odd, late, any, word ^ common};
}

/* Returns STEP letters, in the order of bytes that the processor has. */
static inline uint64_t
load(const unsigned char *bases)
{
    uint64_t word;

    memcpy(&word, bases, STEP);
    return word;
}

/* Returns the last LENGTH letters at BASES, fewer than STEP, and others. */
static inline uint64_t
load_last(const unsigned char *bases, size_t length)
{
    unsigned char last[STEP];

    memset(last, 'N', sizeof last);
    memcpy(last, bases, length);
    return load(last);
}

static inline void
store(uint64_t word, unsigned char *out)
{
    memcpy(out, &word, STEP);
}

bool
common_bases_copy(const unsigned char *bases, size_t length, unsigned char *out)
{
    uint64_t wrong = 0;
    size_t at = 0;

    for (; length - at >= STEP; at += STEP) {
        const uint64_t word = load(bases + at);
        wrong |= look_at(word).is_wrong;
        store(word, out + at);
    }
    wrong |= look_at(load_last(bases + at, length - at)).is_wrong;
    memcpy(out + at, bases + at, length - at);
    return wrong == 0;
}

/* Write the reverse complement of WORD to OUT.  Returns 0 if all letters are
   common. */
static inline uint64_t
turn_step(uint64_t word, unsigned char *out)
{
    const struct letters letters = look_at(word);
    const uint64_t change = (letters.is_odd ^ EIGHT_BYTES(1)) * OF_A_T +
                            (letters.is_odd ^ letters.is_any) * OF_C_G;

    store(__builtin_bswap64(word ^ change), out);
    return letters.is_wrong;
}

bool
common_bases_turn(const unsigned char *bases, size_t length, unsigned char *out)
{
    unsigned char last[STEP];
    uint64_t wrong = 0;
    size_t left = length;

    for (; left >= STEP; bases += STEP) {
        left -= STEP;
        wrong |= turn_step(load(bases), out + left);
    }
    wrong |= turn_step(load_last(bases, left), last);
    memcpy(out, last + STEP - left, left);
    return wrong == 0;
}
