/* SPDX-License-Identifier: MIT */
/*
 * key_counts.h -- the counts of keys, which CPU threads share
 *
 * The high bits of a key's hash choose its partition: a table under a lock.  A
 * thread appends its keys to a list for each partition.  When a list is full,
 * the thread locks the partition and adds the list; all cache misses of a list
 * happen at the same time.
 *
 * Before the lists, each thread has a small cache of frequent keys, with its
 * own counts.  So few keys, and frequent keys among many, take no lock.  All
 * keys of the cache are in the tables.  Settling the cache allocates no memory,
 * so it cannot fail.
 *
 * When the tables have no room, a thread stops the others where they hold no
 * lock, adds what all caches have counted, writes the tables as a sorted run to
 * a temporary file, and empties them.  Keys in lists stay there: they are added
 * later.  Each key is either in a list, in the count of a cache, in the tables
 * or in a run.
 *
 * A caller that has many keys in order can put them into sorted tables, without
 * hashing: they are joined with the other keys when these are sorted.
 *
 * With weights, each key brings a weight, and the entry has the sum.  A cache
 * has the sum of its key's weights since it was last added, a nano
 * (base/decimal_sum.h).  A weight that does not fit goes to the list of its
 * key.  If keys bring counts, these stand where weights do, and are added to
 * the count of the entry, modulo 2^64.
 */

#ifndef GPUHIST_KEY_COUNTS_H
#define GPUHIST_KEY_COUNTS_H

#include <pthread.h>

#include "hist/key_order.h"
#include "hist/key_run.h"
#include "kernels/text/hash.h"
#include "sync/safepoint.h"
#include "sync/thread_list.h"

struct key_counter; /* key_counter.h */

/* The amount that each key brings. */
enum key_bringing {
    KEY_BRINGS_NOTHING,
    KEY_BRINGS_WEIGHT,
    KEY_BRINGS_COUNT,
};

struct key_partition {
    _Alignas(64) pthread_mutex_t lock;
    struct key_table table;   /* under the lock */
    struct key_table retired; /* what snapshots refer to, after a run */
};

struct key_counts {
    struct hash_key hash_key;
    struct key_memory memory;
    struct key_partition *partition;
    unsigned int partitions_log;
    unsigned int threads;
    size_t frequent_bytes; /* that the cache of a thread may grow to */
    enum key_bringing bringing;

    /*
     * Threads inside use their own lists and caches and, under locks, the
     * tables.  A thread that is alone may use all of these, and the fields
     * below.
     */
    struct safepoint safepoint;
    struct key_runs runs;
    uint64_t spills; /* how often the tables were written ... */
    uint64_t spilled_bytes;
    struct error failure;     /* why a function has returned KEY_FAILED */
    bool keeps_order;         /* memory is reserved for an order */
    bool has_snapshots;       /* that refer to entries of the tables ... */
    bool has_retired;         /* ... which are not used any more */
    struct key_table *sorted; /* SORTED_TABLES of them; NULL: none */
    size_t sorted_tables;
    size_t sorted_reserved; /* bytes for the order, beside those of batches */

    struct thread_list counters;
    /* All below: under the lock of the list. */
    size_t opened;        /* counters so far */
    size_t counters_left; /* for which memory is reserved */
};

/*
 * Open tables without keys for THREADS threads, which take at most MEMORY_LIMIT
 * bytes with all of their tables.  Beyond that, keys are in a temporary file.
 * They have sums if keys bring weights.  The caller calls key_counts_close() in
 * any case.
 */
enum key_result key_counts_open(struct key_counts *counts, unsigned int threads,
                                size_t memory_limit,
                                enum key_bringing bringing);

/* Release everything.  All counters are closed. */
void key_counts_close(struct key_counts *counts);

/* Whether entries have sums. */
static inline bool
key_counts_have_sums(const struct key_counts *counts)
{
    return counts->bringing == KEY_BRINGS_WEIGHT;
}

/* Whether the caches of threads have weights, or counts in their place. */
static inline bool
key_counts_have_weights(const struct key_counts *counts)
{
    return counts->bringing != KEY_BRINGS_NOTHING;
}

static inline size_t
key_counts_partitions(const struct key_counts *counts)
{
    return (size_t)1 << counts->partitions_log;
}

/*
 * Write all tables as a run, and empty them.  This thread is alone, and all
 * caches are empty.  If it returns KEY_FAILED, counts->failure says why.
 */
enum key_result key_counts_write(struct key_counts *counts);

/*
 * Forget all keys, also those in runs.  No thread is counting, and all caches
 * are empty.
 */
void key_counts_restart(struct key_counts *counts);

/*
 * Have TABLES sorted tables, without keys.  COUNTS has none.  This thread is
 * alone.  They are closed as the other tables are.
 */
enum key_result key_counts_open_sorted(struct key_counts *counts,
                                       size_t tables);

void key_counts_close_sorted(struct key_counts *counts);

/*
 * Append a key of at most 4096 bytes to TABLE, one of the sorted tables, each
 * of which one thread uses.  In the end their keys ascend from the first table
 * to the last one.
 */
enum key_result key_counts_append(struct key_counts *counts,
                                  struct key_table *table,
                                  const unsigned char *key, uint32_t size,
                                  uint64_t count);

/* Returns how many keys the tables have, without sorted tables.  This thread is
   alone. */
size_t key_counts_keys(const struct key_counts *counts);

/* The same while other threads count. */
size_t key_counts_look(struct key_counts *counts);

/* Release what finds keys: nothing can be added afterwards. */
void key_counts_release_slots(struct key_counts *counts);

/*
 * Sort the keys in the tables with THREADS threads.  All counters are settled,
 * and nobody is counting.  The caller calls key_order_close(ORDER) in any case,
 * and before key_counts_close().  The entries stay valid until then.
 */
enum key_result key_counts_order(struct key_counts *counts,
                                 unsigned int threads, struct key_order *order);

/*
 * The same, but only the first TOP keys, at least 1, have an order: that of
 * key_top.h.
 */
enum key_result key_counts_top(struct key_counts *counts, size_t top,
                               unsigned int threads, struct key_order *order);

#endif
