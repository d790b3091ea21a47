/* SPDX-License-Identifier: MIT */
/*
 * filter.h -- which records of a batch meet all conditions
 *
 * A faster form of condition.h, a column at a time.  Of a choice with
 * alternatives, an alternative is tested for the records that fulfil none of
 * the alternatives before.
 */

#ifndef GPUHIST_FILTER_H
#define GPUHIST_FILTER_H

#include "text/condition.h"
#include "text/field_list.h"
#include "text/field_value.h"

/* The most records of a batch. */
#define FILTER_RECORDS_MAX 8192

/* Returns whether CONDITION, of this number, which is on a list, holds for
   RECORD of the batch, as condition_test(). */
typedef enum regex_result filter_list_test(void *lists, size_t condition,
                                           size_t record);

struct filter {
    const struct text_format *format;
    const struct condition_list *conditions;
    struct condition_choice choice[CONDITIONS_MAX]; /* CHOICES of them */
    size_t choices;
    struct field_text *field; /* of each condition */
    struct condition_matchers matchers;
    unsigned char *keeps; /* of each record of a batch */
    unsigned char *some;  /* the same, of some alternatives of a choice;
                             NULL: no choice has alternatives */
    unsigned char *own;   /* ... and of one alternative */
    uint64_t met;         /* bit I: some record has the field of condition I */
    uint64_t fulfilled;   /* bit I: some record fulfils the choice that
                             starts with condition I, and all before it */

    /* The first record of the batch, or SIZE_MAX, whose field takes too many
       steps for the expression of this condition. */
    size_t wrong;
    size_t wrong_condition;

    bool are_plain; /* set by the owner: field_values_are_plain() */
    filter_list_test *test_list; /* set by the owner, if there are lists */
    void *lists;
};

/*
 * Prepare for CONDITIONS, whose columns are fields of LIST, of records of
 * FORMAT; both outlive FILTER.  Returns 0, or -1: out of memory.  The caller
 * calls filter_close() in both cases.
 */
int filter_open(struct filter *filter, const struct text_format *format,
                const struct condition_list *conditions,
                const struct field_list *list);

/* Returns the bytes that filter_open() allocates. */
uint64_t filter_bytes(const struct condition_list *conditions);

/*
 * Set FILTER->keeps to whether each of RECORDS meets all conditions, 1 or 0,
 * and *KEPT to how many do.  SLICE has STRIDE fields of each record in the
 * chunk at DATA.  If FILTER->wrong is set, only the records before it are
 * known.  Returns 0, or -1: out of memory.
 */
int filter_run(struct filter *filter, const unsigned char *data,
               const struct text_slice *slice, size_t stride, size_t records,
               size_t *kept);

/* Also of a FILTER that is all 0. */
void filter_close(struct filter *filter);

#endif
