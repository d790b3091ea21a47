/*
 * key_splitters.h -- keys that cut the order of all keys into buckets
 *
 * BUCKETS - 1 splitters ascend.  Bucket b has the keys from splitter b - 1 on
 * and before splitter b.  Splitters that are chosen from a sample make buckets
 * of about the same size, whatever the keys have in common, because no two keys
 * are equal.
 *
 * All keys of a bucket share the bytes that both of its splitters begin with.
 * The first and the last bucket share none.
 */

#ifndef GPUHIST_KEY_SPLITTERS_H
#define GPUHIST_KEY_SPLITTERS_H

#include <string.h>

#include "hist/key_sort.h"

struct key_splitters {
    size_t buckets;  /* a power of two */
    uint32_t common; /* bytes that all splitters begin with */
    struct key_memory *memory;
    uint64_t *prefix;      /* of each splitter, from COMMON on ... */
    struct key_entry *key; /* ... and its key */
    uint32_t *depth;       /* bytes that the keys of each bucket share */
};

/* Returns what splitters for BUCKETS buckets take from memory. */
size_t key_splitters_bytes(size_t buckets);

/*
 * Choose splitters for BUCKETS buckets, a power of two, from SAMPLE, which is
 * sorted and has COUNT keys, at least BUCKETS.  The entries stay in place.
 */
enum key_result key_splitters_open(struct key_splitters *splitters,
                                   size_t buckets,
                                   const struct key_place *sample, size_t count,
                                   struct key_memory *memory);

/* Also after a failure. */
void key_splitters_close(struct key_splitters *splitters);

/* Returns the bucket of a key. */
size_t key_splitters_find(const struct key_splitters *splitters,
                          const struct key_entry *key);

#endif
