/* SPDX-License-Identifier: MIT */
/* key_counter.c -- the cache and the lists of one thread, of key_counts.h */

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/keys/key_cache.h"
#include "engine/cpu/keys/key_counter.h"

/* Of SAMPLING keys that missed the cache, one may enter it; more while a new
   one fills. */
#define SAMPLING 16
#define SAMPLING_FIRST 2

/* The size of the cache is considered after this many keys for each way; it
   fills during the first half. */
#define FREQUENT_LOOK 8
#define FREQUENT_FILL 4

/* The cache grows if this share of the keys has no room, and this share is
   found: a cache that finds fewer would be too small in any case. */
#define FREQUENT_CROWDED 256
#define FREQUENT_FOUND 16

/* A large cache becomes small if it misses this share. */
#define FREQUENT_MISSED 2

/* Keys whose sets of the cache are fetched together. */
#define FETCHED ((size_t)32)

/* The log of how much later a cache is considered again that did not help. */
#define FREQUENT_SHRUNK_MAX 14

/* ---- opening and closing ---- */

struct key_counter *
key_counter_new(struct key_counts *counts, enum key_result *result)
{
    bool has_weights = key_counts_have_weights(counts);

    pthread_mutex_lock(&counts->counters.lock);
    bool has_room = counts->counters_left > 0;
    counts->counters_left -= has_room;
    pthread_mutex_unlock(&counts->counters.lock);
    if (!has_room) {
        *result = KEY_LIMIT;
        return NULL;
    }
    struct key_counter *counter = key_memory_take_reserved(
        &counts->memory, key_cache_bytes(counts->partitions_log, has_weights),
        result);
    if (counter == NULL)
        return NULL;
    memset(counter, 0, sizeof *counter);
    counter->counts = counts;
    counter->hash_key = counts->hash_key;
    counter->partitions_log = counts->partitions_log;
    counter->list_items = key_cache_list_items(counts->partitions_log);
    if (has_weights)
        counter->weight =
            (void *)(counter->item + key_cache_items(counts->partitions_log));
    frequent_keys_open(
        &counter->frequent,
        (unsigned char *)counter +
            key_cache_frequent_at(counts->partitions_log, has_weights),
        &counts->hash_key, has_weights, counts->frequent_bytes);

    pthread_mutex_lock(&counts->counters.lock);
    /* Threads that drain at the same time should not meet. */
    uint32_t turn = (uint32_t)counts->opened++ * (uint32_t)(HASH_GOLDEN >> 32);
    counter->start = (size_t)((uint64_t)turn << counts->partitions_log >> 32);
    pthread_mutex_unlock(&counts->counters.lock);
    thread_list_add(&counts->counters, &counter->link);
    return counter;
}

void
key_counter_close(struct key_counter *counter)
{
    struct key_counts *counts = counter->counts;

    thread_list_remove(&counts->counters, &counter->link);
    frequent_keys_shrink(&counter->frequent, &counts->memory);
    key_memory_give(&counts->memory, counter,
                    key_cache_bytes(counts->partitions_log,
                                    key_counts_have_weights(counts)));
}

/* ---- lists ---- */

static inline size_t
partition_of(const struct key_counter *counter, uint64_t hash)
{
    return (size_t)(hash >> (64 - counter->partitions_log));
}

static inline struct key_item *
list_of(struct key_counter *counter, size_t partition)
{
    return counter->item + partition * key_cache_stride(counter);
}

/* Where list_of() has its weights. */
static inline int64_t *
weights_of(const struct key_counter *counter, size_t partition)
{
    return counter->weight + partition * key_cache_stride(counter);
}

/* The hash of the key of SIZE bytes at KEY, whose words are WORD. */
static inline uint64_t
hash_of(const struct key_counter *counter, const unsigned char *key,
        uint32_t size, const uint64_t word[HASH_WORDS])
{
    return key_words_are_long(word) ? hash_bytes(&counter->hash_key, key, size)
                                    : hash_short(&counter->hash_key, word);
}

/* The partition of the key of a way. */
static size_t
partition_of_way(const struct key_counter *counter, size_t set, size_t way)
{
    const struct frequent_keys *frequent = &counter->frequent;
    struct key_entry entry = key_entry_key(frequent->entry[set][way]);

    return partition_of(counter, hash_of(counter, entry.key, entry.size,
                                         frequent->set[set].word[way]));
}

/*
 * Move the count of a way to a list.  Returns false, with nothing done, if the
 * list is full.
 */
static bool
list_tally(struct key_counter *counter, size_t set, size_t way)
{
    struct frequent_keys *frequent = &counter->frequent;
    uint64_t *tally = &frequent->set[set].tally[way];
    uint32_t count = (uint32_t)(*tally >> TALLY_COUNT_SHIFT);

    if (count == 0)
        return true;
    size_t partition = partition_of_way(counter, set, way);
    if (counter->used[partition] == counter->list_items)
        return false;
    size_t place = counter->used[partition]++;
    list_of(counter, partition)[place] =
        (struct key_item){.count = count, .entry = frequent->entry[set][way]};
    *tally &= TALLY_CREDIT;
    if (counter->weight != NULL) {
        weights_of(counter, partition)[place] = frequent->weight[set][way];
        frequent->weight[set][way] = 0;
    }
    return true;
}

/* Of how many keys that missed the cache one may enter it now. */
static inline unsigned int
sampling(const struct key_counter *counter)
{
    size_t ways = FREQUENT_WAYS * frequent_keys_sets(&counter->frequent);

    return counter->seen < FREQUENT_FILL * ways ? SAMPLING_FIRST : SAMPLING;
}

/*
 * Let the key of ITEM, which the table has, enter the cache if a key of its set
 * has no credit.  Otherwise the key loses half of its credit.
 */
static void
admit(struct key_counter *counter, const struct key_item *item)
{
    struct frequent_keys *frequent = &counter->frequent;
    uint64_t word[HASH_WORDS];
    size_t way = 0;

    key_words_make(&frequent->secret, item->key, item->size, word);
    size_t s = frequent_keys_set(frequent, word);
    struct frequent_set *set = &frequent->set[s];
    if (key_words_are_long(word))
        word[2] = (uintptr_t)key_entry_key(item->entry).key;
    for (size_t w = 0; w < FREQUENT_WAYS; w++) {
        if (memcmp(set->word[w], word, sizeof word) == 0)
            return;
        if ((set->tally[w] & TALLY_CREDIT) < (set->tally[way] & TALLY_CREDIT))
            way = w;
    }
    counter->crowded += set->word[way][0] != 0 ? sampling(counter) : 0;
    uint64_t credit = set->tally[way] & TALLY_CREDIT;
    if (credit > 0) {
        set->tally[way] -= credit - credit / 2;
        return;
    }
    if (!list_tally(counter, s, way))
        return;
    memcpy(set->word[way], word, sizeof word);
    frequent->entry[s][way] = item->entry;
}

/* ---- spilling ---- */

/*
 * Add COUNT, and the value at WEIGHT unless NULL, a nano or a count that
 * replaces COUNT, to ENTRY.  It is 0 then.
 */
static void
settle_entry(const struct key_counter *counter, unsigned char *entry,
             uint64_t count, int64_t *weight)
{
    if (weight != NULL && key_counts_have_sums(counter->counts)) {
        struct decimal_sum sum = decimal_sum_of_nano(*weight);
        key_entry_weigh(entry, &sum);
    } else if (weight != NULL) {
        count = (uint64_t)*weight;
    }
    key_entry_count(entry, count);
    if (weight != NULL)
        *weight = 0;
}

/*
 * Add what COUNTER's cache has counted to the entries, which go away, and empty
 * the cache.
 */
static void
empty_cache(struct key_counter *counter)
{
    size_t partitions = key_counts_partitions(counter->counts);

    struct frequent_keys *frequent = &counter->frequent;

    for (size_t s = 0; s < frequent_keys_sets(frequent); s++) {
        for (size_t w = 0; w < FREQUENT_WAYS; w++) {
            uint64_t count = frequent->set[s].tally[w] >> TALLY_COUNT_SHIFT;
            if (count == 0)
                continue;
            settle_entry(counter, frequent->entry[s][w], count,
                         frequent->weight != NULL ? &frequent->weight[s][w]
                                                  : NULL);
        }
    }
    frequent_keys_shrink(frequent, &counter->counts->memory);
    for (size_t p = 0; p < partitions; p++) {
        struct key_item *list = list_of(counter, p);
        size_t kept = 0;
        int64_t *weight =
            counter->weight != NULL ? weights_of(counter, p) : NULL;
        for (size_t i = 0; i < counter->used[p]; i++) {
            if (list[i].key != NULL) {
                if (weight != NULL)
                    weight[kept] = weight[i];
                list[kept++] = list[i];
                continue;
            }
            settle_entry(counter, list[i].entry, list[i].count,
                         weight != NULL ? &weight[i] : NULL);
        }
        counter->used[p] = kept;
    }
}

static void
empty_caches(struct key_counts *counts)
{
    pthread_mutex_lock(&counts->counters.lock);
    for (struct thread_link *at = counts->counters.first; at != NULL;
         at = at->next)
        empty_cache((struct key_counter *)at);
    pthread_mutex_unlock(&counts->counters.lock);
}

/* Write all tables as a run, and empty them.  This thread is alone. */
static enum key_result
spill(struct key_counts *counts)
{
    if (counts->failure.status != EXIT_DONE)
        return KEY_FAILED;
    empty_caches(counts);
    return key_counts_write(counts);
}

enum key_result
key_counter_spill(struct key_counts *counts)
{
    safepoint_enter(&counts->safepoint);
    while (!safepoint_stop(&counts->safepoint))
        continue;
    enum key_result result = spill(counts);
    safepoint_resume(&counts->safepoint);
    safepoint_leave(&counts->safepoint);
    return result;
}

/* ---- adding lists to tables ---- */

/*
 * Add the list of PARTITION, which is locked, to the table, and unlock
 * PARTITION.  After KEY_LIMIT the items that are not added are in the list.
 */
static enum key_result
add_locked(struct key_counter *counter, size_t partition)
{
    struct key_partition *to = &counter->counts->partition[partition];
    struct key_item *list = list_of(counter, partition);
    size_t used = counter->used[partition];
    size_t added;
    struct key_weights weights = {
        NULL, counter->wide, counter->counts->bringing == KEY_BRINGS_COUNT};
    if (counter->weight != NULL)
        weights.weight = weights_of(counter, partition);
    enum key_result result =
        key_table_add_items(&to->table, list, used,
                            counter->weight != NULL ? &weights : NULL, &added);

    pthread_mutex_unlock(&to->lock);
    counter->used[partition] = used - added;
    if (added < used) {
        memmove(list, list + added, (used - added) * sizeof *list);
        if (counter->weight != NULL)
            memmove(weights_of(counter, partition), weights.weight + added,
                    (used - added) * sizeof *counter->weight);
        return result;
    }
    unsigned int every = sampling(counter);
    for (size_t i = 0; i < used; i++) {
        /* A copy: a tally may replace the item in its list. */
        struct key_item item = list[i];
        if (item.key != NULL && ++counter->misses % every == 0)
            admit(counter, &item);
    }
    return KEY_OK;
}

static enum key_result
add_list(struct key_counter *counter, size_t partition)
{
    pthread_mutex_lock(&counter->counts->partition[partition].lock);
    return add_locked(counter, partition);
}

/*
 * Add the list of PARTITION, which had no room.  Only a key that does not fit
 * into empty tables fails with KEY_LIMIT.
 */
static enum key_result
drain_to_full(struct key_counter *counter, size_t partition)
{
    struct key_counts *counts = counter->counts;
    enum key_result result = KEY_LIMIT;

    while (result == KEY_LIMIT) {
        /* Another thread may have spilled. */
        if (!safepoint_stop(&counts->safepoint)) {
            result = add_list(counter, partition);
            continue;
        }
        do {
            result = spill(counts);
            if (result == KEY_OK)
                result = add_list(counter, partition);
        } while (result == KEY_LIMIT && key_counts_keys(counts) > 0);
        safepoint_resume(&counts->safepoint);
        break;
    }
    return result;
}

static enum key_result
drain(struct key_counter *counter, size_t partition)
{
    safepoint_pass(&counter->counts->safepoint);
    enum key_result result = add_list(counter, partition);
    return result == KEY_LIMIT ? drain_to_full(counter, partition) : result;
}

/*
 * Drain all lists: first those whose partitions no other thread has locked.
 * Only counts of the cache are in lists afterwards.
 */
static enum key_result
drain_all(struct key_counter *counter)
{
    struct key_counts *counts = counter->counts;
    size_t partitions = key_counts_partitions(counts);
    uint16_t locked[PARTITIONS_MAX];
    size_t locked_count = 0;
    enum key_result result = KEY_OK;

    for (size_t n = 0; n < partitions && result == KEY_OK; n++) {
        size_t p = (counter->start + n) % partitions;
        safepoint_pass(&counts->safepoint);
        if (counter->used[p] == 0)
            continue;
        if (pthread_mutex_trylock(&counts->partition[p].lock) != 0) {
            locked[locked_count++] = (uint16_t)p;
            continue;
        }
        result = add_locked(counter, p);
        if (result == KEY_LIMIT)
            result = drain_to_full(counter, p);
    }
    for (size_t n = 0; n < locked_count && result == KEY_OK; n++)
        result = drain(counter, locked[n]);
    return result;
}

/*
 * Add the list of PARTITION, which has room left, unless another thread has
 * locked its table: to wait for that thread costs more than adding a list.
 */
static enum key_result
try_drain(struct key_counter *counter, size_t partition)
{
    safepoint_pass(&counter->counts->safepoint);
    if (pthread_mutex_trylock(&counter->counts->partition[partition].lock) != 0)
        return KEY_OK;
    enum key_result result = add_locked(counter, partition);
    return result == KEY_LIMIT ? drain_to_full(counter, partition) : result;
}

/*
 * Append ITEM, a key that the cache does not have, with a WEIGHT that is not
 * used without weights.
 */
static inline __attribute__((always_inline)) enum key_result
append_item(struct key_counter *counter, struct key_item item, int64_t weight)
{
    size_t partition = partition_of(counter, item.hash);
    size_t used = counter->used[partition];
    enum key_result result = KEY_OK;

    counter->missed++;
    if (used == counter->list_items)
        result = drain(counter, partition);
    else if (used >= LIST_TRY && used % LIST_RETRY == 0)
        result = try_drain(counter, partition);
    if (result != KEY_OK)
        return result;
    size_t place = counter->used[partition]++;
    list_of(counter, partition)[place] = item;
    if (counter->weight != NULL)
        weights_of(counter, partition)[place] = weight;
    return result;
}

/* The same of a key that occurred once. */
static enum key_result
append(struct key_counter *counter, uint64_t hash, const unsigned char *key,
       uint32_t size, int64_t weight)
{
    return append_item(
        counter,
        (struct key_item){.hash = hash, .key = key, .size = size, .count = 1},
        weight);
}

/* ---- keys ---- */

/*
 * Add a key with WORD to way W of set S of FREQUENT.  Returns whether the way
 * holds its weight.  A weight that does not fit a nano is too far from 0, and
 * so is its sum with the weight of any way.  Sums of counts, of 64 bits, may
 * wrap around.
 */
static inline __attribute__((always_inline)) bool
tally(const struct frequent_keys *frequent, size_t s, size_t w,
      const bool has_weights, int64_t weight)
{
    const uint64_t most = FREQUENT_WEIGHT_MOST;

    if (has_weights) {
        uint64_t sum = (uint64_t)frequent->weight[s][w] + (uint64_t)weight;
        if (sum + most > 2 * most)
            return false;
        frequent->weight[s][w] = (int64_t)sum;
    }
    frequent->set[s].tally[w] += TALLY_ONE;
    return true;
}

/* The way of SET that has the first WORDS of WORD, or FREQUENT_WAYS. */
static inline __attribute__((always_inline)) size_t
find_way(const struct frequent_set *set, const uint64_t word[HASH_WORDS],
         const size_t words)
{
    /* Which way it is cannot be predicted, so no branch asks. */
    uint64_t differs[FREQUENT_WAYS] = {0};

    for (size_t w = 0; w < FREQUENT_WAYS; w++) {
        for (size_t i = 0; i < words; i++)
            differs[w] |= set->word[w][i] ^ word[i];
    }
    size_t way = differs[0] != 0;
    return differs[0] == 0 || differs[1] == 0 ? way : FREQUENT_WAYS;
}

/* As find_way(), of a key of SIZE bytes at BYTE that is not short.  In a
   function of its own, which leaves registers to the loop over keys. */
static __attribute__((noinline)) size_t
find_long(const struct frequent_set *set, const uint64_t word[HASH_WORDS],
          const unsigned char *byte, uint32_t size)
{
    size_t way = find_way(set, word, HASH_WORDS - 1);

    if (way < FREQUENT_WAYS &&
        key_long_is_same(frequent_long_key(set, way), byte, size))
        return way;
    return FREQUENT_WAYS;
}

/* Add KEY, which way W of set S has if W is a way, but cannot be tallied. */
static __attribute__((noinline)) enum key_result
add_beside(struct key_counter *counter, size_t s, size_t w,
           const unsigned char *key, uint32_t size,
           const uint64_t word[HASH_WORDS], int64_t weight)
{
    /* Its count is in a list soon, and the way is at 0 again. */
    if (w < FREQUENT_WAYS)
        (void)list_tally(counter, s, w);
    return append(counter, hash_of(counter, key, size, word), key, size,
                  weight);
}

/* Add the counts of the cache to the tables, through lists without keys. */
static void
settle_tallies(struct key_counter *counter)
{
    struct frequent_keys *frequent = &counter->frequent;

    for (size_t s = 0; s < frequent_keys_sets(frequent); s++) {
        for (size_t w = 0; w < FREQUENT_WAYS; w++) {
            if (!list_tally(counter, s, w)) {
                drain(counter, partition_of_way(counter, s, w));
                /* Another thread may have spilled: the cache is empty. */
                if (s >= frequent_keys_sets(frequent))
                    break;
                list_tally(counter, s, w);
            }
            frequent->set[s].tally[w] >>= 1;
        }
    }
    counter->tallied = 0;
}

/* Grow or shrink the cache, if enough keys have been counted to know. */
static void
resize(struct key_counter *counter)
{
    struct key_memory *memory = &counter->counts->memory;
    struct frequent_keys *frequent = &counter->frequent;
    bool is_least = frequent->sets_log == FREQUENT_LOG_MIN;
    size_t look = FREQUENT_LOOK * FREQUENT_WAYS * frequent_keys_sets(frequent);

    if (counter->seen < (is_least ? look << counter->shrunk : look))
        return;
    size_t found = counter->seen - counter->missed;
    bool is_crowded = counter->crowded > counter->seen / FREQUENT_CROWDED &&
                      found > counter->seen / FREQUENT_FOUND;
    if (is_crowded && frequent->sets_log < frequent->sets_log_max) {
        frequent_keys_grow(frequent, memory);
    } else if (!is_least && counter->missed > counter->seen / FREQUENT_MISSED) {
        settle_tallies(counter);
        drain_all(counter);
        frequent_keys_shrink(frequent, memory);
        counter->shrunk += counter->shrunk < FREQUENT_SHRUNK_MAX ? 2 : 0;
    }
    counter->seen = 0;
    counter->missed = 0;
    counter->crowded = 0;
}

/* A key whose set is fetched. */
struct fetched_key {
    uint64_t word[HASH_WORDS];
    uint64_t sum; /* frequent_keys_sum() */
};

/* In a function of its own, which leaves registers to the loop over keys. */
static __attribute__((noinline)) void
make_words(const struct key_secret *secret, const unsigned char *key,
           uint32_t size, uint64_t word[HASH_WORDS])
{
    key_words_make(secret, key, size, word);
}

/* Make the words of the COUNT keys at SLICE, and fetch their sets.  SECRET is
   that of FREQUENT. */
static inline __attribute__((always_inline)) void
fetch_keys(const struct frequent_keys *frequent,
           const struct key_secret *secret, const unsigned char *data,
           const struct text_slice *slice, size_t count,
           struct fetched_key key[FETCHED])
{
    for (size_t i = 0; i < count; i++) {
        size_t at = slice[i].at;
        uint32_t size = slice[i].size;

        if (key_words_can_load(at, size))
            key_words_load(data, at, size, key[i].word);
        else
            make_words(secret, data + at, size, key[i].word);
        key[i].sum = frequent_keys_sum(frequent, key[i].word);
        __builtin_prefetch(&frequent->set[key[i].sum >> frequent->shift], 1);
    }
}

/* Add COUNT keys. */
static inline __attribute__((always_inline)) enum key_result
add_keys(struct key_counter *counter, const unsigned char *data,
         const struct text_slice *slice, size_t count, const bool has_weights,
         const int64_t *weight)
{
    /* A copy, which no store changes. */
    struct frequent_keys frequent = counter->frequent;
    struct fetched_key fetched[FETCHED];
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < count && result == KEY_OK; i++) {
        const struct fetched_key *key = &fetched[i % FETCHED];
        const unsigned char *byte = data + slice[i].at;
        int64_t own = has_weights && weight != NULL ? weight[i] : 0;

        if (i % FETCHED == 0)
            fetch_keys(&frequent, &counter->frequent.secret, data, slice + i,
                       count - i < FETCHED ? count - i : FETCHED, fetched);
        size_t s = (size_t)(key->sum >> frequent.shift);
        size_t way =
            __builtin_expect(key_words_are_long(key->word), 0)
                ? find_long(&frequent.set[s], key->word, byte, slice[i].size)
                : find_way(&frequent.set[s], key->word, HASH_WORDS);
        if (way < FREQUENT_WAYS && tally(&frequent, s, way, has_weights, own))
            continue;
        result =
            add_beside(counter, s, way, byte, slice[i].size, key->word, own);
        /* Another thread may have spilled. */
        frequent = counter->frequent;
    }
    return result;
}

/* In functions of their own, so that the first has no trace of weights. */
static __attribute__((noinline)) enum key_result
add_plain(struct key_counter *counter, const unsigned char *data,
          const struct text_slice *slice, size_t count)
{
    return add_keys(counter, data, slice, count, false, NULL);
}

static __attribute__((noinline)) enum key_result
add_weighed(struct key_counter *counter, const unsigned char *data,
            const struct text_slice *slice, size_t count, const int64_t *weight)
{
    return add_keys(counter, data, slice, count, true, weight);
}

enum key_result
key_counter_add(struct key_counter *counter, const unsigned char *data,
                const struct text_slice *slice, size_t count,
                const struct key_weights *weights)
{
    enum key_result result;

    assert((counter->weight != NULL) == (weights != NULL));
    assert(count <= TALLIED_MAX);
    safepoint_enter(&counter->counts->safepoint);
    if (counter->tallied + count > TALLIED_MAX)
        settle_tallies(counter);
    counter->tallied += count;
    counter->seen += count;
    if (weights == NULL) {
        result = add_plain(counter, data, slice, count);
    } else {
        counter->wide = weights->wide;
        result = add_weighed(counter, data, slice, count, weights->weight);
    }
    if (result == KEY_OK)
        result = drain_all(counter);
    if (result == KEY_OK)
        resize(counter);
    /* No list may keep a key of this chunk. */
    if (result != KEY_OK)
        memset(counter->used, 0, sizeof counter->used);
    safepoint_leave(&counter->counts->safepoint);
    return result;
}

enum key_result
key_counter_add_times(struct key_counter *counter, const unsigned char *data,
                      const struct text_slice *slice, const uint32_t *times,
                      size_t count)
{
    enum key_result result = KEY_OK;

    assert(counter->weight == NULL);
    safepoint_enter(&counter->counts->safepoint);
    for (size_t i = 0; i < count && result == KEY_OK; i++) {
        const unsigned char *key = data + slice[i].at;
        struct key_item item = {
            .hash = hash_bytes(&counter->hash_key, key, slice[i].size),
            .key = key,
            .size = slice[i].size,
            .count = times[i],
        };
        result = append_item(counter, item, 0);
    }
    if (result == KEY_OK)
        result = drain_all(counter);
    if (result != KEY_OK)
        memset(counter->used, 0, sizeof counter->used);
    safepoint_leave(&counter->counts->safepoint);
    return result;
}

void
key_counter_settle(struct key_counter *counter)
{
    safepoint_enter(&counter->counts->safepoint);
    settle_tallies(counter);
    drain_all(counter);
    safepoint_leave(&counter->counts->safepoint);
}

void
key_counter_settle_all(struct key_counts *counts)
{
    pthread_mutex_lock(&counts->counters.lock);
    for (struct thread_link *at = counts->counters.first; at != NULL;
         at = at->next)
        key_counter_settle((struct key_counter *)at);
    pthread_mutex_unlock(&counts->counters.lock);
}

void
key_counter_restart_all(struct key_counts *counts)
{
    empty_caches(counts);
    key_counts_restart(counts);
}

enum key_result
key_counter_add_amount(struct key_counts *counts, const unsigned char *key,
                       uint32_t size, const struct key_amount *amount)
{
    static const int64_t none = 0;
    const struct key_weights weights = {.weight = &none};
    uint64_t hash = hash_bytes(&counts->hash_key, key, size);
    struct key_table *table =
        &counts->partition[hash >> (64 - counts->partitions_log)].table;
    bool has_sums = table->sum_bytes > 0;
    struct key_item item = {.hash = hash, .key = key, .size = size};
    size_t added;
    enum key_result result = key_table_add_items(
        table, &item, 1, has_sums ? &weights : NULL, &added);

    if (result == KEY_LIMIT) {
        result = key_counter_spill(counts);
        if (result == KEY_OK)
            result = key_table_add_items(table, &item, 1,
                                         has_sums ? &weights : NULL, &added);
    }
    if (result != KEY_OK)
        return result;
    key_entry_count(item.entry, amount->count);
    if (has_sums)
        key_entry_weigh(item.entry, &amount->sum);
    return KEY_OK;
}

enum key_result
key_counter_append(struct key_counts *counts, struct key_table **table,
                   const unsigned char *key, uint32_t size, uint64_t count)
{
    enum key_result result =
        key_counts_append(counts, *table, key, size, count);

    if (result != KEY_LIMIT)
        return result;
    result = key_counter_spill(counts);
    if (result == KEY_OK)
        result = key_counts_open_sorted(counts, 1);
    if (result != KEY_OK)
        return result;
    *table = counts->sorted;
    return key_counts_append(counts, *table, key, size, count);
}
