/* SPDX-License-Identifier: MIT */
/* samtools_rows.h -- rows of alignments, as samtools stats looks at them */

#ifndef GPUHIST_SAMTOOLS_ROWS_H
#define GPUHIST_SAMTOOLS_ROWS_H

#include "kernels/seq/alignment_words.h"
#include "report/rows.h"

/* Which read of its template a record is. */
enum samtools_fragment {
    SAMTOOLS_FIRST, /* also of a read that has no mate */
    SAMTOOLS_LAST,
    SAMTOOLS_OTHER,
    SAMTOOLS_FRAGMENTS
};

/* Returns the bits of the number in COLUMN of the current line of ROWS. */
static inline uint64_t
samtools_rows_number(const struct rows *rows, size_t column)
{
    return rows->column[column].component.integer.low;
}

/* Returns the flag in COLUMN. */
static inline unsigned int
samtools_rows_flag(const struct rows *rows, size_t column)
{
    return (unsigned int)samtools_rows_number(rows, column);
}

static inline enum samtools_fragment
samtools_fragment_of(unsigned int flag)
{
    const unsigned int both = ALIGNMENT_READ1 | ALIGNMENT_READ2;

    if ((flag & ALIGNMENT_PAIRED) == 0 || (flag & both) == ALIGNMENT_READ1)
        return SAMTOOLS_FIRST;
    return (flag & both) == ALIGNMENT_READ2 ? SAMTOOLS_LAST : SAMTOOLS_OTHER;
}

/* Whether a record with FLAG is the one of its read that counts as the read. */
static inline bool
samtools_is_read(unsigned int flag)
{
    return (flag & (ALIGNMENT_SECONDARY | ALIGNMENT_SUPPLEMENTARY)) == 0;
}

/* Whether the alignment of the current line of ROWS counts, as its columns FLAG
   and HAS_BASES say. */
static inline bool
samtools_rows_is_mapped(const struct rows *rows, size_t flag, size_t has_bases)
{
    return (samtools_rows_flag(rows, flag) &
            (ALIGNMENT_SECONDARY | ALIGNMENT_UNMAPPED)) == 0 &&
           samtools_rows_number(rows, has_bases) != 0;
}

#endif
