/* SPDX-License-Identifier: MIT */
/*
 * bam_walk.h -- from record to record of BAM
 *
 * "Sequence Alignment/Map Format Specification", section 4.2.  The content is
 * decoded: the blocks of BGZF are not seen here, and records cross them.
 */

#ifndef GPUHIST_BAM_WALK_H
#define GPUHIST_BAM_WALK_H

#include "input/alignment/alignment.h"
#include "input/alignment/alignment_input.h"
#include "input/alignment/alignment_references.h"

/* Where the walk is: what comes next. */
enum bam_place {
    BAM_START,     /* the magic number, and the length of the text */
    BAM_TEXT,      /* the text of the header, LEFT bytes */
    BAM_COUNT,     /* the number of references */
    BAM_REFERENCE, /* a reference, or the first record */
    BAM_NAME,      /* the name and length of a reference, LEFT bytes */
    BAM_FIELDS,    /* the fields of a record that have one size each */
    BAM_READ,      /* the name, CIGAR, bases and qualities of it */
    BAM_TAGS,      /* the rest of it, LEFT bytes */
};

/* All 0 at first, but WORDS. */
struct bam_walk {
    unsigned int words; /* set by the owner: see struct alignment_choice */
    enum bam_place place;
    uint64_t left;            /* bytes to skip */
    uint64_t reference_count; /* in the header */
    uint64_t names;           /* of these, read so far */
    uint64_t start;           /* of the current record in the content */

    struct alignment_references references; /* kept if there are WORDS */

    /* Of the current record. */
    unsigned int mapq;
    int32_t pos; /* from 0 on; -1: none */
    int32_t tlen;
    int32_t reference; /* -1: none */
    int32_t mate_reference;
    int32_t mate_pos;
    unsigned int flag;
    size_t name_bytes; /* with the NUL */
    size_t operations; /* of the CIGAR string before the bases */
    size_t length;
    size_t read_bytes; /* of name, CIGAR, bases and qualities */
};

/* Read the rest of the header.  Returns ALIGNMENT_THERE, or why it is not
   there. */
enum alignment_bytes bam_walk_header(struct bam_walk *walk,
                                     struct alignment_input *input);

/*
 * Go to the next record.  Returns ALIGNMENT_THERE with *ALIGNMENT set;
 * ALIGNMENT_ENDED: the content ends after the last record; or another reason
 * why no record is there.  The packed bases and the qualities are not checked.
 */
enum alignment_bytes bam_walk_next(struct bam_walk *walk,
                                   struct alignment_input *input,
                                   struct alignment *alignment);

/* Whether WALK is after the header and before a record, or the end; WALK
   consumes tags before it that are in the buffer. */
bool bam_walk_is_at_record(struct bam_walk *walk,
                           struct alignment_input *input);

/*
 * Returns the bytes of the record that may start with the SIZE bytes at DATA:
 * 0, if its fields say that there is none; SIZE, if too few bytes are there to
 * say so; else any number.
 */
size_t bam_walk_guess(const struct bam_walk *walk, const unsigned char *data,
                      size_t size);

/* Release what WALK owns. */
void bam_walk_close(struct bam_walk *walk);

#endif
