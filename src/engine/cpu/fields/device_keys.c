/* SPDX-License-Identifier: MIT */
/*
 * device_keys.c -- the keys that a device has counted, added to the tables
 *
 * A thread takes a block of cells, sorts their keys by partition, and adds the
 * keys of a partition together, under its lock; the cache misses of a partition
 * happen at the same time.
 *
 * When the tables have no room, each thread stops and keeps the leftovers of
 * its block.  Then one thread adds all leftovers, and writes the tables to a
 * file as often as needed.
 */

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread.h"
#include "engine/cpu/fields/device_keys.h"
#include "engine/cpu/keys/key_cache.h"

#define BLOCK_CELLS 4096

/* What a thread has of a block.  Item I counts COUNT[I], as a uint64_t. */
struct key_adder {
    struct key_item item[BLOCK_CELLS];
    int64_t count[BLOCK_CELLS];
    size_t left; /* the first ones, which are not added */
    enum key_result result;

    /* Before they are sorted: */
    struct key_item found[BLOCK_CELLS];
    int64_t found_count[BLOCK_CELLS];
};

struct task {
    struct key_counts *counts;
    const struct histogram *histogram;
    const struct text_dictionary *dictionary;
    struct key_adder *member;
    atomic_uint_fast64_t next; /* cell that no thread has taken */
    atomic_bool is_full;       /* KEY_LIMIT, or another failure */
};

static size_t
partition_of(const struct key_counts *counts, uint64_t hash)
{
    return hash >> (64 - counts->partitions_log);
}

/* Set the item and the count at *ITEM and *COUNT to those of CELL. */
static void
find_item(const struct task *task, uint64_t cell, struct key_item *item,
          int64_t *count)
{
    *item = (struct key_item){0};
    item->key =
        text_dictionary_key(task->dictionary, (uint32_t)cell, &item->size);
    item->hash = hash_bytes(&task->counts->hash_key, item->key, item->size);
    *count = (int64_t)task->histogram->value[cell];
}

/*
 * Find the keys of the cells from FIRST to before END, at most BLOCK_CELLS,
 * that have counts, and sort them by partition.  Sets end[p] to the end of
 * those of partition P.
 */
static void
find_block(const struct task *task, struct key_adder *member, uint64_t first,
           uint64_t end, size_t *ends)
{
    size_t partitions = key_counts_partitions(task->counts);
    size_t found = 0;
    size_t before = 0;

    for (size_t p = 0; p < partitions; p++)
        ends[p] = 0;
    for (uint64_t cell = first; cell < end; cell++) {
        struct key_item *item = &member->found[found];
        if (task->histogram->value[cell] == 0)
            continue;
        find_item(task, cell, item, &member->found_count[found++]);
        ends[partition_of(task->counts, item->hash)]++;
    }
    for (size_t p = 0; p < partitions; p++) {
        size_t own = ends[p];
        ends[p] = before;
        before += own;
    }
    for (size_t i = 0; i < found; i++) {
        size_t p = partition_of(task->counts, member->found[i].hash);
        member->item[ends[p]] = member->found[i];
        member->count[ends[p]++] = member->found_count[i];
    }
}

/* Add the items of MEMBER from START to END to PARTITION.  Keeps the items that
   are not added, after earlier leftovers. */
static void
add_some(struct task *task, struct key_adder *member, size_t partition,
         size_t start, size_t end)
{
    struct key_partition *to = &task->counts->partition[partition];
    const struct key_weights weights = {.weight = member->count + start,
                                        .are_counts = true};
    size_t added = 0;

    if (!atomic_load_explicit(&task->is_full, memory_order_relaxed)) {
        pthread_mutex_lock(&to->lock);
        enum key_result result = key_table_add_items(
            &to->table, member->item + start, end - start, &weights, &added);
        pthread_mutex_unlock(&to->lock);
        if (result != KEY_OK)
            atomic_store(&task->is_full, true);
        if (result != KEY_OK && result != KEY_LIMIT)
            member->result = result;
    }
    for (size_t i = start + added; i < end; i++) {
        member->item[member->left] = member->item[i];
        member->count[member->left++] = member->count[i];
    }
}

static void
add_blocks(void *argument, unsigned int number)
{
    struct task *task = argument;
    struct key_adder *member = &task->member[number];
    uint64_t cells = task->histogram->cells;
    size_t ends[PARTITIONS_MAX];

    while (!atomic_load(&task->is_full)) {
        uint64_t first = atomic_fetch_add(&task->next, BLOCK_CELLS);
        if (first >= cells)
            break;
        uint64_t left = cells - first;
        find_block(task, member, first,
                   first + (left < BLOCK_CELLS ? left : BLOCK_CELLS), ends);
        size_t start = 0;
        for (size_t p = 0; p < key_counts_partitions(task->counts); p++) {
            if (ends[p] > start)
                add_some(task, member, p, start, ends[p]);
            start = ends[p];
        }
    }
}

/* Add the LEFT items at ITEM, one after the other. */
static enum key_result
add_left(struct key_counts *counts, const struct key_item *item,
         const int64_t *count, size_t left)
{
    enum key_result result = KEY_OK;

    for (size_t i = 0; i < left && result == KEY_OK; i++) {
        const struct key_amount amount = {.count = (uint64_t)count[i]};
        result =
            key_counter_add_amount(counts, item[i].key, item[i].size, &amount);
    }
    return result;
}

/* Add the leftovers of all members, and the cells that no member has taken. */
static enum key_result
add_leftovers(struct task *task, unsigned int members)
{
    enum key_result result = KEY_OK;

    for (unsigned int m = 0; m < members && result == KEY_OK; m++) {
        const struct key_adder *member = &task->member[m];
        result = member->result != KEY_OK
                     ? member->result
                     : add_left(task->counts, member->item, member->count,
                                member->left);
    }
    for (uint64_t cell = atomic_load(&task->next);
         cell < task->histogram->cells && result == KEY_OK; cell++) {
        struct key_item item;
        int64_t count;
        if (task->histogram->value[cell] == 0)
            continue;
        find_item(task, cell, &item, &count);
        result = add_left(task->counts, &item, &count, 1);
    }
    return result;
}

enum key_result
device_keys_add(struct key_counts *counts, const struct histogram *histogram,
                const struct text_dictionary *dictionary, unsigned int threads)
{
    uint64_t blocks = (histogram->cells - TEXT_TOTALS) / BLOCK_CELLS + 1;
    unsigned int members = threads < CREW_MAX ? threads : CREW_MAX;
    struct task task = {
        .counts = counts, .histogram = histogram, .dictionary = dictionary};

    assert(!key_counts_have_sums(counts) && threads > 0);
    if (members > blocks)
        members = (unsigned int)blocks;
    atomic_init(&task.next, TEXT_TOTALS);
    task.member = calloc(members, sizeof *task.member);
    if (task.member == NULL)
        return KEY_NO_MEMORY;
    crew_run(members, add_blocks, &task);
    enum key_result result = add_leftovers(&task, members);
    free(task.member);
    return result;
}
