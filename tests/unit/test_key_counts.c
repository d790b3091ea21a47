/* SPDX-License-Identifier: MIT */
/*
 * test_key_counts.c -- threads that count keys in shared tables
 *
 * The counts are those of a plain tree, for any number of threads, pieces, and
 * distribution of keys.  A piece is overwritten as soon as it is counted.
 */

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../arena.h"
#include "../naive_keys.h"
#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/keys/key_cache.h"
#include "engine/cpu/keys/key_counter.h"
#include "hist/key_file.h"

#define WATCHDOG_SECONDS 300
#define RECORDS (IS_INSTRUMENTED ? 60000 : is_expensive() ? 200000 : 100000)
#define RECORDS_MAX 200000
#define THREADS_MAX 4
#define TIMES 2 /* that each thread counts each record */
#define KEY_MAX 200
#define PIECE_MAX 5000
#define LARGE ((size_t)4 << 20) /* a memory limit that lets a cache grow */
#define COUNT(table) (sizeof(table) / sizeof *(table))

static unsigned char *data;
static struct text_slice *slice; /* of DATA */

/* ---- keys ---- */

static uint32_t
number(unsigned char *key, const char *format, uint64_t value)
{
    return (uint32_t)snprintf((char *)key, KEY_MAX, format, value);
}

static uint32_t
make_few(unsigned char *key, size_t i)
{
    (void)i;
    return number(key, "%.3" PRIu64, noise() % 413);
}

static uint32_t
make_many(unsigned char *key, size_t i)
{
    return number(key, "%020" PRIu64, (i + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* All sizes around that of a short key, of a few letters. */
static uint32_t
make_letters(unsigned char *key, size_t i)
{
    uint32_t size = (uint32_t)(noise() % 30);

    (void)i;
    memset(key, 0, size);
    if (size > 0)
        key[noise() % size] = (unsigned char)(noise() % 2);
    return size;
}

/* Three frequent keys, short and long, among many. */
static uint32_t
make_frequent(unsigned char *key, size_t i)
{
    if (noise() % 8 == 0)
        return make_many(key, i);
    return number(key, noise() % 2 == 0 ? "hot%" PRIu64 : "%0100" PRIu64,
                  noise() % 3);
}

/* Other keys are frequent after a while, long ones. */
static uint32_t
make_moving(unsigned char *key, size_t i)
{
    return number(key, "a key that is longer than three words %" PRIu64,
                  i / 3000 * 100 + noise() % 5);
}

/* More than a small cache has, and then keys that no cache could have. */
static uint32_t
make_changing(unsigned char *key, size_t i)
{
    if (i > RECORDS / 4)
        return make_many(key, i);
    return number(key, noise() % 9 == 0 ? "a key of %020" PRIu64 : "%" PRIu64,
                  noise() % 5000);
}

static uint32_t
make_empty(unsigned char *key, size_t i)
{
    (void)key;
    (void)i;
    return 0;
}

static const struct {
    const char *name;
    uint32_t (*make)(unsigned char *key, size_t i);
} kinds[] = {
    {"few", make_few},         {"many", make_many},
    {"letters", make_letters}, {"hot", make_frequent},
    {"moving", make_moving},   {"changing", make_changing},
    {"empty", make_empty},
};

/* Fill DATA.  WANTED gets the counts of one thread. */
static void
fill(size_t kind, struct naive_keys *wanted)
{
    uint32_t at = 0;

    for (size_t i = 0; i < RECORDS; i++) {
        uint32_t size = kinds[kind].make(data + at, i);
        slice[i] = (struct text_slice){at, size};
        naive_add(wanted, data + at, size, TIMES);
        at += size;
        if (noise() % 2 == 0)
            data[at++] = (unsigned char)noise();
    }
}

/* ---- weights ---- */

/* The weight of each record with a key: a usual one, one of which three
   overflow a nano, or one that is none. */
static struct decimal_sum
weight_of(const unsigned char *key, uint32_t size)
{
    uint32_t last = size > 0 ? key[size - 1] : 0;
    struct decimal_sum wide = {{last, 7, UINT64_MAX, UINT64_MAX, UINT64_MAX}};

    if (last % 8 == 0)
        return wide;
    return decimal_sum_of_nano(last % 8 == 1 ? DECIMAL_NANO_MOST / 2 - last
                                             : (int64_t)last - 50);
}

/* Set WEIGHT, and WIDE if it is no nano, to that of KEY. */
static void
put_weight(const unsigned char *key, uint32_t size, size_t number,
           int64_t *weight, struct decimal_sum *wide)
{
    struct decimal_sum sum = weight_of(key, size);
    uint32_t last = size > 0 ? key[size - 1] : 0;

    *wide = sum;
    *weight = last % 8 == 0   ? key_weight_of_wide(number)
              : last % 8 == 1 ? DECIMAL_NANO_MOST / 2 - last
                              : (int64_t)last - 50;
}

/* Whether ENTRY has the weights of its COUNT records. */
static bool
has_weights_of(const unsigned char *entry, uint64_t count)
{
    struct key_entry key = key_entry_read(entry);
    struct decimal_sum got = key_entry_sum(entry);
    struct decimal_sum power = weight_of(key.key, key.size);
    struct decimal_sum sum = {{0}};

    for (; count > 0; count >>= 1) {
        if (count & 1)
            decimal_sum_add(&sum, &power);
        decimal_sum_add(&power, &power);
    }
    return decimal_sum_compare(&sum, &got) == 0;
}

/* ---- threads ---- */

struct counting {
    struct key_counts counts;
    atomic_bool has_failed;
    atomic_size_t turns;
    bool watches;       /* no other thread shrinks a cache, to spill */
    atomic_uint grown;  /* pieces after which a cache had grown */
    atomic_uint shrunk; /* how often caches have shrunk */
    bool settles;       /* now and then */
};

/* Count COUNT records from FIRST on, as a chunk of their own. */
static enum key_result
add_piece(struct key_counter *counter, size_t first, size_t count)
{
    uint32_t start = slice[first].at;
    uint32_t end = slice[first + count - 1].at + slice[first + count - 1].size;
    unsigned char *chunk = malloc(end - start + 1);
    struct text_slice *key = malloc(count * sizeof *key);

    if (chunk == NULL || key == NULL)
        abort();
    memcpy(chunk, data + start, end - start);
    for (size_t i = 0; i < count; i++) {
        key[i] = slice[first + i];
        key[i].at -= start;
    }
    enum key_result result = key_counter_add(counter, chunk, key, count, NULL);
    memset(chunk, 'x', end - start);
    free(chunk);
    free(key);
    return result;
}

/* The same with weights. */
static enum key_result
weigh_piece(struct key_counter *counter, size_t first, size_t count)
{
    int64_t *weight = malloc(count * sizeof *weight);
    struct decimal_sum *wide = malloc(count * sizeof *wide);
    const struct key_weights weights = {.weight = weight, .wide = wide};

    if (weight == NULL || wide == NULL)
        abort();
    for (size_t i = 0; i < count; i++) {
        struct text_slice key = slice[first + i];
        put_weight(data + key.at, key.size, i, &weight[i], &wide[i]);
    }
    enum key_result result =
        key_counter_add(counter, data, slice + first, count, &weights);
    free(weight);
    free(wide);
    return result;
}

static void *
count_main(void *argument)
{
    struct counting *counting = argument;
    enum key_result result;
    struct key_counter *counter = key_counter_new(&counting->counts, &result);
    size_t turn = atomic_fetch_add(&counting->turns, 1);

    if (counter == NULL)
        abort();
    unsigned int log = FREQUENT_LOG_MIN;
    for (size_t n = 0; n < TIMES; n++) {
        for (size_t i = 0, p = turn; i < RECORDS; p++) {
            size_t some = p * 2654435761u % PIECE_MAX + 1;
            some = some < RECORDS - i ? some : RECORDS - i;
            enum key_result added = key_counts_have_sums(&counting->counts)
                                        ? weigh_piece(counter, i, some)
                                        : add_piece(counter, i, some);
            if (added != KEY_OK)
                atomic_store(&counting->has_failed, true);
            unsigned int now =
                counting->watches ? counter->frequent.sets_log : log;
            atomic_fetch_add(&counting->grown, now > log);
            atomic_fetch_add(&counting->shrunk, now < log);
            log = now;
            if (counting->settles && p % 7 == 0)
                key_counter_settle(counter);
            i += some;
        }
    }
    key_counter_settle(counter);
    key_counter_close(counter);
    return NULL;
}

/* Whether LIST has THREADS times the keys of WANTED, in their order. */
static bool
is_same(const struct key_list *list, struct naive_keys *wanted,
        uint64_t threads, bool has_weights)
{
    if (list->count != wanted->keys)
        return false;
    for (size_t i = 0; i < list->count; i++) {
        struct key_entry entry = key_entry_read(key_list_at(list, i));
        struct naive_key *key = *naive_find(wanted, entry.key, entry.size);
        if (key == NULL || key->count * threads != entry.count)
            return false;
        if (has_weights && !has_weights_of(key_list_at(list, i), entry.count))
            return false;
        if (i == 0)
            continue;
        struct key_entry last = key_entry_read(key_list_at(list, i - 1));
        if (naive_compare(last.key, last.size, entry.key, entry.size) >= 0)
            return false;
    }
    return true;
}

/* Sort the keys of COUNTS to LIST, in memory or in FILE.  Returns whether it
   worked. */
static bool
make_list(struct key_counts *counts, unsigned int threads,
          struct key_order *order, struct key_file *file, struct key_list *list)
{
    struct error error = ERROR_NONE;

    if (counts->spills > 0)
        return key_counter_spill(counts) == KEY_OK &&
               key_file_open(file, &counts->runs, KEY_RUN_BY_KEY, threads,
                             counts->memory.limit, true, list, &error) == 0;
    key_counts_release_slots(counts);
    if (key_counts_order(counts, threads, order) != KEY_OK)
        return false;
    *list = key_list_of(order);
    return true;
}

static void
test_threads(size_t kind, unsigned int threads, bool settles, size_t limit,
             bool has_weights)
{
    struct naive_keys wanted = {0};
    struct counting counting = {.settles = settles,
                                .watches = threads == 1 || limit == SIZE_MAX};
    struct key_order order = {0};
    struct key_file file = {0};
    struct key_list list = {0};
    pthread_t thread[THREADS_MAX];

    if (LOOKS_FOR_RACES && threads == 1)
        return;
    /* Some of the cases; other ones for each kind of keys. */
    static unsigned int turn;
    if (turn++ % (IS_EMULATED       ? 11
                  : IS_INSTRUMENTED ? 3
                                    : 2) !=
            0 &&
        !is_expensive())
        return;
    fill(kind, &wanted);
    if (key_counts_open(&counting.counts, threads, limit,
                        has_weights ? KEY_BRINGS_WEIGHT : KEY_BRINGS_NOTHING) !=
        KEY_OK)
        abort();
    for (unsigned int t = 0; t < threads; t++) {
        if (pthread_create(&thread[t], NULL, count_main, &counting) != 0)
            abort();
    }
    for (unsigned int t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
    bool is_ordered =
        make_list(&counting.counts, threads, &order, &file, &list);
    ok(!counting.has_failed && is_ordered &&
           is_same(&list, &wanted, threads, has_weights),
       "%s keys, %u threads%s%s: %zu distinct, %" PRIu64 " runs",
       kinds[kind].name, threads, settles ? ", settling often" : "",
       has_weights ? ", weights" : "", wanted.keys, counting.counts.spills);
    bool grows =
        kinds[kind].make == make_changing && limit >= LARGE && counting.watches;
    ok((counting.grown > 0) >= grows &&
           (counting.shrunk > 0) >= (grows && !IS_INSTRUMENTED),
       "... caches grew %u times and shrank %u times", counting.grown,
       counting.shrunk);
    bool spills = limit != SIZE_MAX && wanted.keys > 50000;
    uint64_t least = !spills ? 0 : limit < LARGE ? 3 : !IS_INSTRUMENTED;
    ok(atomic_load(&counting.counts.memory.peak) <= limit &&
           counting.counts.spills >= least,
       "... within the limit");
    naive_close(&wanted);
    key_file_close(&file);
    key_order_close(&order);
    key_counts_close(&counting.counts);
    ok(atomic_load(&counting.counts.memory.used) == 0,
       "... all memory is given back");
}

/* ---- snapshots ---- */

static uint64_t
sum_of(const struct key_counts *counts)
{
    uint64_t sum = 0;

    for (size_t p = 0; p < key_counts_partitions(counts); p++) {
        struct key_cursor cursor = {0};
        const unsigned char *next;
        while ((next = key_table_next(&counts->partition[p].table, &cursor)))
            sum += key_entry_read(next).count;
    }
    return sum;
}

/* ---- chunks and hashes ---- */

/* Short keys at both ends of readable memory. */
static void
test_bounds(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    unsigned char *chunk = arena_open(page);
    struct key_counts counts;
    enum key_result result;
    struct key_order order;
    struct text_slice ends[2 * 40];
    uint64_t sum = 0;

    memset(chunk, 'a', page);
    for (uint32_t size = 0; size < 40; size++) {
        ends[2 * size] = (struct text_slice){0, size};
        ends[2 * size + 1] = (struct text_slice){(uint32_t)page - size, size};
    }
    if (key_counts_open(&counts, 1, SIZE_MAX, KEY_BRINGS_NOTHING) != KEY_OK)
        abort();
    struct key_counter *counter = key_counter_new(&counts, &result);
    /* Often enough that all keys are in the cache in the end. */
    for (int i = 0; i < 100; i++)
        key_counter_add(counter, chunk, ends, COUNT(ends), NULL);
    key_counter_settle(counter);
    key_counter_close(counter);
    key_counts_release_slots(&counts);
    key_counts_order(&counts, 1, &order);
    bool is_right = order.keys == 40;
    for (size_t i = 0; i < order.keys; i++) {
        struct key_entry entry = key_order_entry(&order, i);
        is_right &= entry.size == i && entry.count == 200;
        sum += entry.count;
    }
    ok(is_right && sum == 100 * COUNT(ends), "keys at the ends of a chunk");
    key_order_close(&order);
    key_counts_close(&counts);
}

/*
 * Two long keys with the same hash.  A word that is that of the hash's key makes
 * a product 0, whatever the word before it is.
 */
static void
test_equal_hashes(void)
{
    enum {
        SIZE = 41,
        PAIRS = 2000
    };
    static unsigned char chunk[2 * PAIRS * SIZE];
    static struct text_slice two[2 * PAIRS];
    struct key_counts counts;
    enum key_result result;
    struct key_order order;
    bool is_equal = true;

    if (key_counts_open(&counts, 1, SIZE_MAX, KEY_BRINGS_NOTHING) != KEY_OK)
        abort();
    for (uint32_t i = 0; i < 2 * PAIRS; i++) {
        unsigned char *key = chunk + i * SIZE;
        memset(key, i % 2 == 0 ? 'a' : 'b', 8);
        for (int b = 0; b < 8; b++)
            key[8 + b] = (unsigned char)(counts.hash_key.word[1] >> 8 * b);
        two[i] = (struct text_slice){i * SIZE, SIZE};
        is_equal &= hash_bytes(&counts.hash_key, key, SIZE) ==
                    hash_bytes(&counts.hash_key, chunk, SIZE);
    }
    struct key_counter *counter = key_counter_new(&counts, &result);
    for (int i = 0; i < 10; i++)
        key_counter_add(counter, chunk, two, COUNT(two), NULL);
    key_counter_settle(counter);
    key_counter_close(counter);
    key_counts_release_slots(&counts);
    key_counts_order(&counts, 1, &order);
    ok(is_equal && order.keys == 2 &&
           key_order_entry(&order, 0).count == 10 * PAIRS &&
           key_order_entry(&order, 1).count == 10 * PAIRS,
       "two keys with one hash");
    key_order_close(&order);
    key_counts_close(&counts);
}

/* ---- several counters ---- */

/* Another thread settles the counters between two pieces. */
static void
test_snapshots(size_t kind)
{
    struct naive_keys wanted = {0};
    struct key_counts counts;
    enum key_result result;
    bool is_right = true;

    fill(kind, &wanted);
    naive_close(&wanted);
    if (key_counts_open(&counts, 2, SIZE_MAX, KEY_BRINGS_NOTHING) != KEY_OK)
        abort();
    struct key_counter *counter[2] = {key_counter_new(&counts, &result),
                                      key_counter_new(&counts, &result)};
    for (size_t i = 0; i + PIECE_MAX <= RECORDS; i += PIECE_MAX) {
        size_t which = i / PIECE_MAX % 2;
        is_right &= add_piece(counter[which], i, PIECE_MAX) == KEY_OK;
        key_counter_settle_all(&counts);
        is_right &= sum_of(&counts) == i + PIECE_MAX;
    }
    ok(is_right, "%s keys: a snapshot after each piece", kinds[kind].name);
    key_counter_close(counter[0]);
    key_counter_close(counter[1]);
    key_counts_close(&counts);
}

/* ---- limits ---- */

/* From no memory at all to enough: a failure is said, or the counts are right. */
static void
test_limits(void)
{
    struct naive_keys wanted = {0};
    size_t limit = 0, failures = 0;
    bool is_right = true;

    fill(1, &wanted);
    naive_close(&wanted);
    for (bool is_done = false; !is_done; limit += limit / 8 + 1000) {
        struct key_counts counts;
        struct key_counter *counter = NULL;
        enum key_result result =
            key_counts_open(&counts, 1, limit, KEY_BRINGS_NOTHING);
        if (result == KEY_OK)
            counter = key_counter_new(&counts, &result);
        for (size_t i = 0; result == KEY_OK && i < RECORDS; i += PIECE_MAX)
            result = add_piece(counter, i, PIECE_MAX);
        is_right &= result == KEY_OK || result == KEY_LIMIT;
        is_right &= atomic_load(&counts.memory.peak) <= limit;
        if (counter != NULL) {
            key_counter_settle(counter);
            is_right &= sum_of(&counts) <= RECORDS;
            is_done = result == KEY_OK;
            key_counter_close(counter);
        }
        failures += result != KEY_OK;
        is_right &= result != KEY_OK || is_done;
        key_counts_close(&counts);
        is_right &= atomic_load(&counts.memory.used) == 0;
    }
    ok(is_right && failures > 3, "%zu limits are too low", failures);

    struct key_counts counts;
    struct key_order order;
    enum key_result result;
    if (key_counts_open(&counts, 1, limit, KEY_BRINGS_NOTHING) != KEY_OK)
        abort();
    struct key_counter *counter = key_counter_new(&counts, &result);
    for (size_t i = 0; i < RECORDS; i += PIECE_MAX)
        result = add_piece(counter, i, PIECE_MAX);
    key_counter_settle(counter);
    key_counter_close(counter);
    bool is_spilled = counts.spills > 0;
    key_counts_release_slots(&counts);
    ok(is_spilled && key_counts_order(&counts, 1, &order) == KEY_OK,
       "full tables can be sorted");
    key_order_close(&order);
    key_counts_close(&counts);
}

/* A key that is longer than all tables may be fails; the others are counted. */
static void
test_long_key(void)
{
    enum {
        LONG = 3 << 20,
        LIMIT = 2 << 20
    };
    unsigned char *key = calloc(LONG, 1);
    struct key_counts counts;
    enum key_result result;

    if (key == NULL ||
        key_counts_open(&counts, 1, LIMIT, KEY_BRINGS_NOTHING) != KEY_OK)
        abort();
    struct key_counter *counter = key_counter_new(&counts, &result);
    const struct text_slice one[] = {{0, 100000}, {0, 1000000}, {0, 1000001}};
    const struct text_slice too_long = {0, LONG};
    ok(key_counter_add(counter, key, one, COUNT(one), NULL) == KEY_OK &&
           counts.spills > 0,
       "long keys, one after the other");
    ok(key_counter_add(counter, key, &too_long, 1, NULL) == KEY_LIMIT,
       "a key that is too long");
    key_counter_close(counter);
    key_counts_close(&counts);
    free(key);
}

/* The directory for temporary files goes away. */
static void
test_no_directory(void)
{
    struct key_counts counts;
    enum key_result result;
    struct naive_keys wanted = {0};
    const char *old = getenv("TMPDIR");
    char *saved = old != NULL ? strdup(old) : NULL;

    fill(1, &wanted);
    naive_close(&wanted);
    setenv("TMPDIR", "/nonexistent/directory", 1);
    if (key_counts_open(&counts, 1, 1 << 20, KEY_BRINGS_NOTHING) != KEY_OK)
        abort();
    struct key_counter *counter = key_counter_new(&counts, &result);
    result = KEY_OK;
    for (size_t i = 0; i < RECORDS && result == KEY_OK; i += PIECE_MAX)
        result = add_piece(counter, i, PIECE_MAX);
    ok(result == KEY_FAILED &&
           strstr(counts.failure.text, "/nonexistent/directory") != NULL,
       "no directory: %s", counts.failure.text);
    ok(add_piece(counter, 0, 1) == KEY_OK &&
           key_counter_spill(&counts) == KEY_FAILED,
       "... the failure stays");
    key_counter_close(counter);
    key_counts_close(&counts);
    if (saved != NULL)
        setenv("TMPDIR", saved, 1);
    else
        unsetenv("TMPDIR");
    free(saved);
}

static void
test_one_thread(void)
{
    test_bounds();
    test_equal_hashes();
    test_limits();
    test_long_key();
    test_no_directory();
}

int
main(void)
{
    static const unsigned int threads[] = {1, 2, THREADS_MAX};

    alarm(WATCHDOG_SECONDS);
    data = malloc((size_t)RECORDS_MAX * (KEY_MAX + 1));
    slice = malloc(RECORDS_MAX * sizeof *slice);
    if (data == NULL || slice == NULL)
        abort();
    for (size_t k = 0; k < COUNT(kinds); k++) {
        for (size_t t = 0; t < COUNT(threads); t++)
            test_threads(k, threads[t], false, SIZE_MAX, false);
        test_threads(k, 2, true, SIZE_MAX, false);
        for (size_t t = 0; t < COUNT(threads); t++)
            test_threads(k, threads[t], true, (size_t)700000 * threads[t],
                         false);
        test_threads(k, 1, false, LARGE, false);
        test_threads(k, 2, false, 2 * LARGE, true);
        test_threads(k, 2, true, SIZE_MAX, true);
        test_threads(k, 2, false, 1600000, true);
        if (!LOOKS_FOR_RACES)
            test_snapshots(k);
    }
    if (!LOOKS_FOR_RACES)
        test_one_thread();
    free(data);
    free(slice);
    return done_testing();
}
