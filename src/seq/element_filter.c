/* element_filter.c -- which bases or windows of a sequence are counted */

#include <stdlib.h>
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

/* Condition I is a choice by itself. */
static void
add_alone(struct element_filter *filter, const struct text_format *format,
          size_t i)
{
    const struct condition *condition = &filter->conditions->condition[i];

    filter->alone |= (uint64_t)1 << i;
    if (condition->part == TEXT_PART_BASE)
        add_base(filter, condition);
    else if (condition->part == TEXT_PART_QUALITY)
        add_quality(filter, format, condition);
    else
        add_position(filter, condition);
}

/* Condition I is one of a choice with alternatives. */
static void
add_to_choice(struct element_filter *filter, const struct text_format *format,
              size_t i)
{
    const struct condition *condition = &filter->conditions->condition[i];

    filter->has_bases |= condition->part == TEXT_PART_BASE;
    filter->has_reads |= condition->part < TEXT_PART_BASE;
    for (int b = 0; b < 256; b++) {
        const unsigned char base = (unsigned char)b;
        if (condition->part == TEXT_PART_BASE)
            filter->byte[i][b] = condition_holds(condition, &base, 1);
        else if (condition->part == TEXT_PART_QUALITY)
            filter->byte[i][b] =
                holds_integer(condition, b - (int64_t)format->phred);
    }
}

/* Whether a condition of CHOICE is on elements. */
static bool
is_of_elements(const struct condition_list *conditions,
               const struct condition_choice *choice)
{
    for (size_t i = choice->first; i < choice->end; i++) {
        if (conditions->condition[i].part >= TEXT_PART_BASE)
            return true;
    }
    return false;
}

/* Add CHOICE, which has conditions on elements.  Returns 0, or -1: out of
   memory. */
static int
add_choice(struct element_filter *filter, const struct text_format *format,
           const struct condition_choice *choice)
{
    const struct condition_list *conditions = filter->conditions;

    filter->is_used = true;
    for (size_t i = choice->first; i < choice->end; i++)
        filter->has_letters |=
            conditions->condition[i].part == TEXT_PART_BASE ||
            conditions->condition[i].part == TEXT_PART_QUALITY;
    if (choice->end - choice->first == 1) {
        add_alone(filter, format, choice->first);
        return 0;
    }
    if (filter->byte == NULL)
        filter->byte = calloc(conditions->count, sizeof *filter->byte);
    if (filter->byte == NULL)
        return -1;
    for (size_t i = choice->first; i < choice->end; i++)
        add_to_choice(filter, format, i);
    filter->choice[filter->choices++] = *choice;
    return 0;
}

int
element_filter_open(struct element_filter *filter,
                    const struct text_format *format,
                    const struct condition_list *conditions)
{
    struct condition_choice choice[CONDITIONS_MAX];
    size_t choices = condition_list_choices(conditions, choice);

    *filter = (struct element_filter){.conditions = conditions,
                                      .first = 1,
                                      .last = UINT32_MAX,
                                      .without_quality = true};
    memset(filter->base, true, sizeof filter->base);
    memset(filter->quality, true, sizeof filter->quality);
    for (size_t c = 0; c < choices; c++) {
        if (is_of_elements(conditions, &choice[c]) &&
            add_choice(filter, format, &choice[c]) < 0)
            return -1;
    }
    return 0;
}

void
element_filter_close(struct element_filter *filter)
{
    free(filter->byte);
    *filter = (struct element_filter){0};
}

/* Whether POSITION is in none of the gaps. */
static bool
is_outside_gaps(const struct element_filter *filter, uint32_t position)
{
    for (size_t i = 0; i < filter->conditions->count; i++) {
        const struct condition *condition = &filter->conditions->condition[i];
        if ((filter->alone >> i & 1) != 0 &&
            condition->part == TEXT_PART_POSITION &&
            !holds_integer(condition, position))
            return false;
    }
    return true;
}

/* An element of a record. */
struct sequence_element {
    const unsigned char *data;
    const struct sequence_record *record;
    uint64_t held; /* mixed conditions that hold for the record */
    uint32_t number;
};

/* Whether condition I of a choice holds for ELEMENT. */
static bool
holds(const struct element_filter *filter,
      const struct sequence_element *element, size_t i)
{
    const struct condition *condition = &filter->conditions->condition[i];
    const struct sequence_record *record = element->record;

    switch (condition->part) {
    case TEXT_PART_BASE:
        return filter
            ->byte[i][element->data[record->bases_start + element->number]];
    case TEXT_PART_QUALITY:
        return record->quality_end > 0
                   ? filter->byte[i][element->data[record->quality_start +
                                                   element->number]]
                   : condition_holds_missing(condition);
    case TEXT_PART_POSITION:
        return holds_integer(condition, (int64_t)element->number + 1);
    default:
        return (element->held >> i & 1) != 0;
    }
}

/* Whether ELEMENT fulfils an alternative of CHOICE. */
static bool
fulfils(const struct element_filter *filter,
        const struct sequence_element *element,
        const struct condition_choice *choice)
{
    size_t end;

    for (size_t first = choice->first; first < choice->end; first = end) {
        size_t i = first;
        end = condition_list_alternative(filter->conditions, choice, first);
        while (i < end && holds(filter, element, i))
            i++;
        if (i == end)
            return true;
    }
    return false;
}

/* Whether ELEMENT fulfils all choices with alternatives. */
static bool
fulfils_all(const struct element_filter *filter,
            const struct sequence_element *element)
{
    for (size_t c = 0; c < filter->choices; c++) {
        if (!fulfils(filter, element, &filter->choice[c]))
            return false;
    }
    return true;
}

/* Whether element E of RECORD, at a position that may be counted, is; HELD is
   as in element_filter_next(). */
static bool
is_kept(const struct element_filter *filter, const unsigned char *data,
        const struct sequence_record *record, uint64_t held, uint32_t e)
{
    if (filter->has_gaps && !is_outside_gaps(filter, e + 1))
        return false;
    if (filter->has_letters &&
        (!filter->base[data[record->bases_start + e]] ||
         !(record->quality_end > 0
               ? filter->quality[data[record->quality_start + e]]
               : filter->without_quality)))
        return false;
    if (filter->choices == 0)
        return true;
    const struct sequence_element element = {data, record, held, e};
    return fulfils_all(filter, &element);
}

uint32_t
element_filter_next(const struct element_filter *filter,
                    const unsigned char *data,
                    const struct sequence_record *record, uint64_t held,
                    uint32_t elements, uint32_t *at)
{
    uint32_t end = elements < filter->last ? elements : filter->last;
    uint32_t from = *at < filter->first - 1 ? filter->first - 1 : *at;

    if (from >= end)
        return 0;
    *at = from;
    if (!filter->has_gaps && !filter->has_letters && filter->choices == 0)
        return end - from;
    while (from < end && !is_kept(filter, data, record, held, from))
        from++;
    *at = from;
    while (from < end && is_kept(filter, data, record, held, from))
        from++;
    return from - *at;
}
