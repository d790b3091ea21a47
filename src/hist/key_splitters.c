/* key_splitters.c -- keys that cut the order of all keys into buckets */

#include <assert.h>

#include "hist/key_splitters.h"

size_t
key_splitters_bytes(size_t buckets)
{
    return buckets *
           (sizeof(uint64_t) + sizeof(struct key_entry) + sizeof(uint32_t));
}

/* Returns how many bytes A and B begin with in common. */
static uint32_t
common_bytes(const struct key_entry *a, const struct key_entry *b)
{
    uint32_t most = a->size < b->size ? a->size : b->size;
    uint32_t i = 0;

    while (i < most && a->key[i] == b->key[i])
        i++;
    return i;
}

enum key_result
key_splitters_open(struct key_splitters *splitters, size_t buckets,
                   const struct key_place *sample, size_t count,
                   struct key_memory *memory)
{
    enum key_result result = KEY_OK;
    size_t last = buckets - 2; /* splitter */

    assert(buckets > 1 && (buckets & (buckets - 1)) == 0 && count >= buckets);
    *splitters = (struct key_splitters){.buckets = buckets, .memory = memory};
    splitters->key =
        key_memory_take(memory, key_splitters_bytes(buckets), &result);
    if (splitters->key == NULL)
        return result;
    splitters->prefix = (uint64_t *)(splitters->key + buckets);
    splitters->depth = (uint32_t *)(splitters->prefix + buckets);
    for (size_t s = 0; s <= last; s++)
        splitters->key[s] =
            key_entry_key(sample[(s + 1) * count / buckets].entry);
    const struct key_entry *key = splitters->key;
    splitters->common = common_bytes(&key[0], &key[last]);
    for (size_t s = 0; s <= last; s++) {
        splitters->prefix[s] = key_prefix(&key[s], splitters->common);
        splitters->depth[s + 1] =
            s < last ? common_bytes(&key[s], &key[s + 1]) : 0;
    }
    splitters->depth[0] = 0;
    return KEY_OK;
}

void
key_splitters_close(struct key_splitters *splitters)
{
    key_memory_give(splitters->memory, splitters->key,
                    key_splitters_bytes(splitters->buckets));
}

/*
 * Returns the bucket of KEY, which begins with what all splitters begin with,
 * if FIRST splitters have lower prefixes, and the next one has the same PREFIX.
 */
static size_t
find_among_equal(const struct key_splitters *splitters,
                 const struct key_entry *key, size_t first, uint64_t prefix)
{
    size_t end = splitters->buckets - 1;

    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (splitters->prefix[middle] > prefix ||
            key_entry_compare(key, &splitters->key[middle]) < 0)
            end = middle;
        else
            first = middle + 1;
    }
    return first;
}

size_t
key_splitters_find(const struct key_splitters *splitters,
                   const struct key_entry *key)
{
    uint32_t common = splitters->common;
    size_t last = splitters->buckets - 1;

    if (common > 0) {
        uint32_t size = key->size < common ? key->size : common;
        int sign = size > 0 ? memcmp(key->key, splitters->key[0].key, size) : 0;
        if (sign < 0 || (sign == 0 && size < common))
            return 0;
        if (sign > 0)
            return last;
    }
    uint64_t prefix = key_prefix(key, common);
    size_t less = 0; /* splitters with a lower prefix */
    /* No branch depends on the key: it could not be predicted. */
    for (size_t step = splitters->buckets / 2; step > 0; step /= 2)
        less += splitters->prefix[less + step - 1] < prefix ? step : 0;
    if (less < last && splitters->prefix[less] == prefix)
        return find_among_equal(splitters, key, less, prefix);
    return less;
}
