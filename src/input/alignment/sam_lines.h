/*
 * sam_lines.h -- from record to record of SAM text
 *
 * "Sequence Alignment/Map Format Specification", section 1.4.  Only the fields
 * that are needed are looked at: those of FASTQ, and the words of an alignment.
 */

#ifndef GPUHIST_SAM_LINES_H
#define GPUHIST_SAM_LINES_H

#include "input/alignment/alignment.h"
#include "input/alignment/alignment_input.h"

/* All 0 at first, but HAS_WORDS. */
struct sam_lines {
    bool has_words; /* set by the owner: see struct alignment */
    bool is_after_header;
    size_t line_bytes; /* to consume first: of the line that is delivered */
    size_t searched;   /* bytes of the current line, without an end */
};

/*
 * Go to the next record.  Returns ALIGNMENT_THERE with *ALIGNMENT set;
 * ALIGNMENT_ENDED: after the last record; or another reason why no record is
 * there.
 */
enum alignment_bytes sam_lines_next(struct sam_lines *lines,
                                    struct alignment_input *input,
                                    struct alignment *alignment);

#endif
