/* SPDX-License-Identifier: MIT */
/* alignment_walk.h -- from record to record of BAM or SAM */

#ifndef GPUHIST_ALIGNMENT_WALK_H
#define GPUHIST_ALIGNMENT_WALK_H

#include "input/alignment/alignment_kind.h"
#include "input/alignment/bam_walk.h"
#include "input/alignment/sam_lines.h"

struct alignment_walk {
    bool is_bam;
    struct bam_walk bam;  /* if it IS_BAM, ... */
    struct sam_lines sam; /* ... or not */
};

/* Start before the header of content of KIND, BAM or SAM. */
void alignment_walk_open(struct alignment_walk *walk, enum alignment_kind kind,
                         const struct alignment_choice *choice);

/* Start before a record, with the header that WALK has read, and which stays
   its own. */
void alignment_walk_open_after(struct alignment_walk *after,
                               const struct alignment_walk *walk);

/* Read the rest of the header.  Returns ALIGNMENT_THERE, or why it is not
   there. */
enum alignment_bytes alignment_walk_header(struct alignment_walk *walk,
                                           struct alignment_input *input);

/* The references of the header that is read. */
const struct alignment_references *
alignment_walk_references(const struct alignment_walk *walk);

/* As bam_walk_next() and sam_lines_next(). */
enum alignment_bytes alignment_walk_next(struct alignment_walk *walk,
                                         struct alignment_input *input,
                                         struct alignment *alignment);

/* Returns where the current record starts in the content. */
uint64_t alignment_walk_record(const struct alignment_walk *walk,
                               const struct alignment_input *input);

/* Returns how many bytes of INPUT are left of the current record; more than
   INPUT has, if some are not there. */
uint64_t alignment_walk_left(const struct alignment_walk *walk);

/* Whether WALK is after the header and before a record, or the end; WALK
   consumes what is left of the record before it in the buffer. */
bool alignment_walk_is_at_record(struct alignment_walk *walk,
                                 struct alignment_input *input);

/* Set *START to the first place of the *SIZE bytes at DATA where a record seems
   to start; *SIZE: there is none.  Subtracts bytes from *SIZE that cannot be of
   a whole record. */
void alignment_walk_guess(const struct alignment_walk *walk,
                          const unsigned char *data, size_t *size,
                          size_t *start);

void alignment_walk_close(struct alignment_walk *walk);

#endif
