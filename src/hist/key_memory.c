/* key_memory.c -- the memory of all key tables of a run, with a limit */

#include <stdlib.h>

#include "hist/key_memory.h"

#define ALIGNMENT 64

void
key_memory_open(struct key_memory *memory, size_t limit)
{
    memory->limit = limit;
    atomic_init(&memory->used, 0);
    atomic_init(&memory->reserved, 0);
    atomic_init(&memory->peak, 0);
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
    void *taken = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT *
                                               ALIGNMENT);

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

void
key_memory_give(struct key_memory *memory, void *pointer, size_t bytes)
{
    if (pointer == NULL)
        return;
    atomic_fetch_sub(&memory->used, bytes);
    free(pointer);
}
