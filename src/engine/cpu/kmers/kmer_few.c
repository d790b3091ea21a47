/* SPDX-License-Identifier: MIT */
/* kmer_few.c -- the first k-mers of a run, as a list of their codes */

#include <string.h>

#include "engine/cpu/kmers/kmer_few.h"
#include "seq/kmer_codes.h"

/* Sorting a code takes about as long as reading so many cells. */
#define CELLS_WORTH_A_CODE 64

/* Fewer cells are read in no time. */
#define CELLS_MIN ((uint64_t)1 << 16)

#define ROOM_MIN 4096

void
kmer_few_open(struct kmer_few *few, uint64_t cells, struct key_memory *memory)
{
    *few = (struct kmer_few){.memory = memory};
    pthread_mutex_init(&few->lock, NULL);
    few->bits = (unsigned int)__builtin_ctzll(cells);
    few->most = cells >= CELLS_MIN ? (size_t)(cells / CELLS_WORTH_A_CODE) : 0;
    atomic_store(&few->is_over, few->most == 0);
}

void
kmer_few_close(struct kmer_few *few)
{
    if (few->memory == NULL)
        return;
    kmer_few_give(few, few->code, few->room);
    pthread_mutex_destroy(&few->lock);
    few->memory = NULL;
}

/* Make room for COUNT more codes.  Returns whether there is some.  Under the
   lock. */
static bool
make_room(struct kmer_few *few, size_t count)
{
    enum key_result result = KEY_OK;
    size_t room = few->room < ROOM_MIN ? ROOM_MIN : few->room;

    if (few->count + count > few->most)
        return false;
    if (few->count + count <= few->room)
        return true;
    while (room < few->count + count)
        room *= 2;
    uint32_t *code = key_memory_take(few->memory, room * sizeof *code, &result);
    if (code == NULL)
        return false;
    if (few->count > 0)
        memcpy(code, few->code, few->count * sizeof *code);
    kmer_few_give(few, few->code, few->room);
    few->code = code;
    few->room = room;
    return true;
}

bool
kmer_few_add(struct kmer_few *few, const uint32_t *code, size_t count)
{
    pthread_mutex_lock(&few->lock);
    bool is_all = kmer_few_is_all(few) && make_room(few, count);
    if (is_all && count > 0) {
        memcpy(few->code + few->count, code, count * sizeof *code);
        few->count += count;
    } else if (!is_all) {
        atomic_store(&few->is_over, true);
    }
    pthread_mutex_unlock(&few->lock);
    return is_all;
}

uint32_t *
kmer_few_take(struct kmer_few *few, size_t *count, size_t *room)
{
    pthread_mutex_lock(&few->lock);
    atomic_store(&few->is_over, true);
    uint32_t *code = few->code;
    *count = few->count;
    *room = few->room;
    few->code = NULL;
    few->count = few->room = 0;
    pthread_mutex_unlock(&few->lock);
    return code;
}

void
kmer_few_give(struct kmer_few *few, uint32_t *code, size_t room)
{
    key_memory_give(few->memory, code, room * sizeof *code);
}

void
kmer_few_restart(struct kmer_few *few)
{
    few->count = 0;
    atomic_store(&few->is_over, few->most == 0);
}

enum key_result
kmer_few_sort(const struct kmer_few *few, uint64_t **slot, size_t *codes,
              size_t *bytes)
{
    enum key_result result = KEY_OK;
    size_t distinct = 0;

    *bytes = code_slots_bytes(few->count + 1, 1);
    uint64_t *all = key_memory_take(few->memory, *bytes, &result);
    if (all == NULL)
        return result;
    for (size_t i = 0; i < few->count; i++) {
        all[2 * i] = few->folded_k > 0
                         ? kmer_code_lesser(few->code[i], few->folded_k)
                         : few->code[i];
        all[2 * i + 1] = 1;
    }
    code_slots_sort(all, few->count, few->bits, 1);
    for (size_t i = 0; i < few->count; i++) {
        if (distinct > 0 && all[2 * distinct - 2] == all[2 * i]) {
            all[2 * distinct - 1]++;
            continue;
        }
        all[2 * distinct] = all[2 * i];
        all[2 * distinct + 1] = 1;
        distinct++;
    }
    *slot = all;
    *codes = distinct;
    return KEY_OK;
}
