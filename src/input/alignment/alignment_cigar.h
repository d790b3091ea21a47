/* SPDX-License-Identifier: MIT */
/*
 * alignment_cigar.h -- the operations of a CIGAR string
 *
 * BAM packs an operation into 4 bytes; in SAM it is a number and a letter.  All
 * letters are allowed that htslib reads: M I D N S H P = X, and B of old files,
 * which is of no base.  BAM can have codes without a letter, which are '?'.
 */

#ifndef GPUHIST_ALIGNMENT_CIGAR_H
#define GPUHIST_ALIGNMENT_CIGAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All 0: there is none. */
struct alignment_cigar {
    bool is_packed;
    const unsigned char *at;
    size_t size; /* operations if it is packed, else bytes */
};

struct alignment_operation {
    unsigned char letter;
    uint32_t length; /* less than 2^28 */
};

/* Take the next operation from CIGAR.  Returns 1 with *OPERATION set; 0: there
   are no more; or -1: the text is not one. */
int alignment_cigar_next(struct alignment_cigar *cigar,
                         struct alignment_operation *operation);

/* Set *BASES to the bases of the read that CIGAR has: those of M, I, S, = and
   X.  Returns 0, or -1: the text is not of operations. */
int alignment_cigar_bases(struct alignment_cigar cigar, uint64_t *bases);

/* Returns how many bases CIGAR has hard-clipped. */
int64_t alignment_cigar_clipped(struct alignment_cigar cigar);

/* Returns the bytes that alignment_cigar_write() writes at most. */
size_t alignment_cigar_text_bytes(const struct alignment_cigar *cigar);

/* Write CIGAR, which alignment_cigar_bases() can read, as text to OUT, or '*'
   if there is none.  Returns its bytes. */
size_t alignment_cigar_write(struct alignment_cigar cigar, unsigned char *out);

#endif
