/* SPDX-License-Identifier: MIT */
/*
 * text_device.h -- the kernels for text on a device that is emulated, beside
 * fields.h and clf.h
 *
 * All memory ends where the kernels must end.
 */

#ifndef GPUHIST_TEXT_DEVICE_H
#define GPUHIST_TEXT_DEVICE_H

#include "base/decimal.h"
#include "device_items.h"
#include "engine/text_dictionary.h"
#include "hist/axis.h"

#define TEXT_LOAD_SLOT(slot) (*(slot))

static inline void
device_add_cell(binning_u64 *cell, binning_u64 amount)
{
    *cell += amount;
}

#include "kernels/text/text_count.h"
#include "kernels/text/text_find.h"

/* Those of the headers are inlined, so they have no address. */

static void
device_prepare(const void *task)
{
    text_find_prepare(task);
}

static void
device_find(const void *task)
{
    text_find_all(task, TEXT_FINDS_KEYS);
}

static void
device_find_spans(const void *task)
{
    text_find_all(task, TEXT_FINDS_SPANS);
}

static void
device_find_numbers(const void *task)
{
    text_find_all(task, TEXT_FINDS_NUMBERS);
}

static void
device_count(const void *task)
{
    text_count_all(task);
}

static void
device_learn(const void *task)
{
    text_find_learn(task);
}

struct device_case {
    const unsigned char *data; /* ends where the memory does */
    size_t size;
    struct text_format format;
    struct text_field field;
    binning_u32 prefix; /* 0: all of a key */
    enum text_finding finding;
    binning_u32 span;                /* of spans */
    const struct binning_axis *axis; /* of numbers */
    const double *edges;
    binning_u32 items;
    binning_u32 groups;
    binning_u32 list_room;
    const struct text_dictionary *dictionary;
};

/* What a chunk has, by the definition. */
struct device_record {
    struct text_slice slice;
    binning_u32 start;
    binning_u32 cell; /* 0: the device must list it */
    bool may_list;
    bool is_listed;
};

/* Returns the cell of a key, found in the plainest way; 0: there is none. */
static inline binning_u32
device_known(const struct text_dictionary *dictionary,
             const unsigned char *bytes, size_t size)
{
    for (binning_u32 k = 0; k < dictionary->keys; k++) {
        uint32_t own;
        const unsigned char *key =
            text_dictionary_key(dictionary, TEXT_TOTALS + k, &own);
        if (own == size && memcmp(key, bytes, size) == 0)
            return TEXT_TOTALS + k;
    }
    return 0;
}

/* The first cell of an axis, and how many it has. */
static inline binning_u32
device_first_bin(const struct device_case *c)
{
    return TEXT_TOTALS + c->dictionary->keys;
}

static inline binning_u32
device_bins(const struct device_case *c)
{
    return c->finding == TEXT_FINDS_NUMBERS
               ? (binning_u32)c->axis->bins + axis_number_flows(c->axis)
               : 0;
}

/* The span of RECORD, field by field. */
static inline struct text_slice
device_span(const struct device_case *c, const struct text_record *record)
{
    struct text_slice span = {.at = TEXT_SLICE_MISSING};
    struct text_slice slice;
    binning_u32 next = record->start;

    for (binning_u32 number = 1;; number++) {
        binning_u32 start = next;
        if (!fields_next(&c->format, c->data, record->end, &next, &slice))
            break;
        if (c->format.kind == TEXT_WHITESPACE)
            start = slice.at;
        if (number == c->field.number)
            span.at = start;
        if (number == c->field.number + c->span) {
            span.size = next - 1 - span.at;
            return span;
        }
    }
    if (span.at != TEXT_SLICE_MISSING)
        span.size = record->end - span.at;
    return span;
}

/* Returns the cell of the bytes as a number, if it is one that a device must
   read; else 0. */
static inline binning_u32
device_number(const struct device_case *c, const unsigned char *text,
              binning_u32 size)
{
    const struct binning_tables tables = {c->edges, NULL};
    struct text_number number;
    binning_u64 bits;

    text_number_scan(text, size, &number);
    if (size > TEXT_NUMBERS_BYTES || number.kind != TEXT_NUMBER_FINITE)
        return 0;
    if (!binning_is_float(c->axis->type)) {
        if (!text_number_integer(&number, &bits))
            return 0;
    } else if (number.is_cut || number.digits >> 53 != 0 ||
               number.exponent < -TEXT_NUMBERS_POWER ||
               number.exponent > TEXT_NUMBERS_POWER) {
        return 0;
    } else {
        bits = binning_double_bits(decimal_round(&number, text));
    }
    return device_first_bin(c) +
           (binning_u32)binning_cell(c->axis, &tables, bits);
}

/* Find out where RECORD must be counted. */
static inline void
device_expect(const struct device_case *c, const struct text_record *record,
              struct device_record *to)
{
    binning_u32 window =
        record->start / TEXT_TILE * TEXT_TILE + (binning_u32)TEXT_WINDOW;
    *to = (struct device_record){.start = record->start};
    if (record->is_comment) {
        to->cell = TEXT_TOTAL_COMMENTS;
        return;
    }
    bool has_spans = c->finding == TEXT_FINDS_SPANS;
    to->slice = has_spans ? device_span(c, record)
                          : clf_find(&c->format, c->data, record, c->field);
    /* The last record of CSV may have a quote that is not closed. */
    to->may_list = record->next > window ||
                   (record->next == c->size &&
                    (c->format.kind == TEXT_CSV || record->next == window));
    if (to->slice.at == TEXT_SLICE_MISSING) {
        binning_u32 at = record->start;
        while (at < record->end && fields_is_blank(c->data[at]))
            at++;
        bool is_listed =
            c->format.kind == TEXT_CLF &&
            (to->slice.size == TEXT_SIZE_INVALID || at == record->end);
        to->cell = is_listed ? 0 : TEXT_TOTAL_MISSING;
        return;
    }
    size_t size = to->slice.size;
    if (c->prefix != 0 && size > c->prefix)
        size = c->prefix;
    if (c->finding == TEXT_FINDS_NUMBERS)
        to->cell = device_number(c, c->data + to->slice.at, (binning_u32)size);
    if (to->cell != 0)
        return;
    if (has_spans || c->format.kind != TEXT_CSV || to->slice.size == 0 ||
        c->data[to->slice.at] != '"')
        to->cell = device_known(c->dictionary, c->data + to->slice.at, size);
}

/* Returns a copy of the arena of DICTIONARY as a device reads it: as words,
   whose first byte is the least significant one. */
static inline binning_u64 *
device_arena(const struct text_dictionary *dictionary)
{
    size_t words = dictionary->arena_bytes / sizeof(binning_u64);
    binning_u64 *arena = calloc(words > 0 ? words : 1, sizeof *arena);

    if (arena == NULL)
        abort();
    for (size_t w = 0; w < words; w++)
        arena[w] = hash_load(dictionary->arena + w * sizeof *arena);
    return arena;
}

/* The memory of a device, and the kernels. */
static inline void
device_run_all(const struct device_case *c, struct text_task *task,
               size_t cells)
{
    const struct text_dictionary *dictionary = c->dictionary;
    size_t slots = (size_t)dictionary->slot_mask + 1;
    struct text_work *work = &task->work;

    *work = (struct text_work){
        .hash_key = dictionary->hash_key,
        .first_chunk = 1,
        .data_stride = 16,
        .scratch_stride = text_scratch_words((binning_u32)c->size),
        .size = {(binning_u32)c->size},
        .slot_mask = dictionary->slot_mask,
        .list_room = c->list_room,
        .learn = dictionary->keys,
        .prefix = c->prefix == 0 ? TEXT_SLICE_MISSING : c->prefix,
        .format = c->format,
        .field = c->field,
        .span = c->span,
        .bins = device_bins(c),
        .first_bin = device_first_bin(c),
    };
    if (c->finding == TEXT_FINDS_NUMBERS)
        work->axis = *c->axis;
    task->edges = c->edges;
    /* The memory need not start before the data. */
    task->data = (const unsigned char *)((uintptr_t)c->data - 16);
    task->histogram = calloc(cells, sizeof *task->histogram);
    task->scratch = malloc(work->scratch_stride * sizeof *task->scratch);
    task->status = malloc(sizeof *task->status);
    task->list = malloc(text_list_words(c->list_room) * sizeof *task->list);
    task->slots = calloc(slots, sizeof *task->slots);
    task->shared = malloc(TEXT_SHARED_WORDS * sizeof *task->shared);
    task->learned = dictionary->learned;
    task->arena = device_arena(dictionary);
    if (task->histogram == NULL || task->scratch == NULL ||
        task->status == NULL || task->list == NULL || task->slots == NULL ||
        task->shared == NULL)
        abort();
    text_task_choose(task, work, 0);
    device.items = c->items;
    device.groups = c->groups;
    device_run_groups(device_learn, task, task->shared, TEXT_SHARED_WORDS);
    device_run_groups(device_prepare, task, task->shared, TEXT_SHARED_WORDS);
    device_run_groups(c->finding == TEXT_FINDS_SPANS     ? device_find_spans
                      : c->finding == TEXT_FINDS_NUMBERS ? device_find_numbers
                                                         : device_find,
                      task, task->shared, TEXT_SHARED_WORDS);
    device_run_groups(device_count, task, task->shared, TEXT_SHARED_WORDS);
}

static inline void
device_free_all(struct text_task *task)
{
    free(task->histogram);
    free(task->scratch);
    free(task->status);
    free(task->list);
    free(task->slots);
    free(task->shared);
    free((void *)(uintptr_t)task->arena);
}

/* Returns the record of the list's entry at ENTRY, or NULL: there is none. */
static inline struct device_record *
device_listed(struct device_record *record, size_t records,
              const binning_u32 *entry)
{
    for (size_t i = 0; i < records; i++) {
        struct device_record *at = &record[i];
        if (entry[1] == TEXT_WHOLE_RECORD
                ? at->start == entry[0]
                : at->slice.at == entry[0] && at->slice.size == entry[1] &&
                      at->cell != TEXT_TOTAL_COMMENTS)
            return at;
    }
    return NULL;
}

/* Compare what the device has done with the RECORDS.  Returns what is wrong. */
static inline const char *
device_compare(const struct device_case *c, const struct text_task *task,
               struct device_record *record, size_t records, size_t cells)
{
    size_t must_list = 0;
    size_t may_list = 0;
    size_t listed = task->list[0];

    for (size_t i = 0; i < records; i++) {
        must_list += record[i].cell == 0;
        may_list += record[i].cell == 0 || record[i].may_list;
    }
    if (*task->status != 0) {
        for (size_t i = 0; i < cells; i++)
            if (task->histogram[i] != 0)
                return "counts what it refuses";
        bool is_full = records > text_records_max((binning_u32)c->size);
        return is_full || may_list > c->list_room ? NULL
                                                  : "refuses without a reason";
    }
    if (records > text_records_max((binning_u32)c->size) ||
        must_list > c->list_room || listed > c->list_room)
        return "does not refuse what it must";
    if (task->histogram[TEXT_TOTAL_RECORDS] != records ||
        task->histogram[TEXT_TOTAL_LISTED] != listed)
        return "other totals";
    for (size_t i = 0; i < listed; i++) {
        struct device_record *at =
            device_listed(record, records, &task->list[TEXT_LIST_HEAD + 2 * i]);
        if (at == NULL || at->is_listed)
            return "lists what is no record";
        if (at->cell != 0 && !at->may_list)
            return "lists what it must count";
        at->is_listed = true;
    }
    for (size_t i = 0; i < records; i++)
        if (!record[i].is_listed) {
            if (record[i].cell == 0)
                return "counts what it does not know";
            task->histogram[record[i].cell]--;
        }
    for (size_t i = TEXT_TOTAL_MISSING; i < cells; i++)
        if (task->histogram[i] != 0)
            return "other counts";
    return NULL;
}

/*
 * Run the kernels and compare what they do with the definition.  Returns NULL,
 * or what is wrong.  Sets *STATUS to why the chunk is refused and *LISTED to
 * the listed records.
 */
static inline const char *
device_check(const struct device_case *c, binning_u32 *status,
             binning_u32 *listed)
{
    struct device_record *record =
        malloc((c->size + 1) * sizeof *record); /* at most one a byte */
    struct text_task task = {.size = 0};
    struct text_record next = {0};
    size_t cells = (size_t)device_first_bin(c) + device_bins(c);
    size_t records = 0;

    if (record == NULL)
        abort();
    for (binning_u32 at = 0;
         fields_record(&c->format, c->data, (binning_u32)c->size, at, &next);
         at = next.next)
        device_expect(c, &next, &record[records++]);
    device_run_all(c, &task, cells);
    *status = *task.status;
    *listed = task.list[0];
    const char *wrong = device_compare(c, &task, record, records, cells);
    device_free_all(&task);
    free(record);
    return wrong;
}

#endif
