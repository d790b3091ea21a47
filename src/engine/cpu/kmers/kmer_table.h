/* SPDX-License-Identifier: MIT */
/*
 * kmer_table.h -- a cell of 8 bits for each code of a k-mer, which threads
 * share
 *
 * The cells are divided into slices that fit into the second-level cache.  A
 * thread has a list for each slice, and appends a code to one of them.  A full
 * list moves, under the lock of the slice, to the slice's own list, which is
 * longer, and which all threads fill.  When that is full, it is added to the
 * cells.  One cache miss serves several k-mers, and the lists of a thread stay
 * in its caches.
 *
 * A cell that wraps carries KMER_TABLE_CARRY to where the caller has larger
 * counts.
 */

#ifndef GPUHIST_KMER_TABLE_H
#define GPUHIST_KMER_TABLE_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/key_memory.h"

/* A list has codes of 16 bits: their distance from the slice's first cell. */
#define KMER_TABLE_SHIFT 16
#define KMER_TABLE_SLICE ((size_t)1 << KMER_TABLE_SHIFT)

/* The most codes that the list of a slice has room for. */
#define KMER_TABLE_LIST 16384

#define KMER_TABLE_CARRY 256

struct kmer_slice {
    _Alignas(64) pthread_mutex_t lock;
    size_t listed; /* codes in its list, under the lock */
};

struct kmer_table {
    struct key_memory *memory;
    uint8_t *low; /* the cells, of a slice under its lock; NULL: not open */
    uint16_t *list;
    size_t list_codes; /* that each has room for */
    struct kmer_slice *slice;
    size_t slices;
    size_t own_codes; /* that a thread's list of a slice has room for ... */
    size_t stride;    /* ... and from one of these lists to the next */
};

/* The lists of a thread. */
struct kmer_lists {
    size_t bytes;    /* of all; 0: not open */
    uint16_t *code;  /* list S starts at S * stride */
    uint16_t *count; /* of the codes in each list */
};

/* The bytes of a table of CELLS, and those of the lists of a thread. */
size_t kmer_table_bytes(uint64_t cells);
size_t kmer_table_lists_bytes(uint64_t cells);

/* Open a table of CELLS, a multiple of KMER_TABLE_SLICE, in MEMORY.  After a
   failure it is not open. */
enum key_result kmer_table_open(struct kmer_table *table, uint64_t cells,
                                struct key_memory *memory);

/* Also of a TABLE that is all 0. */
void kmer_table_close(struct kmer_table *table);

/* Open the lists of a thread, empty.  Returns 0, or -1: out of memory. */
int kmer_table_lists_open(struct kmer_lists *lists,
                          const struct kmer_table *table);

/* Also of LISTS that are all 0. */
void kmer_table_lists_close(struct kmer_lists *lists);

/*
 * Move the codes in LISTS for SLICE to the slice.  Returns how many cells have
 * wrapped; CARRY, which has room for KMER_TABLE_LIST, gets their distances.
 */
size_t kmer_table_add(struct kmer_table *table, size_t slice,
                      struct kmer_lists *lists, uint16_t *carry);

/* Add the list of SLICE to its cells.  Returns as kmer_table_add(). */
size_t kmer_table_settle(struct kmer_table *table, size_t slice,
                         uint16_t *carry);

/* Set all cells, which are settled, to 0.  No thread may be counting. */
void kmer_table_clear(struct kmer_table *table);

#endif
