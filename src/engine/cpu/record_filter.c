/* record_filter.c -- leave out the records that do not meet the conditions */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/record_filter.h"

int
record_filter_open(struct record_filter *filter, const struct spec *spec)
{
    filter->fields = spec->text_fields.count;
    filter->kept = malloc(FILTER_RECORDS_MAX * sizeof *filter->kept);
    if (filter->kept == NULL)
        return -1;
    return filter_open(&filter->filter, &spec->text, &spec->conditions,
                       &spec->text_fields);
}

uint64_t
record_filter_bytes(const struct spec *spec)
{
    return spec->conditions.count > 0
               ? filter_bytes(&spec->conditions) +
                     FILTER_RECORDS_MAX * sizeof(uint16_t)
               : 0;
}

void
record_filter_close(struct record_filter *filter)
{
    filter_close(&filter->filter);
    free(filter->kept);
}

/* Move the slices of the KEPT_COUNT records to the begin of SLICE. */
static void
move_slices(const struct record_filter *filter, struct text_slice *slice,
            size_t kept_count)
{
    size_t fields = filter->fields;

    for (size_t k = 0; k < kept_count; k++) {
        const struct text_slice *from = slice + filter->kept[k] * fields;
        for (size_t i = 0; i < fields; i++)
            slice[k * fields + i] = from[i];
    }
}

/* Move the counts of the KEPT_COUNT of RECORDS to the begin of COUNT.  Returns
   the sum of those of the others. */
static uint64_t
move_counts(const struct record_filter *filter, int64_t *count, size_t records,
            size_t kept_count)
{
    uint64_t sum = 0;

    for (size_t r = 0; r < records; r++)
        sum += filter->filter.keeps[r] == 0 ? (uint64_t)count[r] : 0;
    for (size_t k = 0; k < kept_count; k++)
        count[k] = count[filter->kept[k]];
    return sum;
}

int
record_filter_run(struct record_filter *filter, const unsigned char *data,
                  struct text_slice *slice, int64_t *count, size_t *records)
{
    size_t kept_count;

    if (filter_run(&filter->filter, data, slice, filter->fields, *records,
                   filter->kept, &kept_count) < 0)
        return -1;
    if (kept_count == *records)
        return 0;
    move_slices(filter, slice, kept_count);
    filter->left_out += count != NULL
                            ? move_counts(filter, count, *records, kept_count)
                            : *records - kept_count;
    *records = kept_count;
    return 0;
}
