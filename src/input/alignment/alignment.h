/* SPDX-License-Identifier: MIT */
/*
 * alignment.h -- one record of BAM or SAM, as far as FASTQ needs it
 *
 * "Sequence Alignment/Map Format Specification" (samtools/hts-specs, SAMv1):
 * section 4.2 for the codes of bases.
 */

#ifndef GPUHIST_ALIGNMENT_H
#define GPUHIST_ALIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/alignment/alignment_cigar.h"
#include "kernels/seq/alignment_words.h"

/* The greatest quality: '~' as text. */
#define ALIGNMENT_QUALITY_MAX 93u

/* A reference.  NUMBER and LENGTH are known only if the header is wanted. */
struct alignment_reference {
    const unsigned char *name;
    size_t size;     /* of the name; 0: not available */
    int64_t number;  /* in the header, from 0 on; -1: none */
    uint32_t length; /* bases */
};

#define ALIGNMENT_NO_REFERENCE ((struct alignment_reference){NULL, 0, -1, 0})

/* Pointers are valid until more of the input is read. */
struct alignment {
    bool is_reference;         /* only REFERENCE is there, from the header */
    const unsigned char *name; /* NAME_BYTES, without an end */
    size_t name_bytes;
    unsigned int flag;
    size_t length; /* bases */

    /* As stored: on the forward strand of the reference. */
    bool is_packed; /* BASES has two codes of 4 bits a byte; else
                                   letters */
    const unsigned char *bases;
    const unsigned char *quality; /* LENGTH bytes; NULL: absent */
    unsigned char quality_zero;   /* the byte of quality 0 */

    /* Only if the words of alignment_words.h are wanted. */
    unsigned int mapq;
    int64_t pos;      /* from 1 on; 0: none */
    int64_t mate_pos; /* as POS */
    int64_t tlen;
    struct alignment_reference reference;
    struct alignment_reference mate_reference;
    const unsigned char *read_group; /* READ_GROUP_BYTES, without an end */
    size_t read_group_bytes;         /* 0: there is none */
    struct alignment_cigar cigar;
    bool has_edit_distance; /* the tag NM, 0 if it is no whole number */
    int64_t edit_distance;
    bool is_out_of_order; /* see alignment_order.h */
};

/* Which records are wanted, and how. */
struct alignment_choice {
    bool has_all;        /* secondary and supplementary alignments, too */
    bool has_references; /* a record of its own for each reference in the
                            header; only if WORDS have its length */
    bool is_stored;      /* reads of the reverse strand as they are stored */
    bool has_bases; /* bases and qualities are wanted; else there are none */
    /* A bit, 1 << word, for each of enum alignment_word that is wanted: then
       words follow the name. */
    unsigned int words;
};

/* Whether ALIGNMENT is wanted. */
static inline bool
alignment_choice_wants(const struct alignment_choice *choice,
                       const struct alignment *alignment)
{
    const unsigned int others = ALIGNMENT_SECONDARY | ALIGNMENT_SUPPLEMENTARY;

    return choice->has_all || (alignment->flag & others) == 0;
}

/* Whether WORD is one of WORDS. */
static inline bool
alignment_has_word(unsigned int words, enum alignment_word word)
{
    return (words & 1u << word) != 0;
}

/* Whether WORDS need the tags of a record. */
static inline bool
alignment_words_need_tags(unsigned int words)
{
    return alignment_has_word(words, ALIGNMENT_WORD_READ_GROUP) ||
           alignment_has_word(words, ALIGNMENT_WORD_EDIT_DISTANCE);
}

/* Whether CHOICE wants to know the place of references in the header. */
static inline bool
alignment_choice_has_numbers(const struct alignment_choice *choice)
{
    return (choice->words & (1u << ALIGNMENT_WORD_RNAME_LENGTH |
                             1u << ALIGNMENT_WORD_RNAME_NUMBER |
                             1u << ALIGNMENT_WORD_OUT_OF_ORDER)) != 0;
}

#endif
