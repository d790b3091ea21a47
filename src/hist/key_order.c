/*
 * key_order.c -- the keys of several tables in the order of their bytes
 *
 * Multikey quicksort (J. Bentley and R. Sedgewick, "Fast algorithms for sorting
 * and searching strings", SODA 1997), with 8 bytes of the key as its character.
 * These bytes are kept beside the reference (W. Ng and K. Kakehi, "Merging
 * string sequences by longest common prefixes", IPSJ 2008, and others before):
 * a range whose keys share DEPTH bytes is split by the 8 bytes from there on
 * into those that are less, equal, and greater, without a look at the keys.
 * Only the equal ones load the next 8 bytes.
 *
 * The hash of a run is random, and so is the order in which keys come from
 * several tables: no input makes all pivots bad.
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "hist/key_order.h"
#include "util/thread.h"

#define PREFIX_BYTES 8

/* Ranges of fewer keys are sorted by insertion. */
#define INSERTION_MAX 16

/* Ranges of more keys have a pivot that is the median of nine. */
#define NINTHER_MIN 512

/* Places between an entry that is fetched and one that is read. */
#define AHEAD 16

/* A thread gives away ranges of more keys; at most RANGES_MAX wait. */
#define SHARED_MIN 32768
#define RANGES_MAX 256
#define THREADS_MAX 64

/* Keys with DEPTH bytes in common, whose prefixes begin there. */
struct range {
    struct key_place *place;
    size_t count;
    uint32_t depth;
};

struct sorter {
    struct key_order *order;
    struct key_table *const *table;
    size_t tables;
    atomic_size_t gathered; /* tables, or those that a thread has begun */
    size_t *first;          /* where the keys of each table begin */
    unsigned int threads;

    pthread_mutex_t lock;
    pthread_cond_t changed;
    /* All below: under the lock. */
    struct range range[RANGES_MAX]; /* that wait for a thread */
    size_t ranges;
    unsigned int busy; /* threads that sort a range */
};

/* ---- prefixes ---- */

static inline uint64_t
load_prefix(const unsigned char *bytes)
{
    return (uint64_t)bytes[0] << 56 | (uint64_t)bytes[1] << 48 |
           (uint64_t)bytes[2] << 40 | (uint64_t)bytes[3] << 32 |
           (uint64_t)bytes[4] << 24 | (uint64_t)bytes[5] << 16 |
           (uint64_t)bytes[6] << 8 | (uint64_t)bytes[7];
}

/* The 8 bytes of a key from DEPTH on; zeros follow its last byte. */
static inline uint64_t
prefix_of(const struct key_entry *entry, uint32_t depth)
{
    const unsigned char *bytes = entry->key + depth;
    uint32_t rest = entry->size - depth;
    uint64_t prefix = 0;

    if (rest >= PREFIX_BYTES)
        return load_prefix(bytes);
    if (rest == 0)
        return 0;
    if (entry->size >= PREFIX_BYTES)
        return load_prefix(bytes + rest - PREFIX_BYTES)
               << (8 * (PREFIX_BYTES - rest));
    for (uint32_t i = 0; i < PREFIX_BYTES; i++)
        prefix = prefix << 8 | (i < rest ? bytes[i] : 0);
    return prefix;
}

/* Set the prefixes of a range to those at its depth. */
static void
load_prefixes(const struct range *range)
{
    for (size_t i = 0; i < range->count; i++) {
        struct key_place *place = &range->place[i];
        if (i + AHEAD < range->count)
            __builtin_prefetch(place[AHEAD].entry);
        struct key_entry entry = key_entry_read(place->entry);
        place->prefix = prefix_of(&entry, range->depth);
    }
}

/* Whether A comes before B; both have DEPTH bytes in common. */
static bool
is_before(const struct key_place *a, const struct key_place *b, uint32_t depth)
{
    if (a->prefix != b->prefix)
        return a->prefix < b->prefix;
    struct key_entry left = key_entry_read(a->entry);
    struct key_entry right = key_entry_read(b->entry);
    uint32_t size = left.size < right.size ? left.size : right.size;
    int sign = 0;
    /* Equal prefixes of which one is the end differ only in zeros. */
    if (size - depth > PREFIX_BYTES) {
        depth += PREFIX_BYTES;
        sign = memcmp(left.key + depth, right.key + depth, size - depth);
    }
    return sign != 0 ? sign < 0 : left.size < right.size;
}

/* ---- sorting ---- */

static inline void
swap(struct key_place *a, struct key_place *b)
{
    struct key_place old = *a;

    *a = *b;
    *b = old;
}

static void
sort_by_insertion(const struct range *range)
{
    struct key_place *place = range->place;

    for (size_t i = 1; i < range->count; i++) {
        struct key_place moved = place[i];
        size_t to = i;
        for (; to > 0 && is_before(&moved, &place[to - 1], range->depth); to--)
            place[to] = place[to - 1];
        place[to] = moved;
    }
}

static uint64_t
median_of_3(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t least = a < b ? a : b;
    uint64_t most = a < b ? b : a;

    return c < least ? least : c < most ? c : most;
}

/* The median of three prefixes, each STEP after the one before. */
static uint64_t
median_at(const struct key_place *place, size_t step)
{
    return median_of_3(place[0].prefix, place[step].prefix,
                       place[2 * step].prefix);
}

static uint64_t
choose_pivot(const struct range *range)
{
    size_t step = range->count / 9;

    if (range->count < NINTHER_MIN)
        return median_at(range->place + range->count / 6, range->count / 3);
    return median_of_3(median_at(range->place, step),
                       median_at(range->place + 3 * step, step),
                       median_at(range->place + 6 * step, step));
}

/*
 * Move the keys that end within the prefix, which is the same for the whole
 * RANGE, to its start.  They differ in their size only, so they are at most 9.
 * RANGE is then the rest, with the next prefixes.
 */
static void
descend(struct range *range)
{
    uint32_t depth = range->depth + PREFIX_BYTES;
    size_t ended = 0;

    for (size_t i = 0; i < range->count; i++) {
        if (i + AHEAD < range->count)
            __builtin_prefetch(range->place[i + AHEAD].entry);
        if (key_entry_read(range->place[i].entry).size <= depth)
            swap(&range->place[i], &range->place[ended++]);
    }
    struct range ends = *range;
    ends.count = ended;
    sort_by_insertion(&ends);
    range->place += ended;
    range->count -= ended;
    range->depth = depth;
    load_prefixes(range);
}

/* Split RANGE by a prefix into those of PART: less, equal, greater. */
static void
split(const struct range *range, struct range part[3])
{
    struct key_place *place = range->place;
    uint64_t pivot = choose_pivot(range);
    size_t less = 0;               /* below: less */
    size_t at = 0;                 /* below: equal */
    size_t greater = range->count; /* from here on: greater */

    while (at < greater) {
        uint64_t prefix = place[at].prefix;
        if (prefix < pivot)
            swap(&place[at++], &place[less++]);
        else if (prefix == pivot)
            at++;
        else
            swap(&place[at], &place[--greater]);
    }
    part[0] = (struct range){place, less, range->depth};
    part[1] = (struct range){place + less, greater - less, range->depth};
    part[2] =
        (struct range){place + greater, range->count - greater, range->depth};
}

/* Let another thread sort RANGE.  Returns whether one will. */
static bool
share(struct sorter *sorter, const struct range *range)
{
    bool is_shared = false;

    if (sorter->threads == 1 || range->count < SHARED_MIN)
        return false;
    pthread_mutex_lock(&sorter->lock);
    if (sorter->ranges < RANGES_MAX) {
        sorter->range[sorter->ranges++] = *range;
        is_shared = true;
        pthread_cond_signal(&sorter->changed);
    }
    pthread_mutex_unlock(&sorter->lock);
    return is_shared;
}

/* Recursion is for at most half of the keys each time. */
static void
sort_range(struct sorter *sorter, struct range range)
{
    while (range.count > INSERTION_MAX) {
        struct range part[3];
        size_t most = 0;
        split(&range, part);
        if (part[1].count > 1)
            descend(&part[1]);
        for (size_t p = 1; p < 3; p++) {
            if (part[p].count > part[most].count)
                most = p;
        }
        for (size_t p = 0; p < 3; p++) {
            if (p != most && !share(sorter, &part[p]))
                sort_range(sorter, part[p]);
        }
        range = part[most];
    }
    sort_by_insertion(&range);
}

/* ---- threads ---- */

/* Sort ranges until there are none, and no thread could add one. */
static void *
sort_main(void *argument)
{
    struct sorter *sorter = argument;

    pthread_mutex_lock(&sorter->lock);
    while (sorter->ranges > 0 || sorter->busy > 0) {
        if (sorter->ranges == 0) {
            pthread_cond_wait(&sorter->changed, &sorter->lock);
            continue;
        }
        struct range range = sorter->range[--sorter->ranges];
        sorter->busy++;
        pthread_mutex_unlock(&sorter->lock);
        sort_range(sorter, range);
        pthread_mutex_lock(&sorter->lock);
        sorter->busy--;
    }
    pthread_cond_broadcast(&sorter->changed);
    pthread_mutex_unlock(&sorter->lock);
    return NULL;
}

/* Copy the references of tables. */
static void *
gather_main(void *argument)
{
    struct sorter *sorter = argument;
    size_t t;

    while ((t = atomic_fetch_add(&sorter->gathered, 1)) < sorter->tables) {
        struct key_place *place = sorter->order->place + sorter->first[t];
        struct key_cursor cursor = {0};
        const unsigned char *next;
        while ((next = key_table_next(sorter->table[t], &cursor)) != NULL) {
            struct key_entry entry = key_entry_read(next);
            *place++ = (struct key_place){prefix_of(&entry, 0), next};
        }
    }
    return NULL;
}

/* Run FUNCTION in all threads.  This thread is one of them; it can do the work
   of all. */
static void
run(struct sorter *sorter, void *(*function)(void *))
{
    pthread_t thread[THREADS_MAX];
    unsigned int started = 0;

    while (started + 1 < sorter->threads &&
           thread_start(&thread[started], function, sorter) == 0)
        started++;
    function(sorter);
    for (unsigned int t = 0; t < started; t++)
        pthread_join(thread[t], NULL);
}

/* The threads that are worth it. */
static unsigned int
choose_threads(size_t keys, unsigned int threads)
{
    size_t useful = keys / SHARED_MIN + 1;

    useful = useful < threads ? useful : threads;
    return useful < THREADS_MAX ? (unsigned int)useful : THREADS_MAX;
}

/* Where the keys of each table begin. */
static size_t
first_bytes(size_t tables)
{
    return (tables + 1) * sizeof(size_t);
}

size_t
key_order_bytes(size_t tables)
{
    return first_bytes(tables) + sizeof(struct key_place);
}

enum key_result
key_order_open(struct key_order *order, struct key_table *const *table,
               size_t count, unsigned int threads, struct key_memory *memory)
{
    enum key_result result = KEY_OK;
    struct sorter sorter = {.order = order, .table = table, .tables = count};

    *order = (struct key_order){.memory = memory};
    sorter.first = key_memory_take(memory, first_bytes(count), &result);
    if (sorter.first == NULL)
        return result;
    for (size_t t = 0; t < count; t++) {
        sorter.first[t] = order->keys;
        order->keys += table[t]->keys;
    }
    order->place = key_memory_take(
        memory, (order->keys + 1) * sizeof *order->place, &result);
    if (order->place != NULL) {
        sorter.threads = choose_threads(order->keys, threads);
        pthread_mutex_init(&sorter.lock, NULL);
        pthread_cond_init(&sorter.changed, NULL);
        sorter.range[sorter.ranges++] =
            (struct range){.place = order->place, .count = order->keys};
        run(&sorter, gather_main);
        run(&sorter, sort_main);
        pthread_cond_destroy(&sorter.changed);
        pthread_mutex_destroy(&sorter.lock);
    }
    key_memory_give(memory, sorter.first, first_bytes(count));
    return result;
}

void
key_order_close(struct key_order *order)
{
    key_memory_give(order->memory, order->place,
                    (order->keys + 1) * sizeof *order->place);
    order->place = NULL;
}
