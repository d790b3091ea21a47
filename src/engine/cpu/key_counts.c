/* key_counts.c -- the counts of keys, which CPU threads share */

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "engine/cpu/key_counts.h"

/* A thread seldom finds a partition locked if there are many more of them. */
#define PARTITIONS_PER_THREAD 8
#define PARTITIONS_LOG_MIN 4
#define PARTITIONS_LOG_MAX 9
#define PARTITIONS_MAX (1 << PARTITIONS_LOG_MAX)

/* In all lists of a thread together, and in one list. */
#define LISTED 4096
#define LIST_MAX 64

/* The cache: a cache line for each two keys. */
#define SETS 1024
#define WAYS 2

/* Of SAMPLING keys that missed it, one may enter the cache. */
#define SAMPLING 16

/* The bits of a hash from here on choose the set: no tag has them. */
#define SET_SHIFT 32

/*
 * The words of a short key in the cache are those of hash.h.  Those of a longer
 * key are this mark with its size, its hash, and 0; its entry has the bytes.
 */
#define LONG_MARK 255
#define LONG_SIZE_SHIFT 8

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

#define ZEROS_8 0, 0, 0, 0, 0, 0, 0, 0
#define ONES_8 255, 255, 255, 255, 255, 255, 255, 255

/* The mask for a key of N bytes begins at byte N: its last N bytes are ones. */
static const unsigned char window[] = {ZEROS_8, ZEROS_8, ZEROS_8,
                                       ONES_8,  ONES_8,  ONES_8};

/* ---- opening and closing ---- */

/* A list for each partition; places between them, against conflicts. */
static size_t
list_stride(const struct key_counter *counter)
{
    return counter->list_items + 2;
}

static size_t
counter_bytes(unsigned int partitions_log, size_t list_items)
{
    return sizeof(struct key_counter) +
           ((list_items + 2) << partitions_log) * sizeof(struct key_item);
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

enum key_result
key_counts_open(struct key_counts *counts, unsigned int threads,
                size_t memory_limit)
{
    enum key_result result = KEY_OK;
    unsigned int log = PARTITIONS_LOG_MIN;

    while (log < PARTITIONS_LOG_MAX &&
           1u << log < PARTITIONS_PER_THREAD * threads)
        log++;
    *counts = (struct key_counts){.partitions_log = log};
    make_hash_key(&counts->hash_key);
    key_memory_open(&counts->memory, memory_limit);
    pthread_mutex_init(&counts->lock, NULL);
    counts->partition = key_memory_take(
        &counts->memory, sizeof *counts->partition << log, &result);
    if (counts->partition == NULL)
        return result;
    for (size_t p = 0; p < key_counts_partitions(counts); p++) {
        pthread_mutex_init(&counts->partition[p].lock, NULL);
        key_table_open(&counts->partition[p].table, &counts->memory);
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
        pthread_mutex_destroy(&counts->partition[p].lock);
    }
    key_memory_give(&counts->memory, counts->partition,
                    partitions * sizeof *counts->partition);
    pthread_mutex_destroy(&counts->lock);
}

struct key_counter *
key_counter_new(struct key_counts *counts, enum key_result *result)
{
    unsigned int log = counts->partitions_log;
    size_t list_items = (size_t)LISTED >> log;

    list_items = list_items < LIST_MAX ? list_items : LIST_MAX;
    size_t bytes = counter_bytes(log, list_items);
    struct key_counter *counter =
        key_memory_take(&counts->memory, bytes, result);
    if (counter == NULL)
        return NULL;
    memset(counter, 0, sizeof *counter);
    counter->counts = counts;
    counter->hash_key = counts->hash_key;
    counter->partitions_log = log;
    counter->list_items = list_items;

    pthread_mutex_lock(&counts->lock);
    /* Threads that drain at the same time should not meet. */
    uint32_t turn = (uint32_t)counts->opened++ * (uint32_t)(HASH_GOLDEN >> 32);
    counter->start = (size_t)((uint64_t)turn << log >> 32);
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
        counter_bytes(counter->partitions_log, counter->list_items));
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

/* Set WORD to what the cache has of a key. */
static inline void
make_words(const unsigned char *key, uint32_t size, uint64_t hash,
           uint64_t word[HASH_WORDS])
{
    if (size <= HASH_SHORT_MAX) {
        hash_short_words(key, size, word);
        return;
    }
    word[0] = LONG_MARK | (uint64_t)size << LONG_SIZE_SHIFT;
    word[1] = hash;
    word[2] = 0;
}

/* The hash of the key in a way of SET. */
static uint64_t
hash_of(const struct key_counter *counter, const uint64_t word[HASH_WORDS])
{
    if ((word[0] & LONG_MARK) == LONG_MARK)
        return word[1];
    return hash_short(&counter->hash_key, word);
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
    uint64_t hash = hash_of(counter, counter->set[set].word[way]);
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

    make_words(item->key, item->size, item->hash, word);
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

/* Add the list of PARTITION, which is locked, to its table and unlock it. */
static enum key_result
drain_locked(struct key_counter *counter, size_t partition)
{
    struct key_partition *to = &counter->counts->partition[partition];
    struct key_item *list = list_of(counter, partition);
    size_t used = counter->used[partition];
    enum key_result result = key_table_add_items(&to->table, list, used);

    pthread_mutex_unlock(&to->lock);
    counter->used[partition] = 0;
    for (size_t i = 0; i < used && result == KEY_OK; i++) {
        /* A copy: a tally may replace the item in its list. */
        struct key_item item = list[i];
        if (item.key != NULL && ++counter->misses % SAMPLING == 0)
            admit(counter, &item);
    }
    return result;
}

static enum key_result
drain(struct key_counter *counter, size_t partition)
{
    pthread_mutex_lock(&counter->counts->partition[partition].lock);
    return drain_locked(counter, partition);
}

/*
 * Drain all lists: first those whose partitions no other thread has locked.
 * Only counts of the cache are in lists afterwards.
 */
static enum key_result
drain_all(struct key_counter *counter)
{
    size_t partitions = key_counts_partitions(counter->counts);
    uint16_t locked[PARTITIONS_MAX];
    size_t locked_count = 0;
    enum key_result result = KEY_OK;

    for (size_t n = 0; n < partitions && result == KEY_OK; n++) {
        size_t p = (counter->start + n) % partitions;
        if (counter->used[p] == 0)
            continue;
        if (pthread_mutex_trylock(&counter->counts->partition[p].lock) == 0)
            result = drain_locked(counter, p);
        else
            locked[locked_count++] = (uint16_t)p;
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
    list_of(counter, partition)[counter->used[partition]++] =
        (struct key_item){.hash = hash, .key = key, .size = size, .count = 1};
    return result;
}

/* ---- keys ---- */

/* Set WORD to the words of a short key, which is at DATA + AT. */
static inline void
load_words(const unsigned char *data, size_t at, uint32_t size,
           uint64_t word[HASH_WORDS])
{
    const unsigned char *end = data + at + size;

    if (at + size < 8 * HASH_WORDS) {
        hash_short_words(data + at, size, word);
        return;
    }
    /* The bytes before the key are in the chunk; the mask removes them. */
    word[0] = (hash_load(end - 24) & hash_load(window + size)) | (size + 1);
    word[1] = hash_load(end - 16) & hash_load(window + size + 8);
    word[2] = hash_load(end - 8) & hash_load(window + size + 16);
}

static inline enum key_result
add_short(struct key_counter *counter, const unsigned char *data, size_t at,
          uint32_t size)
{
    uint64_t word[HASH_WORDS];

    load_words(data, at, size, word);
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

    make_words(key, size, hash, word);
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
            uint64_t hash = hash_of(counter, counter->set[s].word[w]);
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
    return result;
}

void
key_counter_settle(struct key_counter *counter)
{
    settle_tallies(counter);
    drain_all(counter);
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
