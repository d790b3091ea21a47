/* SPDX-License-Identifier: MIT */
/* filter.c -- which records of a batch meet all conditions */

#include <stdlib.h>
#include <string.h>

#include "base/eight_bytes.h"
#include "kernels/text/hash.h"
#include "text/filter.h"
#include "text/short_decimals.h"

/* Numbers that are read at a time. */
#define BLOCK ((size_t)SHORT_DECIMALS_BATCH)

/* If one in this many numbers is not like the first one, they are mixed. */
#define OTHERS_FEW 32

/* A batch; of RECORDS, all before the first wrong one. */
struct filter_batch {
    const unsigned char *data;
    const struct text_slice *slice;
    size_t stride;
    size_t records;
};

/* A condition on a column of a batch. */
struct filter_column {
    const struct condition *condition;
    struct regex_matcher *matcher;
    const struct text_format *format;
    struct field_text *field;
    const unsigned char *data;
    const struct text_slice *slice; /* of the first record */
    size_t stride;
    size_t records;
    bool are_plain; /* as of the filter */
    unsigned char *keeps;
    size_t wrong; /* the first record that takes too many steps, or SIZE_MAX */
};

/* Whether a choice of CONDITIONS has alternatives. */
static bool
has_alternatives(const struct condition_list *conditions)
{
    for (size_t i = 0; i < conditions->count; i++) {
        if (conditions->condition[i].is_after_or)
            return true;
    }
    return false;
}

int
filter_open(struct filter *filter, const struct text_format *format,
            const struct condition_list *conditions,
            const struct field_list *list)
{
    *filter = (struct filter){.format = format, .conditions = conditions};
    filter->field = calloc(conditions->count, sizeof *filter->field);
    filter->keeps = malloc(FILTER_RECORDS_MAX);
    if (filter->field == NULL || filter->keeps == NULL ||
        condition_matchers_open(&filter->matchers, conditions) < 0)
        return -1;
    if (has_alternatives(conditions)) {
        filter->some = malloc(FILTER_RECORDS_MAX);
        filter->own = malloc(FILTER_RECORDS_MAX);
        if (filter->some == NULL || filter->own == NULL)
            return -1;
    }
    filter->choices = condition_list_choices(conditions, filter->choice);
    for (size_t i = 0; i < conditions->count; i++)
        filter->field[i] = (struct field_text){
            .format = format,
            .part = list->field[conditions->condition[i].column].part};
    return 0;
}

uint64_t
filter_bytes(const struct condition_list *conditions)
{
    uint64_t masks = has_alternatives(conditions) ? 3 : 1;

    return masks * FILTER_RECORDS_MAX +
           conditions->count * sizeof(struct field_text);
}

void
filter_close(struct filter *filter)
{
    for (size_t i = 0; filter->field != NULL && i < filter->conditions->count;
         i++)
        field_text_close(&filter->field[i]);
    free(filter->field);
    free(filter->keeps);
    free(filter->some);
    free(filter->own);
    condition_matchers_close(&filter->matchers);
    *filter = (struct filter){0};
}

/* ---- any value ---- */

/* Returns whether the condition of COLUMN holds for SLICE, as
   condition_test(). */
static enum regex_result
test_any(const struct filter_column *column, struct text_slice slice)
{
    binning_u32 size;

    /* A text that is not a record has no fields, not even missing fields. */
    if (text_slice_is_invalid(slice))
        return REGEX_NO_MATCH;
    if (text_slice_is_missing(slice) ||
        field_value_names_missing(column->format, column->data, slice))
        return condition_holds_missing(column->condition) ? REGEX_MATCH
                                                          : REGEX_NO_MATCH;
    const unsigned char *text =
        field_text_find(column->field, column->data, slice, &size);
    if (text == NULL)
        return REGEX_NO_MEMORY;
    return condition_test(column->condition, column->matcher, text, size);
}

/* Test RECORD by itself.  Returns whether the next records may be tested; if
   not, memory runs out, or COLUMN->wrong is set. */
static inline bool
test_record(struct filter_column *column, size_t record)
{
    enum regex_result result =
        test_any(column, column->slice[record * column->stride]);

    column->keeps[record] = result == REGEX_MATCH;
    if (result == REGEX_LIMIT)
        column->wrong = record;
    return result <= REGEX_NO_MATCH;
}

/* Test each record by itself.  Returns 0, or -1: out of memory. */
static int
test_each(struct filter_column *column)
{
    for (size_t r = 0; r < column->records; r++) {
        if (column->keeps[r] != 0 && !test_record(column, r))
            return column->wrong == r ? 0 : -1;
    }
    return 0;
}

/* ---- the last bytes of a field ---- */

/* Bytes of a field that are looked at together. */
#define WORD_BYTES 8

/* Whether SLICE is not missing, and so many bytes of the chunk are before its
   end. */
static inline bool
has_tail(struct text_slice slice)
{
    return (size_t)slice.at + slice.size >= WORD_BYTES &&
           !text_slice_is_missing(slice);
}

/* ---- numbers ---- */

/* Leave out, of the COUNT records of a block at KEEPS, those that are not in
   KEPT. */
static void
keep_some(unsigned char *keeps, size_t count, uint64_t kept)
{
    for (size_t r = 0; r < count; r++)
        keeps[r] &= (unsigned char)(kept >> r & 1);
}

/* Test the records among OTHERS of the block from FIRST on, one by one.
   Returns 0, or -1: out of memory. */
static int
test_others(struct filter_column *column, size_t first, uint64_t others)
{
    for (; others != 0; others &= others - 1) {
        size_t record = first + (size_t)__builtin_ctzll(others);
        if (column->keeps[record] != 0 && !test_record(column, record))
            return -1;
    }
    return 0;
}

/* Test a condition on numbers.  Returns 0, or -1: out of memory. */
static int
test_numbers(struct filter_column *column)
{
    const struct condition *condition = column->condition;
    const uint64_t excluded = condition->is_excluded ? UINT64_MAX : 0;
    struct short_decimals batch;
    struct short_alike alike = {0};
    bool are_mixed = false;

    for (size_t first = 0; first < column->records; first += BLOCK) {
        struct short_decimals_found found = {0, UINT64_MAX};
        size_t left = column->records - first;
        size_t count = left < BLOCK ? left : BLOCK;
        uint64_t all = left < BLOCK ? ((uint64_t)1 << left) - 1 : UINT64_MAX;

        short_decimals_load(&batch, column->data,
                            column->slice + first * column->stride, count,
                            column->stride);
        if (first == 0)
            alike =
                short_decimals_alike(&batch, condition->least, condition->most);
        if (!are_mixed)
            found = short_decimals_find_alike(&batch, &alike);
        /* Few other numbers are read one by one. */
        if ((size_t)__builtin_popcountll(found.others & all) >
            count / OTHERS_FEW) {
            are_mixed = true;
            found =
                short_decimals_find(&batch, condition->least, condition->most);
        }
        uint64_t kept = (found.within ^ excluded) | found.others;
        if ((kept & all) != all)
            keep_some(column->keeps + first, count, kept);
        if (test_others(column, first, found.others & all) < 0)
            return -1;
    }
    return 0;
}

/* ---- texts ---- */

/* Whether the bytes of SLICE, which is not missing, are the text of CONDITION.
   In the data, few bytes or none are before the slice. */
static __attribute__((noinline)) bool
is_equal_far(const struct condition *condition, const unsigned char *data,
             struct text_slice slice)
{
    return slice.size == condition->size &&
           memcmp(data + slice.at, condition->value, slice.size) == 0;
}

/*
 * Test whether fields, whose values are the bytes of their slices, are equal to
 * the text of the condition.  No branch of the loop depends on a text of at
 * most a word.
 */
static void
test_equal(const struct filter_column *column)
{
    const struct condition *condition = column->condition;
    const unsigned char *value = (const unsigned char *)condition->value;
    const size_t size = condition->size;
    const bool is_wanted = condition->op == CONDITION_EQUAL;
    const size_t tail = size < WORD_BYTES ? size : WORD_BYTES;
    const unsigned char *const data = column->data;
    unsigned char *const keeps = column->keeps;
    const size_t records = column->records;
    const size_t stride = column->stride;
    const struct text_slice *slice = column->slice;
    unsigned char bytes[WORD_BYTES] = {0};

    memcpy(bytes + WORD_BYTES - tail, value + size - tail, tail);
    const uint64_t wanted = hash_load(bytes);
    /* The bytes before a short text do not count. */
    const uint64_t mask = tail > 0 ? UINT64_MAX << 8 * (WORD_BYTES - tail) : 0;
    for (size_t r = 0; r < records; r++, slice += stride) {
        uint64_t start = (uint64_t)slice->at + slice->size - WORD_BYTES;
        /* A missing slice is behind any chunk. */
        if (start < TEXT_SLICE_MISSING - WORD_BYTES) {
            uint64_t differs = (hash_load(data + start) ^ wanted) & mask;
            bool is_equal = (differs | (slice->size ^ size)) == 0;
            if (size > WORD_BYTES && is_equal)
                is_equal = memcmp(data + slice->at, value, size) == 0;
            keeps[r] &= is_equal == is_wanted;
        } else {
            keeps[r] &= !text_slice_is_missing(*slice) &&
                        is_equal_far(condition, data, *slice) == is_wanted;
        }
    }
}

/*
 * A text is compared in words of 8 bytes, the first byte highest, with zeros
 * after the end of the text.  The first words that differ are in the order of
 * the texts, because a zero stands for the least byte, or for none.  If no word
 * differs, the shorter text comes first.
 */

/* Returns the first word of the SIZE bytes at TEXT.  If SIZE is below 8, the
   bytes before TEXT may be read. */
static inline uint64_t
head_of(const unsigned char *text, size_t size)
{
    if (size >= WORD_BYTES)
        return __builtin_bswap64(hash_load(text));
    uint64_t tail = hash_load(text + size - WORD_BYTES);
    return size == 0 ? 0 : __builtin_bswap64(tail >> (64 - 8 * size));
}

/* A condition on the order of a text and another one. */
struct text_order {
    const unsigned char *text; /* of the condition: SIZE bytes */
    size_t size;
    uint64_t head;
    bool wants_less;  /* lesser texts are wanted, or else greater ones ... */
    bool wants_equal; /* ... and equal ones */
};

/* Returns whether ORDER wants TEXT, of SIZE bytes, whose head is the same. */
static bool
wants_tied(const struct text_order *order, const unsigned char *text,
           size_t size)
{
    size_t common = size < order->size ? size : order->size;

    for (size_t at = WORD_BYTES; at < common; at += WORD_BYTES) {
        uint64_t word = head_of(text + at, size - at);
        uint64_t wanted = head_of(order->text + at, order->size - at);
        if (word != wanted)
            return (word < wanted) == order->wants_less;
    }
    return size == order->size ? order->wants_equal
                               : (size < order->size) == order->wants_less;
}

/* Test whether fields, whose values are the bytes of their slices, are before
   or after the text of the condition. */
static void
test_order(const struct filter_column *column)
{
    const struct condition *condition = column->condition;
    const enum condition_op op = condition->op;
    const unsigned char *const data = column->data;
    unsigned char *const keeps = column->keeps;
    const size_t records = column->records;
    const size_t stride = column->stride;
    const struct text_slice *slice = column->slice;
    unsigned char bytes[2 * WORD_BYTES] = {0};
    struct text_order order = {
        .text = (const unsigned char *)condition->value,
        .size = condition->size,
        .wants_less = op == CONDITION_LESS || op == CONDITION_AT_MOST,
        .wants_equal = op == CONDITION_AT_MOST || op == CONDITION_AT_LEAST};

    memcpy(bytes + WORD_BYTES, order.text,
           order.size < WORD_BYTES ? order.size : WORD_BYTES);
    order.head = head_of(bytes + WORD_BYTES,
                         order.size < WORD_BYTES ? order.size : WORD_BYTES);
    const uint64_t wanted = order.head;
    const bool wants_less = order.wants_less;
    for (size_t r = 0; r < records; r++, slice += stride) {
        bool is_kept = false;
        if (has_tail(*slice)) {
            const unsigned char *text = data + slice->at;
            uint64_t head = head_of(text, slice->size);
            is_kept = head != wanted ? (head < wanted) == wants_less
                                     : wants_tied(&order, text, slice->size);
        } else if (!text_slice_is_missing(*slice)) {
            is_kept = condition_holds(condition, data + slice->at, slice->size);
        }
        keeps[r] &= is_kept;
    }
}

/* ---- batches ---- */

/* Whether some record has the field of COLUMN. */
static bool
has_field(const struct filter_column *column)
{
    const struct text_slice *slice = column->slice;

    for (size_t r = 0; r < column->records; r++, slice += column->stride) {
        if (!text_slice_is_missing(*slice) &&
            !field_value_names_missing(column->format, column->data, *slice))
            return true;
    }
    return false;
}

/* Test a column.  Returns 0, or -1: out of memory. */
static int
test_column(struct filter_column *column)
{
    const struct condition *condition = column->condition;

    if (condition->kind == CONDITION_NUMBER)
        return test_numbers(column);
    if (condition->kind != CONDITION_TEXT ||
        (!column->are_plain &&
         field_value_may_be_written(column->format, column->field->part)))
        return test_each(column);
    if (condition->op <= CONDITION_UNEQUAL)
        test_equal(column);
    else
        test_order(column);
    return 0;
}

/* Test condition I, on a list, for the records that KEEPS has; for others only
   while no record is known to have the field.  Returns 0, or -1: out of
   memory. */
static int
test_list(struct filter *filter, struct filter_batch *batch, size_t i,
          unsigned char *keeps)
{
    const uint64_t bit = (uint64_t)1 << i;

    for (size_t r = 0; r < batch->records; r++) {
        if (keeps[r] == 0 && (filter->met & bit) != 0)
            continue;
        enum regex_result result = filter->test_list(filter->lists, i, r);
        if (result == REGEX_NO_MEMORY)
            return -1;
        if (result == REGEX_LIMIT && keeps[r] != 0) {
            filter->wrong = batch->records = r;
            filter->wrong_condition = i;
        }
        keeps[r] &= result == REGEX_MATCH;
    }
    return 0;
}

/* Test condition I for the records that KEEPS has.  Returns 0, or -1: out of
   memory. */
static int
test_condition(struct filter *filter, struct filter_batch *batch, size_t i,
               unsigned char *keeps)
{
    const struct condition *condition = &filter->conditions->condition[i];
    const uint64_t bit = (uint64_t)1 << i;
    struct filter_column column = {.condition = condition,
                                   .matcher = filter->matchers.matcher[i],
                                   .format = filter->format,
                                   .field = &filter->field[i],
                                   .data = batch->data,
                                   .slice = batch->slice + condition->column,
                                   .stride = batch->stride,
                                   .records = batch->records,
                                   .are_plain = filter->are_plain,
                                   .keeps = keeps,
                                   .wrong = SIZE_MAX};

    if (condition->is_of_list)
        return test_list(filter, batch, i, keeps);
    if ((filter->met & bit) == 0 && has_field(&column))
        filter->met |= bit;
    if (test_column(&column) < 0)
        return -1;
    if (column.wrong != SIZE_MAX) {
        filter->wrong = batch->records = column.wrong;
        filter->wrong_condition = i;
    }
    return 0;
}

/* Test the conditions from FIRST up to END for the records that KEEPS has, the
   cheap ones first.  Returns 0, or -1: out of memory. */
static int
test_all(struct filter *filter, struct filter_batch *batch, size_t first,
         size_t end, unsigned char *keeps)
{
    const struct condition *condition = filter->conditions->condition;

    for (int cost = 0; cost < CONDITION_COSTS; cost++) {
        for (size_t i = first; i < end; i++) {
            if (condition_cost_of(&condition[i]) == (enum condition_cost)cost &&
                test_condition(filter, batch, i, keeps) < 0)
                return -1;
        }
    }
    return 0;
}

/* Test CHOICE, which has alternatives.  Returns 0, or -1: out of memory. */
static int
test_alternatives(struct filter *filter, struct filter_batch *batch,
                  const struct condition_choice *choice)
{
    const struct condition_list *conditions = filter->conditions;
    unsigned char *const some = filter->some;
    unsigned char *const own = filter->own;
    size_t end;

    memset(some, 0, batch->records);
    for (size_t first = choice->first; first < choice->end; first = end) {
        end = condition_list_alternative(conditions, choice, first);
        for (size_t r = 0; r < batch->records; r++)
            own[r] = filter->keeps[r] ^ some[r];
        if (test_all(filter, batch, first, end, own) < 0)
            return -1;
        for (size_t r = 0; r < batch->records; r++)
            some[r] |= own[r];
    }
    memcpy(filter->keeps, some, batch->records);
    return 0;
}

/* Returns how many of RECORDS KEEPS has. */
static size_t
count_kept(const unsigned char *keeps, size_t records)
{
    size_t kept = 0;
    size_t r = 0;

    for (; r + WORD_BYTES <= records; r += WORD_BYTES)
        kept += hash_load(keeps + r) * EIGHT_BYTES(1) >> 56;
    for (; r < records; r++)
        kept += keeps[r];
    return kept;
}

int
filter_run(struct filter *filter, const unsigned char *data,
           const struct text_slice *slice, size_t stride, size_t records,
           size_t *kept)
{
    struct filter_batch batch = {data, slice, stride, records};

    memset(filter->keeps, 1, records);
    filter->wrong = SIZE_MAX;
    for (size_t c = 0; c < filter->choices; c++) {
        const struct condition_choice *choice = &filter->choice[c];
        const uint64_t bit = (uint64_t)1 << choice->first;
        int result =
            choice->end - choice->first > 1
                ? test_alternatives(filter, &batch, choice)
                : test_condition(filter, &batch, choice->first, filter->keeps);
        if (result < 0)
            return -1;
        if ((filter->fulfilled & bit) == 0 &&
            memchr(filter->keeps, 1, batch.records) != NULL)
            filter->fulfilled |= bit;
    }
    *kept = count_kept(filter->keeps, batch.records);
    return 0;
}
