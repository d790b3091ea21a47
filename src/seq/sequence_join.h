/* SPDX-License-Identifier: MIT */
/* sequence_join.h -- put the lines of a sequence together, in place */

#ifndef GPUHIST_SEQUENCE_JOIN_H
#define GPUHIST_SEQUENCE_JOIN_H

#include "kernels/seq/sequence.h"

/*
 * Move the bases of RECORD, which sequence_find() has found in DATA, and its
 * quality to the start of their lines: then the record->length bytes from
 * bases_start on are the bases, and the bytes from quality_start on the
 * quality.  Line ends fill the freed bytes, so the data have the same records
 * as before.
 */
void sequence_join(unsigned char *data, const struct sequence_record *record);

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
