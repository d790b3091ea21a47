/* record_filter.c -- leave out the records that do not meet the conditions */

#include "engine/cpu/fields/record_filter.h"

int
record_filter_open(struct record_filter *filter, const struct spec *spec)
{
    filter->fields = spec->text_fields.count;
    return filter_open(&filter->filter, &spec->text, &spec->conditions,
                       &spec->text_fields);
}

uint64_t
record_filter_bytes(const struct spec *spec)
{
    return spec->conditions.count > 0 && spec->kind != SPEC_SEQUENCES
               ? filter_bytes(&spec->conditions)
               : 0;
}

void
record_filter_close(struct record_filter *filter)
{
    filter_close(&filter->filter);
}

/*
 * Move the slices of those of RECORDS that KEEPS says to the begin of SLICE,
 * FIELDS of each.  Where records are left out is hard to predict, so no branch
 * asks.
 */
static inline __attribute__((always_inline)) void
move_slices(const unsigned char *keeps, struct text_slice *slice,
            size_t records, const size_t fields)
{
    struct text_slice *to = slice;

    for (size_t r = 0; r < records; r++, slice += fields) {
        for (size_t i = 0; i < fields; i++)
            to[i] = slice[i];
        to += keeps[r] != 0 ? fields : 0;
    }
}

/* Move the counts of those of RECORDS that KEEPS says to the begin of COUNT.
   Returns the sum of those of the others. */
static uint64_t
move_counts(const unsigned char *keeps, int64_t *count, size_t records)
{
    uint64_t sum = 0;
    size_t to = 0;

    for (size_t r = 0; r < records; r++) {
        int64_t own = count[r];
        count[to] = own;
        to += keeps[r];
        sum += keeps[r] == 0 ? (uint64_t)own : 0;
    }
    return sum;
}

int
record_filter_run(struct record_filter *filter, const unsigned char *data,
                  struct text_slice *slice, int64_t *count, size_t *records)
{
    const unsigned char *keeps = filter->filter.keeps;
    size_t kept;

    if (filter_run(&filter->filter, data, slice, filter->fields, *records,
                   &kept) < 0)
        return -1;
    if (kept == *records)
        return 0;
    if (filter->fields == 1)
        move_slices(keeps, slice, *records, 1);
    else if (filter->fields == 2)
        move_slices(keeps, slice, *records, 2);
    else
        move_slices(keeps, slice, *records, filter->fields);
    filter->left_out +=
        count != NULL ? move_counts(keeps, count, *records) : *records - kept;
    *records = kept;
    return 0;
}
