/* SPDX-License-Identifier: MIT */
/* value_pool.h -- the memory for the numbers of groups */

#ifndef GPUHIST_VALUE_POOL_H
#define GPUHIST_VALUE_POOL_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/keys/value_pages.h"
#include "engine/cpu/keys/value_unit.h"
#include "hist/key_memory.h"

/* The memory for the numbers of all threads: a share of MEMORY. */
struct values_memory {
    struct key_memory *memory; /* which outlives it */
    size_t most;
    atomic_size_t taken;
};

struct value_slab;

/* The bytes of the first page of a group and of most pages, and how many sizes
   of pages there are: each has twice the bytes of the one before. */
#define VALUE_PAGE_FIRST 128
#define VALUE_PAGE_BYTES 4096
#define VALUE_PAGE_SIZES 6

/* The memory of one thread.  All 0, but ALL: nothing taken yet. */
struct value_pool {
    struct values_memory *all;
    struct value_slab *slab; /* all slabs, the current one first */
    size_t used;             /* bytes of the current slab */
    struct value_page *unused[VALUE_PAGE_SIZES];
    struct value_cells *cells; /* of all groups */
    struct value_unit unit;    /* of the numbers that were packed */
    unsigned int pause;        /* full pages that nobody tries to pack */
};

/* Release all memory of POOL. */
void value_pool_close(struct value_pool *pool);

/* Returns BYTES, a multiple of 64, or NULL: no room. */
void *value_pool_take(struct value_pool *pool, size_t bytes);

/* Returns a page of BYTES, a power of two, or NULL: no room. */
struct value_page *value_pool_take_page(struct value_pool *pool, size_t bytes);

/* Give PAGE back, which has no long numbers. */
void value_pool_give_page(struct value_pool *pool, struct value_page *page);

/* Returns SIZE cells from FIRST on, in UNITs, all 0; or NULL: no room. */
struct value_cells *value_pool_take_cells(struct value_pool *pool, int64_t unit,
                                          int64_t first, uint64_t size);

void value_pool_give_cells(struct value_pool *pool, struct value_cells *cells);

#endif
