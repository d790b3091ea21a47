/* SPDX-License-Identifier: MIT */
/*
 * gen_sequence.h -- reads of a random genome, as FASTA or FASTQ
 *
 * A read starts at a random position of either strand.  Some of its bases are
 * then replaced: errors by another base, unknown ones by N.  Its name says
 * where it is from: "r7 1234-" is the 7th, and its first base is complementary
 * to the last one that it covers of the forward strand, which starts there at
 * position 1234.  The first position is 1.
 *
 * Qualities do not depend on errors.  They are 41 at most; towards the end of a
 * read, lower ones become more frequent.
 */

#ifndef GPUHIST_GEN_SEQUENCE_H
#define GPUHIST_GEN_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen_options.h"
#include "gen_random.h"
#include "gen_ziggurat.h"

enum {
    GEN_SEQUENCE_LENGTHS = 1024,
    GEN_SEQUENCE_PLACES = 64, /* in a read, with qualities of their own */
};

/* What replaces bases, each with the same probability. */
struct gen_sequence_change {
    double scale;  /* the mean distance, about */
    uint64_t left; /* bases before the next one */
};

struct gen_sequence {
    const struct gen_options *options;
    struct gen_random random;
    struct gen_ziggurat distances;
    struct gen_sequence_change errors;
    struct gen_sequence_change unknown;
    char *strand[2];        /* owned; the second is the reverse complement */
    unsigned char *record;  /* owned; as long as the longest one can be */
    unsigned char *bases;   /* owned; those of the record */
    unsigned char *quality; /* owned; that of the record */
    bool is_ended;          /* there are no more records */
    size_t start;           /* the record's bytes that are not written */
    size_t end;
    uint64_t records; /* made */
    uint64_t bytes;   /* made */
    double total;     /* bases made */
    uint64_t length[GEN_SEQUENCE_LENGTHS];
    unsigned char level[GEN_SEQUENCE_PLACES][256]; /* qualities */
};

/*
 * Prepare SEQUENCE; *OPTIONS must outlive it.  Returns 0, or -1: out of memory.
 * The caller calls gen_sequence_close() only after 0.
 */
int gen_sequence_open(struct gen_sequence *sequence,
                      const struct gen_options *options);

/*
 * Write the next bytes to OUT, up to ROOM.  Returns their number; 0: the
 * options want no more records.
 */
size_t gen_sequence_fill(struct gen_sequence *sequence, unsigned char *out,
                         size_t room);

/* Release everything in SEQUENCE. */
void gen_sequence_close(struct gen_sequence *sequence);

#endif
