/* SPDX-License-Identifier: MIT */
/*
 * keys.c -- how fast threads count keys, for several numbers of them
 *
 * usage: bench/keys [MILLIONS [ROUNDS [THREADS [KEYS-A-CALL]]]]
 *
 * The data are MILLIONS of keys in memory (default: 20), as lines.  A key has 8
 * to 24 bytes.  Threads take KEYS-A-CALL of them (default: 3000, the lines of
 * 160 bytes in half a megabyte) and count them as the CPU engines of gpuhist do,
 * ROUNDS times (default: 3); the numbers of threads are the powers of two up to
 * THREADS (default: all processors).
 *
 * The program prints TSV, with medians.  "cpu" and "ns" are nanoseconds of one
 * thread for a key, by its processor time and by the wall clock, and "GB/s" the
 * bytes of keys and line ends of all threads by the wall clock, all with
 * starting and settling.  "order" is the time to sort the distinct keys with the
 * same threads, in seconds, and "bytes" the memory at its peak for each distinct
 * key that occurs.  In "uniform" all keys are as frequent, in "Zipf"
 * the key of rank r has a share of 1 / r.  Wrong counts end the run with status
 * 1: each run is compared with the number of keys, and the first of each row
 * with their order.
 */

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "../tests/noise.h"
#include "base/clock.h"
#include "engine/cpu/keys/key_counter.h"
#include "hist/key_order.h"
#include "timing.h"

enum {
    KEY_MIN = 8,
    KEY_MAX = 24,
    ROUNDS_MAX = 99,
    THREADS_MAX = 1024,
};

static const size_t distinct[] = {4, 413, 10000, 100000, 10000000};
#define COUNT(table) (sizeof(table) / sizeof *(table))

static unsigned char *data;
static size_t data_bytes;
static struct text_slice *slice; /* from the start of their call's data */
static size_t *call_at;          /* where the data of each call start */
static size_t keys;
static size_t call_keys;

static void
fail(const char *what)
{
    fprintf(stderr, "bench/keys: %s\n", what);
    exit(1);
}

static void *
take(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED)
        fail("out of memory");
    madvise(pages, bytes, MADV_HUGEPAGE);
    return pages;
}

/* ---- data ---- */

static double
fraction(void)
{
    return (double)(noise() >> 11) * 0x1p-53;
}

/* Write key NUMBER to AT.  Returns its size. */
static uint32_t
write_key(unsigned char *at, size_t number)
{
    uint64_t bits = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
    char text[KEY_MAX + 1];

    bits ^= bits >> 32;
    uint32_t size = KEY_MIN + (uint32_t)(bits % (KEY_MAX - KEY_MIN + 1));
    /* The number makes it unique, random letters come before. */
    int letters = (int)size - snprintf(text, sizeof text, "%08zu", number);
    for (int i = 0; i < letters; i++)
        at[i] = (unsigned char)('a' + (bits >> (2 * i)) % 23);
    memcpy(at + letters, text, size - (size_t)letters);
    return size;
}

static void
fill(size_t count, bool is_zipf)
{
    unsigned char *at = data;
    unsigned char *call = data;

    for (size_t i = 0; i < keys; i++) {
        if (i % call_keys == 0) {
            call = at;
            call_at[i / call_keys] = (size_t)(at - data);
        }
        size_t number = (size_t)(fraction() * (double)count);
        if (is_zipf)
            number = (size_t)exp(fraction() * log((double)count + 1)) - 1;
        slice[i].at = (uint32_t)(at - call);
        slice[i].size = write_key(at, number);
        at += slice[i].size;
        *at++ = '\n';
    }
    data_bytes = (size_t)(at - data);
}

/* ---- threads ---- */

static struct key_counts counts;
static atomic_size_t next_call;
static _Atomic double cpu_time; /* of all threads, seconds */

static void *
count_main(void *argument)
{
    enum key_result result = KEY_OK;
    struct key_counter *counter = key_counter_new(&counts, &result);
    double start = timing_now();
    size_t call;

    if (counter == NULL)
        fail("out of memory");
    while ((call = atomic_fetch_add(&next_call, 1)) * call_keys < keys) {
        size_t first = call * call_keys;
        size_t some = keys - first < call_keys ? keys - first : call_keys;
        if (key_counter_add(counter, data + call_at[call], slice + first, some,
                            NULL) != KEY_OK)
            fail("out of memory");
    }
    key_counter_settle(counter);
    key_counter_close(counter);
    double time = atomic_load(&cpu_time), sum;
    do {
        sum = time + timing_now() - start;
    } while (!atomic_compare_exchange_weak(&cpu_time, &time, sum));
    return argument;
}

/* Count once.  Returns the time in seconds; the tables are open afterwards. */
static double
count_once(unsigned int threads)
{
    pthread_t thread[THREADS_MAX];

    if (key_counts_open(&counts, threads, SIZE_MAX, KEY_BRINGS_NOTHING) !=
        KEY_OK)
        fail("out of memory");
    atomic_store(&next_call, 0);
    atomic_store(&cpu_time, 0);
    double start = clock_now();
    for (unsigned int t = 0; t < threads; t++) {
        if (pthread_create(&thread[t], NULL, count_main, NULL) != 0)
            fail("cannot start a thread");
    }
    for (unsigned int t = 0; t < threads; t++)
        pthread_join(thread[t], NULL);
    return clock_now() - start;
}

/* Sort the keys.  Returns the time in seconds; the tables have no slots then. */
static double
order_once(unsigned int threads, size_t *count)
{
    struct key_order order;
    double start = clock_now();
    uint64_t sum = 0;

    key_counts_release_slots(&counts);
    if (key_counts_order(&counts, threads, &order) != KEY_OK)
        fail("out of memory");
    double time = clock_now() - start;
    for (size_t i = 0; i < order.keys; i++) {
        struct key_entry entry = key_order_entry(&order, i);
        sum += entry.count;
        if (i == 0)
            continue;
        struct key_entry last = key_order_entry(&order, i - 1);
        uint32_t size = last.size < entry.size ? last.size : entry.size;
        int sign = memcmp(last.key, entry.key, size);
        if (sign > 0 || (sign == 0 && last.size >= entry.size))
            fail("wrong order");
    }
    if (sum != keys)
        fail("wrong counts");
    *count = order.keys;
    key_order_close(&order);
    return time;
}

static void
measure(size_t count, bool is_zipf, unsigned int threads, int rounds)
{
    double time[ROUNDS_MAX], cpu[ROUNDS_MAX], order[ROUNDS_MAX];
    size_t found = 0;
    double bytes = 0;

    for (int r = 0; r < rounds; r++) {
        time[r] = count_once(threads);
        cpu[r] = atomic_load(&cpu_time);
        order[r] = order_once(threads, &found);
        bytes = (double)atomic_load(&counts.memory.peak) / (double)found;
        key_counts_close(&counts);
    }
    double median = timing_median(time, (size_t)rounds);
    printf("%zu\t%s\t%u\t%.1f\t%.1f\t%.2f\t%zu\t%.3f\t%.1f\n", count,
           is_zipf ? "Zipf" : "uniform", threads,
           timing_median(cpu, (size_t)rounds) / (double)keys * 1e9,
           median * threads / (double)keys * 1e9,
           (double)data_bytes / median * 1e-9, found,
           timing_median(order, (size_t)rounds), bytes);
    fflush(stdout);
}

int
main(int argc, char **argv)
{
    keys = (size_t)(argc > 1 ? atof(argv[1]) * 1e6 : 20e6);
    int rounds = argc > 2 ? atoi(argv[2]) : 3;
    long threads = argc > 3 ? atol(argv[3]) : sysconf(_SC_NPROCESSORS_ONLN);
    call_keys = argc > 4 ? strtoul(argv[4], NULL, 10) : 3000;

    if (keys == 0 || rounds < 1 || rounds > ROUNDS_MAX || threads < 1 ||
        threads > THREADS_MAX || call_keys < 1 || call_keys > 1 << 24) {
        fprintf(stderr, "usage: bench/keys [MILLIONS [ROUNDS [THREADS "
                        "[KEYS-A-CALL]]]]\n");
        return 2;
    }
    data = take(keys * (KEY_MAX + 1));
    slice = take(keys * sizeof *slice);
    call_at = take((keys / call_keys + 1) * sizeof *call_at);
    printf("keys\tdistribution\tthreads\tcpu\tns\tGB/s\tfound\torder\tbytes\n");
    for (int z = 0; z < 2; z++) {
        for (size_t d = 0; d < COUNT(distinct); d++) {
            fill(distinct[d], z == 1);
            for (unsigned int t = 1; t <= (unsigned int)threads; t *= 2)
                measure(distinct[d], z == 1, t, rounds);
        }
    }
    return 0;
}
