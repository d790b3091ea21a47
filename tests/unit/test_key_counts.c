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
#include "engine/cpu/key_counts.h"

#define WATCHDOG_SECONDS 300
#define RECORDS (IS_INSTRUMENTED ? 20000 : 200000)
#define RECORDS_MAX 200000
#define THREADS_MAX 4
#define TIMES 2 /* that each thread counts each record */
#define KEY_MAX 200
#define PIECE_MAX 5000
#define FIELDS 3 /* the counted one is in the middle */
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

/* Three hot keys, short and long, among many. */
static uint32_t
make_hot(unsigned char *key, size_t i)
{
    if (noise() % 8 == 0)
        return make_many(key, i);
    return number(key, noise() % 2 == 0 ? "hot%" PRIu64 : "%0100" PRIu64,
                  noise() % 3);
}

/* Other keys are hot after a while, long ones. */
static uint32_t
make_moving(unsigned char *key, size_t i)
{
    return number(key, "a key that is longer than three words %" PRIu64,
                  i / 3000 * 100 + noise() % 5);
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
    {"few", make_few}, {"many", make_many},     {"letters", make_letters},
    {"hot", make_hot}, {"moving", make_moving}, {"empty", make_empty},
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

/* ---- threads ---- */

struct counting {
    struct key_counts counts;
    atomic_bool has_failed;
    atomic_size_t turns;
    bool settles; /* now and then */
};

/* Count COUNT records from FIRST on, as a chunk with other fields. */
static enum key_result
add_piece(struct key_counter *counter, size_t first, size_t count)
{
    uint32_t begin = slice[first].at;
    uint32_t end = slice[first + count - 1].at + slice[first + count - 1].size;
    unsigned char *chunk = malloc(end - begin + 1);
    struct text_slice *fields = malloc(FIELDS * count * sizeof *fields);

    if (chunk == NULL || fields == NULL)
        abort();
    memcpy(chunk, data + begin, end - begin);
    for (size_t i = 0; i < FIELDS * count; i++)
        fields[i] = (struct text_slice){TEXT_SLICE_MISSING, 0};
    for (size_t i = 0; i < count; i++) {
        fields[FIELDS * i + 1] = slice[first + i];
        fields[FIELDS * i + 1].at -= begin;
    }
    enum key_result result =
        key_counter_add(counter, chunk, fields + 1, count, FIELDS);
    memset(chunk, 'x', end - begin);
    free(chunk);
    free(fields);
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
    for (size_t n = 0; n < TIMES; n++) {
        for (size_t i = 0, p = turn; i < RECORDS; p++) {
            size_t some = p * 2654435761u % PIECE_MAX + 1;
            some = some < RECORDS - i ? some : RECORDS - i;
            if (add_piece(counter, i, some) != KEY_OK)
                atomic_store(&counting->has_failed, true);
            if (counting->settles && p % 7 == 0)
                key_counter_settle(counter);
            i += some;
        }
    }
    key_counter_settle(counter);
    key_counter_close(counter);
    return NULL;
}

/* Whether ORDER has THREADS times the keys of WANTED, in their order. */
static bool
is_same(const struct key_order *order, struct naive_keys *wanted,
        uint64_t threads)
{
    if (order->keys != wanted->keys)
        return false;
    for (size_t i = 0; i < order->keys; i++) {
        struct key_entry entry = key_order_entry(order, i);
        struct naive_key *key = *naive_find(wanted, entry.key, entry.size);
        if (key == NULL || key->count * threads != entry.count)
            return false;
        if (i == 0)
            continue;
        struct key_entry last = key_order_entry(order, i - 1);
        if (naive_compare(last.key, last.size, entry.key, entry.size) >= 0)
            return false;
    }
    return true;
}

static void
test_threads(size_t kind, unsigned int threads, bool settles)
{
    struct naive_keys wanted = {0};
    struct counting counting = {.settles = settles};
    struct key_order order;
    pthread_t thread[THREADS_MAX];

    fill(kind, &wanted);
    if (key_counts_open(&counting.counts, threads, SIZE_MAX) != KEY_OK)
        abort();
    for (unsigned int t = 0; t < threads; t++) {
        if (pthread_create(&thread[t], NULL, count_main, &counting) != 0)
            abort();
    }
    for (unsigned int t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
    bool is_ordered =
        key_counts_order(&counting.counts, threads, &order) == KEY_OK;
    ok(!counting.has_failed && is_ordered && is_same(&order, &wanted, threads),
       "%s keys, %u threads%s: %zu distinct", kinds[kind].name, threads,
       settles ? ", settling often" : "", wanted.keys);
    naive_close(&wanted);
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

/* Whether all keys have 20 digits. */
static bool
has_only_digits(const struct key_counts *counts)
{
    for (size_t p = 0; p < key_counts_partitions(counts); p++) {
        struct key_cursor cursor = {0};
        const unsigned char *next;
        while ((next = key_table_next(&counts->partition[p].table, &cursor))) {
            struct key_entry entry = key_entry_read(next);
            if (entry.size != 20)
                return false;
            for (size_t i = 0; i < 20; i++) {
                if (entry.key[i] < '0' || entry.key[i] > '9')
                    return false;
            }
        }
    }
    return true;
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
    if (key_counts_open(&counts, 1, SIZE_MAX) != KEY_OK)
        abort();
    struct key_counter *counter = key_counter_new(&counts, &result);
    /* Often enough that all keys are in the cache in the end. */
    for (int i = 0; i < 100; i++)
        key_counter_add(counter, chunk, ends, COUNT(ends), 1);
    key_counter_settle(counter);
    key_counter_close(counter);
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

    if (key_counts_open(&counts, 1, SIZE_MAX) != KEY_OK)
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
        key_counter_add(counter, chunk, two, COUNT(two), 1);
    key_counter_settle(counter);
    key_counter_close(counter);
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
    if (key_counts_open(&counts, 2, SIZE_MAX) != KEY_OK)
        abort();
    struct key_counter *counter[2] = {key_counter_new(&counts, &result),
                                      key_counter_new(&counts, &result)};
    for (size_t i = 0; i + PIECE_MAX <= RECORDS; i += PIECE_MAX) {
        size_t which = i / PIECE_MAX % 2;
        is_right &= add_piece(counter[which], i, PIECE_MAX) == KEY_OK;
        key_counts_settle(&counts);
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
        enum key_result result = key_counts_open(&counts, 1, limit);
        if (result == KEY_OK)
            counter = key_counter_new(&counts, &result);
        for (size_t i = 0; result == KEY_OK && i < RECORDS; i += PIECE_MAX)
            result = add_piece(counter, i, PIECE_MAX);
        is_right &= result == KEY_OK || result == KEY_LIMIT;
        is_right &= atomic_load(&counts.memory.peak) <= limit;
        /* It may settle what it has in any case, but no key of a piece. */
        counts.memory.limit = SIZE_MAX;
        if (counter != NULL) {
            key_counter_settle(counter);
            is_right &= has_only_digits(&counts);
            is_right &= sum_of(&counts) <= RECORDS;
            is_done = result == KEY_OK && sum_of(&counts) == RECORDS;
            key_counter_close(counter);
        }
        failures += result != KEY_OK;
        is_right &= result != KEY_OK || is_done;
        key_counts_close(&counts);
        is_right &= atomic_load(&counts.memory.used) == 0;
    }
    ok(is_right && failures > 10, "%zu limits are too low", failures);

    struct key_counts counts;
    struct key_order order;
    enum key_result result;
    if (key_counts_open(&counts, 1, limit) != KEY_OK)
        abort();
    struct key_counter *counter = key_counter_new(&counts, &result);
    for (size_t i = 0; i < RECORDS; i += PIECE_MAX)
        result = add_piece(counter, i, PIECE_MAX);
    key_counter_settle(counter);
    key_counter_close(counter);
    counts.memory.limit = 0;
    ok(key_counts_order(&counts, 1, &order) == KEY_LIMIT,
       "no memory for the order");
    key_order_close(&order);
    key_counts_close(&counts);
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
            test_threads(k, threads[t], false);
        test_threads(k, 2, true);
        test_snapshots(k);
    }
    test_bounds();
    test_equal_hashes();
    test_limits();
    free(data);
    free(slice);
    return done_testing();
}
