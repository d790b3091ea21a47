/* key_counts.c -- the counts of keys, which CPU threads share */

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "engine/cpu/key_counts.h"
#include "engine/cpu/key_words.h"

/* A thread seldom finds a partition locked if there are many more of them. */
#define PARTITIONS_PER_THREAD 8
#define PARTITIONS_LOG_MIN 3
#define PARTITIONS_LOG_MAX 9
#define BLOCKS_SHARE 16 /* their first blocks take 1 / 16 of the memory */
#define PARTITIONS_MAX (1 << PARTITIONS_LOG_MAX)

/* In all lists of a thread together, and in one list. */
#define LISTED 4096
#define LIST_MAX 64

/* The cache: a cache line for each two keys. */
#define SETS 1024
#define WAYS 2

/* Of SAMPLING keys that missed it, one may enter the cache. */
#define SAMPLING 16

/* With less, a table would not have room for a short key. */
#define TABLE_BYTES_MIN ((size_t)2 << KEY_BLOCK_LOG)

/* The counters of all threads take at most 1 / 4 of the memory. */
#define COUNTERS_SHARE 4

/* The bits of a hash from here on choose the set: no tag has them. */
#define SET_SHIFT 32

/* A tally: the count since it was last added to the table, above a credit. */
#define TALLY_COUNT_SHIFT 32
#define TALLY_ONE (((uint64_t)1 << TALLY_COUNT_SHIFT) + 1)
#define TALLY_CREDIT ((uint64_t)UINT32_MAX)
#define TALLIED_MAX ((size_t)1 << 31) /* keys, until tallies could overflow */

struct key_set {
    uint64_t word[WAYS][HASH_WORDS]; /* first word 0: none */
    uint64_t tally[WAYS];
};

struct key_counter {
    _Alignas(64) struct key_set set[SETS];
    unsigned char *entry[SETS][WAYS]; /* of the keys in the sets */
    struct key_counts *counts;
    struct hash_key hash_key;    /* of COUNTS */
    unsigned int partitions_log; /* of COUNTS */
    struct key_counter *next;    /* in the list of COUNTS, under its lock */
    size_t start;                /* the partition to add to first */
    unsigned int misses;         /* that could enter the cache */
    uint64_t tallied;            /* keys since all counts were 0, at most */
    size_t list_items;           /* that a list has room for */
    size_t used[PARTITIONS_MAX]; /* of each list */
    struct key_item item[];      /* list p: from p * stride on */
};

/* ---- opening and closing ---- */

/* A list for each partition; places between them, against conflicts. */
static size_t
list_stride(const struct key_counter *counter)
{
    return counter->list_items + 2;
}

/* The items in a list. */
static size_t
choose_items(const struct key_counts *counts)
{
    size_t items = (size_t)LISTED >> counts->partitions_log;

    return items < LIST_MAX ? items : LIST_MAX;
}

static size_t
counter_bytes(const struct key_counts *counts)
{
    return sizeof(struct key_counter) +
           ((choose_items(counts) + 2) << counts->partitions_log) *
               sizeof(struct key_item);
}

/* Random words; without a source of them, other ones in each run. */
static void
make_hash_key(struct hash_key *key)
{
    struct timespec now;

    if (getrandom(key, sizeof *key, GRND_NONBLOCK) == sizeof *key)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    key->word[0] = (uint64_t)now.tv_sec << 32 ^ (uint64_t)now.tv_nsec;
    key->word[1] = (uint64_t)getpid() << 32 ^ (uint64_t)(uintptr_t)key;
}

/* What an order of the keys takes beside KEY_PLACE_BYTES for each. */
static size_t
order_bytes(const struct key_counts *counts)
{
    return key_order_bytes(key_counts_partitions(counts));
}

/* Give up the memory that is kept for an order. */
static void
release_order(struct key_counts *counts)
{
    if (counts->keeps_order)
        key_memory_unreserve(&counts->memory, order_bytes(counts));
    counts->keeps_order = false;
}

/*
 * Keep memory for a counter of each thread, so that it can start when the
 * tables are full; but most of the memory is for tables.  Returns false if
 * there is none for one.
 */
static bool
reserve_counters(struct key_counts *counts)
{
    size_t bytes = counter_bytes(counts);
    size_t most = counts->memory.limit / COUNTERS_SHARE / bytes;

    counts->counters_left = most < counts->threads ? most : counts->threads;
    if (counts->counters_left == 0)
        counts->counters_left = 1;
    if (!key_memory_reserve(&counts->memory, counts->counters_left * bytes)) {
        counts->counters_left = 0;
        return false;
    }
    /* There is room for a block and for its slots. */
    return counts->memory.limit - counts->memory.used >= TABLE_BYTES_MIN;
}

enum key_result
key_counts_open(struct key_counts *counts, unsigned int threads,
                size_t memory_limit)
{
    enum key_result result = KEY_OK;
    unsigned int log = PARTITIONS_LOG_MIN;

    while (log < PARTITIONS_LOG_MAX &&
           1u << log < PARTITIONS_PER_THREAD * threads &&
           (size_t)1 << (KEY_BLOCK_LOG + log) < memory_limit / BLOCKS_SHARE)
        log++;
    *counts = (struct key_counts){.partitions_log = log, .threads = threads};
    make_hash_key(&counts->hash_key);
    key_memory_open(&counts->memory, memory_limit);
    key_runs_open(&counts->runs, KEY_RUN_BY_KEY);
    safepoint_open(&counts->safepoint);
    pthread_mutex_init(&counts->lock, NULL);
    if (!key_memory_reserve(&counts->memory, order_bytes(counts)))
        return KEY_LIMIT;
    counts->keeps_order = true;
    if (!reserve_counters(counts))
        return KEY_LIMIT;
    counts->partition = key_memory_take(
        &counts->memory, sizeof *counts->partition << log, &result);
    if (counts->partition == NULL)
        return result;
    for (size_t p = 0; p < key_counts_partitions(counts); p++) {
        pthread_mutex_init(&counts->partition[p].lock, NULL);
        key_table_open(&counts->partition[p].table, &counts->memory);
        key_table_open(&counts->partition[p].retired, &counts->memory);
    }
    return KEY_OK;
}

void
key_counts_close(struct key_counts *counts)
{
    size_t partitions = key_counts_partitions(counts);

    assert(counts->first == NULL);
    for (size_t p = 0; counts->partition != NULL && p < partitions; p++) {
        key_table_close(&counts->partition[p].table);
        key_table_close(&counts->partition[p].retired);
        pthread_mutex_destroy(&counts->partition[p].lock);
    }
    key_memory_give(&counts->memory, counts->partition,
                    partitions * sizeof *counts->partition);
    release_order(counts);
    key_memory_unreserve(&counts->memory,
                         counts->counters_left * counter_bytes(counts));
    key_runs_close(&counts->runs);
    error_clear(&counts->failure);
    safepoint_close(&counts->safepoint);
    pthread_mutex_destroy(&counts->lock);
}

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
        &counts->memory, counter_bytes(counts), result);
    if (counter == NULL)
        return NULL;
    memset(counter, 0, sizeof *counter);
    counter->counts = counts;
    counter->hash_key = counts->hash_key;
    counter->partitions_log = counts->partitions_log;
    counter->list_items = choose_items(counts);

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
    key_memory_give(&counts->memory, counter, counter_bytes(counts));
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
    return counter->item + partition * list_stride(counter);
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
    list_of(counter, partition)[counter->used[partition]++] =
        (struct key_item){.count = count, .entry = counter->entry[set][way]};
    *tally &= TALLY_CREDIT;
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
            if (count > 0)
                key_entry_count(counter->entry[s][w], count);
        }
    }
    memset(counter->set, 0, sizeof counter->set);
    for (size_t p = 0; p < partitions; p++) {
        struct key_item *list = list_of(counter, p);
        size_t kept = 0;
        for (size_t i = 0; i < counter->used[p]; i++) {
            if (list[i].key == NULL)
                key_entry_count(list[i].entry, list[i].count);
            else
                list[kept++] = list[i];
        }
        counter->used[p] = kept;
    }
}

/*
 * Empty the tables.  Snapshots that were taken before the first run refer to
 * entries: the memory of these is used once more.
 */
static void
empty_tables(struct key_counts *counts)
{
    bool retires = counts->has_snapshots && !counts->has_retired;

    for (size_t p = 0; p < key_counts_partitions(counts); p++) {
        struct key_partition *partition = &counts->partition[p];
        if (!retires) {
            key_table_close(&partition->table);
            continue;
        }
        partition->retired = partition->table;
        key_table_open(&partition->table, &counts->memory);
    }
    /* What they take is at most the limit. */
    if (retires)
        counts->memory.limit += atomic_load(&counts->memory.used) -
                                atomic_load(&counts->memory.reserved);
    counts->has_retired |= retires;
}

/* Write all tables as a run, and empty them.  This thread is alone. */
static enum key_result
spill(struct key_counts *counts)
{
    struct key_order order;

    if (counts->failure.status != EXIT_DONE)
        return KEY_FAILED;
    pthread_mutex_lock(&counts->lock);
    for (struct key_counter *counter = counts->first; counter != NULL;
         counter = counter->next)
        empty_cache(counter);
    pthread_mutex_unlock(&counts->lock);
    key_counts_release_slots(counts);
    enum key_result result = key_counts_order(counts, counts->threads, &order);
    uint64_t before = counts->runs.file.size;
    if (result == KEY_OK && order.keys > 0) {
        if (key_runs_put_order(&counts->runs, &order, &counts->failure) < 0)
            result = KEY_FAILED;
        counts->spills++;
        counts->spilled_bytes += counts->runs.file.size - before;
    }
    key_order_close(&order);
    /* After a failure the tables have no slots any more. */
    empty_tables(counts);
    counts->keeps_order =
        key_memory_reserve(&counts->memory, order_bytes(counts));
    return result;
}

enum key_result
key_counts_spill(struct key_counts *counts)
{
    safepoint_enter(&counts->safepoint);
    while (!safepoint_stop(&counts->safepoint))
        continue;
    enum key_result result = spill(counts);
    safepoint_resume(&counts->safepoint);
    safepoint_leave(&counts->safepoint);
    return result;
}

/* Whether the tables have no keys.  This thread is alone. */
static bool
is_empty(const struct key_counts *counts)
{
    size_t keys = 0;

    for (size_t p = 0; p < key_counts_partitions(counts); p++)
        keys += counts->partition[p].table.keys;
    return keys == 0;
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
    enum key_result result =
        key_table_add_items(&to->table, list, used, &added);

    pthread_mutex_unlock(&to->lock);
    counter->used[partition] = used - added;
    if (added < used) {
        memmove(list, list + added, (used - added) * sizeof *list);
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
        } while (result == KEY_LIMIT && !is_empty(counts));
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

static inline enum key_result
append(struct key_counter *counter, uint64_t hash, const unsigned char *key,
       uint32_t size)
{
    size_t partition = partition_of(counter, hash);
    enum key_result result = KEY_OK;

    if (counter->used[partition] == counter->list_items)
        result = drain(counter, partition);
    if (result != KEY_OK)
        return result;
    list_of(counter, partition)[counter->used[partition]++] =
        (struct key_item){.hash = hash, .key = key, .size = size, .count = 1};
    return result;
}

/* ---- keys ---- */

static inline enum key_result
add_short(struct key_counter *counter, const unsigned char *data, size_t at,
          uint32_t size)
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
    if (differs[0] != 0 && differs[1] != 0)
        return append(counter, hash, data + at, size);
    set->tally[differs[0] != 0] += TALLY_ONE;
    return KEY_OK;
}

static enum key_result
add_long(struct key_counter *counter, const unsigned char *key, uint32_t size)
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
        set->tally[w] += TALLY_ONE;
        return KEY_OK;
    }
    return append(counter, hash, key, size);
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

enum key_result
key_counter_add(struct key_counter *counter, const unsigned char *data,
                const struct text_slice *slice, size_t count, size_t stride)
{
    enum key_result result = KEY_OK;

    assert(count <= TALLIED_MAX);
    safepoint_enter(&counter->counts->safepoint);
    if (counter->tallied + count > TALLIED_MAX)
        settle_tallies(counter);
    counter->tallied += count;
    for (size_t i = 0; i < count && result == KEY_OK; i++, slice += stride) {
        if (slice->size <= HASH_SHORT_MAX)
            result = add_short(counter, data, slice->at, slice->size);
        else
            result = add_long(counter, data + slice->at, slice->size);
    }
    if (result == KEY_OK)
        result = drain_all(counter);
    /* No list may keep a key of this chunk. */
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
key_counts_settle(struct key_counts *counts)
{
    pthread_mutex_lock(&counts->lock);
    for (struct key_counter *counter = counts->first; counter != NULL;
         counter = counter->next)
        key_counter_settle(counter);
    pthread_mutex_unlock(&counts->lock);
}

void
key_counts_release_slots(struct key_counts *counts)
{
    for (size_t p = 0; p < key_counts_partitions(counts); p++)
        key_table_release_slots(&counts->partition[p].table);
    release_order(counts);
}

enum key_result
key_counts_order(struct key_counts *counts, unsigned int threads,
                 struct key_order *order)
{
    struct key_table *table[PARTITIONS_MAX];
    size_t partitions = key_counts_partitions(counts);

    for (size_t p = 0; p < partitions; p++)
        table[p] = &counts->partition[p].table;
    return key_order_open(order, table, partitions, threads, &counts->memory);
}
