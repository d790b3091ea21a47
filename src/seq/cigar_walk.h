/* SPDX-License-Identifier: MIT */
/*
 * cigar_walk.h -- the operations of a CIGAR string, one after the other
 *
 * The string is a word after the name of a read (alignment_words.h).  A text
 * may have the mark of words, too, and so any string: each byte that is no
 * digit ends an operation.
 */

#ifndef GPUHIST_CIGAR_WALK_H
#define GPUHIST_CIGAR_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "seq/alignment_values.h"

struct cigar_operation {
    binning_u32 letter; /* where it is in the data */
    uint32_t length;    /* at most INT32_MAX: the bits of a slice */
    /* As the read was sequenced, from 1 on: the first base of an insertion, or
       the base before a deletion; 0: none, or another operation. */
    uint64_t cycle;
};

struct cigar_walk {
    struct text_slice cigar;
    bool is_reverse;                  /* of the reverse strand ... */
    uint64_t bases;                   /* ... with so many bases */
    uint64_t before;                  /* bases of the operations before */
    binning_u32 at;                   /* of the next operation ... */
    uint32_t next;                    /* ... which has this number */
    struct cigar_operation operation; /* number NEXT - 1 */
};

/* Start with the operations of the record of DATA with LINE.  Returns how many
   it has.  Without the flag in LINE, cycles are those of the forward strand. */
uint32_t cigar_walk_start(struct cigar_walk *walk, const unsigned char *data,
                          const struct alignment_line *line);

/* Returns how many operations that record has. */
uint32_t cigar_walk_count(const unsigned char *data,
                          const struct alignment_line *line);

/* Returns operation NUMBER, from 0 on, which exists.  Quick from one to the
   next, or the same again. */
struct cigar_operation cigar_walk_to(struct cigar_walk *walk,
                                     const unsigned char *data,
                                     uint32_t number);

#endif
