/* SPDX-License-Identifier: MIT */
/*
 * alignment_references.h -- the references in the header of BAM or SAM
 *
 * Their number in the header, from 0 on, is what BAM calls refID.
 */

#ifndef GPUHIST_ALIGNMENT_REFERENCES_H
#define GPUHIST_ALIGNMENT_REFERENCES_H

#include "input/alignment/alignment.h"
#include "input/alignment/alignment_input.h"

/* All 0 at first. */
struct alignment_references {
    size_t count;

    /* The names, one after the other: name I ends where name I + 1 starts.
       Owned, as all arrays. */
    unsigned char *name;
    size_t *name_start;
    uint32_t *length;
    size_t room;      /* of NAME_START and LENGTH */
    size_t name_room; /* bytes of NAME */

    size_t *sorted; /* numbers in the order of names */
    size_t found;   /* the last one that alignment_references_find() found */
};

/*
 * Append the reference with the SIZE bytes at NAME, of LENGTH bases, of the
 * header of INPUT that starts at START.  Returns ALIGNMENT_THERE, or
 * ALIGNMENT_FAILED with the error of INPUT set.
 */
enum alignment_bytes alignment_references_add(
    struct alignment_references *references, struct alignment_input *input,
    uint64_t start, const unsigned char *name, size_t size, uint32_t length);

/* Returns reference NUMBER; one that is not available, if that is -1. */
struct alignment_reference
alignment_references_at(const struct alignment_references *references,
                        int64_t number);

/*
 * Prepare alignment_references_find(); no reference is added afterwards.  Sets
 * *REPEATED to a reference whose name another one has, or to -1: there is none.
 * Returns 0, or -1: out of memory.
 */
int alignment_references_sort(struct alignment_references *references,
                              int64_t *repeated);

/* Returns the number of the reference with the SIZE bytes at NAME; -1: there is
   none. */
int64_t alignment_references_find(struct alignment_references *references,
                                  const unsigned char *name, size_t size);

void alignment_references_close(struct alignment_references *references);

#endif
