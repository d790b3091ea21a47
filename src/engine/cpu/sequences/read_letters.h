/* SPDX-License-Identifier: MIT */
/*
 * read_letters.h -- count the letters of many reads, which most reads have
 * alone: A, C, G and T
 *
 * The number of G and C is known for each read, the others for all of them
 * together.
 */

#ifndef GPUHIST_READ_LETTERS_H
#define GPUHIST_READ_LETTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/seq/sequence.h"

/* The most reads of a call. */
#define READ_LETTERS_READS 32

/* Longer reads are not counted: one of their bases is often unknown. */
#define READ_LETTERS_MAX 2048

#define READ_LETTERS_TEXT "ACGT"
#define READ_LETTERS 4

/* In place of a number of G and C: the read is not counted. */
#define READ_LETTERS_NONE UINT32_MAX

struct read_letters {
    uint32_t gc[READ_LETTERS_READS];
    uint32_t total[READ_LETTERS]; /* as in READ_LETTERS_TEXT */
};

/*
 * Count the letters of COUNT reads of DATA, READ_LETTERS_READS at most.  If
 * FOLDS_CASE, a lower-case letter counts as upper-case.  Reads with any other
 * byte before the end of their line are not counted.
 */
typedef void read_letters_form(const unsigned char *data,
                               const struct sequence_record *record,
                               size_t count, bool folds_case,
                               struct read_letters *letters);

/* Returns the best form for this processor. */
read_letters_form *read_letters_choose(void);

/* ---- the forms, for read_letters.c and for tests ---- */

/* Counts no read. */
read_letters_form read_letters_portable;

#ifdef SCAN_HAS_AVX2
read_letters_form read_letters_avx2;
#endif

#ifdef SCAN_HAS_AVX512
read_letters_form read_letters_avx512;
#endif

/* The bytes of RECORD's bases, without the end of their line. */
static inline uint32_t
read_letters_size(const unsigned char *data,
                  const struct sequence_record *record)
{
    uint32_t size = record->bases_end - record->bases_start;

    return size - (size > 0 && data[record->bases_end - 1] == '\n');
}

/* What bits of SIZE letters say: bit 1 is set in C and G, and bit 2 in G and
   T. */
struct read_letter_bits {
    uint32_t size;
    uint32_t c_or_g;
    uint32_t g_or_t;
    uint32_t g;
};

/* Add the letters of a read, number R, to ALL. */
static inline void
read_letters_take(struct read_letters *letters, size_t r,
                  const struct read_letter_bits *bits,
                  struct read_letter_bits *all)
{
    letters->gc[r] = bits->c_or_g;
    all->size += bits->size;
    all->c_or_g += bits->c_or_g;
    all->g_or_t += bits->g_or_t;
    all->g += bits->g;
}

/* Set the numbers of all letters. */
static inline void
read_letters_end(struct read_letters *letters,
                 const struct read_letter_bits *all)
{
    letters->total[0] = all->size - all->c_or_g - all->g_or_t + all->g;
    letters->total[1] = all->c_or_g - all->g;
    letters->total[2] = all->g;
    letters->total[3] = all->g_or_t - all->g;
}

#endif
