/* SPDX-License-Identifier: MIT */
/*
 * key_order.c -- the keys of several tables in the order of their bytes
 *
 * Sample sort (W. Frazer and A. McKellar, "Samplesort: a sampling approach to
 * minimal storage tree sorting", J. ACM 17, 1970): a sample is sorted, and some
 * of its keys become splitters.  Each thread counts how many keys of its tables
 * are in each bucket between two splitters; then the places of its keys are
 * known.  At last each bucket, which fits into a second-level cache, is sorted
 * by one thread.  Only the sample is sorted by one thread alone.
 *
 * The keys of a bucket are neighbours, so they share their first bytes.  The
 * prefixes start after these bytes, and few prefixes are equal.
 */

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

#include "base/thread.h"
#include "hist/key_order.h"
#include "hist/key_sort.h"

/* The keys of a bucket, and how many buckets there may be: more of them would
   not fit into a first-level cache while keys are put there. */
#define BUCKET_KEYS 8192
#define BUCKETS_MAX ((size_t)4096)

/* Keys of the sample for each bucket. */
#define OVERSAMPLING 16

/* With fewer keys, another thread is not worth it. */
#define THREAD_KEYS 32768

/* ---- splitters ---- */

/*
 * Keys that cut the order of all keys into buckets: BUCKETS - 1 splitters
 * ascend.  Bucket b has the keys from splitter b - 1 on and before splitter b.
 * Splitters that are chosen from a sample make buckets of about the same size,
 * whatever the keys have in common, because no two keys are equal.
 *
 * All keys of a bucket share the bytes that both of its splitters start with.
 * The first and the last bucket share none.
 */
struct splitters {
    size_t buckets;  /* a power of two */
    uint32_t common; /* bytes that all splitters start with */
    struct key_memory *memory;
    uint64_t *prefix;      /* of each splitter, from COMMON on ... */
    struct key_entry *key; /* ... and its key */
    uint32_t *depth;       /* bytes that the keys of each bucket share */
};

/* Returns what splitters for BUCKETS buckets take from memory. */
static size_t
splitters_bytes(size_t buckets)
{
    return buckets *
           (sizeof(uint64_t) + sizeof(struct key_entry) + sizeof(uint32_t));
}

/* Returns how many bytes A and B start with in common. */
static uint32_t
common_bytes(const struct key_entry *a, const struct key_entry *b)
{
    uint32_t most = a->size < b->size ? a->size : b->size;
    uint32_t i = 0;

    while (i < most && a->key[i] == b->key[i])
        i++;
    return i;
}

/*
 * Choose splitters for BUCKETS buckets, a power of two, from SAMPLE, which is
 * sorted and has COUNT keys, at least BUCKETS.  The entries stay in place.
 */
static enum key_result
splitters_open(struct splitters *splitters, size_t buckets,
               const struct key_place *sample, size_t count,
               struct key_memory *memory)
{
    enum key_result result = KEY_OK;
    size_t last = buckets - 2; /* splitter */

    assert(buckets > 1 && (buckets & (buckets - 1)) == 0 && count >= buckets);
    *splitters = (struct splitters){.buckets = buckets, .memory = memory};
    splitters->key = key_memory_take(memory, splitters_bytes(buckets), &result);
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

static void
splitters_close(struct splitters *splitters)
{
    key_memory_give(splitters->memory, splitters->key,
                    splitters_bytes(splitters->buckets));
}

/*
 * Returns the bucket of KEY, which starts with the common bytes of all
 * splitters, if FIRST splitters have lower prefixes, and the next splitter has
 * the same PREFIX.
 */
static size_t
find_among_equal(const struct splitters *splitters, const struct key_entry *key,
                 size_t first, uint64_t prefix)
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

/* Returns the bucket of KEY. */
static size_t
splitters_find(const struct splitters *splitters, const struct key_entry *key)
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

/* ---- the sort ---- */

struct sorter {
    struct key_order *order;
    struct key_table *const *table;
    size_t tables;
    unsigned int members;
    struct splitters splitters;
    /* Of each bucket, for each member: the number of keys of the member, then
       the place of the next key. */
    size_t *next;
    size_t *end;         /* of each bucket: where its places end */
    atomic_size_t taken; /* buckets that a member sorts or has sorted */
};

static size_t
sorter_bytes(size_t buckets, unsigned int members)
{
    return buckets * (members + 1) * sizeof(size_t);
}

/* ---- the work of a member ---- */

/* Returns the first table of MEMBER, whose tables end before the first table of
   the next member. */
static size_t
first_table(const struct sorter *sorter, unsigned int member)
{
    return sorter->tables * member / sorter->members;
}

/* Count the keys of the buckets. */
static void
count_keys(void *task, unsigned int member)
{
    const struct sorter *sorter = task;
    size_t *count = sorter->next + member * sorter->splitters.buckets;
    size_t end = first_table(sorter, member + 1);

    memset(count, 0, sorter->splitters.buckets * sizeof *count);
    for (size_t t = first_table(sorter, member); t < end; t++) {
        struct key_cursor cursor = {0};
        const unsigned char *entry;
        while ((entry = key_table_next(sorter->table[t], &cursor)) != NULL) {
            struct key_entry key = key_entry_key(entry);
            count[splitters_find(&sorter->splitters, &key)]++;
        }
    }
}

/* Put the keys into the buckets. */
static void
put_keys(void *task, unsigned int member)
{
    const struct sorter *sorter = task;
    const struct splitters *splitters = &sorter->splitters;
    size_t *next = sorter->next + member * splitters->buckets;
    size_t end = first_table(sorter, member + 1);

    for (size_t t = first_table(sorter, member); t < end; t++) {
        struct key_cursor cursor = {0};
        const unsigned char *entry;
        while ((entry = key_table_next(sorter->table[t], &cursor)) != NULL) {
            struct key_entry key = key_entry_key(entry);
            size_t bucket = splitters_find(splitters, &key);
            sorter->order->place[next[bucket]++] = (struct key_place){
                key_prefix(&key, splitters->depth[bucket]), entry};
        }
    }
}

static void
sort_buckets(void *task, unsigned int member)
{
    struct sorter *sorter = task;
    struct key_place *place = sorter->order->place;
    size_t b;

    (void)member;
    while ((b = atomic_fetch_add(&sorter->taken, 1)) <
           sorter->splitters.buckets) {
        size_t first = b > 0 ? sorter->end[b - 1] : 0;
        key_sort(place + first, sorter->end[b] - first,
                 sorter->splitters.depth[b]);
    }
}

/* ---- all members ---- */

/* Turn the numbers of keys into places. */
static void
find_places(struct sorter *sorter)
{
    size_t buckets = sorter->splitters.buckets;
    size_t place = 0;

    for (size_t b = 0; b < buckets; b++) {
        for (unsigned int m = 0; m < sorter->members; m++) {
            size_t *next = &sorter->next[m * buckets + b];
            size_t count = *next;
            *next = place;
            place += count;
        }
        sorter->end[b] = place;
    }
}

/* Sort all keys in one bucket. */
static void
sort_together(struct sorter *sorter)
{
    struct key_place *place = sorter->order->place;

    for (size_t t = 0; t < sorter->tables; t++) {
        struct key_cursor cursor = {0};
        const unsigned char *entry;
        while ((entry = key_table_next(sorter->table[t], &cursor)) != NULL) {
            struct key_entry key = key_entry_key(entry);
            *place++ = (struct key_place){key_prefix(&key, 0), entry};
        }
    }
    key_sort(sorter->order->place, sorter->order->keys, 0);
}

/*
 * Add keys of TABLE to SAMPLE: about COUNT, from as many blocks as there are,
 * and at most its keys.  Returns how many.
 */
static size_t
sample_table(const struct key_table *table, size_t count,
             struct key_place *sample)
{
    size_t step = count > 0 ? table->blocks / count + 1 : SIZE_MAX;
    size_t each = table->blocks > 0 ? count / table->blocks + 1 : 0;
    size_t taken = 0;

    for (size_t b = 0; b < table->blocks; b += step) {
        struct key_cursor cursor = {.block = b};
        for (size_t i = 0; i < each; i++) {
            const unsigned char *entry = key_table_next(table, &cursor);
            if (entry == NULL || cursor.block != b)
                break;
            struct key_entry key = key_entry_key(entry);
            sample[taken++] = (struct key_place){key_prefix(&key, 0), entry};
        }
    }
    return taken;
}

/* Take a sorted sample of about COUNT keys.  Returns how many there are. */
static size_t
take_sample(struct sorter *sorter, size_t count)
{
    /* The places are not used yet. */
    struct key_place *sample = sorter->order->place;
    size_t taken = 0;

    for (size_t t = 0; t < sorter->tables; t++)
        taken += sample_table(sorter->table[t], count / sorter->tables,
                              sample + taken);
    key_sort(sample, taken, 0);
    return taken;
}

/*
 * Choose splitters, for as many buckets as are useful and fit into memory.
 * Returns false if one bucket is left.
 */
static bool
choose_splitters(struct sorter *sorter)
{
    struct key_memory *memory = sorter->order->memory;
    enum key_result result = KEY_OK;
    size_t buckets = 1;

    while (buckets < BUCKETS_MAX && buckets * BUCKET_KEYS < sorter->order->keys)
        buckets *= 2;
    if (buckets == 1)
        return false;
    size_t sampled = take_sample(sorter, buckets * OVERSAMPLING);
    for (; buckets > 1; buckets /= 2) {
        if (buckets > sampled)
            continue;
        sorter->next = key_memory_take(
            memory, sorter_bytes(buckets, sorter->members), &result);
        if (sorter->next == NULL)
            continue;
        if (splitters_open(&sorter->splitters, buckets, sorter->order->place,
                           sampled, memory) == KEY_OK) {
            sorter->end = sorter->next + buckets * sorter->members;
            return true;
        }
        key_memory_give(memory, sorter->next,
                        sorter_bytes(buckets, sorter->members));
    }
    return false;
}

static void
sort(struct sorter *sorter)
{
    unsigned int members = sorter->members;

    if (!choose_splitters(sorter)) {
        sort_together(sorter);
        return;
    }
    crew_run(members, count_keys, sorter);
    find_places(sorter);
    crew_run(members, put_keys, sorter);
    crew_run(members, sort_buckets, sorter);
    key_memory_give(sorter->order->memory, sorter->next,
                    sorter_bytes(sorter->splitters.buckets, members));
    splitters_close(&sorter->splitters);
}

/* Returns how many threads are useful. */
static unsigned int
choose_members(size_t keys, unsigned int threads)
{
    size_t useful = keys / THREAD_KEYS + 1;

    useful = useful < threads ? useful : threads;
    return useful < CREW_MAX ? (unsigned int)useful : CREW_MAX;
}

size_t
key_order_bytes(void)
{
    return sizeof(struct key_place);
}

enum key_result
key_order_open(struct key_order *order, struct key_table *const *table,
               size_t count, unsigned int threads, struct key_memory *memory)
{
    enum key_result result = KEY_OK;
    struct sorter sorter = {.order = order, .table = table, .tables = count};

    *order = (struct key_order){.memory = memory};
    for (size_t t = 0; t < count; t++)
        order->keys += table[t]->keys;
    order->place = key_memory_take(
        memory, (order->keys + 1) * sizeof *order->place, &result);
    if (order->place == NULL)
        return result;
    sorter.members = choose_members(order->keys, threads);
    sort(&sorter);
    return KEY_OK;
}

/* ---- keys that are sorted already ---- */

/* Returns how many of the COUNT keys at PLACE, which ascend, are before KEY,
   and probably few. */
static size_t
count_before(const struct key_place *place, size_t count,
             const struct key_entry *key)
{
    size_t first = 0;
    size_t end = 1;

    while (end < count) {
        const struct key_entry at = key_entry_key(place[end - 1].entry);
        if (key_entry_compare(&at, key) >= 0)
            break;
        first = end;
        end *= 2;
    }
    end = end < count ? end : count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        const struct key_entry at = key_entry_key(place[middle].entry);
        if (key_entry_compare(&at, key) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

/* Merge the places of ORDER with MORE others, which are after room for those of
   ORDER at PLACE.  Returns how many keys there are then. */
static size_t
merge(const struct key_order *order, struct key_place *place, size_t more)
{
    struct key_place *from = place + order->keys;
    struct key_place *to = place;

    for (size_t k = 0; k < order->keys; k++) {
        const struct key_entry key = key_order_entry(order, k);
        size_t before = count_before(from, more, &key);
        memmove(to, from, before * sizeof *to);
        to += before;
        from += before;
        more -= before;
        const struct key_entry at =
            more > 0 ? key_entry_key(from->entry) : (struct key_entry){0};
        if (more > 0 && key_entry_compare(&at, &key) == 0)
            /* The entry is in a table that the caller owns. */
            key_entry_count((unsigned char *)(uintptr_t)from->entry, key.count);
        else
            *to++ = order->place[k];
    }
    memmove(to, from, more * sizeof *to);
    return (size_t)(to + more - place);
}

enum key_result
key_order_join(struct key_order *order, struct key_table *table, size_t count)
{
    enum key_result result = KEY_OK;
    size_t more = 0;

    for (size_t t = 0; t < count; t++)
        more += table[t].keys;
    size_t room = order->keys + more;
    struct key_place *place =
        key_memory_take(order->memory, (room + 1) * sizeof *place, &result);
    if (place == NULL)
        return result;
    struct key_place *next = place + order->keys;
    for (size_t t = 0; t < count; t++) {
        struct key_cursor cursor = {0};
        const unsigned char *entry;
        while ((entry = key_table_next(&table[t], &cursor)) != NULL)
            *next++ = (struct key_place){.entry = entry};
    }
    size_t keys = merge(order, place, more);
    key_order_close(order);
    order->place = place;
    order->keys = keys;
    order->spare = room - keys;
    return KEY_OK;
}

void
key_order_close(struct key_order *order)
{
    key_memory_give(order->memory, order->place,
                    (order->keys + order->spare + 1) * sizeof *order->place);
    order->place = NULL;
}
