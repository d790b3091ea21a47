/*
 * key_array.h -- entries of keys of one size, in memory, in order
 *
 * What has counted k-mers, or numbers, in tables of its own makes entries
 * (key_table.h) of them, so that they are the bins of an axis as other keys
 * are.
 */

#ifndef GPUHIST_KEY_ARRAY_H
#define GPUHIST_KEY_ARRAY_H

#include "hist/key_list.h"

struct key_array {
    struct key_memory *memory; /* NULL: not open */
    unsigned char *bytes;      /* entry I begins at I * entry_bytes */
    size_t entry_bytes;
    const unsigned char **entry; /* a pointer to each */
    size_t count;
};

/*
 * Open an array of COUNT entries of ENTRY_BYTES, undefined, in MEMORY, which
 * outlives it.  After a failure it is not open.
 */
enum key_result key_array_open(struct key_array *array, size_t count,
                               size_t entry_bytes, struct key_memory *memory);

/* Returns where entry I begins, and lets the list have it. */
static inline unsigned char *
key_array_put(struct key_array *array, size_t i)
{
    unsigned char *entry = array->bytes + i * array->entry_bytes;

    array->entry[i] = entry;
    return entry;
}

/* Returns the list of all entries, which are put.  ARRAY outlives it. */
struct key_list key_array_list(const struct key_array *array);

/* Also of an ARRAY that is all 0. */
void key_array_close(struct key_array *array);

#endif
