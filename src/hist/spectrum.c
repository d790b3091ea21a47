/* SPDX-License-Identifier: MIT */
/* spectrum.c -- how many keys have each count */

#include <assert.h>
#include <string.h>

#include "hist/key_code.h"
#include "hist/spectrum.h"

/* The bytes of an entry: a count, the size of a key, the code of an integer. */
#define ENTRY_BYTES (KEY_ENTRY_SIZE_AT + 1 + KEY_CODE_ROOM)

/* No input can aim at collisions of counts, so their hash needs no secret. */
static const struct hash_key hash_key;

void
spectrum_open(struct spectrum *spectrum, struct key_memory *memory)
{
    memset(spectrum, 0, sizeof *spectrum);
    code_table_open(&spectrum->many, memory, 1);
}

void
spectrum_close(struct spectrum *spectrum)
{
    code_table_close(&spectrum->many);
}

void
spectrum_add_many(struct spectrum *spectrum, uint64_t count, uint64_t keys)
{
    enum key_result result =
        code_table_count(&spectrum->many, &hash_key, code_of(count), keys);

    if (result != KEY_OK)
        spectrum->result = result;
}

void
spectrum_merge(struct spectrum *to, const struct spectrum *from)
{
    for (size_t i = 0; i < SPECTRUM_FEW; i++)
        to->few[i] += from->few[i];
    for (size_t i = 0; i < from->many.slots; i++) {
        uint64_t keys = code_slot_count(from->many.slot, i, 1);
        if (keys != 0)
            spectrum_add_many(to, code_slot_code(from->many.slot, i, 1).low,
                              keys);
    }
    to->without += from->without;
    if (from->result != KEY_OK)
        to->result = from->result;
}

/* Write entry I of ARRAY: KEYS keys occur COUNT times. */
static void
put(struct key_array *array, size_t i, uint64_t count, uint64_t keys)
{
    unsigned char *entry = key_array_put(array, i);

    unsigned char *code = entry + KEY_ENTRY_SIZE_AT + 1;

    memcpy(entry, &keys, sizeof keys);
    entry[KEY_ENTRY_SIZE_AT] =
        (unsigned char)(key_code_put_integer(code, wide_of(count)) - code);
}

enum key_result
spectrum_list(struct spectrum *spectrum, struct key_array *array,
              struct key_memory *memory, uint64_t *total)
{
    size_t count = spectrum->many.codes;
    size_t done = 0;

    *total = spectrum->without;
    if (spectrum->result != KEY_OK)
        return spectrum->result;
    for (size_t i = 1; i < SPECTRUM_FEW; i++)
        count += spectrum->few[i] != 0;
    enum key_result result = key_array_open(array, count, ENTRY_BYTES, memory);
    if (result != KEY_OK)
        return result;
    for (size_t i = 1; i < SPECTRUM_FEW; i++) {
        if (spectrum->few[i] != 0)
            put(array, done++, i, spectrum->few[i]);
        *total += i * spectrum->few[i];
    }
    code_table_sort(&spectrum->many, 64);
    for (size_t i = 0; i < spectrum->many.codes; i++) {
        uint64_t code = code_slot_code(spectrum->many.slot, i, 1).low;
        uint64_t keys = code_slot_count(spectrum->many.slot, i, 1);
        put(array, done++, code, keys);
        *total += code * keys;
    }
    return KEY_OK;
}

uint64_t
spectrum_multiplicity(const struct key_list *list, uint64_t i)
{
    const struct key_entry code = key_list_key(list, i);
    struct key_component component;

    const unsigned char *end = key_code_read(code.key, code.key + code.size,
                                             KEY_INTEGER, true, &component);
    assert(end != NULL);
    (void)end;
    return component.integer.low;
}
