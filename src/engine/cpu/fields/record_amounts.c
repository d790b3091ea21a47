/* SPDX-License-Identifier: MIT */
/* record_amounts.c -- how much each record of a batch of text counts */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/fields/record_amounts.h"
#include "engine/cpu/keys/number_field.h"
#include "kernels/text/text_number.h"
#include "text/short_decimals.h"

#define WIDE_MIN 64

/* The most elements of a list that are tested together. */
#define ELEMENTS_MAX 256

/* All numbers with so many digits are less than 2^64. */
#define SAFE_DIGITS 19

/* The number 1 as a nano. */
#define NANOS_OF_ONE INT64_C(1000000000)

static const char no_count[] =
    "is no whole number from 0 to 18446744073709551615";

/*
 * Read the SIZE digits at TEXT to *COUNT.  Returns false if there are none, if
 * one is not a digit or if the number is too great.
 */
static bool
read_digits(const unsigned char *text, size_t size, uint64_t *count)
{
    uint64_t value = 0;

    for (size_t i = 0; i < size; i++) {
        unsigned int digit = (unsigned int)text[i] - '0';
        if (digit > 9)
            return false;
        if (i >= SAFE_DIGITS && value > (UINT64_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *count = value;
    return size > 0;
}

/* ---- the last field ---- */

/* Whether the record at DATA has a field before that of SLICE. */
static bool
has_field_before(const struct text_format *format, const unsigned char *data,
                 struct text_slice slice)
{
    const struct text_type *type = text_type_of(format->kind);
    size_t at = slice.at;

    if (!type->has_delimiter) {
        while (at > 0 && fields_is_blank(data[at - 1]) &&
               data[at - 1] != format->end)
            at--;
        return at > 0 && data[at - 1] != format->end;
    }
    /* A quote that belongs to the field. */
    if (type->values == TEXT_VALUES_CSV && at > 0 && data[at - 1] == '"')
        at--;
    return at > 0 && data[at - 1] == format->delimiter;
}

/* Returns where the slice of field I of the spec is among those of a scan. */
static size_t
source_of(const struct record_amounts *amounts, size_t i)
{
    return amounts->source != NULL ? amounts->source[i] : i;
}

/* Read the count of a record with these fields.  Returns NULL, or the error. */
static const char *
read_last(const struct record_amounts *amounts, const unsigned char *data,
          const struct text_slice *field, uint64_t *count,
          struct wrong_amount *wrong)
{
    const struct spec *spec = amounts->spec;
    const struct text_format *format = &spec->text;
    struct text_slice slice = field[source_of(amounts, spec->text_weight)];
    size_t at = slice.at;
    size_t end = at + slice.size;

    wrong->slice = slice;
    wrong->noun = "record";
    if (text_slice_is_missing(slice) || !has_field_before(format, data, slice))
        return "has no count";
    if (format->counts == TEXT_COUNTS_ONLY &&
        slice.at != field[source_of(amounts, 0)].at +
                        field[source_of(amounts, 0)].size + 1)
        return "has more fields than a value and its count: --fields or "
               "--group-by says which ones to count; rows of bins can be "
               "added up with --state and --merge";
    while (at < end && text_number_is_blank(data[at]))
        at++;
    while (end > at && text_number_is_blank(data[end - 1]))
        end--;
    wrong->noun = "count";
    return read_digits(data + at, end - at, count) ? NULL : no_count;
}

static bool
is_word(const unsigned char *data, struct text_slice slice, const char *word)
{
    return slice.size == strlen(word) &&
           memcmp(data + slice.at, word, slice.size) == 0;
}

/*
 * What the counted fields of a record are if they are the names of special
 * rows.  Returns NULL, or the error.
 */
static const char *
read_names(const struct record_amounts *amounts, const unsigned char *data,
           struct text_slice *field, struct wrong_amount *wrong)
{
    const struct spec *spec = amounts->spec;

    for (size_t i = 0; i < spec->axis_count; i++) {
        struct text_slice *source = &field[source_of(amounts, i)];
        struct text_slice slice = *source;
        if (slice.size < 2 || data[slice.at] != '\\')
            continue;
        wrong->slice = slice;
        wrong->noun = "value";
        if (is_word(data, slice, "\\N"))
            *source = TEXT_SLICE_NONE;
        else if (is_word(data, slice, "\\other"))
            return "stands for values that --top, --min-count or --max-count "
                   "left out: --no-other leaves out this row, and --state "
                   "keeps all values";
        else if (!spec->shown[i].is_text && (is_word(data, slice, "\\empty") ||
                                             is_word(data, slice, "\\invalid")))
            return "is no value, but the row of fields that are no numbers: "
                   "numbers need the --dtype or the bins with which they were "
                   "counted";
    }
    return NULL;
}

/* ---- uniq -c ---- */

/* Read the count at the start of SLICE, a record, and leave only the value in
   SLICE.  Returns NULL, or the error. */
static const char *
read_first(const unsigned char *data, struct text_slice *slice, uint64_t *count,
           struct wrong_amount *wrong)
{
    size_t end = slice->at + slice->size;
    size_t first = slice->at;

    while (first < end && fields_is_blank(data[first]))
        first++;
    size_t at = first;
    while (at < end && !fields_is_blank(data[at]))
        at++;
    wrong->slice.at = (binning_u32)first;
    wrong->slice.size = (binning_u32)(at - first);
    wrong->noun = "count";
    if (!read_digits(data + first, at - first, count))
        return no_count;
    if (at == end)
        return "is not followed by a blank and a value";
    slice->at = (binning_u32)(at + 1);
    slice->size = (binning_u32)(end - at - 1);
    return NULL;
}

/*
 * Read the counts of *RECORDS records to COUNT, the bits of uint64_t, and keep
 * in SLICE the records whose count is not 0.  Otherwise as
 * record_amounts_choose().
 */
static bool
read_counts(const struct record_amounts *amounts, const unsigned char *data,
            struct text_slice *slice, size_t *records, int64_t *count,
            struct wrong_amount *wrong)
{
    const struct spec *spec = amounts->spec;
    size_t fields = amounts->sources;
    struct text_slice *kept = slice;
    size_t kept_count = 0;

    for (size_t r = 0; r < *records; r++, slice += fields) {
        uint64_t times;
        const char *reason =
            spec->text.counts == TEXT_COUNTS_FIRST
                ? read_first(data, slice, &times, wrong)
                : read_last(amounts, data, slice, &times, wrong);
        if (reason == NULL && spec->text.is_escaped)
            reason = read_names(amounts, data, slice, wrong);
        if (reason != NULL) {
            wrong->reason = reason;
            return false;
        }
        if (times == 0)
            continue;
        if (kept != slice)
            memcpy(kept, slice, fields * sizeof *kept);
        kept += fields;
        count[kept_count++] = (int64_t)times;
    }
    *records = kept_count;
    return true;
}

/* ---- weights ---- */

/* Append SUM, and set *WEIGHT to its number.  0, or -1: no memory. */
static int
append_wide(struct record_amounts *amounts, const struct decimal_sum *sum,
            int64_t *weight)
{
    if (amounts->wide_count == amounts->wide_room) {
        size_t room = 2 * amounts->wide_room + WIDE_MIN;
        struct decimal_sum *wide = realloc(amounts->wide, room * sizeof *wide);
        if (wide == NULL)
            return -1;
        amounts->wide = wide;
        amounts->wide_room = room;
    }
    *weight = key_weight_of_wide(amounts->wide_count);
    amounts->wide[amounts->wide_count++] = *sum;
    return 0;
}

enum reading_result {
    READING_DONE,
    READING_MISSING, /* no value: the weight is 0 */
    READING_WRONG,
    READING_NO_MEMORY,
};

/* Read the weight of SLICE. */
static enum reading_result
read_weight(struct record_amounts *amounts, const unsigned char *data,
            struct text_slice slice, int64_t *weight, bool *is_number)
{
    struct text_number number;
    struct decimal_sum sum;
    binning_u32 size;

    *weight = 0;
    if (text_slice_is_missing(slice))
        return READING_MISSING;
    const unsigned char *text =
        field_text_find(&amounts->field, data, slice, &size);
    if (text == NULL)
        return READING_NO_MEMORY;
    text_number_scan(text, size, &number);
    if (decimal_nano_read(weight, &number))
        return READING_DONE;
    if (field_value_is_empty(amounts->field.format, &number, text, size))
        return READING_MISSING;
    *is_number = number.kind == TEXT_NUMBER_FINITE;
    if (decimal_sum_read(&sum, &number, text) < 0)
        return READING_WRONG;
    return append_wide(amounts, &sum, weight) == 0 ? READING_DONE
                                                   : READING_NO_MEMORY;
}

/*
 * Read the weights of RECORDS records.  Returns how many are read: all, or the
 * records before the first wrong record, which *WRONG describes; or SIZE_MAX:
 * out of memory.
 */
static size_t
read_weights(struct record_amounts *amounts, const unsigned char *data,
             const struct text_slice *slice, size_t records,
             struct wrong_amount *wrong)
{
    size_t stride = amounts->spec->text_fields.count;
    bool is_number = false;

    slice += amounts->spec->text_weight;
    amounts->wide_count = 0;
    short_decimals_read(data, slice, records, stride, amounts->weight);
    for (size_t r = 0; r < records; r++, slice += stride) {
        if (amounts->weight[r] != SHORT_DECIMALS_NONE)
            continue;
        switch (read_weight(amounts, data, *slice, &amounts->weight[r],
                            &is_number)) {
        case READING_DONE:
            break;
        case READING_MISSING:
            amounts->unweighted++;
            break;
        case READING_NO_MEMORY:
            return SIZE_MAX;
        default:
            *wrong = (struct wrong_amount){
                .slice = *slice,
                .noun = "weight",
                .reason = is_number ? "has more than 38 digits before or after "
                                      "the decimal point"
                                    : "is no number",
            };
            return r;
        }
    }
    return records;
}

/* ---- conditions ---- */

/*
 * Move the slices of the RECORDS that KEEPS says to the start of SLICE, FIELDS
 * of each.  Where records are left out is hard to predict, so no branch asks.
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

/* Move the counts of the RECORDS that KEEPS says to the start of COUNT.
   Returns the sum of the other counts. */
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

/* Whether condition I, on a list, holds for SLICE of the values of the list, as
   condition_test(). */
static enum regex_result
test_element(struct record_amounts *amounts, size_t i, struct text_slice slice)
{
    const struct condition *condition = &amounts->spec->conditions.condition[i];

    if (text_slice_is_invalid(slice))
        return REGEX_NO_MATCH;
    if (text_slice_is_missing(slice))
        return condition_holds_missing(condition) ? REGEX_MATCH
                                                  : REGEX_NO_MATCH;
    amounts->filter.met |= (uint64_t)1 << i;
    return condition_test(condition, amounts->filter.matchers.matcher[i],
                          amounts->list[i].data + slice.at, slice.size);
}

/* As filter_list_test: whether condition I holds for any element of RECORD. */
static enum regex_result
test_list(void *lists, size_t i, size_t record)
{
    struct record_amounts *amounts = lists;
    const size_t fields = amounts->spec->text_fields.count;
    const size_t column = amounts->spec->conditions.condition[i].column;
    const struct text_slice *source =
        amounts->batch + record * amounts->sources;
    enum regex_result result = REGEX_NO_MATCH;
    struct derive_cursor cursor = {0};

    while (cursor.record == 0 && result == REGEX_NO_MATCH) {
        size_t rows = derive_elements(&amounts->list[i], amounts->data, source,
                                      1, &cursor, ELEMENTS_MAX, amounts->parts,
                                      amounts->owner);
        if (rows == SIZE_MAX)
            return REGEX_NO_MEMORY;
        for (size_t r = 0; r < rows && result == REGEX_NO_MATCH; r++)
            result =
                test_element(amounts, i, amounts->parts[r * fields + column]);
    }
    return result;
}

/*
 * Test the conditions for the RECORDS at SOURCE, which are in the chunk at
 * AMOUNTS->data, and are derived if fields are.  Returns 0, or -1: out of
 * memory, or *WRONG is set.
 */
static int
test_records(struct record_amounts *amounts, const struct text_slice *source,
             size_t records, size_t *kept, struct wrong_amount *wrong)
{
    struct filter *filter = &amounts->filter;
    bool is_derived = amounts->source != NULL;

    amounts->batch = source;
    filter->test_list = test_list;
    filter->lists = amounts;
    filter->are_plain = amounts->are_plain;
    if (filter_run(filter, is_derived ? amounts->derive.data : amounts->data,
                   is_derived ? amounts->values : source,
                   is_derived ? amounts->spec->text_fields.count
                              : amounts->sources,
                   records, kept) < 0)
        return -1;
    if (filter->wrong == SIZE_MAX)
        return 0;
    const struct condition *condition =
        &filter->conditions->condition[filter->wrong_condition];
    *wrong = (struct wrong_amount){
        .slice = source[filter->wrong * amounts->sources +
                        source_of(amounts, condition->column)],
        .noun = "value",
        .reason = "takes too many steps for the expression of --where",
    };
    return -1;
}

/* As run_filter(), with fields that are derived. */
static int
filter_derived(struct record_amounts *amounts, const unsigned char *data,
               struct text_slice *slice, int64_t *count, size_t *records,
               struct wrong_amount *wrong)
{
    const unsigned char *keeps = amounts->filter.keeps;
    const size_t fields = amounts->sources;
    size_t kept = 0;
    size_t batch;

    for (size_t done = 0; done < *records; done += batch) {
        size_t met;
        batch = derive_run(&amounts->derive, data, slice + done * fields,
                           *records - done, amounts->values);
        if (batch == 0 || test_records(amounts, slice + done * fields, batch,
                                       &met, wrong) < 0)
            return -1;
        for (size_t r = 0; r < batch; r++) {
            int64_t own = count != NULL ? count[done + r] : 1;
            if (keeps[r] == 0) {
                amounts->left_out += (uint64_t)own;
                continue;
            }
            memmove(slice + kept * fields, slice + (done + r) * fields,
                    fields * sizeof *slice);
            if (count != NULL)
                count[kept] = own;
            kept++;
        }
    }
    *records = kept;
    return 0;
}

/*
 * Keep only the *RECORDS that meet all conditions: in SLICE, and in COUNT,
 * which says how often each counts, unless it is NULL.  Returns 0, or -1: out
 * of memory, or *WRONG is set.
 */
static int
run_filter(struct record_amounts *amounts, const unsigned char *data,
           struct text_slice *slice, int64_t *count, size_t *records,
           struct wrong_amount *wrong)
{
    const unsigned char *keeps = amounts->filter.keeps;
    size_t fields = amounts->sources;
    size_t kept;

    amounts->data = data;
    if (amounts->source != NULL)
        return filter_derived(amounts, data, slice, count, records, wrong);
    if (test_records(amounts, slice, *records, &kept, wrong) < 0)
        return -1;
    if (kept == *records)
        return 0;
    if (fields == 1)
        move_slices(keeps, slice, *records, 1);
    else if (fields == 2)
        move_slices(keeps, slice, *records, 2);
    else if (fields == 3)
        move_slices(keeps, slice, *records, 3);
    else
        move_slices(keeps, slice, *records, fields);
    amounts->left_out +=
        count != NULL ? move_counts(keeps, count, *records) : *records - kept;
    *records = kept;
    return 0;
}

/* ---- batches ---- */

/* Returns how many conditions of SPEC are on lists. */
static size_t
count_lists(const struct spec *spec)
{
    size_t lists = 0;

    for (size_t i = 0; i < spec->conditions.count; i++)
        lists += spec->conditions.condition[i].is_of_list;
    return lists;
}

/* Prepare for the conditions on lists.  Returns 0, or -1: out of memory. */
static int
open_lists(struct record_amounts *amounts, const struct derive_plan *plan)
{
    const struct condition_list *conditions = &amounts->spec->conditions;

    if (count_lists(amounts->spec) == 0)
        return 0;
    amounts->list = calloc(conditions->count, sizeof *amounts->list);
    amounts->parts =
        malloc(ELEMENTS_MAX * plan->list->count * sizeof *amounts->parts);
    amounts->owner = malloc(ELEMENTS_MAX * sizeof *amounts->owner);
    if (amounts->list == NULL || amounts->parts == NULL ||
        amounts->owner == NULL)
        return -1;
    amounts->lists = conditions->count;
    for (size_t i = 0; i < conditions->count; i++) {
        const struct condition *condition = &conditions->condition[i];
        if (condition->is_of_list &&
            derive_open(&amounts->list[i], plan, &condition->column, 1,
                        SIZE_MAX) < 0)
            return -1;
    }
    return 0;
}

/* Prepare to derive the fields of conditions, for batches of BATCH records.
   Returns 0, or -1: out of memory. */
static int
open_derive(struct record_amounts *amounts, const struct derive_plan *plan,
            size_t batch)
{
    const struct condition_list *conditions = &amounts->spec->conditions;
    size_t *place = calloc(conditions->count, sizeof *place);
    size_t count = 0;

    batch = batch > FILTER_RECORDS_MAX ? batch : FILTER_RECORDS_MAX;
    amounts->values =
        malloc(batch * plan->list->count * sizeof *amounts->values);
    if (place == NULL || amounts->values == NULL) {
        free(place);
        return -1;
    }
    for (size_t i = 0; i < conditions->count; i++) {
        size_t at = 0;
        if (conditions->condition[i].is_of_list)
            continue;
        place[count] = conditions->condition[i].column;
        while (place[at] != place[count])
            at++;
        count += at == count;
    }
    int result = derive_open(&amounts->derive, plan, place, count, SIZE_MAX);
    free(place);
    return result == 0 ? open_lists(amounts, plan) : -1;
}

int
record_amounts_open(struct record_amounts *amounts, const struct spec *spec,
                    const struct derive_plan *plan, size_t batch)
{
    *amounts = (struct record_amounts){.spec = spec,
                                       .sources = spec->text_fields.count};
    if (plan != NULL) {
        amounts->sources = plan->source.count;
        amounts->source = plan->column;
    }
    if (spec->conditions.count > 0 &&
        (filter_open(&amounts->filter, &spec->text, &spec->conditions,
                     &spec->text_fields) < 0 ||
         (plan != NULL && open_derive(amounts, plan, batch) < 0)))
        return -1;
    if (spec->adds == ADDS_ONE)
        return 0;
    amounts->field.format = &spec->text;
    amounts->field.part = spec->text_fields.field[spec->text_weight].part;
    amounts->weight = malloc(batch * sizeof *amounts->weight);
    return amounts->weight != NULL ? 0 : -1;
}

int
record_amounts_open_numbers(struct record_amounts *amounts,
                            const struct spec *spec, size_t batch)
{
    *amounts = (struct record_amounts){.spec = spec};
    if (!spec->has_weights)
        return 0;
    amounts->weight = malloc(batch * sizeof *amounts->weight);
    return amounts->weight != NULL ? 0 : -1;
}

uint64_t
record_amounts_filter_bytes(const struct spec *spec)
{
    if (spec->conditions.count == 0 || spec->kind == SPEC_SEQUENCES)
        return 0;
    if (!spec->text.is_derived)
        return filter_bytes(&spec->conditions);
    size_t lists = count_lists(spec);
    uint64_t elements = lists > 0 ? ELEMENTS_MAX : 0;
    return filter_bytes(&spec->conditions) + lists * derive_bytes(1) +
           elements * (spec->text_fields.count * sizeof(struct text_slice) +
                       sizeof(uint32_t)) +
           FILTER_RECORDS_MAX * spec->text_fields.count *
               sizeof(struct text_slice) +
           derive_bytes(spec->conditions.count);
}

void
record_amounts_close(struct record_amounts *amounts)
{
    free(amounts->weight);
    free(amounts->wide);
    field_text_close(&amounts->field);
    filter_close(&amounts->filter);
    derive_close(&amounts->derive);
    for (size_t i = 0; i < amounts->lists; i++)
        derive_close(&amounts->list[i]);
    free(amounts->list);
    free(amounts->parts);
    free(amounts->owner);
    free(amounts->values);
}

/* Add COUNT to the elements that are counted. */
static void
add_counted(struct record_amounts *amounts, uint64_t count)
{
    amounts->counted += count;
    amounts->overflows |= amounts->counted < count;
}

bool
record_amounts_choose(struct record_amounts *amounts, const unsigned char *data,
                      struct text_slice *slice, size_t *records,
                      struct wrong_amount *wrong)
{
    const struct spec *spec = amounts->spec;
    bool has_counts = spec->adds == ADDS_COUNT;
    int64_t *count = has_counts ? amounts->weight : NULL;

    wrong->reason = NULL;
    if (has_counts && !read_counts(amounts, data, slice, records, count, wrong))
        return false;
    for (size_t r = 0; has_counts && r < *records; r++)
        add_counted(amounts, (uint64_t)count[r]);
    return spec->conditions.count == 0 ||
           run_filter(amounts, data, slice, count, records, wrong) == 0;
}

size_t
record_amounts_weigh(struct record_amounts *amounts, const unsigned char *data,
                     const struct text_slice *slice, size_t records,
                     struct wrong_amount *wrong)
{
    return amounts->spec->has_weights
               ? read_weights(amounts, data, slice, records, wrong)
               : records;
}

void
record_amounts_weigh_numbers(struct record_amounts *amounts,
                             const struct text_slice *slice, size_t count)
{
    const struct spec *spec = amounts->spec;
    const size_t stride = spec->text_fields.count;
    int64_t *weight = amounts->weight;

    slice += spec->text_weight;
    for (size_t i = 0; i < count; i++, slice += stride) {
        bool has_none = number_field_tag(*slice) != KEY_TAG_VALUE;
        /* Numbers of sequences have 32 bits: each is a nano. */
        weight[i] =
            has_none ? 0 : (int64_t)text_slice_bits(*slice) * NANOS_OF_ONE;
        amounts->unweighted += has_none;
    }
}
