/* SPDX-License-Identifier: MIT */
/* kmer_table.c -- a cell of 8 bits for each code of a k-mer, which threads
   share */

#include <string.h>

#include "base/pages.h"
#include "engine/cpu/kmers/kmer_table.h"

/* The lists of a thread fit into its second-level cache, if each of them has
   more than a few codes. */
#define OWN_BYTES ((size_t)2 << 20)
#define OWN_MIN 128
#define OWN_MAX 4096

/* The lists of all slices, of which each has KMER_TABLE_LIST or fewer codes. */
#define LISTS_BYTES ((size_t)64 << 20)

/*
 * A cache line between two lists.  Lists fill at about the same rate, and
 * addresses whose distance is a power of two compete for the same places in a
 * cache.
 */
#define STAGGER (64 / sizeof(uint16_t))

#define LINE 64

/* ---- memory ---- */

static size_t
slices_of(uint64_t cells)
{
    return (size_t)(cells >> KMER_TABLE_SHIFT);
}

static size_t
own_codes(size_t slices)
{
    size_t codes = OWN_BYTES / sizeof(uint16_t) / slices;

    codes = codes > OWN_MIN ? codes : OWN_MIN;
    return codes < OWN_MAX ? codes : OWN_MAX;
}

static size_t
list_codes(size_t slices)
{
    size_t codes = LISTS_BYTES / sizeof(uint16_t) / slices;

    return codes < KMER_TABLE_LIST ? codes : KMER_TABLE_LIST;
}

size_t
kmer_table_bytes(uint64_t cells)
{
    size_t slices = slices_of(cells);

    return slices * (KMER_TABLE_SLICE + list_codes(slices) * sizeof(uint16_t) +
                     sizeof(struct kmer_slice));
}

size_t
kmer_table_lists_bytes(uint64_t cells)
{
    size_t slices = slices_of(cells);

    return slices * (own_codes(slices) + STAGGER + 1) * sizeof(uint16_t);
}

enum key_result
kmer_table_open(struct kmer_table *table, uint64_t cells,
                struct key_memory *memory)
{
    size_t slices = slices_of(cells);
    enum key_result result = KEY_OK;

    *table = (struct kmer_table){.memory = memory,
                                 .slices = slices,
                                 .list_codes = list_codes(slices),
                                 .own_codes = own_codes(slices),
                                 .stride = own_codes(slices) + STAGGER};
    unsigned char *all =
        key_memory_take_zeros(memory, kmer_table_bytes(cells), &result);
    if (all == NULL)
        return result;
    table->low = all;
    table->list = (uint16_t *)(void *)(all + slices * KMER_TABLE_SLICE);
    table->slice =
        (struct kmer_slice *)(void *)(table->list + slices * table->list_codes);
    for (size_t s = 0; s < slices; s++)
        pthread_mutex_init(&table->slice[s].lock, NULL);
    return KEY_OK;
}

void
kmer_table_close(struct kmer_table *table)
{
    if (table->low == NULL)
        return;
    for (size_t s = 0; s < table->slices; s++)
        pthread_mutex_destroy(&table->slice[s].lock);
    key_memory_give(
        table->memory, table->low,
        kmer_table_bytes((uint64_t)table->slices << KMER_TABLE_SHIFT));
    *table = (struct kmer_table){0};
}

int
kmer_table_lists_open(struct kmer_lists *lists, const struct kmer_table *table)
{
    size_t bytes =
        kmer_table_lists_bytes((uint64_t)table->slices << KMER_TABLE_SHIFT);
    uint16_t *all = pages_take(bytes);

    if (all == NULL)
        return -1;
    *lists = (struct kmer_lists){.bytes = bytes, .code = all};
    lists->count = all + table->slices * table->stride;
    return 0;
}

void
kmer_table_lists_close(struct kmer_lists *lists)
{
    if (lists->bytes > 0)
        pages_give(lists->code, lists->bytes);
    *lists = (struct kmer_lists){0};
}

void
kmer_table_clear(struct kmer_table *table)
{
    memset(table->low, 0, table->slices * KMER_TABLE_SLICE);
}

/* ---- adding ---- */

/* Add the list of SLICE to the cells.  Its lock is taken. */
static size_t
add_list(struct kmer_table *table, size_t slice, uint16_t *carry)
{
    const uint16_t *list = table->list + slice * table->list_codes;
    uint8_t *low = table->low + slice * KMER_TABLE_SLICE;
    size_t count = table->slice[slice].listed;
    size_t carries = 0;

    for (size_t at = 0; at < KMER_TABLE_SLICE; at += LINE)
        __builtin_prefetch(low + at, 1);
    for (size_t i = 0; i < count; i++) {
        uint16_t cell = list[i];
        if (++low[cell] == 0)
            carry[carries++] = cell;
    }
    table->slice[slice].listed = 0;
    return carries;
}

size_t
kmer_table_add(struct kmer_table *table, size_t slice, struct kmer_lists *lists,
               uint16_t *carry)
{
    struct kmer_slice *to = &table->slice[slice];
    size_t count = lists->count[slice];
    size_t carries = 0;

    pthread_mutex_lock(&to->lock);
    if (to->listed + count > table->list_codes)
        carries = add_list(table, slice, carry);
    memcpy(table->list + slice * table->list_codes + to->listed,
           lists->code + slice * table->stride, count * sizeof *lists->code);
    to->listed += count;
    pthread_mutex_unlock(&to->lock);
    lists->count[slice] = 0;
    return carries;
}

size_t
kmer_table_settle(struct kmer_table *table, size_t slice, uint16_t *carry)
{
    struct kmer_slice *from = &table->slice[slice];

    pthread_mutex_lock(&from->lock);
    size_t carries = add_list(table, slice, carry);
    pthread_mutex_unlock(&from->lock);
    return carries;
}
