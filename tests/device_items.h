/* SPDX-License-Identifier: MIT */
/*
 * device_items.h -- the groups of items of a device that is emulated
 *
 * A group of several items has a stack for each.  An item runs until it meets
 * the barrier; then the next one does, every other time in reverse order, so
 * that a missing barrier shows.
 */

#ifndef GPUHIST_DEVICE_ITEMS_H
#define GPUHIST_DEVICE_ITEMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "kernels/seq/sequence_words.h"

#define DEVICE_STACK ((size_t)64 << 10)
#define DEVICE_ITEMS_MAX 1024

static struct {
    binning_u32 item;
    binning_u32 items;
    binning_u32 group;
    binning_u32 groups;
    binning_u32 turn;
    binning_u32 done; /* items that ended since all were at a barrier */
    bool is_reverse;
    ucontext_t scheduler;
    ucontext_t context[DEVICE_ITEMS_MAX];
    unsigned char *stack; /* DEVICE_STACK for each item */
} device;

static inline void
device_barrier(void)
{
    if (device.items > 1)
        swapcontext(&device.context[device.item], &device.scheduler);
}

/* ---- what sequence_block.h asks for ---- */

#define DEVICE_VECTOR 16

static inline binning_u32
device_add(binning_u32 *word, binning_u32 amount)
{
    return *word += amount;
}

/* The includer's: add to 64 bits of the device's memory. */
static inline void device_add_cell(binning_u64 *cell, binning_u64 amount);

static inline bool
device_claim(binning_u32 *word, binning_u32 cell)
{
    if (*word == 0xffffffffu)
        *word = cell;
    return *word == cell;
}

#define DEVICE_SHARED
#define DEVICE_THREAD device.item
#define DEVICE_THREADS device.items
#define DEVICE_BLOCK device.group
#define DEVICE_BLOCKS device.groups
#define DEVICE_BARRIER() device_barrier()
#define DEVICE_POPCOUNT(word) ((binning_u32)__builtin_popcount(word))
#define DEVICE_LOAD(data, vector) device_load(data, vector)
#define DEVICE_ADD(word, amount) ((void)device_add(word, amount))
#define DEVICE_TAKE(word, amount) (device_add(word, amount) - (amount))
#define DEVICE_CLAIM(word, cell) device_claim(word, cell)
#define DEVICE_ADD_CELL(cell, amount) device_add_cell(cell, amount)
#define DEVICE_RAISE_CELL(cell, amount) device_add_cell(cell, amount)
#define DEVICE_ADD_BITS(word, bits) (*(word) |= (bits))
#define DEVICE_TAKE_ROOM(word, amount) DEVICE_TAKE(word, amount)
#define DEVICE_UNROLL
#define DEVICE_ROLLED

/* Of any byte order. */
static inline struct sequence_bytes
device_load(const unsigned char *data, binning_u32 vector)
{
    const unsigned char *at = data + (size_t)vector * DEVICE_VECTOR;
    struct sequence_bytes bytes = {{0}};

    for (int i = 0; i < DEVICE_VECTOR; i++)
        bytes.word[i / 4] |= (binning_u32)at[i] << i % 4 * 8;
    return bytes;
}

/* ---- kernels ---- */

static struct {
    void (*kernel)(const void *);
    const void *task;
} device_launch;

static inline void
device_item_main(void)
{
    device_launch.kernel(device_launch.task);
    device.done++;
    setcontext(&device.scheduler);
}

/* Run a group of several items to its end.  If some end while others wait at a
   barrier, the process does. */
static inline void
device_run_group(void)
{
    for (device.turn = 0; device.turn < device.items; device.turn++) {
        ucontext_t *context = &device.context[device.turn];
        getcontext(context);
        context->uc_stack.ss_sp = device.stack + device.turn * DEVICE_STACK;
        context->uc_stack.ss_size = DEVICE_STACK;
        context->uc_link = NULL;
        makecontext(context, device_item_main, 0);
    }
    do {
        device.done = 0;
        for (device.turn = 0; device.turn < device.items; device.turn++) {
            device.item = device.is_reverse ? device.items - 1 - device.turn
                                            : device.turn;
            swapcontext(&device.scheduler, &device.context[device.item]);
        }
        if (device.done != 0 && device.done != device.items) {
            fprintf(stderr, "a barrier that not all items meet\n");
            abort();
        }
        device.is_reverse = !device.is_reverse;
    } while (device.done == 0);
}

static inline void
device_run_groups(void (*kernel)(const void *), const void *task,
                  binning_u32 *shared, size_t shared_words)
{
    device_launch.kernel = kernel;
    device_launch.task = task;
    for (device.group = 0; device.group < device.groups; device.group++) {
        /* Shared memory has any content. */
        memset(shared, 0xa5, shared_words * sizeof *shared);
        device.item = 0;
        if (device.items == 1)
            kernel(task);
        else
            device_run_group();
    }
}

/* Start, before all else. */
static inline void
device_open_items(void)
{
    device.stack = malloc(DEVICE_ITEMS_MAX * DEVICE_STACK);
    if (device.stack == NULL)
        abort();
}

#endif
