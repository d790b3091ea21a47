/* SPDX-License-Identifier: MIT */
/* key_list.c -- the keys of an axis, in order */

#include <stdatomic.h>

#include "base/scratch_file.h"
#include "base/thread.h"
#include "hist/key_list.h"
#include "hist/sum.h"

struct key_list
key_list_of(const struct key_order *order)
{
    return (struct key_list){
        .entry = &order->place->entry,
        .step = sizeof *order->place / sizeof order->place->entry,
        .count = order->keys,
    };
}

void
key_list_forget(const struct key_list *list, uint64_t first, uint64_t count)
{
    if (!list->is_mapped || count == 0)
        return;
    const unsigned char *start = list->entry[first];
    const unsigned char *end = list->entry[first + count - 1];
    end += key_entry_bytes(end);
    scratch_file_forget(list->entry[0], start, (uint64_t)(end - start));
    scratch_file_forget(list->entry, &list->entry[first],
                        count * sizeof(unsigned char *));
}

/* ---- entries of keys of one size, in memory ---- */

enum key_result
key_array_open(struct key_array *array, size_t count, size_t entry_bytes,
               struct key_memory *memory)
{
    enum key_result result = KEY_OK;

    *array = (struct key_array){.entry_bytes = entry_bytes, .count = count};
    if (count == 0)
        return KEY_OK;
    if (count > SIZE_MAX / entry_bytes)
        return KEY_LIMIT;
    array->bytes = key_memory_take(memory, count * entry_bytes, &result);
    if (array->bytes == NULL)
        return result;
    array->memory = memory;
    array->entry =
        key_memory_take(memory, count * sizeof *array->entry, &result);
    if (array->entry != NULL)
        return KEY_OK;
    key_array_close(array);
    return result;
}

struct key_list
key_array_list(const struct key_array *array)
{
    return (struct key_list){
        .entry = array->entry, .step = 1, .count = array->count};
}

void
key_array_close(struct key_array *array)
{
    if (array->memory == NULL)
        return;
    key_memory_give(array->memory, array->bytes,
                    array->count * array->entry_bytes);
    key_memory_give(array->memory, array->entry,
                    array->count * sizeof *array->entry);
    *array = (struct key_array){0};
}

/* ---- counts ---- */

/* Keys that a thread takes at a time; of a list in files, they are in memory at
   a time. */
#define KEYS_AT_A_TIME 16384

struct putting {
    const struct key_list *list;
    struct histogram *counts;
    uint64_t first;             /* the cell of the first key */
    atomic_uint_fast64_t taken; /* keys that a thread sets or has set */
};

/* Set the cells of KEYS_AT_A_TIME keys, and again until all are set. */
static void
put_some(void *task, unsigned int member)
{
    struct putting *putting = task;
    const struct key_list *list = putting->list;
    struct histogram *counts = putting->counts;
    uint64_t start;

    (void)member;
    while ((start = atomic_fetch_add(&putting->taken, KEYS_AT_A_TIME)) <
           list->count) {
        uint64_t count = list->count - start;
        count = count < KEYS_AT_A_TIME ? count : KEYS_AT_A_TIME;
        for (uint64_t k = start; k < start + count; k++) {
            const unsigned char *entry = key_list_entry(list, k);
            uint64_t *value = counts->value + putting->first + k;
            *value = key_entry_count_of(entry);
            if (counts->planes > 1) {
                struct decimal_sum sum = key_entry_sum(entry);
                sum_add_decimal(&sum, value + counts->cells,
                                (size_t)counts->cells);
            }
        }
        key_list_forget(list, start, count);
        histogram_forget(counts, putting->first + start, count);
    }
}

void
key_list_put_counts(const struct key_list *list, struct histogram *counts,
                    uint64_t first, unsigned int threads)
{
    struct putting putting = {.list = list, .counts = counts, .first = first};
    uint64_t members = list->count / KEYS_AT_A_TIME + 1;

    members = members < threads ? members : threads;
    members = members < CREW_MAX ? members : CREW_MAX;
    crew_run((unsigned int)members, put_some, &putting);
}
