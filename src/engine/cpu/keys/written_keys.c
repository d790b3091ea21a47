/* SPDX-License-Identifier: MIT */
/* written_keys.c -- the keys of a field that are not the bytes of a slice */

#include <stdlib.h>

#include "engine/cpu/keys/written_keys.h"

enum key_result
written_keys_count(struct written_keys *keys, struct key_counter *counter)
{
    const struct key_weights weights = {keys->weight, keys->wide,
                                        keys->are_counts};
    enum key_result result = KEY_OK;

    if (keys->count > 0)
        result = key_counter_add(counter, keys->data, keys->key, keys->count,
                                 keys->weight != NULL ? &weights : NULL);
    keys->count = 0;
    keys->wide_count = 0;
    keys->used = 0;
    /* The memory of a long key is not within the limit: give it back. */
    if (keys->room > WRITTEN_KEYS_ROOM) {
        free(keys->data);
        keys->data = NULL;
        keys->room = 0;
    }
    return result;
}

/* Make room for BYTES more, and for weights; there are no keys now. */
static enum key_result
make_room(struct written_keys *keys, size_t bytes, bool has_weights)
{
    if (has_weights && keys->weight == NULL)
        keys->weight = malloc(WRITTEN_KEYS_MAX * sizeof *keys->weight);
    if (has_weights && keys->wide == NULL)
        keys->wide = malloc(WRITTEN_KEYS_MAX * sizeof *keys->wide);
    if (has_weights && (keys->weight == NULL || keys->wide == NULL))
        return KEY_NO_MEMORY;
    if (keys->key == NULL)
        keys->key = malloc(WRITTEN_KEYS_MAX * sizeof *keys->key);
    if (bytes > keys->room) {
        free(keys->data);
        keys->room = bytes < WRITTEN_KEYS_ROOM ? WRITTEN_KEYS_ROOM : bytes;
        keys->data = malloc(keys->room);
    }
    if (keys->key != NULL && keys->data != NULL)
        return KEY_OK;
    keys->room = keys->data != NULL ? keys->room : 0;
    return KEY_NO_MEMORY;
}

/* The next key has the first of WEIGHTS. */
static void
put_weight(struct written_keys *keys, const struct key_weights *weights)
{
    int64_t weight = *weights->weight;

    keys->are_counts = weights->are_counts;
    if (!weights->are_counts && !decimal_is_nano(weight)) {
        keys->wide[keys->wide_count] = key_weight_read(weights, 0);
        weight = key_weight_of_wide(keys->wide_count++);
    }
    keys->weight[keys->count] = weight;
}

enum key_result
written_keys_add(struct written_keys *keys, const struct text_format *format,
                 binning_u32 part, const unsigned char *data,
                 struct text_slice slice, uint32_t most,
                 const struct key_weights *weights, struct key_counter *counter)
{
    size_t bytes = field_value_room(slice);

    if (keys->count == WRITTEN_KEYS_MAX || bytes > keys->room - keys->used) {
        enum key_result result = written_keys_count(keys, counter);
        if (result == KEY_OK)
            result = make_room(keys, bytes, weights != NULL);
        if (result != KEY_OK)
            return result;
    }
    if (weights != NULL)
        put_weight(keys, weights);
    size_t size =
        field_value_write(format, part, data, slice, keys->data + keys->used);
    size = size < most ? size : most;
    keys->key[keys->count++] =
        (struct text_slice){(binning_u32)keys->used, (binning_u32)size};
    keys->used += size;
    return KEY_OK;
}

void
written_keys_close(struct written_keys *keys)
{
    free(keys->data);
    free(keys->key);
    free(keys->weight);
    free(keys->wide);
}
