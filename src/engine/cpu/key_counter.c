/* key_counter.c -- the cache and the lists of one thread, of key_counts.h */

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/key_cache.h"
#include "engine/cpu/key_counter.h"
#include "engine/cpu/key_words.h"

/* ---- opening and closing ---- */

struct key_counter *
key_counter_new(struct key_counts *counts, enum key_result *result)
{
    pthread_mutex_lock(&counts->lock);
    bool has_room = counts->counters_left > 0;
    counts->counters_left -= has_room;
    pthread_mutex_unlock(&counts->lock);
    if (!has_room) {
        *result = KEY_LIMIT;
        return NULL;
    }
    struct key_counter *counter = key_memory_take_reserved(
        &counts->memory,
        key_cache_bytes(counts->partitions_log, counts->has_weights), result);
    if (counter == NULL)
        return NULL;
    memset(counter, 0, sizeof *counter);
    counter->counts = counts;
    counter->hash_key = counts->hash_key;
    counter->partitions_log = counts->partitions_log;
    counter->list_items = key_cache_list_items(counts->partitions_log);
    if (counts->has_weights) {
        void *behind = counter->item + key_cache_items(counts->partitions_log);
        counter->tally_weight = behind;
        counter->weight = counter->tally_weight[SETS];
        memset(behind, 0, SETS * sizeof *counter->tally_weight);
    }

    pthread_mutex_lock(&counts->lock);
    /* Threads that drain at the same time should not meet. */
    uint32_t turn = (uint32_t)counts->opened++ * (uint32_t)(HASH_GOLDEN >> 32);
    counter->start = (size_t)((uint64_t)turn << counts->partitions_log >> 32);
    counter->next = counts->first;
    counts->first = counter;
    pthread_mutex_unlock(&counts->lock);
    return counter;
}

void
key_counter_close(struct key_counter *counter)
{
    struct key_counts *counts = counter->counts;
    struct key_counter **link = &counts->first;

    pthread_mutex_lock(&counts->lock);
    while (*link != counter)
        link = &(*link)->next;
    *link = counter->next;
    pthread_mutex_unlock(&counts->lock);
    key_memory_give(
        &counts->memory, counter,
        key_cache_bytes(counts->partitions_log, counts->has_weights));
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

/* The set of the cache for keys with HASH. */
static inline size_t
set_of(uint64_t hash)
{
    return (size_t)(hash >> SET_SHIFT) % SETS;
}

/*
 * Move the count of a way to a list.  Returns false, with nothing done, if the
 * list is full.
 */
static bool
list_tally(struct key_counter *counter, size_t set, size_t way)
{
    uint64_t *tally = &counter->set[set].tally[way];
    uint32_t count = (uint32_t)(*tally >> TALLY_COUNT_SHIFT);

    if (count == 0)
        return true;
    uint64_t hash =
        key_words_hash(&counter->hash_key, counter->set[set].word[way]);
    size_t partition = partition_of(counter, hash);
    if (counter->used[partition] == counter->list_items)
        return false;
    size_t place = counter->used[partition]++;
    list_of(counter, partition)[place] =
        (struct key_item){.count = count, .entry = counter->entry[set][way]};
    *tally &= TALLY_CREDIT;
    if (counter->weight != NULL) {
        weights_of(counter, partition)[place] = counter->tally_weight[set][way];
        counter->tally_weight[set][way] = 0;
    }
    return true;
}

/*
 * Let the key of ITEM, which the table has, enter the cache if a key of its set
 * has no credit.  Otherwise this key loses half of its credit.
 */
static void
admit(struct key_counter *counter, const struct key_item *item)
{
    size_t s = set_of(item->hash);
    struct key_set *set = &counter->set[s];
    uint64_t word[HASH_WORDS];
    size_t way = 0;

    key_words_make(item->key, item->size, item->hash, word);
    for (size_t w = 0; w < WAYS; w++) {
        if (memcmp(set->word[w], word, sizeof word) == 0)
            return;
        if ((set->tally[w] & TALLY_CREDIT) < (set->tally[way] & TALLY_CREDIT))
            way = w;
    }
    uint64_t credit = set->tally[way] & TALLY_CREDIT;
    if (credit > 0) {
        set->tally[way] -= credit - credit / 2;
        return;
    }
    if (!list_tally(counter, s, way))
        return;
    memcpy(set->word[way], word, sizeof word);
    counter->entry[s][way] = item->entry;
}

/* ---- spilling ---- */

/* Add the weight at *WEIGHT, a nano, to ENTRY; it is 0 then. */
static void
settle_weight(unsigned char *entry, int64_t *weight)
{
    struct decimal_sum sum = decimal_sum_of_nano(*weight);

    key_entry_weigh(entry, &sum);
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

    for (size_t s = 0; s < SETS; s++) {
        for (size_t w = 0; w < WAYS; w++) {
            uint64_t count = counter->set[s].tally[w] >> TALLY_COUNT_SHIFT;
            if (count == 0)
                continue;
            key_entry_count(counter->entry[s][w], count);
            if (counter->weight != NULL)
                settle_weight(counter->entry[s][w],
                              &counter->tally_weight[s][w]);
        }
    }
    memset(counter->set, 0, sizeof counter->set);
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
            key_entry_count(list[i].entry, list[i].count);
            if (weight != NULL)
                settle_weight(list[i].entry, &weight[i]);
        }
        counter->used[p] = kept;
    }
}

/* Write all tables as a run, and empty them.  This thread is alone. */
static enum key_result
spill(struct key_counts *counts)
{
    if (counts->failure.status != EXIT_DONE)
        return KEY_FAILED;
    pthread_mutex_lock(&counts->lock);
    for (struct key_counter *counter = counts->first; counter != NULL;
         counter = counter->next)
        empty_cache(counter);
    pthread_mutex_unlock(&counts->lock);
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
 * Add the list of PARTITION, which is locked, to its table and unlock it.
 * After KEY_LIMIT the items that are not added are in the list.
 */
static enum key_result
add_locked(struct key_counter *counter, size_t partition)
{
    struct key_partition *to = &counter->counts->partition[partition];
    struct key_item *list = list_of(counter, partition);
    size_t used = counter->used[partition];
    size_t added;
    struct key_weights weights = {NULL, counter->wide};
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
    for (size_t i = 0; i < used; i++) {
        /* A copy: a tally may replace the item in its list. */
        struct key_item item = list[i];
        if (item.key != NULL && ++counter->misses % SAMPLING == 0)
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
 * Add the list of PARTITION, for which there was no room.  Only a key that does
 * not fit into empty tables fails with KEY_LIMIT.
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
        } while (result == KEY_LIMIT && !key_counts_are_empty(counts));
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

/* Append a key, with a WEIGHT that is not used without weights. */
static inline enum key_result
append(struct key_counter *counter, uint64_t hash, const unsigned char *key,
       uint32_t size, int64_t weight)
{
    size_t partition = partition_of(counter, hash);
    enum key_result result = KEY_OK;

    if (counter->used[partition] == counter->list_items)
        result = drain(counter, partition);
    if (result != KEY_OK)
        return result;
    size_t place = counter->used[partition]++;
    list_of(counter, partition)[place] =
        (struct key_item){.hash = hash, .key = key, .size = size, .count = 1};
    if (counter->weight != NULL)
        weights_of(counter, partition)[place] = weight;
    return result;
}

/* ---- keys ---- */

/*
 * Add WEIGHT to a way of the cache.  Returns whether it holds it; if not, the
 * way's count is added to a list soon, and the key belongs into one.
 */
static inline bool
weigh_tally(struct key_counter *counter, size_t set, size_t way, int64_t weight)
{
    int64_t sum;

    if (decimal_is_nano(weight)) {
        sum = counter->tally_weight[set][way] + weight;
        if (decimal_is_nano(sum)) {
            counter->tally_weight[set][way] = sum;
            return true;
        }
        (void)list_tally(counter, set, way);
    }
    return false;
}

static inline __attribute__((always_inline)) enum key_result
add_short(struct key_counter *counter, const unsigned char *data, size_t at,
          uint32_t size, bool has_weights, int64_t weight)
{
    uint64_t word[HASH_WORDS];

    key_words_load(data, at, size, word);
    uint64_t hash = hash_short(&counter->hash_key, word);
    struct key_set *set = &counter->set[set_of(hash)];
    /* Which way it is cannot be predicted, so no branch asks. */
    uint64_t differs[WAYS];
    for (size_t w = 0; w < WAYS; w++)
        differs[w] = (set->word[w][0] ^ word[0]) | (set->word[w][1] ^ word[1]) |
                     (set->word[w][2] ^ word[2]);
    size_t way = differs[0] != 0;
    if ((differs[0] != 0 && differs[1] != 0) ||
        (has_weights && !weigh_tally(counter, set_of(hash), way, weight)))
        return append(counter, hash, data + at, size, weight);
    set->tally[way] += TALLY_ONE;
    return KEY_OK;
}

static enum key_result
add_long(struct key_counter *counter, const unsigned char *key, uint32_t size,
         bool has_weights, int64_t weight)
{
    uint64_t hash = hash_bytes(&counter->hash_key, key, size);
    size_t s = set_of(hash);
    struct key_set *set = &counter->set[s];
    uint64_t word[HASH_WORDS];

    key_words_make(key, size, hash, word);
    for (size_t w = 0; w < WAYS; w++) {
        if (memcmp(set->word[w], word, sizeof word) != 0)
            continue;
        if (memcmp(key_entry_read(counter->entry[s][w]).key, key, size) != 0)
            continue;
        if (has_weights && !weigh_tally(counter, s, w, weight))
            break;
        set->tally[w] += TALLY_ONE;
        return KEY_OK;
    }
    return append(counter, hash, key, size, weight);
}

/* Add the counts of the cache to the tables, through lists without keys. */
static void
settle_tallies(struct key_counter *counter)
{
    for (size_t s = 0; s < SETS; s++) {
        for (size_t w = 0; w < WAYS; w++) {
            uint64_t hash =
                key_words_hash(&counter->hash_key, counter->set[s].word[w]);
            if (!list_tally(counter, s, w)) {
                drain(counter, partition_of(counter, hash));
                list_tally(counter, s, w);
            }
            counter->set[s].tally[w] >>= 1;
        }
    }
    counter->tallied = 0;
}

/* As key_counter_add(); WEIGHT may be NULL. */
static inline __attribute__((always_inline)) enum key_result
add_keys(struct key_counter *counter, const unsigned char *data,
         const struct text_slice *slice, size_t count, const int64_t *weight)
{
    enum key_result result = KEY_OK;

    assert(count <= TALLIED_MAX);
    safepoint_enter(&counter->counts->safepoint);
    if (counter->tallied + count > TALLIED_MAX)
        settle_tallies(counter);
    counter->tallied += count;
    for (size_t i = 0; i < count && result == KEY_OK; i++, slice++) {
        int64_t own = weight != NULL ? weight[i] : 0;
        if (slice->size <= HASH_SHORT_MAX)
            result = add_short(counter, data, slice->at, slice->size,
                               weight != NULL, own);
        else
            result = add_long(counter, data + slice->at, slice->size,
                              weight != NULL, own);
    }
    if (result == KEY_OK)
        result = drain_all(counter);
    /* No list may keep a key of this chunk. */
    if (result != KEY_OK)
        memset(counter->used, 0, sizeof counter->used);
    safepoint_leave(&counter->counts->safepoint);
    return result;
}

enum key_result
key_counter_add(struct key_counter *counter, const unsigned char *data,
                const struct text_slice *slice, size_t count,
                const struct key_weights *weights)
{
    assert((counter->weight != NULL) == (weights != NULL));
    /* Without weights, the loop has no trace of them. */
    if (weights == NULL)
        return add_keys(counter, data, slice, count, NULL);
    counter->wide = weights->wide;
    return add_keys(counter, data, slice, count, weights->weight);
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
    pthread_mutex_lock(&counts->lock);
    for (struct key_counter *counter = counts->first; counter != NULL;
         counter = counter->next)
        key_counter_settle(counter);
    pthread_mutex_unlock(&counts->lock);
}
