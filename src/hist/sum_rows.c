/* SPDX-License-Identifier: MIT */
/* sum_rows.c -- the rows of a histogram that has exact sums of its numbers */

#include <math.h>
#include <string.h>

#include "hist/sum_rows.h"

/* The bytes of an entry: a count, the size of a key, the code of a number. */
#define ENTRY_BYTES (KEY_ENTRY_SIZE_AT + 1 + KEY_CODE_ROOM)

/* Write entry I of ARRAY: the number of TYPE with CODE, COUNT times. */
static void
put_number(struct key_array *array, size_t i, enum sample_type type,
           uint64_t code, uint64_t count)
{
    unsigned char *entry = key_array_put(array, i);
    unsigned char *key = entry + KEY_ENTRY_SIZE_AT + 1;
    unsigned char *end =
        binning_is_float((binning_u32)type)
            ? key_code_put_real(key, exact_code_real(code))
            : key_code_put_integer(key, exact_code_integer(code, type));

    memcpy(entry, &count, sizeof count);
    entry[KEY_ENTRY_SIZE_AT] = (unsigned char)(end - key);
}

/* Write entry I of ARRAY: NaN, COUNT times. */
static void
put_nan(struct key_array *array, size_t i, uint64_t count)
{
    unsigned char *entry = key_array_put(array, i);
    unsigned char *key = entry + KEY_ENTRY_SIZE_AT + 1;
    unsigned char *end = key_code_put_real(key, (double)NAN);

    memcpy(entry, &count, sizeof count);
    entry[KEY_ENTRY_SIZE_AT] = (unsigned char)(end - key);
}

enum key_result
sum_rows_make(struct key_names *names, size_t i, struct key_memory *memory)
{
    const struct exact_sums *sums = &names->sums[i];
    size_t own = spec_own_axis(&names->spec, i);
    enum sample_type type = (enum sample_type)names->spec.shown[own].type;
    struct key_array *array = &names->array[i];
    bool has_two = sums->count > 0 && sums->least != sums->greatest;
    size_t rows = (size_t)(sums->count > 0) + has_two + (sums->nan > 0);
    size_t done = 0;

    enum key_result result = key_array_open(array, rows, ENTRY_BYTES, memory);
    if (result != KEY_OK)
        return result;
    if (has_two)
        put_number(array, done++, type, sums->least, 1);
    if (sums->count > 0)
        put_number(array, done++, type, sums->greatest, sums->count - has_two);
    if (sums->nan > 0)
        put_nan(array, done, sums->nan);
    names->list[i] = key_array_list(array);
    return KEY_OK;
}
