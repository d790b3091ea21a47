/* filter.c -- which records of a batch meet all conditions */

#include <stdlib.h>
#include <string.h>

#include "text/filter.h"
#include "text/short_decimals.h"

/* Numbers that are read at a time. */
#define BLOCK ((size_t)256)

/* A condition on a column of a batch. */
struct column {
    const struct condition *condition;
    const struct text_format *format;
    struct field_text *field;
    const unsigned char *data;
    const struct text_slice *slice; /* of the first record */
    size_t stride;
    size_t records;
    unsigned char *keeps;
};

int
filter_open(struct filter *filter, const struct text_format *format,
            const struct condition_list *conditions,
            const struct field_list *list)
{
    *filter = (struct filter){.format = format, .conditions = conditions};
    filter->field = calloc(conditions->count, sizeof *filter->field);
    filter->keeps = malloc(FILTER_RECORDS_MAX);
    if (filter->field == NULL || filter->keeps == NULL)
        return -1;
    for (size_t i = 0; i < conditions->count; i++)
        filter->field[i] = (struct field_text){
            .format = format,
            .part = list->field[conditions->condition[i].column].part};
    return 0;
}

uint64_t
filter_bytes(const struct condition_list *conditions)
{
    return FILTER_RECORDS_MAX + conditions->count * sizeof(struct field_text);
}

void
filter_close(struct filter *filter)
{
    for (size_t i = 0; filter->field != NULL && i < filter->conditions->count;
         i++)
        field_text_close(&filter->field[i]);
    free(filter->field);
    free(filter->keeps);
    *filter = (struct filter){0};
}

/* ---- any value ---- */

/* Whether SLICE has the text of the row of missing fields: where there are
   escapes, it stands for one. */
static bool
is_named_missing(const struct text_format *format, const unsigned char *data,
                 struct text_slice slice)
{
    return format->is_escaped && slice.size == 2 &&
           memcmp(data + slice.at, "\\N", 2) == 0;
}

/* Set *HOLDS to whether the condition of COLUMN holds for SLICE.  Returns 0,
   or -1: out of memory. */
static int
test_any(const struct column *column, struct text_slice slice, bool *holds)
{
    binning_u32 size;

    *holds = false;
    /* What is no record has no fields, not even missing ones. */
    if (text_slice_is_invalid(slice))
        return 0;
    if (text_slice_is_missing(slice) ||
        is_named_missing(column->format, column->data, slice)) {
        *holds = condition_holds_missing(column->condition);
        return 0;
    }
    const unsigned char *text =
        field_text_find(column->field, column->data, slice, &size);
    if (text == NULL)
        return -1;
    *holds = condition_holds(column->condition, text, size);
    return 0;
}

/* Test the records from FIRST on, and before END. */
static int
test_each(const struct column *column, size_t first, size_t end)
{
    bool holds;

    for (size_t r = first; r < end; r++) {
        if (column->keeps[r] == 0)
            continue;
        if (test_any(column, column->slice[r * column->stride], &holds) < 0)
            return -1;
        column->keeps[r] = holds;
    }
    return 0;
}

/* ---- numbers ---- */

/* Test short decimals, a block at a time, and all else as any value. */
static int
test_numbers(const struct column *column)
{
    const struct condition *condition = column->condition;
    const int64_t least = condition->least;
    const int64_t most = condition->most;
    const unsigned char excluded = condition->is_excluded;
    int64_t nano[BLOCK];

    for (size_t first = 0; first < column->records; first += BLOCK) {
        size_t left = column->records - first;
        size_t count = left < BLOCK ? left : BLOCK;
        const struct text_slice *slice = column->slice + first * column->stride;
        unsigned char *keeps = column->keeps + first;
        unsigned char others = 0;
        bool holds;

        short_decimals_read(column->data, slice, count, column->stride, nano);
        for (size_t r = 0; r < count; r++) {
            unsigned char is_other = nano[r] == SHORT_DECIMALS_NONE;
            unsigned char is_within = nano[r] >= least && nano[r] <= most;
            others |= is_other;
            keeps[r] &= (is_within ^ excluded) | is_other;
        }
        for (size_t r = 0; others != 0 && r < count; r++) {
            if (nano[r] != SHORT_DECIMALS_NONE || keeps[r] == 0)
                continue;
            if (test_any(column, slice[r * column->stride], &holds) < 0)
                return -1;
            keeps[r] = holds;
        }
    }
    return 0;
}

/* ---- texts ---- */

/* Whether the value of SLICE is its bytes, which are SIZE bytes at TEXT. */
static inline bool
is_equal(const unsigned char *data, struct text_slice slice, const char *text,
         size_t size)
{
    return slice.size == size && memcmp(data + slice.at, text, size) == 0;
}

/* Test whether fields, whose values are the bytes of their slices, are equal to
   the text of the condition or not. */
static void
test_equal(const struct column *column)
{
    const struct condition *condition = column->condition;
    const struct text_slice *slice = column->slice;
    const bool wanted = condition->op == CONDITION_EQUAL;

    for (size_t r = 0; r < column->records; r++, slice += column->stride)
        column->keeps[r] &= !text_slice_is_missing(*slice) &&
                            is_equal(column->data, *slice, condition->value,
                                     condition->size) == wanted;
}

/* ---- batches ---- */

/* Test a column.  Returns 0, or -1: out of memory. */
static int
test_column(const struct column *column)
{
    const struct condition *condition = column->condition;

    if (condition->kind == CONDITION_NUMBER)
        return test_numbers(column);
    if (condition->kind == CONDITION_TEXT &&
        condition->op <= CONDITION_UNEQUAL &&
        !field_value_may_be_written(column->format, column->field->part)) {
        test_equal(column);
        return 0;
    }
    return test_each(column, 0, column->records);
}

int
filter_run(struct filter *filter, const unsigned char *data,
           const struct text_slice *slice, size_t stride, size_t records,
           uint16_t *kept, size_t *count)
{
    size_t kept_count = 0;

    memset(filter->keeps, 1, records);
    for (size_t i = 0; i < filter->conditions->count; i++) {
        const struct condition *condition = &filter->conditions->condition[i];
        const struct column column = {.condition = condition,
                                      .format = filter->format,
                                      .field = &filter->field[i],
                                      .data = data,
                                      .slice = slice + condition->column,
                                      .stride = stride,
                                      .records = records,
                                      .keeps = filter->keeps};
        if (test_column(&column) < 0)
            return -1;
    }
    for (size_t r = 0; r < records; r++) {
        kept[kept_count] = (uint16_t)r;
        kept_count += filter->keeps[r];
    }
    *count = kept_count;
    return 0;
}
