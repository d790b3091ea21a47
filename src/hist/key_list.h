/*
 * key_list.h -- the keys of an axis, in order
 *
 * The bins of an axis of keys are strings of bytes instead of numbers: bin i is
 * key i.  Keys ascend by their bytes, a key before the longer ones that begin
 * with it.  They are known only after counting.
 *
 * A list that is longer than the memory is in temporary files, which are
 * mapped.  If its rows are wanted by count, it is in that order already.
 */

#ifndef GPUHIST_KEY_LIST_H
#define GPUHIST_KEY_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "hist/key_table.h"

struct key_list {
    const unsigned char *const *entry; /* COUNT entries of key tables */
    uint64_t count;
    bool is_mapped;
    bool is_by_count; /* the greatest count first; equal ones by key */
};

/* Entries lie anywhere in memory, and are mostly read in order: so many ahead
   are fetched. */
#define KEY_LIST_AHEAD 24

/* Returns entry I of LIST, and fetches one that is likely to be read soon. */
static inline const unsigned char *
key_list_entry(const struct key_list *list, uint64_t i)
{
    if (i + KEY_LIST_AHEAD < list->count)
        __builtin_prefetch(list->entry[i + KEY_LIST_AHEAD]);
    return list->entry[i];
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

#endif
