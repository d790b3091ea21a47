/* SPDX-License-Identifier: MIT */
/*
 * sequence_piece.h -- a record of FASTA that is counted in pieces
 *
 * If only bases are counted, or windows of K bases, a record need not be in one
 * buffer: a piece ends anywhere, as if the data ended there, and the next piece
 * starts with a preface of synthetic bytes: a line with the name of the record,
 * and the last K - 1 bases.  So each window is in one piece.  If bases are
 * counted, the preface has no bases.
 */

#ifndef GPUHIST_SEQUENCE_PIECE_H
#define GPUHIST_SEQUENCE_PIECE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/seq/kmer.h"
#include "seq/sequence_cut.h"

#define SEQUENCE_OVERLAP_MAX (KMER_MAX - 1)

/* The bytes of a name that are kept: more than messages show. */
#define SEQUENCE_PIECE_NAME 81

/* The length of a preface.  It starts with empty lines. */
#define SEQUENCE_PREFACE_BYTES ((size_t)192)

/* The state that the next piece of a record needs. */
struct sequence_piece {
    enum sequence_place place; /* where they end: IN_NAME, AT_LINE, IN_LINE */
    bool has_start;            /* the record's start is in them */
    bool has_name;             /* the name has ended */
    unsigned char name_bytes;
    unsigned char bases;
    unsigned char name[SEQUENCE_PIECE_NAME];
    unsigned char base[SEQUENCE_OVERLAP_MAX]; /* the last BASES */
};

/* Returns the state of a record if data start in a line of its bases. */
struct sequence_piece sequence_piece_unknown(void);

/*
 * A record, which may be cut, goes on after the SIZE bytes at DATA, at PLACE.
 * The record starts at offset START; if START is SIZE_MAX, it starts before
 * DATA, and *PIECE is the state before DATA.  Set *PIECE to the state after
 * DATA, with OVERLAP bases.
 */
void sequence_piece_pass(struct sequence_piece *piece,
                         enum sequence_place place, size_t start,
                         const unsigned char *data, size_t size,
                         unsigned int overlap);

/* The data of PIECE follow those of BEFORE: complete PIECE. */
void sequence_piece_join(const struct sequence_piece *before,
                         struct sequence_piece *piece, unsigned int overlap);

/* Write the preface of the data after PIECE to OUT. */
void sequence_piece_put_preface(const struct sequence_piece *piece,
                                unsigned char out[SEQUENCE_PREFACE_BYTES]);

#endif
