/* SPDX-License-Identifier: MIT */
/* element_filter.c -- which bases, windows or operations of a read are counted
 */

#include "seq/element_filter.h"
#include "seq/sequence_names.h"

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

/* Note for which bytes condition I, on the base, holds. */
static void
add_base(struct element_filter *filter, size_t i)
{
    const struct condition *condition = &filter->conditions->condition[i];

    filter->has_bases = true;
    for (int b = 0; b < 256; b++) {
        const unsigned char base = (unsigned char)b;
        if (condition_holds(condition, &base, 1))
            filter->base[b] |= (uint64_t)1 << i;
    }
}

/* The same of condition I, on the quality. */
static void
add_quality(struct element_filter *filter, const struct text_format *format,
            size_t i)
{
    const struct condition *condition = &filter->conditions->condition[i];
    const uint64_t bit = (uint64_t)1 << i;

    for (int byte = 0; byte < 256; byte++) {
        if (holds_integer(condition, byte - (int64_t)format->phred))
            filter->quality[byte] |= bit;
    }
    if (condition_holds_missing(condition))
        filter->without_quality |= bit;
}

/* CONDITION, a choice by itself, leaves out all positions before a position, or
   all after a position. */
static void
limit_positions(struct element_filter *filter,
                const struct condition *condition)
{
    int64_t least = condition->least > 0 ? condition->least : 0;
    int64_t first = least / NANO + (least % NANO > 0);
    int64_t last = condition->most < 0 ? -1 : condition->most / NANO;

    if (condition->kind == CONDITION_MISSING) {
        if (!holds_integer(condition, 0))
            filter->last = 0;
        return;
    }
    if (first > filter->first)
        filter->first = first < UINT32_MAX ? (uint32_t)first : UINT32_MAX;
    if (last < filter->last)
        filter->last = last > 0 ? (uint32_t)last : 0;
}

/* Add condition I, which IS_ALONE or has alternatives. */
static void
add_condition(struct element_filter *filter, const struct text_format *format,
              size_t i, bool is_alone)
{
    const struct condition *condition = &filter->conditions->condition[i];
    const uint64_t bit = (uint64_t)1 << i;

    if (condition->part == TEXT_PART_BASE) {
        add_base(filter, i);
    } else if (condition->part == TEXT_PART_QUALITY) {
        add_quality(filter, format, i);
    } else if (condition->part == TEXT_PART_POSITION) {
        if (is_alone && !condition->is_excluded) {
            limit_positions(filter, condition);
            return;
        }
        filter->positions |= bit;
    } else if (sequence_part_unit(condition->part) == SEQUENCE_OPERATIONS) {
        filter->operations |= bit;
    }
    filter->needed |= is_alone ? bit : 0;
}

/* Whether a condition of CHOICE is on elements. */
static bool
is_of_elements(const struct condition_list *conditions,
               const struct condition_choice *choice)
{
    for (size_t i = choice->first; i < choice->end; i++) {
        if (sequence_part_unit(conditions->condition[i].part) != SEQUENCE_READS)
            return true;
    }
    return false;
}

/* Add CHOICE, which has conditions on elements. */
static void
add_choice(struct element_filter *filter, const struct text_format *format,
           const struct condition_choice *choice)
{
    const bool is_alone = choice->end - choice->first == 1;

    filter->is_used = true;
    for (size_t i = choice->first; i < choice->end; i++) {
        enum text_part part = filter->conditions->condition[i].part;
        filter->has_letters |=
            part == TEXT_PART_BASE || part == TEXT_PART_QUALITY;
        add_condition(filter, format, i, is_alone);
    }
    if (!is_alone)
        filter->choice[filter->choices++] = *choice;
}

void
element_filter_open(struct element_filter *filter,
                    const struct text_format *format,
                    const struct condition_list *conditions)
{
    struct condition_choice choice[CONDITIONS_MAX];
    size_t choices = condition_list_choices(conditions, choice);

    *filter = (struct element_filter){
        .conditions = conditions, .first = 1, .last = UINT32_MAX};
    for (size_t c = 0; c < choices; c++) {
        if (is_of_elements(conditions, &choice[c]))
            add_choice(filter, format, &choice[c]);
    }
}

/* Returns a bit for each condition of the filter's positions that holds for
   POSITION. */
static uint64_t
held_at(const struct element_filter *filter, uint32_t position)
{
    uint64_t held = 0;

    for (uint64_t left = filter->positions; left != 0; left &= left - 1) {
        int i = __builtin_ctzll(left);
        if (holds_integer(&filter->conditions->condition[i], position))
            held |= (uint64_t)1 << i;
    }
    return held;
}

/* Returns a bit for each condition on operations that holds for OPERATION of
   DATA. */
static uint64_t
held_of_operation(const struct element_filter *filter,
                  const unsigned char *data, struct cigar_operation operation)
{
    uint64_t held = 0;

    for (uint64_t left = filter->operations; left != 0; left &= left - 1) {
        const int i = __builtin_ctzll(left);
        const struct condition *condition = &filter->conditions->condition[i];
        const int64_t number = condition->part == TEXT_PART_CIGAR_LENGTH
                                   ? (int64_t)operation.length
                                   : (int64_t)operation.cycle;
        const bool holds =
            condition->part == TEXT_PART_CIGAR_OPS
                ? condition_holds(condition, &data[operation.letter], 1)
                : holds_integer(condition, number);
        held |= holds ? (uint64_t)1 << i : 0;
    }
    return held;
}

/* Whether an element for which the conditions HELD hold fulfils an alternative
   of CHOICE. */
static bool
fulfils(const struct element_filter *filter,
        const struct condition_choice *choice, uint64_t held)
{
    size_t end;

    for (size_t first = choice->first; first < choice->end; first = end) {
        size_t i = first;
        end = condition_list_alternative(filter->conditions, choice, first);
        while (i < end && (held >> i & 1) != 0)
            i++;
        if (i == end)
            return true;
    }
    return false;
}

/* Whether the element at POSITION, for which the conditions HELD hold, fulfils
   all choices.  Not inlined, which keeps is_kept() short. */
static __attribute__((noinline)) bool
fulfils_all(const struct element_filter *filter, uint64_t held,
            uint32_t position)
{
    held |= held_at(filter, position);
    if ((held & filter->needed) != filter->needed)
        return false;
    for (size_t c = 0; c < filter->choices; c++) {
        if (!fulfils(filter, &filter->choice[c], held))
            return false;
    }
    return true;
}

/* Whether element E of RECORD, at a position that may be counted, is; HELD is
   as in element_filter_next(). */
static bool
is_kept(const struct element_filter *filter, const unsigned char *data,
        const struct sequence_record *record, uint64_t held,
        struct cigar_walk *walk, uint32_t e)
{
    if (filter->operations != 0)
        held |= held_of_operation(filter, data, cigar_walk_to(walk, data, e));
    if (filter->has_letters)
        held |= filter->base[data[record->bases_start + e]] |
                (record->quality_end > 0
                     ? filter->quality[data[record->quality_start + e]]
                     : filter->without_quality);
    if (filter->choices == 0 && filter->positions == 0)
        return (held & filter->needed) == filter->needed;
    return fulfils_all(filter, held, e + 1);
}

uint32_t
element_filter_next(const struct element_filter *filter,
                    const unsigned char *data,
                    const struct sequence_record *record, uint64_t held,
                    uint32_t elements, struct cigar_walk *walk, uint32_t *at)
{
    uint32_t end = elements < filter->last ? elements : filter->last;
    uint32_t from = *at < filter->first - 1 ? filter->first - 1 : *at;

    if (from >= end)
        return 0;
    *at = from;
    if (filter->needed == 0 && filter->choices == 0)
        return end - from;
    while (from < end && !is_kept(filter, data, record, held, walk, from))
        from++;
    *at = from;
    while (from < end && is_kept(filter, data, record, held, walk, from))
        from++;
    return from - *at;
}
