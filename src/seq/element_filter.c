/* element_filter.c -- which bases or windows of a sequence are counted */

#include <string.h>

#include "seq/element_filter.h"

#define NANO 1000000000

/* Whether CONDITION, on a number, holds for WHOLE. */
static bool
holds_integer(const struct condition *condition, int64_t whole)
{
    if (condition->kind == CONDITION_MISSING)
        return condition->op == CONDITION_UNEQUAL;
    return whole >= 0 ? condition_holds_whole(condition, (uint32_t)whole)
                      : condition_holds_double(condition, (double)whole);
}

static void
add_base(struct element_filter *filter, const struct condition *condition)
{
    filter->has_bases = true;
    for (int b = 0; b < 256; b++) {
        const unsigned char base = (unsigned char)b;
        filter->base[b] &= condition_holds(condition, &base, 1);
    }
}

static void
add_quality(struct element_filter *filter, const struct text_format *format,
            const struct condition *condition)
{
    for (int byte = 0; byte < 256; byte++)
        filter->quality[byte] &=
            holds_integer(condition, byte - (int64_t)format->phred);
    filter->without_quality &= condition_holds_missing(condition);
}

/* CONDITION leaves out some positions between others, all positions before a
   position, or all after a position. */
static void
add_position(struct element_filter *filter, const struct condition *condition)
{
    int64_t least = condition->least > 0 ? condition->least : 0;
    int64_t first = least / NANO + (least % NANO > 0);
    int64_t last = condition->most < 0 ? -1 : condition->most / NANO;

    if (condition->kind == CONDITION_MISSING) {
        if (!holds_integer(condition, 0))
            filter->last = 0;
    } else if (condition->is_excluded) {
        filter->has_gaps = true;
    } else {
        if (first > filter->first)
            filter->first = first < UINT32_MAX ? (uint32_t)first : UINT32_MAX;
        if (last < filter->last)
            filter->last = last > 0 ? (uint32_t)last : 0;
    }
}

void
element_filter_open(struct element_filter *filter,
                    const struct text_format *format,
                    const struct condition_list *conditions)
{
    *filter = (struct element_filter){.conditions = conditions,
                                      .first = 1,
                                      .last = UINT32_MAX,
                                      .without_quality = true};
    memset(filter->base, true, sizeof filter->base);
    memset(filter->quality, true, sizeof filter->quality);
    for (size_t i = 0; i < conditions->count; i++) {
        const struct condition *condition = &conditions->condition[i];
        if (condition->part < TEXT_PART_BASE)
            continue;
        filter->is_used = true;
        filter->has_letters |= condition->part != TEXT_PART_POSITION;
        if (condition->part == TEXT_PART_BASE)
            add_base(filter, condition);
        else if (condition->part == TEXT_PART_QUALITY)
            add_quality(filter, format, condition);
        else
            add_position(filter, condition);
    }
}

/* Whether POSITION is in none of the gaps. */
static bool
is_outside_gaps(const struct element_filter *filter, uint32_t position)
{
    for (size_t i = 0; i < filter->conditions->count; i++) {
        const struct condition *condition = &filter->conditions->condition[i];
        if (condition->part == TEXT_PART_POSITION &&
            !holds_integer(condition, position))
            return false;
    }
    return true;
}

/* Whether element E of RECORD, at a position that may be counted, is. */
static bool
is_kept(const struct element_filter *filter, const unsigned char *data,
        const struct sequence_record *record, uint32_t e)
{
    if (filter->has_gaps && !is_outside_gaps(filter, e + 1))
        return false;
    if (!filter->has_letters)
        return true;
    return filter->base[data[record->bases_start + e]] &&
           (record->quality_end > 0
                ? filter->quality[data[record->quality_start + e]]
                : filter->without_quality);
}

uint32_t
element_filter_next(const struct element_filter *filter,
                    const unsigned char *data,
                    const struct sequence_record *record, uint32_t elements,
                    uint32_t *at)
{
    uint32_t end = elements < filter->last ? elements : filter->last;
    uint32_t from = *at < filter->first - 1 ? filter->first - 1 : *at;

    if (from >= end)
        return 0;
    *at = from;
    if (!filter->has_gaps && !filter->has_letters)
        return end - from;
    while (from < end && !is_kept(filter, data, record, from))
        from++;
    *at = from;
    while (from < end && is_kept(filter, data, record, from))
        from++;
    return from - *at;
}
