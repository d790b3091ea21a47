/* SPDX-License-Identifier: MIT */
/* value_pool.c -- the memory for the numbers of groups */

#include "engine/cpu/keys/value_pool.h"

/* The first bytes of a slab, a block of key_memory.h. */
struct value_slab {
    struct value_slab *next;
    struct key_slab *slab;
};

#define SLAB_START 64

static bool
reserve(struct values_memory *all, size_t bytes)
{
    if (atomic_fetch_add(&all->taken, bytes) + bytes <= all->most)
        return true;
    atomic_fetch_sub(&all->taken, bytes);
    return false;
}

/* Take a slab.  Returns false if there is no room. */
static bool
take_slab(struct value_pool *pool)
{
    enum key_result result;
    struct key_slab *slab;

    if (!reserve(pool->all, KEY_BLOCK_BYTES))
        return false;
    struct value_slab *taken =
        key_memory_take_block(pool->all->memory, &slab, &result);
    if (taken == NULL) {
        atomic_fetch_sub(&pool->all->taken, KEY_BLOCK_BYTES);
        return false;
    }
    *taken = (struct value_slab){.next = pool->slab, .slab = slab};
    pool->slab = taken;
    pool->used = SLAB_START;
    return true;
}

void *
value_pool_take(struct value_pool *pool, size_t bytes)
{
    if ((pool->slab == NULL || KEY_BLOCK_BYTES - pool->used < bytes) &&
        !take_slab(pool))
        return NULL;
    void *taken = (unsigned char *)pool->slab + pool->used;
    pool->used += bytes;
    return taken;
}

/* Returns the unused pages of POOL with BYTES, a power of two. */
static struct value_page **
unused_of(struct value_pool *pool, size_t bytes)
{
    _Static_assert(VALUE_PAGE_FIRST << (VALUE_PAGE_SIZES - 1) ==
                       VALUE_PAGE_BYTES,
                   "a list for each size");
    return &pool->unused[__builtin_ctzll(bytes / VALUE_PAGE_FIRST)];
}

struct value_page *
value_pool_take_page(struct value_pool *pool, size_t bytes)
{
    struct value_page **unused = unused_of(pool, bytes);
    struct value_page *page = *unused;

    if (page == NULL)
        return value_pool_take(pool, bytes);
    *unused = page->next;
    return page;
}

void
value_pool_give_page(struct value_pool *pool, struct value_page *page)
{
    struct value_page **unused = unused_of(pool, value_page_bytes(page));

    page->next = *unused;
    *unused = page;
}

static size_t
cells_bytes(uint64_t size)
{
    return sizeof(struct value_cells) + (size_t)size * sizeof(uint32_t);
}

struct value_cells *
value_pool_take_cells(struct value_pool *pool, int64_t unit, int64_t first,
                      uint64_t size)
{
    enum key_result result;
    size_t bytes = cells_bytes(size);

    if (!reserve(pool->all, bytes))
        return NULL;
    struct value_cells *cells =
        key_memory_take_zeros(pool->all->memory, bytes, &result);
    if (cells == NULL) {
        atomic_fetch_sub(&pool->all->taken, bytes);
        return NULL;
    }
    cells->unit = unit;
    cells->first = first;
    cells->size = cells->room = size;
    cells->next_taken = pool->cells;
    cells->taken = &pool->cells;
    if (pool->cells != NULL)
        pool->cells->taken = &cells->next_taken;
    pool->cells = cells;
    return cells;
}

void
value_pool_give_cells(struct value_pool *pool, struct value_cells *cells)
{
    size_t bytes = cells_bytes(cells->room);

    *cells->taken = cells->next_taken;
    if (cells->next_taken != NULL)
        cells->next_taken->taken = cells->taken;
    key_memory_give(pool->all->memory, cells, bytes);
    atomic_fetch_sub(&pool->all->taken, bytes);
}

void
value_pool_close(struct value_pool *pool)
{
    struct value_slab *next;

    while (pool->cells != NULL)
        value_pool_give_cells(pool, pool->cells);
    for (struct value_slab *slab = pool->slab; slab != NULL; slab = next) {
        next = slab->next;
        key_memory_give_block(pool->all->memory, slab, slab->slab);
        atomic_fetch_sub(&pool->all->taken, KEY_BLOCK_BYTES);
    }
    *pool = (struct value_pool){.all = pool->all};
}
