/* SPDX-License-Identifier: MIT */
/*
 * key_list.h -- the keys of an axis, in order
 *
 * The bins of an axis of keys are strings of bytes instead of numbers: bin i is
 * key i.  Keys ascend by their bytes, a key before the longer keys that start
 * with it.  Keys are known only after counting.
 *
 * A list that is longer than the memory is in temporary files, which are
 * mapped.  If rows are wanted by count, the list is made in that order.
 */

#ifndef GPUHIST_KEY_LIST_H
#define GPUHIST_KEY_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "hist/key_order.h"

struct key_list {
    const unsigned char *const *entry; /* entry I of a table: [I * step] */
    size_t step;
    uint64_t count;
    bool is_mapped;
    bool is_by_count; /* the greatest count first; equal ones by key */
    uint64_t top;     /* if not 0: the first TOP keys are in this order, too;
                     the other keys follow in any order */
};

/* Returns the list of the keys of ORDER, which must outlive the list. */
struct key_list key_list_of(const struct key_order *order);

/* Entries lie anywhere in memory, and are mostly read in order.  The entry this
   far ahead is fetched, with the next line of the cache, which most entries
   reach. */
#define KEY_LIST_AHEAD 24
#define KEY_LIST_FETCHED 32

static inline const unsigned char *
key_list_at(const struct key_list *list, uint64_t i)
{
    return list->entry[i * list->step];
}

/* Returns entry I of LIST, and fetches an entry that is likely read soon. */
static inline const unsigned char *
key_list_entry(const struct key_list *list, uint64_t i)
{
    if (i + KEY_LIST_AHEAD < list->count) {
        const unsigned char *soon = key_list_at(list, i + KEY_LIST_AHEAD);
        __builtin_prefetch(soon);
        __builtin_prefetch(soon + KEY_LIST_FETCHED);
    }
    return key_list_at(list, i);
}

/* Returns key I of LIST, without a count: that may change. */
static inline struct key_entry
key_list_key(const struct key_list *list, uint64_t i)
{
    return key_entry_key(key_list_entry(list, i));
}

/* The COUNT keys from FIRST on have been read: a mapped list keeps them in its
   files only. */
void key_list_forget(const struct key_list *list, uint64_t first,
                     uint64_t count);

/* ---- entries of keys of one size, in memory ---- */

/*
 * A counter with tables of its own, of k-mers or of numbers, makes entries
 * (key_table.h) of the counts.  So k-mers and numbers become the bins of an
 * axis like other keys.
 */
struct key_array {
    struct key_memory *memory; /* NULL: not open */
    unsigned char *bytes;      /* entry I starts at I * entry_bytes */
    size_t entry_bytes;
    const unsigned char **entry; /* a pointer to each */
    size_t count;
};

/*
 * Open an array of COUNT entries of ENTRY_BYTES, undefined, in MEMORY, which
 * outlives ARRAY.  After a failure ARRAY is not open.
 */
enum key_result key_array_open(struct key_array *array, size_t count,
                               size_t entry_bytes, struct key_memory *memory);

/* Returns where entry I starts, and lets the list have it. */
static inline unsigned char *
key_array_put(struct key_array *array, size_t i)
{
    unsigned char *entry = array->bytes + i * array->entry_bytes;

    array->entry[i] = entry;
    return entry;
}

/* Returns the list of all entries.  ARRAY must outlive the list. */
struct key_list key_array_list(const struct key_array *array);

/* Also of an ARRAY that is all 0. */
void key_array_close(struct key_array *array);

/* ---- counts ---- */

/*
 * Set the cells of COUNTS from FIRST on, which are 0, to the counts of the
 * entries of LIST, with at most THREADS threads.  If COUNTS has sums, the
 * entries have sums, and these are set, too.
 */
void key_list_put_counts(const struct key_list *list, struct histogram *counts,
                         uint64_t first, unsigned int threads);

#endif
