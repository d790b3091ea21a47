/* SPDX-License-Identifier: MIT */
/* read_filter.c -- which sequences meet all conditions */

#include <stdlib.h>

#include "seq/alignment_values.h"
#include "seq/read_filter.h"
#include "seq/sequence_join.h"
#include "seq/sequence_names.h"
#include "text/modify/modifiers.h"

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

/* Returns a bit for each condition of CHOICE that is on whole records. */
static uint64_t
reads_of(const struct condition_list *conditions,
         const struct condition_choice *choice)
{
    uint64_t reads = 0;

    for (size_t i = choice->first; i < choice->end; i++) {
        if (sequence_part_unit(conditions->condition[i].part) == SEQUENCE_READS)
            reads |= (uint64_t)1 << i;
    }
    return reads;
}

int
read_filter_open(struct read_filter *filter, const struct text_format *format,
                 const struct condition_list *conditions,
                 const struct sequence_values *values)
{
    struct condition_choice choice[CONDITIONS_MAX];

    *filter = (struct read_filter){
        .format = format,
        .conditions = conditions,
        .values = values,
        .joins = read_filter_has(conditions, TEXT_PART_SEQUENCE,
                                 TEXT_PART_SEQUENCE) ||
                 read_filter_has(conditions, TEXT_PART_GC,
                                 TEXT_PART_MEAN_ERROR_QUALITY),
    };
    size_t choices = condition_list_choices(conditions, choice);
    for (size_t c = 0; c < choices; c++) {
        uint64_t reads = reads_of(conditions, &choice[c]);
        if ((size_t)__builtin_popcountll(reads) ==
            choice[c].end - choice[c].first)
            filter->choice[filter->choices++] = choice[c];
        else
            filter->mixed |= reads;
    }
    return condition_matchers_open(&filter->matchers, conditions);
}

void
read_filter_close(struct read_filter *filter)
{
    condition_matchers_close(&filter->matchers);
    free(filter->text);
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
    if (sequence_part_type(condition->part) == SEQUENCE_INTEGER)
        return condition_holds_whole(condition, (int64_t)bits);
    return condition_holds_double(condition, binning_bits_double(bits));
}

/* Make room for SIZE bytes of text.  Returns 0, or -1: out of memory. */
static int
make_room(struct read_filter *filter, size_t size)
{
    if (size <= filter->room)
        return 0;
    unsigned char *grown = realloc(filter->text, size);
    if (grown == NULL)
        return -1;
    filter->text = grown;
    filter->room = size;
    return 0;
}

/* Returns whether condition I holds for the SIZE bytes at TEXT, of which its
   modifiers make the value, as condition_test(). */
static enum regex_result
test_text(struct read_filter *filter, size_t i, const unsigned char *text,
          size_t size)
{
    const struct condition *condition = &filter->conditions->condition[i];
    const struct modifiers *chain = &condition->chain_of_part;

    if (chain->count > 0 && make_room(filter, modifiers_room(chain, size)) < 0)
        return REGEX_NO_MEMORY;
    if (chain->count > 0 &&
        !modifiers_apply(chain, 0, chain->count, &text, &size, filter->text))
        return REGEX_NO_MATCH;
    return condition_test(condition, filter->matchers.matcher[i], text, size);
}

/* Returns whether condition I holds for RECORD of DATA, as condition_test(). */
static enum regex_result
test_condition(struct read_filter *filter, size_t i, const unsigned char *data,
               const struct sequence_record *record)
{
    const struct condition *condition = &filter->conditions->condition[i];
    struct text_slice slice;

    sequence_values_read(filter->values, condition->part, data, record, 1,
                         &slice, 1);
    if (sequence_part_is_computed(condition->part))
        return holds_number(condition, slice) ? REGEX_MATCH : REGEX_NO_MATCH;
    if (slice.at == TEXT_SLICE_MISSING)
        return condition_holds_missing(condition) ? REGEX_MATCH
                                                  : REGEX_NO_MATCH;
    return test_text(filter, i, data + slice.at, slice.size);
}

/* Returns whether RECORD of DATA fulfils CHOICE, as condition_test(). */
static enum regex_result
test_choice(struct read_filter *filter, const struct condition_choice *choice,
            const unsigned char *data, const struct sequence_record *record)
{
    enum regex_result result = REGEX_NO_MATCH;
    size_t end;

    for (size_t first = choice->first;
         first < choice->end && result == REGEX_NO_MATCH; first = end) {
        end = condition_list_alternative(filter->conditions, choice, first);
        result = REGEX_MATCH;
        for (size_t i = first; i < end && result == REGEX_MATCH; i++)
            result = test_condition(filter, i, data, record);
    }
    return result;
}

/* Returns whether RECORD of DATA meets all conditions, as condition_test(). */
static enum regex_result
test_record(struct read_filter *filter, unsigned char *data,
            const struct sequence_record *record)
{
    enum regex_result result = REGEX_MATCH;

    if (alignment_values_are_of_reference(data, record))
        return REGEX_MATCH;
    if (filter->joins && !sequence_lacks_bases(record)) {
        sequence_join(data, record);
        if (!filter->format->keeps_case)
            sequence_join_cases(data, record);
    }
    for (size_t c = 0; c < filter->choices && result == REGEX_MATCH; c++)
        result = test_choice(filter, &filter->choice[c], data, record);
    return result;
}

/* Set *HELD to a bit for each mixed condition that holds for RECORD of DATA.
   Returns REGEX_MATCH, or why a condition is not known. */
static enum regex_result
test_mixed(struct read_filter *filter, const unsigned char *data,
           const struct sequence_record *record, uint64_t *held)
{
    *held = 0;
    for (size_t i = 0; i < filter->conditions->count; i++) {
        const uint64_t bit = (uint64_t)1 << i;
        if ((filter->mixed & bit) == 0)
            continue;
        enum regex_result result = test_condition(filter, i, data, record);
        if (result > REGEX_NO_MATCH)
            return result;
        *held |= result == REGEX_MATCH ? bit : 0;
    }
    return REGEX_MATCH;
}

uint64_t
read_filter_met(const struct read_filter *filter,
                const struct sequence_record *record, size_t count)
{
    bool has_quality = false;
    bool has_words = false;
    uint64_t met = 0;

    for (size_t r = 0; r < count && !(has_quality && has_words); r++) {
        has_quality |= record[r].quality_end != 0;
        has_words |= record[r].bases_start > record[r].name_end + 1;
    }
    for (size_t i = 0; i < filter->conditions->count && count > 0; i++) {
        enum text_part part = filter->conditions->condition[i].part;
        bool needs_quality = part == TEXT_PART_QUALITY ||
                             part == TEXT_PART_MEAN_QUALITY ||
                             part == TEXT_PART_MEAN_ERROR_QUALITY;
        if ((has_quality || !needs_quality) &&
            (has_words || !alignment_values_have(part)))
            met |= (uint64_t)1 << i;
    }
    return met;
}

size_t
read_filter_run(struct read_filter *filter, unsigned char *data,
                struct sequence_record *record, size_t count, uint64_t *held,
                enum regex_result *result)
{
    size_t kept = 0;

    *result = REGEX_MATCH;
    for (size_t r = 0; r < count; r++) {
        *result = test_record(filter, data, &record[r]);
        if (*result == REGEX_MATCH && held != NULL)
            *result = test_mixed(filter, data, &record[r], &held[kept]);
        if (*result > REGEX_NO_MATCH)
            return r;
        if (*result == REGEX_MATCH)
            record[kept++] = record[r];
    }
    *result = REGEX_MATCH;
    return kept;
}
