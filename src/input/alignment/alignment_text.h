/* SPDX-License-Identifier: MIT */
/*
 * alignment_text.h -- write records of BAM and SAM as FASTQ
 *
 * A record without qualities becomes one of FASTA, which lacks the fields of
 * qualities; a record without bases, one of FASTQ without bases.  A read of the
 * reverse strand is stored as the reverse complement of what was sequenced, and
 * its qualities are in reverse order.
 */

#ifndef GPUHIST_ALIGNMENT_TEXT_H
#define GPUHIST_ALIGNMENT_TEXT_H

#include "base/crc32.h"
#include "input/alignment/alignment.h"
#include "input/alignment/alignment_input.h"

/* Tables for the bases, and for checksums. */
struct alignment_letters {
    unsigned char pair[256][2];    /* of two codes in a byte, as stored */
    unsigned char turned[256][2];  /* ... as reverse complement */
    unsigned char letter[256];     /* of a letter of SAM; 0: no base */
    unsigned char complement[256]; /* ... of the complement */
    unsigned char code[256];       /* ... of BAM */
    struct crc32 crc32;
};

void alignment_letters_set(struct alignment_letters *letters);

/* Returns the bytes that ALIGNMENT takes as text, or a few more. */
size_t alignment_text_bytes(const struct alignment *alignment);

/*
 * Write ALIGNMENT, of the record of INPUT that starts at offset START, to OUT.
 * Returns the number of bytes; or 0, with the error of INPUT set: a name, a
 * base or a quality that FASTQ cannot have.
 */
size_t alignment_text_write(const struct alignment_letters *letters,
                            const struct alignment *alignment,
                            const struct alignment_choice *choice,
                            struct alignment_input *input, uint64_t start,
                            unsigned char *out);

#endif
