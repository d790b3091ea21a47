/* SPDX-License-Identifier: MIT */
/*
 * kmer_counts.h -- the counts of k-mers, which CPU threads share
 *
 * Counting takes one of three paths, with equal counts:
 *
 * KMER_SMALL   A table with a cell for each of the 4^K codes fits into the
 *              cache of a thread.  Each has one with counts of 8 bits.  A count
 *              that wraps is put into a list; a full list is added to the
 *              histogram under a lock.  Canonical codes of 11 bases are folded
 *              (kmer_codes_fold()), which halves the table.
 * KMER_WIDE    The threads share a table with a cell of 8 bits for each code
 *              (kmer_table.h).  What it carries is added to the histogram or,
 *              if the codes that occur are wanted, to the partitions.  Both
 *              together are the counts: pages of the histogram for cells that
 *              never wrap take no memory.
 * KMER_SPARSE  The codes that occur are in tables of codes (code_table.h), the
 *              partitions.  The high bits of a hash choose one, which has a
 *              lock; each thread has a list of codes for each.  When the tables
 *              have no room, a thread stops the others where they hold no lock,
 *              writes all codes as a sorted run to a temporary file, and
 *              empties the tables.
 *
 * Short k-mers, if only the codes that occur are wanted, start as KMER_SPARSE.
 * When their tables take a certain share of the memory of a wide table, and a
 * wide table is within the limit, the wide table takes over.  Codes in the
 * partitions stay there.
 *
 * KMER_SMALL and KMER_WIDE with a cell for each code may count the first codes
 * in a list (kmer_few.h): a few windows do not cost the time of 4^K cells.
 *
 * A thread's lists belong to the counts, until they are settled.
 */

#ifndef GPUHIST_KMER_COUNTS_H
#define GPUHIST_KMER_COUNTS_H

#include "engine/cpu/kmers/kmer_few.h"
#include "engine/cpu/kmers/kmer_table.h"
#include "hist/code_spill.h"
#include "hist/histogram.h"
#include "seq/kmer_codes.h"
#include "sync/safepoint.h"
#include "sync/thread_list.h"

enum kmer_path {
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
    unsigned int words; /* of a code in a table of codes: 1 or 2 */
    enum kmer_path path;
    unsigned int threads;
    struct key_memory memory; /* of what grows with the codes */

    /* A cell for each code; or not open.  After settling, KMER_SMALL has its
       count there, and KMER_WIDE what TABLE does not have of it. */
    struct histogram cells;
    pthread_mutex_t cells_lock; /* of all cells; of KMER_SMALL */
    bool has_moved;             /* the counts of CELLS, which are all 0 */
    struct kmer_few few;        /* while it has all codes, CELLS are all 0 */

    struct kmer_table table; /* KMER_WIDE */
    bool may_widen;          /* from KMER_SPARSE */

    /* If there are no CELLS: */
    size_t limit; /* of the growing tables, without a wide table */
    struct hash_key hash_key;
    struct kmer_partition *partition;
    unsigned int partitions_log;
    size_t list_codes; /* that a list has room for */
    struct safepoint safepoint;
    struct code_spill spill; /* a bucket is a partition (kmer_spill.h) */
    uint64_t kept_codes; /* that it had when each code was there only once */
    atomic_uint_fast64_t spilled_tables; /* that were written ... */
    atomic_uint_fast64_t spilled_bytes;  /* ... with so many bytes */
    struct error failure; /* why a function has returned KEY_FAILED; while
                             threads count, under the lock of SPILL */
    bool has_snapshots;   /* the run has made some before its end */

    struct thread_list counters;
    /* All below: under the lock of the list. */
    uint64_t broken; /* windows, of closed counters, too */
};

/*
 * Prepare to count the codes of CODES with THREADS threads, each in a cell if
 * HAS_CELLS.  Otherwise all tables, lists and codes take at most MEMORY_LIMIT
 * bytes, unless the least takes more; beyond that, codes are in a temporary
 * file.  The caller calls kmer_counts_close() in any case.
 */
enum key_result kmer_counts_open(struct kmer_counts *counts,
                                 const struct kmer_codes *codes,
                                 unsigned int threads, bool has_cells,
                                 size_t memory_limit);

/*
 * Keep the first codes, from now on and after each restart, in a list.  COUNTS,
 * which are open and count nothing yet, have a cell for each code.
 */
void kmer_counts_list_few(struct kmer_counts *counts);

/* Release everything.  All counters are closed. */
void kmer_counts_close(struct kmer_counts *counts);

static inline size_t
kmer_counts_partitions(const struct kmer_counts *counts)
{
    return (size_t)1 << counts->partitions_log;
}

/* Returns the partition of CODE. */
static inline size_t
kmer_counts_partition_of(const struct kmer_counts *counts,
                         struct kmer_code code)
{
    return (size_t)(code_hash(&counts->hash_key, code, counts->words) >>
                    (64 - counts->partitions_log));
}

/* Whether any partition has codes.  This thread is alone. */
bool kmer_counts_have_codes(const struct kmer_counts *counts);

/* Returns how often the tables of all partitions were written, about. */
uint64_t kmer_counts_spills(const struct kmer_counts *counts);

/* Whether there is a cell for each code. */
static inline bool
kmer_counts_has_cells(const struct kmer_counts *counts)
{
    return histogram_is_open(&counts->cells);
}

/*
 * Whether the counts, which are settled, are in cells; otherwise they are a
 * list (kmer_list.h).
 */
static inline bool
kmer_counts_are_cells(const struct kmer_counts *counts)
{
    return kmer_counts_has_cells(counts) && !kmer_few_is_all(&counts->few);
}

/* The number of k-mers there are: only up to KMER_SHORT_MAX. */
static inline uint64_t
kmer_counts_cells(const struct kmer_counts *counts)
{
    return (uint64_t)1 << 2 * counts->codes.k;
}

/* The cells of a thread's own table, of KMER_SMALL: half if codes are folded.
 */
static inline uint64_t
kmer_counts_low_cells(const struct kmer_counts *counts)
{
    return kmer_counts_cells(counts) >> counts->codes.is_folded;
}

/* The cell of the k-mer with CODE, which may be folded. */
static inline uint32_t
kmer_counts_cell(const struct kmer_counts *counts, uint32_t code)
{
    return counts->codes.is_folded ? kmer_code_lesser(code, counts->codes.k)
                                   : code;
}

/*
 * Returns the bytes of a thread, beside its counter, for k-mers of K bases with
 * a cell for each code.
 */
uint64_t kmer_counts_thread_bytes(unsigned int k);

/*
 * The partitions have no room: open the wide table, if there may be one.
 * Returns whether there may be room now.  This thread is alone.
 */
bool kmer_counts_widen(struct kmer_counts *counts);

/* Remove all codes from the partitions.  This thread is alone. */
void kmer_counts_empty(struct kmer_counts *counts);

/*
 * Add the cells of the wide table, if there is one, whose codes partition P has
 * to the counts there, and set them to 0.  No thread may be counting.
 */
void kmer_counts_absorb(struct kmer_counts *counts, size_t p);

/*
 * Set the cells of TO from BASE on, which have not been written, to the counts,
 * which are settled and are cells.  Unless threads go on counting
 * (IS_COUNTING), a large table moves there, and COUNTS can only be restarted or
 * closed.  If TO is of these counts only (IS_ALONE), it may have LOW then.
 */
void kmer_counts_put(struct kmer_counts *counts, bool is_counting,
                     bool is_alone, struct histogram *to, uint64_t base);

/*
 * Forget all counts, which are settled, also those in files; no counter has
 * lists for the wide table.  No thread may be counting.
 */
void kmer_counts_restart(struct kmer_counts *counts);

#endif
