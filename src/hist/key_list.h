/*
 * key_list.h -- the keys of an axis, in order
 *
 * The bins of an axis of keys are strings of bytes instead of numbers: bin i is
 * key i.  Keys ascend by their bytes, a key before the longer ones that begin
 * with it.  They are known only after counting.
 */

#ifndef GPUHIST_KEY_LIST_H
#define GPUHIST_KEY_LIST_H

#include <stdint.h>

#include "hist/key_table.h"

struct key_list {
    const unsigned char *const *entry; /* COUNT entries of key tables */
    uint64_t count;
};

/* Returns key I of LIST. */
static inline struct key_entry
key_list_read(const struct key_list *list, uint64_t i)
{
    return key_entry_read(list->entry[i]);
}

#endif
