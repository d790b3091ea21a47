/*
 * kmer_counts.h -- the counts of k-mers, which CPU threads share
 *
 * There are three ways to count, and all give the same counts:
 *
 * KMER_SMALL   A table with a cell for each of the 4^K codes fits into the
 *              cache of a thread.  Each has one with counts of 8 bits.  A count
 *              that wraps is put into a list; a full list is added to the
 *              histogram under a lock.
 * KMER_WIDE    The threads share a table with a cell for each code
 *              (shared_counts.h).
 * KMER_SPARSE  The codes that occur are in tables of codes (code_table.h), the
 *              partitions.  The high bits of a hash choose one, which has a
 *              lock; each thread has a list of codes for each.  When the tables
 *              have no room, a thread stops the others where they hold no lock,
 *              writes all codes as a sorted run to a temporary file, and
 *              empties the tables.
 *
 * A thread's lists belong to the counts, until they are settled.
 */

#ifndef GPUHIST_KMER_COUNTS_H
#define GPUHIST_KMER_COUNTS_H

#include "engine/cpu/shared_counts.h"
#include "hist/code_table.h"
#include "hist/key_run.h"
#include "sync/safepoint.h"
#include "text/kmer_codes.h"

enum kmer_way {
    KMER_SMALL,
    KMER_WIDE,
    KMER_SPARSE,
};

struct kmer_counter; /* kmer_counter.h */

#define KMER_PARTITIONS_LOG_MAX 9
#define KMER_PARTITIONS_MAX (1 << KMER_PARTITIONS_LOG_MAX)

struct kmer_partition {
    _Alignas(64) pthread_mutex_t lock;
    struct code_table table; /* under the lock */
};

struct kmer_counts {
    struct kmer_codes codes;
    enum kmer_way way;
    unsigned int threads;
    struct key_memory memory; /* of what grows with the codes */

    /* KMER_SMALL and KMER_WIDE: */
    struct shared_counts table; /* the former has only its histogram ... */
    pthread_mutex_t cells_lock; /* ... which is under this lock */

    /* KMER_SPARSE: */
    struct hash_key hash_key;
    struct kmer_partition *partition;
    unsigned int partitions_log;
    size_t list_codes; /* that a list has room for */
    struct safepoint safepoint;
    struct key_runs runs; /* as those of keys: the letters of k-mers */
    uint64_t spills;      /* how often the tables were written ... */
    uint64_t spilled_bytes;
    struct error failure; /* why a function has returned KEY_FAILED */
    bool has_snapshots;   /* the run has made some before its end */

    pthread_mutex_t lock;
    /* All below: under the lock. */
    struct kmer_counter *first; /* list of the counters */
    uint64_t broken;            /* windows, of closed counters, too */
};

/*
 * Prepare to count the codes of CODES with THREADS threads.  All tables, lists
 * and codes take at most MEMORY_LIMIT bytes, unless the least takes more;
 * beyond that, codes are in a temporary file.  The caller calls
 * kmer_counts_close() in any case.
 */
enum key_result kmer_counts_open(struct kmer_counts *counts,
                                 const struct kmer_codes *codes,
                                 unsigned int threads, size_t memory_limit);

/* Release everything.  All counters are closed. */
void kmer_counts_close(struct kmer_counts *counts);

static inline size_t
kmer_counts_partitions(const struct kmer_counts *counts)
{
    return (size_t)1 << counts->partitions_log;
}

/* The number of k-mers there are: only up to KMER_SHORT_MAX. */
static inline uint64_t
kmer_counts_cells(const struct kmer_counts *counts)
{
    return (uint64_t)1 << 2 * counts->codes.k;
}

/* Remove all codes from the partitions.  This thread is alone. */
void kmer_counts_empty(struct kmer_counts *counts);

/*
 * Set the cells of TO from BASE on, which have not been written, to the counts,
 * which are settled and dense.  Unless threads go on counting (IS_COUNTING), a
 * large table moves there, and COUNTS can only be restarted or closed.
 */
void kmer_counts_put(struct kmer_counts *counts, bool is_counting,
                     struct histogram *to, uint64_t base);

/*
 * Forget all counts, which are settled, and the runs.  No thread may be
 * counting.
 */
void kmer_counts_restart(struct kmer_counts *counts);

#endif
