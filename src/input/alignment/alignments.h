/* SPDX-License-Identifier: MIT */
/*
 * alignments.h -- the reads of BAM and SAM, as text of FASTQ
 *
 * The bytes may come from a pipe or a decoder: these functions do not seek.
 * Only one record is in memory, and what helpers of a decoder have written.
 */

#ifndef GPUHIST_ALIGNMENTS_H
#define GPUHIST_ALIGNMENTS_H

#include "input/alignment/alignment.h"
#include "input/alignment/alignment_input.h"
#include "input/alignment/alignment_kind.h"

struct alignments;

/*
 * Start with a content of KIND, ALIGNMENT_BAM or ALIGNMENT_SAM: the SIZE bytes
 * at DATA, from malloc() and owned from now on in any case, and those that READ
 * delivers with CONTEXT.  A record with more than BYTES_MAX is an error.
 * Returns the reads, for alignments_close(), or NULL: out of memory.
 */
struct alignments *alignments_open(enum alignment_kind kind,
                                   const struct alignment_choice *choice,
                                   size_t bytes_max, alignment_read_fn *read,
                                   void *context, unsigned char *data,
                                   size_t size);

/*
 * Take pages that helpers write by the struct that is returned, for
 * alignment_page_write() until alignments_close(); SETS stays as long.
 */
struct alignment_pages *
alignments_take_pages(struct alignments *alignments,
                      const struct alignment_sets *sets);

/*
 * Read the next bytes of text into BUFFER.  Returns how many: CAPACITY, or
 * fewer at the end, or if the callback can read no more now; or -1: see
 * alignments_error().
 */
ssize_t alignments_read(struct alignments *alignments, void *buffer,
                        size_t capacity);

/* Where all text that alignments_read() has delivered may be cut. */
struct alignments_cut {
    uint64_t records; /* of the text before the cut */
    size_t tail;      /* bytes after it, which start with a record */
};

struct alignments_cut alignments_cut(const struct alignments *alignments);

/* Returns how many bytes the last alignments_read() had put into its buffer
   before it failed: they are good if the only cause was a cancelled read. */
size_t alignments_delivered(const struct alignments *alignments);

/*
 * After a failure: returns the fault of the content, as text that may follow
 * "FILE: bad BAM at byte OFFSET: ", and sets *OFFSET to the start of the record
 * or header in the decoded content.  The text belongs to ALIGNMENTS.  Returns
 * NULL if the callback failed.
 */
const char *alignments_error(const struct alignments *alignments,
                             uint64_t *offset);

/* Returns what the content is, for messages: "BAM" or "SAM". */
const char *alignments_name(const struct alignments *alignments);

/* Release ALIGNMENTS, which may be NULL. */
void alignments_close(struct alignments *alignments);

#endif
