/* SPDX-License-Identifier: MIT */
/* key_memory.c -- the memory of all key tables of a run, with a limit */

#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "hist/key_memory.h"

#define ALIGNMENT 64

/* Blocks come from slabs if at least so much is used already, or less with one
   thread, where a run has few chunks: a huge page for a few keys is a waste. */
#define SLABS_MIN ((size_t)8 << 20)
#define SLABS_MIN_ALONE ((size_t)1 << 20)
#define SLABS_SHARE 64 /* the first one takes 1 / 64 of the limit at most */
#define SLAB_BLOCKS (PAGES_HUGE_BYTES / KEY_BLOCK_BYTES)

void
key_memory_open(struct key_memory *memory, size_t limit)
{
    memory->limit = limit;
    memory->slabs_min = SLABS_MIN;
    atomic_init(&memory->used, 0);
    atomic_init(&memory->reserved, 0);
    atomic_init(&memory->peak, 0);
    pthread_mutex_init(&memory->lock, NULL);
    memory->slab = NULL;
}

void
key_memory_serve_one(struct key_memory *memory)
{
    if (memory->limit / SLABS_SHARE >= PAGES_HUGE_BYTES)
        memory->slabs_min = SLABS_MIN_ALONE;
}

void
key_memory_close(struct key_memory *memory)
{
    pthread_mutex_destroy(&memory->lock);
}

/* Count BYTES as used.  Returns whether they are within the limit. */
static bool
use(struct key_memory *memory, size_t bytes)
{
    size_t used = atomic_load(&memory->used);

    do {
        if (used > memory->limit || bytes > memory->limit - used)
            return false;
    } while (!atomic_compare_exchange_weak(&memory->used, &used, used + bytes));
    return true;
}

bool
key_memory_reserve(struct key_memory *memory, size_t bytes)
{
    if (!use(memory, bytes))
        return false;
    atomic_fetch_add(&memory->reserved, bytes);
    return true;
}

void
key_memory_unreserve(struct key_memory *memory, size_t bytes)
{
    atomic_fetch_sub(&memory->reserved, bytes);
    atomic_fetch_sub(&memory->used, bytes);
}

/* Returns BYTES that are counted as used, or NULL. */
static void *
allocate(struct key_memory *memory, size_t bytes, enum key_result *result)
{
    void *taken = bytes >= PAGES_HUGE_BYTES
                      ? pages_take(bytes)
                      : aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) /
                                                     ALIGNMENT * ALIGNMENT);

    if (taken == NULL) {
        atomic_fetch_sub(&memory->used, bytes);
        *result = KEY_NO_MEMORY;
        return NULL;
    }
    size_t reserved = atomic_load(&memory->reserved);
    size_t now = atomic_load(&memory->used) - reserved;
    size_t peak = atomic_load(&memory->peak);
    while (peak < now &&
           !atomic_compare_exchange_weak(&memory->peak, &peak, now))
        continue;
    return taken;
}

void *
key_memory_take_reserved(struct key_memory *memory, size_t bytes,
                         enum key_result *result)
{
    atomic_fetch_sub(&memory->reserved, bytes);
    return allocate(memory, bytes, result);
}

void *
key_memory_take(struct key_memory *memory, size_t bytes,
                enum key_result *result)
{
    if (use(memory, bytes))
        return allocate(memory, bytes, result);
    *result = KEY_LIMIT;
    return NULL;
}

void *
key_memory_take_zeros(struct key_memory *memory, size_t bytes,
                      enum key_result *result)
{
    void *taken = key_memory_take(memory, bytes, result);

    /* Pages from the system are zeros. */
    if (taken != NULL && bytes < PAGES_HUGE_BYTES)
        memset(taken, 0, bytes);
    return taken;
}

void
key_memory_give(struct key_memory *memory, void *pointer, size_t bytes)
{
    if (pointer == NULL)
        return;
    if (bytes >= PAGES_HUGE_BYTES)
        pages_give(pointer, bytes);
    else
        free(pointer);
    atomic_fetch_sub(&memory->used, bytes);
}

/* ---- blocks ---- */

/* Take a slab and make it the current slab, if memory is left.  Under the
   lock. */
static void
start_slab(struct key_memory *memory)
{
    enum key_result result = KEY_OK;
    struct key_slab *slab;

    if (atomic_load(&memory->used) < memory->slabs_min)
        return;
    slab = malloc(sizeof *slab);
    if (slab == NULL)
        return;
    *slab = (struct key_slab){
        .pages = key_memory_take(memory, PAGES_HUGE_BYTES, &result)};
    if (slab->pages == NULL) {
        free(slab);
        return;
    }
    /* Else threads that touch their blocks at once clear a huge page each. */
    *(volatile unsigned char *)slab->pages = 0;
    memory->slab = slab;
}

void *
key_memory_take_block(struct key_memory *memory, struct key_slab **slab,
                      enum key_result *result)
{
    void *block = NULL;

    pthread_mutex_lock(&memory->lock);
    if (memory->slab == NULL)
        start_slab(memory);
    *slab = memory->slab;
    if (*slab != NULL) {
        block = (*slab)->pages + (*slab)->taken++ * KEY_BLOCK_BYTES;
        (*slab)->used++;
        if ((*slab)->taken == SLAB_BLOCKS)
            memory->slab = NULL;
    }
    pthread_mutex_unlock(&memory->lock);
    /* The remaining bytes may be enough for one block. */
    return block != NULL ? block
                         : key_memory_take(memory, KEY_BLOCK_BYTES, result);
}

void
key_memory_give_block(struct key_memory *memory, void *block,
                      struct key_slab *slab)
{
    if (slab == NULL) {
        key_memory_give(memory, block, KEY_BLOCK_BYTES);
        return;
    }
    pthread_mutex_lock(&memory->lock);
    bool is_unused = --slab->used == 0;
    if (is_unused && memory->slab == slab)
        memory->slab = NULL;
    pthread_mutex_unlock(&memory->lock);
    if (!is_unused)
        return;
    key_memory_give(memory, slab->pages, PAGES_HUGE_BYTES);
    free(slab);
}
