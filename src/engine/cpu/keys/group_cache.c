/* group_cache.c -- groups of which only a few figures are wanted */

#include <stdlib.h>
#include <string.h>

#include "base/decimal.h"
#include "engine/cpu/keys/frequent_keys.h"
#include "engine/cpu/keys/group_cache.h"
#include "engine/cpu/keys/key_counter.h"
#include "hist/key_decimal.h"
#include "text/field_value.h"
#include "text/short_decimals.h"

/* The groups there is room for first and at most, and how much it grows. */
#define GROUPS_MIN 256
#define GROUPS_MAX 32768
#define GROUPS_GROW 4

/* Slots for each group: one of so many is taken at most. */
#define SLOTS 4

/* The longest key, and the bytes of all keys that are too long for words. */
#define KEY_MAX 255
#define LONG_BYTES_MAX ((size_t)1 << 20)

/* A slot is the number of a group plus 1, or 0, below bits of its hash. */
#define SLOT_GROUP 0xffffu

/* Records that are counted at a time, and how many records before it is needed
   a group is fetched. */
#define BATCH 256
#define AHEAD 12

/* A cache that is as large as it can be, and has less than one of so many
   records, pauses for some batches. */
#define USELESS 4
#define PAUSE_BATCHES 64

/* A group.  Numbers are in units of 10^-9. */
struct cached_group {
    uint64_t word[HASH_WORDS]; /* of its key: frequent_keys.h */
    uint64_t count;
    uint64_t sum_low;
    uint64_t sum_high;
    int64_t least;
    int64_t greatest;
};

/* A key: words, bytes, and the product that chooses the slot. */
struct key {
    uint64_t word[HASH_WORDS];
    uint64_t product;
    const unsigned char *byte; /* of a long one */
};

struct group_cache {
    struct thread_link link; /* in the list of all */
    const struct spec *spec;
    size_t fields; /* slices of a record */
    size_t group;  /* the field of the group ... */
    size_t value;  /* ... and of the number */
    bool may_be_written;
    struct hash_key hash_key;
    uint64_t factor[HASH_WORDS]; /* odd, random */
    uint32_t *slot;              /* SLOTS * ROOM */
    unsigned int shift;          /* from a product to a slot */
    struct cached_group *entry;  /* ROOM; the first COUNT are groups */
    unsigned char *byte;         /* of all long keys, one after the other */
    uint32_t *at;                /* where the key of a group starts there */
    size_t room;
    size_t count;
    size_t bytes;
    unsigned int pause; /* batches to leave out */
    int64_t nano[BATCH];
    struct key key[BATCH];
    bool is_plain[BATCH];
};

/* ---- opening and closing ---- */

bool
group_cache_is_for(const struct spec *spec, size_t i)
{
    return spec->only_figures && spec->kind != SPEC_SAMPLES &&
           spec_histograms(spec) == 1 && spec->group_count == 1 &&
           spec_dimensions(spec, i) == 2 &&
           !text_type_of(spec->text.kind)->has_numbers && !spec->has_weights &&
           spec->adds != ADDS_COUNT &&
           spec->shown[spec_own_axis(spec, i)].is_decimal;
}

size_t
group_cache_bytes(void)
{
    return sizeof(struct group_cache) + LONG_BYTES_MAX +
           GROUPS_MAX *
               (sizeof(struct cached_group) + (SLOTS + 1) * sizeof(uint32_t));
}

/* Release what CACHE has of groups. */
static void
release(struct group_cache *cache)
{
    free(cache->slot);
    free(cache->entry);
    free(cache->at);
    free(cache->byte);
}

/* Take memory for ROOM groups, a power of two, instead of what CACHE has.
   Returns false, and leaves CACHE as it is, if there is none. */
static bool
make_room(struct group_cache *cache, size_t room)
{
    struct group_cache more = *cache;
    unsigned int log = 0;

    while ((size_t)1 << log < SLOTS * room)
        log++;
    more.room = room;
    more.shift = 64 - log;
    more.slot = calloc(SLOTS * room, sizeof *more.slot);
    more.entry = aligned_alloc(64, room * sizeof *more.entry);
    more.at = malloc(room * sizeof *more.at);
    more.byte = malloc(LONG_BYTES_MAX / GROUPS_MAX * room);
    if (more.slot == NULL || more.entry == NULL || more.at == NULL ||
        more.byte == NULL) {
        release(&more);
        return false;
    }
    if (cache->count > 0) {
        memcpy(more.entry, cache->entry, cache->count * sizeof *more.entry);
        memcpy(more.at, cache->at, cache->count * sizeof *more.at);
        memcpy(more.byte, cache->byte, cache->bytes);
    }
    release(cache);
    cache->slot = more.slot;
    cache->shift = more.shift;
    cache->entry = more.entry;
    cache->at = more.at;
    cache->byte = more.byte;
    cache->room = room;
    return true;
}

void
group_caches_open(struct group_caches *caches)
{
    thread_list_open(&caches->list);
}

void
group_caches_close(struct group_caches *caches)
{
    while (caches->list.first != NULL) {
        struct group_cache *cache = (struct group_cache *)caches->list.first;
        thread_list_remove(&caches->list, &cache->link);
        release(cache);
        free(cache);
    }
    thread_list_close(&caches->list);
}

struct group_cache *
group_cache_new(struct group_caches *caches, const struct spec *spec, size_t i,
                const struct hash_key *key)
{
    struct group_cache *cache = calloc(1, sizeof *cache);

    if (cache == NULL)
        return NULL;
    cache->spec = spec;
    cache->fields = spec->text_fields.count;
    cache->group = spec_axis_of(spec, i, 0);
    cache->value = spec_own_axis(spec, i);
    cache->may_be_written = field_value_may_be_written(
        &spec->text, spec->text_fields.field[cache->group].part);
    cache->factor[0] = (key->word[0] ^ HASH_GOLDEN) | 1;
    cache->factor[1] = key->word[0] | 1;
    cache->factor[2] = key->word[1] | 1;
    cache->hash_key = *key;
    if (!make_room(cache, GROUPS_MIN)) {
        free(cache);
        return NULL;
    }
    thread_list_add(&caches->list, &cache->link);
    return cache;
}

/* Forget the groups of CACHE. */
static void
empty(struct group_cache *cache)
{
    memset(cache->slot, 0, SLOTS * cache->room * sizeof *cache->slot);
    cache->count = 0;
    cache->bytes = 0;
}

void
group_caches_restart(struct group_caches *caches)
{
    for (struct thread_link *at = caches->list.first; at != NULL; at = at->next)
        empty((struct group_cache *)at);
}

/* ---- finding groups ---- */

static inline uint64_t
product_of(const struct group_cache *cache, const uint64_t word[HASH_WORDS])
{
    return word[0] * cache->factor[0] + word[1] * cache->factor[1] +
           word[2] * cache->factor[2];
}

static inline bool
is_long(const uint64_t word[HASH_WORDS])
{
    return (word[0] & LONG_MARK) == LONG_MARK;
}

/* The bytes of a long key. */
static inline size_t
long_size(const uint64_t word[HASH_WORDS])
{
    return (size_t)(word[0] >> LONG_SIZE_SHIFT);
}

/* The part of a slot that tells groups apart: bits that choose no slot. */
static inline uint32_t
tag_of(uint64_t product)
{
    return (uint32_t)(product >> 16) & ~SLOT_GROUP;
}

static inline bool
is_same(const struct group_cache *cache, const struct cached_group *group,
        const struct key *key)
{
    if (((group->word[0] ^ key->word[0]) | (group->word[1] ^ key->word[1]) |
         (group->word[2] ^ key->word[2])) != 0)
        return false;
    return !is_long(key->word) ||
           memcmp(cache->byte + cache->at[group - cache->entry], key->byte,
                  long_size(key->word)) == 0;
}

/* The first slot for the product: the group of KEY is there or in one of the
   next ones, before an empty one. */
static inline size_t
slot_of(const struct group_cache *cache, uint64_t product)
{
    return (size_t)(product >> cache->shift);
}

/* Put group number ENTRY, whose product is given, into a slot. */
static void
put_slot(struct group_cache *cache, size_t entry, uint64_t product)
{
    size_t mask = SLOTS * cache->room - 1;
    size_t s = slot_of(cache, product);

    while (cache->slot[s] != 0)
        s = (s + 1) & mask;
    cache->slot[s] = tag_of(product) | (uint32_t)(entry + 1);
}

/* Make room for another group and LONG bytes of its key.  Returns false if
   there can be none. */
static bool
grow(struct group_cache *cache, size_t long_bytes)
{
    while (cache->count == cache->room ||
           cache->bytes + long_bytes >
               LONG_BYTES_MAX / GROUPS_MAX * cache->room) {
        if (cache->room == GROUPS_MAX ||
            !make_room(cache, GROUPS_GROW * cache->room < GROUPS_MAX
                                  ? GROUPS_GROW * cache->room
                                  : GROUPS_MAX))
            return false;
        for (size_t e = 0; e < cache->count; e++)
            put_slot(cache, e, product_of(cache, cache->entry[e].word));
    }
    return true;
}

/*
 * Make a group of KEY, which has no group.  Returns NULL if there is no room.
 */
static struct cached_group *
add_group(struct group_cache *cache, const struct key *key)
{
    size_t bytes = is_long(key->word) ? long_size(key->word) : 0;

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

/* Returns the group of KEY; NULL if there is no room for it. */
static inline struct cached_group *
find_group(struct group_cache *cache, const struct key *key)
{
    size_t mask = SLOTS * cache->room - 1;
    uint32_t tag = tag_of(key->product);

    for (size_t s = slot_of(cache, key->product);; s = (s + 1) & mask) {
        uint32_t slot = cache->slot[s];
        if (slot == 0)
            return add_group(cache, key);
        struct cached_group *group = &cache->entry[(slot & SLOT_GROUP) - 1];
        if ((slot & ~SLOT_GROUP) == tag && is_same(cache, group, key))
            return group;
    }
}

/* Fetch the most likely group for the product.  Group 0 is fetched in vain if
   there is none. */
static inline void
fetch_group(const struct group_cache *cache, uint64_t product)
{
    uint32_t number = cache->slot[slot_of(cache, product)] & SLOT_GROUP;

    __builtin_prefetch(&cache->entry[number - (number != 0)]);
}

/* ---- counting ---- */

static inline void
add_number(struct cached_group *group, int64_t nano)
{
    uint64_t low = group->sum_low + (uint64_t)nano;

    group->sum_high += (nano < 0 ? UINT64_MAX : 0) + (low < group->sum_low);
    group->sum_low = low;
    group->count++;
    group->least = nano < group->least ? nano : group->least;
    group->greatest = nano > group->greatest ? nano : group->greatest;
}

/* Set *KEY to the key SLICE of the chunk at DATA.  Returns false if it is none
   for the cache. */
static inline bool
load_key(const struct group_cache *cache, const unsigned char *data,
         struct text_slice slice, struct key *key)
{
    if (text_slice_is_missing(slice) || slice.size > KEY_MAX ||
        slice.size > cache->spec->prefix)
        return false;
    if (cache->may_be_written &&
        field_value_is_written(
            &cache->spec->text,
            cache->spec->text_fields.field[cache->group].part, data, slice))
        return false;
    if (key_words_can_load(slice.at, slice.size)) {
        key_words_load(data, slice.at, slice.size, key->word);
    } else {
        const unsigned char *byte = data + slice.at;
        uint64_t hash = slice.size > HASH_SHORT_MAX
                            ? hash_bytes(&cache->hash_key, byte, slice.size)
                            : 0;
        key_words_make(byte, slice.size, hash, key->word);
        key->byte = byte;
    }
    key->product = product_of(cache, key->word);
    return true;
}

/*
 * Count RECORDS, BATCH at most, at SLICE, as group_cache_add() does; the others
 * move to KEPT.  Returns how many these are.
 */
static size_t
add_batch(struct group_cache *cache, const unsigned char *data,
          const struct text_slice *slice, size_t records,
          struct text_slice *kept)
{
    const size_t fields = cache->fields;
    size_t count = 0;

    short_decimals_read(data, slice + cache->value, records, fields,
                        cache->nano);
    for (size_t r = 0; r < records; r++) {
        struct key *key = &cache->key[r];
        cache->is_plain[r] =
            cache->nano[r] != SHORT_DECIMALS_NONE &&
            load_key(cache, data, slice[r * fields + cache->group], key);
        if (cache->is_plain[r])
            __builtin_prefetch(&cache->slot[slot_of(cache, key->product)]);
    }
    for (size_t r = 0; r < records; r++) {
        if (r + AHEAD < records && cache->is_plain[r + AHEAD])
            fetch_group(cache, cache->key[r + AHEAD].product);
        if (cache->is_plain[r]) {
            struct cached_group *group = find_group(cache, &cache->key[r]);
            if (group != NULL) {
                add_number(group, cache->nano[r]);
                continue;
            }
        }
        memmove(kept + count * fields, slice + r * fields,
                fields * sizeof *slice);
        count++;
    }
    return count;
}

size_t
group_cache_add(struct group_cache *cache, const unsigned char *data,
                struct text_slice *slice, size_t records)
{
    size_t count = 0;

    if (cache->pause > 0) {
        cache->pause--;
        return records;
    }
    for (size_t done = 0; done < records; done += BATCH) {
        size_t batch = records - done < BATCH ? records - done : BATCH;
        count += add_batch(cache, data, slice + done * cache->fields, batch,
                           slice + count * cache->fields);
    }
    if (cache->room == GROUPS_MAX && records - count < records / USELESS)
        cache->pause = PAUSE_BATCHES;
    return count;
}

/* ---- tuples ---- */

/* Set KEY to that of GROUP of CACHE. */
static void
key_of(const struct group_cache *cache, const struct cached_group *group,
       struct key *key)
{
    memcpy(key->word, group->word, sizeof key->word);
    key->product = product_of(cache, key->word);
    key->byte = cache->byte + cache->at[group - cache->entry];
}

/* Write the code of KEY and of NANO at AT.  Returns its end. */
static unsigned char *
put_code(const struct key *key, int64_t nano, unsigned char *at)
{
    const struct text_number number = {
        .kind = TEXT_NUMBER_FINITE,
        .is_negative = nano < 0,
        .digits = nano < 0 ? -(uint64_t)nano : (uint64_t)nano,
        .exponent = -DECIMAL_NANO_PLACES,
    };
    unsigned char bytes[HASH_WORDS * sizeof(uint64_t)];

    if (is_long(key->word)) {
        at = key_code_put_text(at, key->byte, (uint32_t)long_size(key->word),
                               false);
    } else {
        size_t size = (key->word[0] & LONG_MARK) - 1;
        /* The last bytes of the words are the key: hash.h. */
        for (size_t b = 0; b < sizeof bytes; b++)
            bytes[b] = (unsigned char)(key->word[b / 8] >> b % 8 * 8);
        at = key_code_put_text(at, bytes + sizeof bytes - size, size, false);
    }
    return key_decimal_put(at, &number, NULL, decimal_round(&number, NULL));
}

static enum key_result
add_tuple(struct key_counts *counts, const struct key *key, int64_t nano,
          uint64_t count)
{
    const struct key_amount amount = {.count = count};
    unsigned char code[KEY_CODE_TEXT_ROOM(KEY_MAX) + KEY_CODE_DECIMAL_ROOM];

    if (count == 0)
        return KEY_OK;
    uint32_t size = (uint32_t)(put_code(key, nano, code) - code);
    return key_counter_add_amount(counts, code, size, &amount);
}

/*
 * Add tuples of KEY with the figures of GROUP: the least number once, the
 * greatest once, and two numbers next to each other for the rest.
 */
static enum key_result
add_tuples(struct key_counts *counts, const struct key *key,
           const struct cached_group *group)
{
    const struct wide least = wide_of_signed(group->least);
    uint64_t between = group->count > 2 ? group->count - 2 : 0;
    uint64_t above = 0; /* of the rest, how many are the greater one */
    int64_t lower = group->least;
    enum key_result result = add_tuple(counts, key, group->least, 1);

    if (between > 0) {
        struct wide remainder = {group->sum_low, group->sum_high};
        remainder = wide_subtract(remainder, least);
        remainder = wide_subtract(remainder, wide_of_signed(group->greatest));
        remainder = wide_subtract(remainder, wide_multiply(least, between));
        /* It is not negative, and the quotient not above the difference of the
           greatest and the least. */
        lower += (int64_t)wide_divide(remainder, between, &above).low;
    }
    if (result == KEY_OK && group->count > 1)
        result = add_tuple(counts, key, group->greatest, 1);
    if (result == KEY_OK)
        result = add_tuple(counts, key, lower, between - above);
    if (result == KEY_OK)
        result = add_tuple(counts, key, lower + 1, above);
    return result;
}

/* Add MORE, a group with an equal key, to GROUP. */
static void
add_figures(struct cached_group *group, const struct cached_group *more)
{
    uint64_t low = group->sum_low + more->sum_low;

    group->sum_high += more->sum_high + (low < more->sum_low);
    group->sum_low = low;
    group->count += more->count;
    if (more->least < group->least)
        group->least = more->least;
    if (more->greatest > group->greatest)
        group->greatest = more->greatest;
}

/* Add what CACHE has to FIRST, or to COUNTS where FIRST has no room, and empty
   CACHE. */
static enum key_result
join(struct group_cache *first, struct group_cache *cache,
     struct key_counts *counts)
{
    enum key_result result = KEY_OK;

    for (size_t e = 0; e < cache->count && result == KEY_OK; e++) {
        struct key key;
        key_of(cache, &cache->entry[e], &key);
        struct cached_group *group = find_group(first, &key);
        if (group != NULL)
            add_figures(group, &cache->entry[e]);
        else
            result = add_tuples(counts, &key, &cache->entry[e]);
    }
    empty(cache);
    return result;
}

enum key_result
group_caches_settle(struct group_caches *caches, struct key_counts *counts)
{
    enum key_result result = KEY_OK;

    pthread_mutex_lock(&caches->list.lock);
    struct group_cache *first = (struct group_cache *)caches->list.first;
    if (first != NULL) {
        for (struct thread_link *at = first->link.next;
             at != NULL && result == KEY_OK; at = at->next)
            result = join(first, (struct group_cache *)at, counts);
        for (size_t e = 0; e < first->count && result == KEY_OK; e++) {
            struct key key;
            key_of(first, &first->entry[e], &key);
            result = add_tuples(counts, &key, &first->entry[e]);
        }
        empty(first);
    }
    pthread_mutex_unlock(&caches->list.lock);
    return result;
}
