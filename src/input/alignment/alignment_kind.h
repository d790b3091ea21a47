/* SPDX-License-Identifier: MIT */
/* alignment_kind.h -- recognise BAM, SAM and CRAM by their first bytes */

#ifndef GPUHIST_ALIGNMENT_KIND_H
#define GPUHIST_ALIGNMENT_KIND_H

#include <stdbool.h>
#include <stddef.h>

enum alignment_kind {
    ALIGNMENT_NONE, /* something else, such as FASTA or FASTQ */
    ALIGNMENT_OPEN, /* more bytes are needed */
    ALIGNMENT_BAM,
    ALIGNMENT_SAM,
    ALIGNMENT_CRAM,
};

/* No more bytes are needed. */
#define ALIGNMENT_KIND_BYTES ((size_t)1024)

/*
 * Returns the kind of a decoded content that starts with the SIZE bytes at
 * DATA.  HAS_ENDED: the content has no other bytes; then, and for
 * ALIGNMENT_KIND_BYTES, the kind is not ALIGNMENT_OPEN.
 *
 * SAM starts with a line of its header, or with the first six fields of a
 * record: "Sequence Alignment/Map Format Specification", sections 1.3 and 1.4.
 */
enum alignment_kind alignment_kind_of(const unsigned char *data, size_t size,
                                      bool has_ended);

#endif
