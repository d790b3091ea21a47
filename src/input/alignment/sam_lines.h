/* SPDX-License-Identifier: MIT */
/*
 * sam_lines.h -- from record to record of SAM text
 *
 * "Sequence Alignment/Map Format Specification", section 1.4.  Only the fields
 * that are needed are looked at: those of FASTQ, the CIGAR string, whose length
 * must fit, and the words of an alignment.
 */

#ifndef GPUHIST_SAM_LINES_H
#define GPUHIST_SAM_LINES_H

#include "input/alignment/alignment.h"
#include "input/alignment/alignment_input.h"
#include "input/alignment/alignment_references.h"

/* All 0 at first, but WORDS and HAS_NUMBERS. */
struct sam_lines {
    unsigned int words; /* set by the owner: see struct alignment_choice ... */
    bool has_numbers;   /* ... and alignment_choice_has_numbers() */
    bool is_after_header;
    size_t line_bytes; /* to consume first: of the line that is delivered */
    size_t searched;   /* bytes of the current line, without an end */
    bool is_read;      /* the line is there, and is to be delivered next ... */
    size_t size;       /* ... with so many bytes before its end */
    struct alignment_references references; /* kept if it HAS_NUMBERS */
};

/* Read the header, up to the first record or the end.  Returns ALIGNMENT_THERE,
   or why it is not there. */
enum alignment_bytes sam_lines_header(struct sam_lines *lines,
                                      struct alignment_input *input);

/*
 * Go to the next record.  Returns ALIGNMENT_THERE with *ALIGNMENT set;
 * ALIGNMENT_ENDED: after the last record; or another reason why no record is
 * there.
 */
enum alignment_bytes sam_lines_next(struct sam_lines *lines,
                                    struct alignment_input *input,
                                    struct alignment *alignment);

/* Whether LINES is after the header and before a line, or the end; LINES
   consumes the line before it. */
bool sam_lines_is_at_record(struct sam_lines *lines,
                            struct alignment_input *input);

/* Release what LINES owns. */
void sam_lines_close(struct sam_lines *lines);

#endif
