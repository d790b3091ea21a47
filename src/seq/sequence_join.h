/* SPDX-License-Identifier: MIT */
/* sequence_join.h -- put the lines of a sequence together, in place */

#ifndef GPUHIST_SEQUENCE_JOIN_H
#define GPUHIST_SEQUENCE_JOIN_H

#include <stdbool.h>

#include "kernels/seq/sequence.h"

/* Whether a part of LENGTH bytes is one line, from START to END, with '\n' as
   its end. */
static inline bool
sequence_join_has_line(const unsigned char *data, binning_u32 length,
                       binning_u32 start, binning_u32 end)
{
    return end - start == length + 1 && data[end - 1] == '\n';
}

/* As sequence_join(), for any record. */
void sequence_join_lines(unsigned char *data,
                         const struct sequence_record *record);

/*
 * Move the bases of RECORD, which sequence_find() has found in DATA, and its
 * quality to the start of their lines: then the record->length bytes from
 * bases_start on are the bases, and the bytes from quality_start on the
 * quality.  Line ends fill the freed bytes, so the data have the same records
 * as before.
 */
static inline void
sequence_join(unsigned char *data, const struct sequence_record *record)
{
    /* Nearly all records are so: nothing moves. */
    if (sequence_join_has_line(data, record->length, record->bases_start,
                               record->bases_end) &&
        (record->quality_end == 0 ||
         sequence_join_has_line(data, record->length, record->quality_start,
                                record->quality_end)))
        return;
    sequence_join_lines(data, record);
}

/* Make all bases of RECORD, which is joined, upper-case letters. */
void sequence_join_cases(unsigned char *data,
                         const struct sequence_record *record);

/*
 * Make N of the bases of RECORD, which is joined, whose bytes of quality are
 * less than LEAST.  Bases of FASTA do not change.
 */
void sequence_join_mask(unsigned char *data,
                        const struct sequence_record *record,
                        unsigned int least);

#endif
