/*
 * key_order.c -- the keys of several tables in the order of their bytes
 *
 * Sample sort (W. Frazer and A. McKellar, "Samplesort: a sampling approach to
 * minimal storage tree sorting", J. ACM 17, 1970): a sample is sorted, and some
 * of its keys become splitters.  Each thread counts how many keys of its tables
 * are in each bucket between two splitters; then it knows where to put them.
 * At last each bucket, which fits into a second-level cache, is sorted by one
 * thread.  No part but the sample's is for one thread alone.
 *
 * The keys of a bucket are near each other, so they have their first bytes in
 * common.  Their prefixes begin after these bytes, and few of them are equal.
 */

#include <stdatomic.h>

#include "base/thread.h"
#include "hist/key_order.h"
#include "hist/key_splitters.h"

/* The keys of a bucket, and how many buckets there may be: more of them would
   not fit into a first-level cache while keys are put there. */
#define BUCKET_KEYS 8192
#define BUCKETS_MAX ((size_t)4096)

/* Keys of the sample for each bucket. */
#define OVERSAMPLING 16

/* With fewer keys, another thread is not worth it. */
#define THREAD_KEYS 32768

struct sorter {
    struct key_order *order;
    struct key_table *const *table;
    size_t tables;
    unsigned int members;
    struct key_splitters splitters;
    /* Of each bucket, for each member: the number of its keys in the bucket,
       then the place of its next one. */
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

/* The tables of MEMBER: from this one on, before that of the next member. */
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
            count[key_splitters_find(&sorter->splitters, &key)]++;
        }
    }
}

/* Put the keys into the buckets. */
static void
put_keys(void *task, unsigned int member)
{
    const struct sorter *sorter = task;
    const struct key_splitters *splitters = &sorter->splitters;
    size_t *next = sorter->next + member * splitters->buckets;
    size_t end = first_table(sorter, member + 1);

    for (size_t t = first_table(sorter, member); t < end; t++) {
        struct key_cursor cursor = {0};
        const unsigned char *entry;
        while ((entry = key_table_next(sorter->table[t], &cursor)) != NULL) {
            struct key_entry key = key_entry_key(entry);
            size_t bucket = key_splitters_find(splitters, &key);
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
 * Choose splitters, for as many buckets as are of use and there is memory for.
 * Returns false if there is one bucket.
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
        if (key_splitters_open(&sorter->splitters, buckets,
                               sorter->order->place, sampled,
                               memory) == KEY_OK) {
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
    key_splitters_close(&sorter->splitters);
}

/* The threads that are worth it. */
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

void
key_order_close(struct key_order *order)
{
    key_memory_give(order->memory, order->place,
                    (order->keys + 1) * sizeof *order->place);
    order->place = NULL;
}
