/* read_filter.c -- which sequences meet all conditions */

#include "seq/read_filter.h"
#include "seq/sequence_join.h"
#include "seq/sequence_names.h"

bool
read_filter_has(const struct condition_list *list, enum text_part first,
                enum text_part last)
{
    for (size_t i = 0; i < list->count; i++) {
        if (list->condition[i].part >= first && list->condition[i].part <= last)
            return true;
    }
    return false;
}

struct read_filter
read_filter_of(const struct text_format *format,
               const struct condition_list *conditions,
               const struct sequence_values *values)
{
    return (struct read_filter){
        .format = format,
        .conditions = conditions,
        .values = values,
        .joins = read_filter_has(conditions, TEXT_PART_SEQUENCE,
                                 TEXT_PART_SEQUENCE) ||
                 read_filter_has(conditions, TEXT_PART_GC,
                                 TEXT_PART_MEAN_ERROR_QUALITY),
    };
}

/* Whether CONDITION holds for the number that SLICE has. */
static bool
holds_number(const struct condition *condition, struct text_slice slice)
{
    const uint64_t bits = text_slice_bits(slice);

    if (bits == text_slice_bits(TEXT_SLICE_NONE))
        return condition_holds_missing(condition);
    if (condition->kind == CONDITION_MISSING)
        return condition->op == CONDITION_UNEQUAL;
    if (bits == text_slice_bits(TEXT_SLICE_EMPTY))
        return false;
    if (condition->part == TEXT_PART_LENGTH)
        return condition_holds_whole(condition, (uint32_t)bits);
    return condition_holds_double(condition, binning_bits_double(bits));
}

/* Whether RECORD of DATA meets all conditions. */
static bool
is_kept(const struct read_filter *filter, unsigned char *data,
        const struct sequence_record *record)
{
    if (filter->joins && !sequence_lacks_bases(record)) {
        sequence_join(data, record);
        if (!filter->format->keeps_case)
            sequence_join_cases(data, record);
    }
    for (size_t i = 0; i < filter->conditions->count; i++) {
        const struct condition *condition = &filter->conditions->condition[i];
        struct text_slice slice;
        if (sequence_part_unit(condition->part) != SEQUENCE_READS)
            continue;
        sequence_values_read(filter->values, condition->part, data, record, 1,
                             &slice, 1);
        bool holds =
            sequence_part_is_computed(condition->part)
                ? holds_number(condition, slice)
                : condition_holds(condition, data + slice.at, slice.size);
        if (!holds)
            return false;
    }
    return true;
}

uint64_t
read_filter_met(const struct read_filter *filter,
                const struct sequence_record *record, size_t count)
{
    bool has_quality = false;
    uint64_t met = 0;

    for (size_t r = 0; r < count && !has_quality; r++)
        has_quality = record[r].quality_end != 0;
    for (size_t i = 0; i < filter->conditions->count && count > 0; i++) {
        enum text_part part = filter->conditions->condition[i].part;
        bool needs_quality = part == TEXT_PART_QUALITY ||
                             part == TEXT_PART_MEAN_QUALITY ||
                             part == TEXT_PART_MEAN_ERROR_QUALITY;
        if (has_quality || !needs_quality)
            met |= (uint64_t)1 << i;
    }
    return met;
}

size_t
read_filter_run(const struct read_filter *filter, unsigned char *data,
                struct sequence_record *record, size_t count)
{
    size_t kept = 0;

    for (size_t r = 0; r < count; r++) {
        if (is_kept(filter, data, &record[r]))
            record[kept++] = record[r];
    }
    return kept;
}
