/*
 * element_filter.h -- which bases or windows of a sequence are counted
 *
 * Conditions on the position, the base or the quality choose among the elements
 * of the sequences that meet all other conditions.  A window has the position
 * of its first base; no condition is on the bases of a window.  A choice with
 * alternatives may have conditions on whole sequences beside those on elements.
 */

#ifndef GPUHIST_ELEMENT_FILTER_H
#define GPUHIST_ELEMENT_FILTER_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/seq/sequence.h"
#include "text/condition.h"
#include "text/text_format.h"

struct element_filter {
    const struct condition_list *conditions;
    uint64_t alone;   /* bit I: condition I is a choice by itself */
    bool is_used;     /* some condition is on elements ... */
    bool has_bases;   /* ... on bases ... */
    bool has_letters; /* ... on these or on qualities */
    bool has_gaps;    /* some position between FIRST and LAST is left out */
    uint32_t first;   /* the positions that may be counted, from 1 on */
    uint32_t last;
    bool base[256];       /* whether a byte is counted */
    bool quality[256];    /* the same of a byte of qualities ... */
    bool without_quality; /* ... and of bases in FASTA */

    /* Choices with alternatives: CHOICES of them. */
    struct condition_choice choice[CONDITIONS_MAX];
    size_t choices;
    bool has_reads;    /* some condition of these is on whole sequences */
    bool (*byte)[256]; /* whether each condition of the list holds for a byte of
                          bases or qualities; owned.  NULL: no choices */
};

/* Prepare for CONDITIONS on sequences of FORMAT, whose parts are set; they
   outlive FILTER.  Returns 0, or -1: out of memory.  The caller calls
   element_filter_close() in both cases. */
int element_filter_open(struct element_filter *filter,
                        const struct text_format *format,
                        const struct condition_list *conditions);

/* Also of a FILTER that is all 0. */
void element_filter_close(struct element_filter *filter);

/*
 * Find the next run of elements to count among the ELEMENTS of RECORD, in DATA,
 * from number *AT on, which is 0 at first, and move *AT to the run.  HELD has
 * the mixed conditions of the record (read_filter.h).  Returns the length of
 * the run; 0 after the last run.  If the filter HAS_LETTERS, the record is
 * joined (sequence_join.h).
 */
uint32_t element_filter_next(const struct element_filter *filter,
                             const unsigned char *data,
                             const struct sequence_record *record,
                             uint64_t held, uint32_t elements, uint32_t *at);

#endif
