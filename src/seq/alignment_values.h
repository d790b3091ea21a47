/* SPDX-License-Identifier: MIT */
/*
 * alignment_values.h -- the fields of alignments
 *
 * Only records that were made of BAM or SAM have them: alignment_words.h.
 */

#ifndef GPUHIST_ALIGNMENT_VALUES_H
#define GPUHIST_ALIGNMENT_VALUES_H

#include <stdbool.h>

#include "kernels/seq/alignment_words.h"
#include "kernels/seq/sequence.h"
#include "text/text_slice.h"

/* Whether PART is one of an alignment. */
static inline bool
alignment_values_have(binning_u32 part)
{
    return part >= TEXT_PART_FLAG && part <= TEXT_PART_SUPPLEMENTARY;
}

/* Whether PART is 0 or 1. */
static inline bool
alignment_values_are_bits(binning_u32 part)
{
    return part == TEXT_PART_HAS_BASES || part == TEXT_PART_OUT_OF_ORDER ||
           (part >= TEXT_PART_MATE_ELSEWHERE &&
            part <= TEXT_PART_SUPPLEMENTARY);
}

/* Whether RECORD of DATA stands for a reference in the header: no condition
   leaves it out. */
bool alignment_values_are_of_reference(const unsigned char *data,
                                       const struct sequence_record *record);

/* Returns a bit, 1 << word, for each of enum alignment_word that PART needs, if
   it is a part of an alignment. */
unsigned int alignment_values_words(enum text_part part);

/* Where the first words of a record are. */
struct alignment_line {
    unsigned int words;
    binning_u32
        start; /* of the first one; each other is after the end before */
    binning_u32 end[ALIGNMENT_WORDS];
};

/* Set *LINE to the words of RECORD of DATA, at most WORDS. */
void alignment_line_find(struct alignment_line *line, unsigned int words,
                         const unsigned char *data,
                         const struct sequence_record *record);

/* Returns how many words must be found for PART, one of an alignment. */
unsigned int alignment_line_words(enum text_part part);

/* Add the checksums of the record of DATA with LINE, if it has any, to SUM:
   enum alignment_checksum. */
void alignment_values_add_checksums(const unsigned char *data,
                                    const struct alignment_line *line,
                                    uint64_t sum[ALIGNMENT_CHECKSUMS]);

/*
 * Returns what PART, one of an alignment, is for the record of DATA with LINE:
 * the bits of an integer; or, for a strand, an orientation or the name of a
 * reference, the place of its bytes.
 * TEXT_SLICE_NONE: the record has no such field, or the name is not available.
 */
struct text_slice alignment_values_of(enum text_part part,
                                      const unsigned char *data,
                                      const struct alignment_line *line);

/* The same for RECORD. */
struct text_slice alignment_values_read(enum text_part part,
                                        const unsigned char *data,
                                        const struct sequence_record *record);

#endif
