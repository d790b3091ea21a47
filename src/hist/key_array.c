/* key_array.c -- entries of keys of one size, in memory, in order */

#include "hist/key_array.h"

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
