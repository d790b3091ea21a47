/* SPDX-License-Identifier: MIT */
/*
 * element_filter.h -- which bases, windows or operations of a read are counted
 *
 * Conditions on the position, the base or the quality, or on operations of the
 * CIGAR string, choose among the elements of the sequences that meet all other
 * conditions.  A window has the position
 * of its first base; no condition is on the bases of a window.  A choice with
 * alternatives may have conditions on whole sequences beside those on elements.
 */

#ifndef GPUHIST_ELEMENT_FILTER_H
#define GPUHIST_ELEMENT_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/seq/sequence.h"
#include "seq/cigar_walk.h"
#include "text/condition.h"
#include "text/text_format.h"

struct element_filter {
    const struct condition_list *conditions;
    bool is_used;     /* some condition is on elements ... */
    bool has_bases;   /* ... on bases ... */
    bool has_letters; /* ... on these or on qualities */
    uint32_t first;   /* the positions that may be counted, from 1 on */
    uint32_t last;

    /* Masks: bit I is condition I.  The conditions that hold for a byte of
       bases, for a byte of qualities, and for bases in FASTA. */
    uint64_t base[256];
    uint64_t quality[256];
    uint64_t without_quality;

    /* The conditions that are tested for each position, and those without
       alternatives, which FIRST and LAST do not replace. */
    uint64_t positions;
    uint64_t operations; /* ... or for each operation */
    uint64_t needed;

    struct condition_choice choice[CONDITIONS_MAX]; /* with alternatives */
    size_t choices;
};

/* Prepare for CONDITIONS on sequences of FORMAT, whose parts are set; they
   outlive FILTER. */
void element_filter_open(struct element_filter *filter,
                         const struct text_format *format,
                         const struct condition_list *conditions);

/*
 * Find the next run of elements to count among the ELEMENTS of RECORD, in DATA,
 * from number *AT on, which is 0 at first, and move *AT to the run.  HELD has
 * the mixed conditions of the record (read_filter.h).  Returns the length of
 * the run; 0 after the last run.  If the filter HAS_LETTERS, the record is
 * joined (sequence_join.h).  WALK is of the record (cigar_walk_start()); it is
 * not used if no condition is on operations.
 */
uint32_t element_filter_next(const struct element_filter *filter,
                             const unsigned char *data,
                             const struct sequence_record *record,
                             uint64_t held, uint32_t elements,
                             struct cigar_walk *walk, uint32_t *at);

#endif
