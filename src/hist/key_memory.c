/* key_memory.c -- the memory of all key tables of a run, with a limit */

#include <stdbool.h>
#include <stdlib.h>

#include "hist/key_memory.h"

#define ALIGNMENT 64

void
key_memory_open(struct key_memory *memory, size_t limit)
{
    memory->limit = limit;
    atomic_init(&memory->used, 0);
    atomic_init(&memory->peak, 0);
}

/* Count BYTES as used.  Returns whether they are within the limit. */
static bool
reserve(struct key_memory *memory, size_t bytes)
{
    size_t used = atomic_load(&memory->used);

    do {
        if (used > memory->limit || bytes > memory->limit - used)
            return false;
    } while (!atomic_compare_exchange_weak(&memory->used, &used, used + bytes));
    used += bytes;
    size_t peak = atomic_load(&memory->peak);
    while (peak < used &&
           !atomic_compare_exchange_weak(&memory->peak, &peak, used))
        continue;
    return true;
}

void *
key_memory_take(struct key_memory *memory, size_t bytes,
                enum key_result *result)
{
    if (!reserve(memory, bytes)) {
        *result = KEY_LIMIT;
        return NULL;
    }
    void *taken = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT *
                                               ALIGNMENT);
    if (taken == NULL) {
        atomic_fetch_sub(&memory->used, bytes);
        *result = KEY_NO_MEMORY;
    }
    return taken;
}

void
key_memory_give(struct key_memory *memory, void *pointer, size_t bytes)
{
    if (pointer == NULL)
        return;
    atomic_fetch_sub(&memory->used, bytes);
    free(pointer);
}
