/* SPDX-License-Identifier: MIT */
/* cached_groups.c -- the groups of one thread */

#include <stdlib.h>
#include <string.h>

#include "engine/cpu/keys/cached_groups.h"

/* How much the room for groups grows. */
#define GROUPS_GROW 4

/* Groups that are fetched ahead when their numbers end. */
#define FETCHED 16

/* Records with fewer bytes share lines with those before. */
#define FAR_BYTES 64

/* ---- room ---- */

void
cached_groups_close(struct group_cache *cache)
{
    free(cache->slot);
    free(cache->entry);
    free(cache->at);
    free(cache->byte);
    free(cache->values);
    free(cache->longs);
}

bool
cached_groups_make_room(struct group_cache *cache, size_t room)
{
    struct group_cache more = *cache;
    unsigned int log = 0;

    while ((size_t)1 << log < GROUP_SLOTS * room)
        log++;
    more.room = room;
    more.shift = 64 - log;
    more.slot = calloc(GROUP_SLOTS * room, sizeof *more.slot);
    more.entry = aligned_alloc(64, room * sizeof *more.entry);
    more.at = malloc(room * sizeof *more.at);
    more.byte = malloc(LONG_BYTES_EACH * room);
    more.values = cache->has_values ? calloc(room, sizeof *more.values) : NULL;
    more.longs = cache->has_longs ? calloc(room, sizeof *more.longs) : NULL;
    if (more.slot == NULL || more.entry == NULL || more.at == NULL ||
        more.byte == NULL || cache->has_values != (more.values != NULL) ||
        cache->has_longs != (more.longs != NULL)) {
        cached_groups_close(&more);
        return false;
    }
    more.entry->word[0] = 0; /* of no key: group 0 is a guess */
    if (cache->count > 0) {
        memcpy(more.entry, cache->entry, cache->count * sizeof *more.entry);
        memcpy(more.at, cache->at, cache->count * sizeof *more.at);
        memcpy(more.byte, cache->byte, cache->bytes);
        if (cache->values != NULL)
            memcpy(more.values, cache->values,
                   cache->count * sizeof *more.values);
        if (cache->longs != NULL)
            memcpy(more.longs, cache->longs, cache->count * sizeof *more.longs);
    }
    cached_groups_close(cache);
    cache->slot = more.slot;
    cache->shift = more.shift;
    cache->entry = more.entry;
    cache->at = more.at;
    cache->byte = more.byte;
    cache->values = more.values;
    cache->longs = more.longs;
    cache->room = room;
    return true;
}

/* Fetch what ends group E of CACHE, and the last page of a group before it:
   they are in the caches of another processor. */
static void
fetch_end(const struct group_cache *cache, size_t e)
{
    if (e >= cache->count)
        return;
    __builtin_prefetch(&cache->entry[e]);
    __builtin_prefetch(&cache->values[e]);
    __builtin_prefetch(&cache->values[e].figures);
    __builtin_prefetch(cache->values[e - FETCHED / 2].page);
}

/* Set the figures of GROUP to FIGURES, but for the count. */
static void
set_figures(struct cached_group *group, const struct value_figures *figures)
{
    group->least = figures->least;
    group->greatest = figures->greatest;
    group->sum_low = figures->sum_low;
    group->sum_high = figures->sum_high;
}

void
cached_groups_end(struct group_cache *cache)
{
    struct value_figures figures;

    for (size_t e = 0; e < cache->count && cache->values != NULL; e++) {
        fetch_end(cache, e + FETCHED);
        struct cached_group *group = &cache->entry[e];
        group_values_end(&cache->values[e], &group->place, &figures);
        group->count += figures.count;
        set_figures(group, &figures);
    }
}

void
cached_group_complete(const struct group_cache *cache, size_t e)
{
    struct cached_group *group = &cache->entry[e];
    struct value_figures figures = {
        .least = group->least,
        .greatest = group->greatest,
        .sum_low = group->sum_low,
        .sum_high = group->sum_high,
    };

    group_values_complete(&cache->values[e], &figures);
    set_figures(group, &figures);
}

void
cached_groups_empty(struct group_cache *cache)
{
    memset(cache->slot, 0, GROUP_SLOTS * cache->room * sizeof *cache->slot);
    cache->entry->word[0] = 0;
    if (cache->values != NULL) {
        memset(cache->values, 0, cache->count * sizeof *cache->values);
        value_pool_close(&cache->pool);
    }
    if (cache->longs != NULL)
        memset(cache->longs, 0, cache->count * sizeof *cache->longs);
    cache->is_full = false;
    cache->count = 0;
    cache->bytes = 0;
}

/* ---- groups ---- */

/* Put group number ENTRY, whose product is given, into a slot. */
static void
put_slot(struct group_cache *cache, size_t entry, uint64_t product)
{
    size_t mask = GROUP_SLOTS * cache->room - 1;
    size_t s = group_slot_of(cache, product);

    while (cache->slot[s] != 0)
        s = (s + 1) & mask;
    cache->slot[s] = group_tag(product) | (uint32_t)(entry + 1);
}

/* Make room for another group and LONG bytes of its key.  Returns false if
   there can be none. */
static bool
grow(struct group_cache *cache, size_t long_bytes)
{
    while (cache->count == cache->room ||
           cache->bytes + long_bytes > LONG_BYTES_EACH * cache->room) {
        if (cache->room == GROUPS_MAX ||
            !cached_groups_make_room(cache,
                                     GROUPS_GROW * cache->room < GROUPS_MAX
                                         ? GROUPS_GROW * cache->room
                                         : GROUPS_MAX))
            return false;
        for (size_t e = 0; e < cache->count; e++)
            put_slot(cache, e, group_product(cache, cache->entry[e].word));
    }
    return true;
}

struct cached_group *
cached_groups_add(struct group_cache *cache, const struct group_key *key)
{
    size_t bytes =
        key_words_are_long(key->word) ? group_long_size(key->word) : 0;

    if (!grow(cache, bytes))
        return NULL;
    struct cached_group *group = &cache->entry[cache->count];
    *group = (struct cached_group){.least = INT64_MAX, .greatest = INT64_MIN};
    memcpy(group->word, key->word, sizeof group->word);
    cache->at[cache->count] = (uint32_t)cache->bytes;
    if (bytes > 0)
        memcpy(cache->byte + cache->bytes, key->byte, bytes);
    cache->bytes += bytes;
    put_slot(cache, cache->count++, key->product);
    return group;
}

struct cached_group *
cached_groups_look_up(const struct group_cache *cache,
                      const struct group_key *key)
{
    size_t mask = GROUP_SLOTS * cache->room - 1;

    for (size_t s = group_slot_of(cache, key->product); cache->slot[s] != 0;
         s = (s + 1) & mask) {
        struct cached_group *group =
            &cache->entry[(cache->slot[s] & GROUP_SLOT) - 1];
        if ((cache->slot[s] & ~GROUP_SLOT) == group_tag(key->product) &&
            group_is_same(cache, group, key))
            return group;
    }
    return NULL;
}

struct cached_group *
cached_groups_find(struct group_cache *cache, const struct group_key *key)
{
    struct cached_group *group = cached_groups_look_up(cache, key);

    return group != NULL ? group : cached_groups_add(cache, key);
}

/* ---- keys ---- */

void
group_key_make(const struct group_cache *cache, const unsigned char *byte,
               uint32_t size, struct group_key *key)
{
    key_words_make(&cache->secret, byte, size, key->word);
    key->byte = byte;
    key->product = group_product(cache, key->word);
}

/* Whether SLICE of the chunk at DATA can be field D of a key in the cache. */
static inline bool
field_can_be_cached(const struct group_cache *cache, const unsigned char *data,
                    struct text_slice slice, size_t d)
{
    return !text_slice_is_missing(slice) && slice.size <= GROUP_KEY_MAX &&
           slice.size <= cache->spec->prefix &&
           !(cache->may_be_written && !cache->are_plain &&
             field_value_is_written(&cache->spec->text,
                                    cache->spec->text_fields.field[d].part,
                                    data, slice));
}

/* Set *KEY to the key of the fields at SLICE.  Returns false if it is none for
   the cache. */
static bool
join_key(struct group_cache *cache, const unsigned char *data,
         const struct text_slice *slice, struct group_key *key)
{
    unsigned char *byte = cache->joint + cache->joint_used;
    size_t last = cache->groups - 1;
    size_t size = last;
    unsigned char *at = byte;

    for (size_t d = 0; d <= last; d++) {
        if (!field_can_be_cached(cache, data, slice[d], d))
            return false;
        size += slice[d].size;
    }
    if (size > GROUP_KEY_MAX)
        return false;
    for (size_t d = 0; d <= last; d++) {
        if (d < last)
            *at++ = (unsigned char)slice[d].size;
        memcpy(at, data + slice[d].at, slice[d].size);
        at += slice[d].size;
    }
    if (size > HASH_SHORT_MAX) {
        group_key_make(cache, byte, (uint32_t)size, key);
        cache->joint_used += size;
        return true;
    }
    key_words_load(byte, 0, (uint32_t)size, key->word);
    key->product = group_product(cache, key->word);
    return true;
}

/* The same of one field that key_words_can_load() does not hold for, or whose
   value may have to be written. */
static bool
load_rare(struct group_cache *cache, const unsigned char *data,
          struct text_slice slice, struct group_key *key)
{
    if (!field_can_be_cached(cache, data, slice, 0))
        return false;
    group_key_make(cache, data + slice.at, slice.size, key);
    return true;
}

/* Guess the group of key R of the batch, and fetch it.  Without a group in the
   slot it is group 0, in vain. */
static inline __attribute__((always_inline)) void
guess_group(struct group_cache *cache, size_t r, const uint32_t *slot,
            unsigned int shift)
{
    uint32_t number = slot[cache->key[r].product >> shift] & GROUP_SLOT;

    number -= number != 0;
    cache->guess[r] = (uint16_t)number;
    __builtin_prefetch(&cache->entry[number]);
}

/* Whether each of RECORDS at SLICE has lines of its own, most likely. */
static bool
are_far_apart(const struct group_cache *cache, const struct text_slice *slice,
              size_t records)
{
    const struct text_slice *last = slice + (records - 1) * cache->fields;

    return last->at - slice->at >= FAR_BYTES * records;
}

/*
 * Fetch key and number of the record that is a batch after the one at SLICE:
 * since they were found, the scan of many others has pushed them out of the
 * near caches.  A missing slice is fetched in vain.
 */
static inline __attribute__((always_inline)) void
fetch_texts(const unsigned char *data, const struct text_slice *slice,
            size_t fields, size_t value)
{
    const struct text_slice *next = slice + GROUP_BATCH * fields;

    __builtin_prefetch((const void *)((uintptr_t)data + next->at));
    __builtin_prefetch((const void *)((uintptr_t)data + next[value].at));
}

/* As group_keys_load(), of one field; MORE records are to be fetched. */
static bool
load_keys(struct group_cache *cache, const unsigned char *data,
          const struct text_slice *slice, size_t records, size_t more)
{
    /* Copies, which no store changes. */
    const size_t fields = cache->fields;
    const size_t value = cache->value;
    const uint32_t prefix = cache->spec->prefix;
    const bool are_plain = cache->are_plain || !cache->may_be_written;
    const uint32_t *const slot = cache->slot;
    const unsigned int shift = cache->shift;
    const uint64_t *const secret = cache->secret.factor;
    const uint64_t factor[HASH_WORDS] = {secret[0], secret[1], secret[2]};
    bool are_all = true;

    for (size_t r = 0; r < records; r++, slice += fields) {
        struct group_key *key = &cache->key[r];
        bool has_key = are_plain && slice->size <= prefix &&
                       !text_slice_is_missing(*slice) &&
                       key_words_can_load(slice->at, slice->size);
        if (has_key) {
            key_words_load(data, slice->at, slice->size, key->word);
            key->product = key_words_sum(key->word, factor);
        } else {
            has_key = load_rare(cache, data, *slice, key);
        }
        if (r < more)
            fetch_texts(data, slice, fields, value);
        cache->has_key[r] = has_key;
        are_all &= has_key;
        guess_group(cache, r, slot, shift);
    }
    return are_all;
}

bool
group_keys_load(struct group_cache *cache, const unsigned char *data,
                const struct text_slice *slice, size_t records, size_t more)
{
    const size_t fields = cache->fields;
    bool are_all = true;

    if (!are_far_apart(cache, slice, records))
        more = 0;
    if (cache->groups == 1)
        return load_keys(cache, data, slice, records, more);
    cache->joint_used = GROUP_JOINT_START;
    for (size_t r = 0; r < records; r++) {
        cache->has_key[r] =
            join_key(cache, data, slice + r * fields, &cache->key[r]);
        if (r < more)
            fetch_texts(data, slice + r * fields, fields, cache->value);
        are_all &= cache->has_key[r];
        guess_group(cache, r, cache->slot, cache->shift);
    }
    return are_all;
}

/* Write the components for the SIZE bytes of a key at BYTE. */
static unsigned char *
put_fields(const struct group_cache *cache, const unsigned char *byte,
           size_t size, unsigned char *at)
{
    for (size_t d = 1; d < cache->groups; d++) {
        size_t first = *byte++;
        at = key_code_put_text(at, byte, first, false);
        byte += first;
        size -= first + 1;
    }
    return key_code_put_text(at, byte, size, false);
}

unsigned char *
cached_group_put(const struct group_cache *cache,
                 const struct cached_group *group, unsigned char *at)
{
    unsigned char bytes[HASH_WORDS * sizeof(uint64_t)];
    struct group_key key;

    if (cache->groups == 0)
        return at;
    group_key_of(cache, group, &key);
    if (key_words_are_long(key.word))
        return put_fields(cache, key.byte, group_long_size(key.word), at);
    size_t size = (key.word[0] & LONG_MARK) - 1;
    /* The last bytes of the words are the key: hash.h. */
    for (size_t b = 0; b < sizeof bytes; b++)
        bytes[b] = (unsigned char)(key.word[b / 8] >> b % 8 * 8);
    return put_fields(cache, bytes + sizeof bytes - size, size, at);
}
