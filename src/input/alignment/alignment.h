/*
 * alignment.h -- one record of BAM or SAM, as far as FASTQ needs it
 *
 * "Sequence Alignment/Map Format Specification" (samtools/hts-specs, SAMv1):
 * section 1.4 for the flags, section 4.2 for the codes of bases.
 */

#ifndef GPUHIST_ALIGNMENT_H
#define GPUHIST_ALIGNMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bits of the flag. */
#define ALIGNMENT_REVERSE 0x10u
#define ALIGNMENT_SECONDARY 0x100u
#define ALIGNMENT_SUPPLEMENTARY 0x800u

/* The greatest quality: '~' as text. */
#define ALIGNMENT_QUALITY_MAX 93u

/* The name of a reference; SIZE 0: not available. */
struct alignment_reference {
    const unsigned char *name;
    size_t size;
};

/* Pointers are valid until more of the input is read. */
struct alignment {
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
    int64_t pos; /* from 1 on; 0: none */
    int64_t tlen;
    struct alignment_reference reference;
    struct alignment_reference mate_reference;
};

/* Which records are wanted, and how. */
struct alignment_choice {
    bool has_all;   /* secondary and supplementary alignments, too */
    bool is_stored; /* reads of the reverse strand as they are stored */
    bool has_bases; /* bases and qualities are wanted; else there are none */
    /* A bit, 1 << word, for each of enum alignment_word that is wanted: then
       words follow the name. */
    unsigned int words;
};

#endif
