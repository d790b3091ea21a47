/*
 * filter.h -- which records of a batch meet all conditions
 *
 * A faster form of condition.h, a column at a time.
 */

#ifndef GPUHIST_FILTER_H
#define GPUHIST_FILTER_H

#include "text/condition.h"
#include "text/field_list.h"
#include "text/field_value.h"

/* The most records of a batch. */
#define FILTER_RECORDS_MAX 8192

struct filter {
    const struct text_format *format;
    const struct condition_list *conditions;
    struct field_text *field; /* of each condition */
    unsigned char *keeps;     /* of each record of a batch */
    uint64_t met; /* bit I: some record has the field of condition I */
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
 * Set FILTER->keeps to whether each of RECORDS meets all conditions, apart from
 * those on lists, 1 or 0,
 * and *KEPT to how many do.  SLICE has STRIDE fields of each record in the
 * chunk at DATA.  Returns 0, or -1: out of memory.
 */
int filter_run(struct filter *filter, const unsigned char *data,
               const struct text_slice *slice, size_t stride, size_t records,
               size_t *kept);

/* Also of a FILTER that is all 0. */
void filter_close(struct filter *filter);

#endif
