/* written_keys.c -- the keys of a field that are not the bytes of a slice */

#include <stdlib.h>

#include "engine/cpu/written_keys.h"

/* They fit into the second-level cache. */
#define KEYS_MAX 8192
#define BYTES_MIN ((size_t)128 << 10)

enum key_result
written_keys_count(struct written_keys *keys, struct key_counter *counter)
{
    enum key_result result = KEY_OK;

    if (keys->count > 0)
        result =
            key_counter_add(counter, keys->data, keys->key, keys->count, 1);
    keys->count = 0;
    keys->used = 0;
    return result;
}

/* Make room for BYTES more; there are no keys now. */
static enum key_result
make_room(struct written_keys *keys, size_t bytes)
{
    if (keys->key == NULL)
        keys->key = malloc(KEYS_MAX * sizeof *keys->key);
    if (bytes > keys->room) {
        free(keys->data);
        keys->room = bytes < BYTES_MIN ? BYTES_MIN : bytes;
        keys->data = malloc(keys->room);
    }
    if (keys->key != NULL && keys->data != NULL)
        return KEY_OK;
    keys->room = keys->data != NULL ? keys->room : 0;
    return KEY_NO_MEMORY;
}

enum key_result
written_keys_add(struct written_keys *keys, binning_u32 part,
                 const unsigned char *data, struct text_slice slice,
                 struct key_counter *counter)
{
    size_t bytes = field_value_room(slice);

    if (keys->count == KEYS_MAX || bytes > keys->room - keys->used) {
        enum key_result result = written_keys_count(keys, counter);
        if (result == KEY_OK)
            result = make_room(keys, bytes);
        if (result != KEY_OK)
            return result;
    }
    size_t size = field_value_write(part, data, slice, keys->data + keys->used);
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
}
