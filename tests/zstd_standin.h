/* SPDX-License-Identifier: MIT */
/*
 * zstd_standin.h -- a driver that decodes batches of zstd blocks on the CPU
 *
 * It does what zstd_work.h says with simple loops, so it is an oracle for the
 * kernels, too.  Each step is as late as it may be: what a batch has in the
 * host's memory is decoded when somebody waits for it, and content is copied
 * when somebody waits for that.  Memory has just the size that it must have.
 */

#ifndef GPUHIST_ZSTD_STANDIN_H
#define GPUHIST_ZSTD_STANDIN_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "input/device/decoding_device.h"
#include "tap.h"

#define STANDIN_POISON 0xa5

/* What goes wrong, at call number AT of all calls from open() on. */
enum standin_fault {
    STANDIN_NONE,
    STANDIN_FAILS,
    STANDIN_HANGS,   /* until standin_awake() */
    STANDIN_LIES,    /* the batch has other content than its blocks */
    STANDIN_FLIPS,   /* a bit of its content is wrong */
    STANDIN_REFUSES, /* the batch */
};

struct standin_batch {
    struct decoding_batch of;
    struct zstd_found *found;
    struct zstd_left left;
    unsigned char *made;    /* of the device: HISTORY bytes, then ROOM */
    unsigned char *fetched; /* of the host, behind LEASE_FRONT_BYTES */
    size_t fetched_bytes;
    uint64_t *sums;
    bool is_started;
};

struct standin_belt {
    struct standin_batch batch[DECODING_BATCHES]; /* by slot */
    unsigned char *made[DECODING_BATCHES];        /* by number */
    /* Of the last batch that was awaited: */
    struct zstd_left left_before;
    const unsigned char *made_before;
};

struct standin {
    struct decoding_driver driver;
    struct decoding_sizes sizes;
    struct standin_belt belt[DECODING_BELTS];
    struct zstd_tables tables;
    enum standin_fault fault;
    uint64_t at;
    _Atomic uint64_t calls;
    uint64_t decoded; /* batches */
};

/* Counts of all stand-ins, for one thread that waits for the others. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t awakes;
    bool is_awake;
    bool is_held; /* open() waits */
    int opened;
    uint64_t fired;
    uint64_t decoded;
} standins = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, false, 0, 0, 0};

static inline struct standin_batch *
standin_batch_of(struct standin *standin, const struct decoding_batch *batch)
{
    return &standin->belt[batch->belt].batch[batch->slot];
}

static inline void *
standin_memory(size_t size)
{
    void *memory = malloc(size + (size == 0));

    if (memory == NULL)
        abort();
    if (!LOOKS_FOR_RACES)
        memset(memory, STANDIN_POISON, size); /* nobody else has it yet */
    return memory;
}

/* Start a call.  Returns what goes wrong. */
static inline enum standin_fault
standin_call(struct standin *standin, enum decoding_call call, const char *name)
{
    atomic_store(&standin->driver.call[call], name);
    if (standin->fault == STANDIN_NONE || ++standin->calls != standin->at)
        return STANDIN_NONE;
    pthread_mutex_lock(&standins.lock);
    standins.fired++;
    while (standin->fault == STANDIN_HANGS && !standins.is_awake)
        pthread_cond_wait(&standins.awakes, &standins.lock);
    pthread_mutex_unlock(&standins.lock);
    return standin->fault;
}

static inline int
standin_result(enum standin_fault fault, struct error *error)
{
    if (fault != STANDIN_FAILS)
        return 0;
    error_set(error, EXIT_NO_DEVICE, "the stand-in fails");
    return -1;
}

static inline int
standin_open(struct decoding_driver *driver, const struct decoding_sizes *sizes,
             struct error *error)
{
    struct standin *standin = (struct standin *)driver;

    snprintf(driver->name, sizeof driver->name, "a stand-in");
    standin->sizes = *sizes;
    for (uint32_t i = 0; i < DECODING_BATCHES * sizes->belts; i++)
        standin->belt[i / DECODING_BATCHES].made[i % DECODING_BATCHES] =
            standin_memory((size_t)sizes->history + sizes->content);
    pthread_mutex_lock(&standins.lock);
    while (standins.is_held)
        pthread_cond_wait(&standins.awakes, &standins.lock);
    pthread_mutex_unlock(&standins.lock);
    return standin_result(standin_call(standin, DECODING_CALL_DECODE, "open"),
                          error);
}

static inline int
standin_open_batch(struct decoding_driver *driver, struct decoding_batch *batch,
                   struct error *error)
{
    struct standin *standin = (struct standin *)driver;
    struct standin_batch *own = standin_batch_of(standin, batch);
    const struct decoding_sizes *sizes = &standin->sizes;
    unsigned char *bytes =
        standin_memory(sizes->packed + 2 * (size_t)ZSTD_WORK_MARGIN);

    batch->packed = bytes + ZSTD_WORK_MARGIN;
    batch->task = standin_memory(sizes->blocks * sizeof *batch->task);
    own->found = standin_memory(sizes->blocks * sizeof *own->found);
    own->fetched = standin_memory(LEASE_FRONT_BYTES + sizes->content);
    own->fetched += LEASE_FRONT_BYTES;
    own->sums = standin_memory(sizes->blocks * sizeof *own->sums);
    batch->found = own->found;
    batch->left = &own->left;
    batch->content = own->fetched;
    batch->sums = own->sums;
    own->of = *batch;
    return standin_result(
        standin_call(standin, DECODING_CALL_OPEN, "open_batch"), error);
}

static inline int
standin_decode(struct decoding_driver *driver, uint64_t number,
               const struct decoding_batch *batch, struct error *error)
{
    struct standin *standin = (struct standin *)driver;
    struct standin_batch *own = standin_batch_of(standin, batch);

    /* Nothing that was there before may be read again.  What the last batch did
       not write is poisoned already. */
    memset(own->found, STANDIN_POISON, own->of.blocks * sizeof *own->found);
    memset(own->fetched - LEASE_FRONT_BYTES, STANDIN_POISON,
           LEASE_FRONT_BYTES + own->fetched_bytes);
    memset(own->sums, STANDIN_POISON, own->of.blocks * sizeof *own->sums);
    own->fetched_bytes = 0;
    own->of = *batch;
    own->made = standin->belt[batch->belt].made[number % DECODING_BATCHES];
    own->is_started = true;
    return standin_result(standin_call(standin, DECODING_CALL_DECODE, "decode"),
                          error);
}

/* Returns description I of TASK. */
static inline struct zstd_description
standin_table(const struct decoding_batch *batch, const struct zstd_task *task,
              int i)
{
    const struct zstd_place *place = &task->table[i];
    struct zstd_description table = {NULL, place->bytes, place->mode};

    if (place->at == ZSTD_NOWHERE)
        return table;
    if (place->bytes > batch->packed_bytes ||
        place->at > batch->packed_bytes - place->bytes)
        abort();
    table.data = place->bytes > 0 ? batch->packed + place->at : zstd_no_bytes;
    return table;
}

/* Decode block B of BATCH to literals and sequences, in memory of the caller.
   Returns whether it is right. */
static inline bool
standin_block(struct standin *standin, const struct decoding_batch *batch,
              uint32_t b, unsigned char *literals,
              struct zstd_sequences_out *out)
{
    const struct zstd_task *task = &batch->task[b];
    struct zstd_block block = {.type = task->type,
                               .literals = task->literals,
                               .streams = task->streams,
                               .data = batch->packed + task->data_at,
                               .data_bytes = task->data_bytes,
                               .bits = batch->packed + task->bits_at,
                               .bits_bytes = task->bits_bytes,
                               .sequences = task->sequences};

    for (int i = 0; i < ZSTD_DESCRIPTIONS; i++)
        block.table[i] = standin_table(batch, task, i);
    if (task->literals > task->content_max ||
        task->content_max > ZSTD_BLOCK_MAX ||
        task->data_bytes > batch->packed_bytes - task->data_at ||
        task->bits_bytes > batch->packed_bytes - task->bits_at ||
        (task->type == ZSTD_COMPRESSED &&
         task->literals_at % ZSTD_WORK_ALIGNMENT != 0))
        abort();
    if (block.type == ZSTD_STORED)
        memcpy(literals, block.data, block.literals);
    else if (block.type == ZSTD_ONE_BYTE)
        memset(literals, block.data[0], block.literals);
    else if (!zstd_block_decode_literals(&block, &standin->tables, literals))
        return false;
    out->content_max = task->content_max;
    return zstd_block_decode_sequences(&block, &standin->tables, out);
}

/* Make the content of a block at TO, of which the frame has MADE bytes before.
   Returns whether all offsets are allowed. */
static inline bool
standin_content(unsigned char *to, uint64_t made, uint32_t window,
                const struct zstd_offsets *offsets,
                const struct zstd_sequences_out *out,
                const unsigned char *literals)
{
    unsigned char *start = to;

    for (uint32_t i = 0; i < out->count; i++) {
        const struct zstd_sequence *sequence = &out->sequence[i];
        memcpy(to, literals, sequence->literals);
        to += sequence->literals;
        literals += sequence->literals;
        if (sequence->match == 0)
            continue;
        uint32_t offset = zstd_offsets_resolve(offsets, sequence->offset);
        if (offset == 0 || offset > window ||
            offset > made + (uint64_t)(to - start))
            return false;
        for (uint32_t n = 0; n < sequence->match; n++, to++)
            *to = *(to - offset);
    }
    memcpy(to, literals, out->content - (size_t)(to - start));
    return true;
}

/* Sum the frames of a batch that want it. */
static inline void
standin_sum(struct standin_batch *own)
{
    const struct decoding_batch *batch = &own->of;
    const unsigned char *from = own->made + batch->history;
    uint32_t end = 0; /* of the blocks of a frame that is summed */

    for (uint32_t b = 0; b < batch->blocks; b++) {
        const struct zstd_task *task = &batch->task[b];
        if (task->summed_blocks > 0) {
            size_t size = 0;
            if (b < end || !task->starts_frame || !batch->has_sums ||
                task->summed_blocks > batch->blocks - b)
                abort();
            end = b + task->summed_blocks;
            for (uint32_t n = b; n < end; n++)
                size += own->found[n].content;
            own->sums[b] = XXH64(from, size, 0);
        } else if (b < end && task->starts_frame) {
            abort();
        }
        from += own->found[b].content;
    }
}

/* Decode a batch. */
static inline void
standin_make(struct standin *standin, struct standin_batch *own)
{
    const struct decoding_batch *batch = &own->of;
    const struct decoding_sizes *sizes = &standin->sizes;
    const struct standin_belt *belt = &standin->belt[batch->belt];
    struct zstd_left left = {.is_refused = 0};
    unsigned char *literals = standin_memory(ZSTD_BLOCK_MAX);
    uint32_t literals_end = 0;
    uint32_t sequences_end = 0;
    uint64_t room = 0;

    if (batch->history % 16 != 0 || batch->history == 0 ||
        batch->history > sizes->history || batch->room > sizes->content ||
        batch->blocks == 0 || batch->blocks > sizes->blocks ||
        batch->packed_bytes > sizes->packed)
        abort();
    unsigned char *to = own->made + batch->history;
    if (batch->is_first) {
        left.offsets = batch->offsets;
    } else {
        left = belt->left_before;
        memcpy(own->made, belt->made_before + left.content, batch->history);
        left.content = 0;
    }
    zstd_tables_forget(&standin->tables);
    for (uint32_t b = 0; b < batch->blocks; b++) {
        const struct zstd_task *task = &batch->task[b];
        struct zstd_found *found = &own->found[b];
        struct zstd_sequences_out out = {
            .sequence = standin_memory(ZSTD_SEQUENCES_ROOM(task->sequences) *
                                       sizeof *out.sequence)};
        room += task->content_max;
        if (task->type == ZSTD_COMPRESSED) {
            if (task->literals_at < literals_end)
                abort();
            literals_end = task->literals_at + task->literals;
        }
        if (task->sequences > 0) {
            if (task->sequences_at < sequences_end)
                abort();
            sequences_end =
                task->sequences_at + ZSTD_SEQUENCES_ROOM(task->sequences);
        }
        if (room > batch->room || literals_end > sizes->literals ||
            sequences_end > sizes->sequences || task->window > batch->history)
            abort();
        if (task->starts_frame) {
            left.made = 0;
            left.offsets = zstd_offsets_of_frame();
        }
        if (left.is_refused ||
            !standin_block(standin, batch, b, literals, &out) ||
            !standin_content(to, left.made, task->window, &left.offsets, &out,
                             literals))
            left.is_refused = 1;
        *found = (struct zstd_found){.content = out.content};
        if (!left.is_refused) {
            to += out.content;
            left.content += out.content;
            left.made += out.content;
            if (left.made > ZSTD_POSITIONS_MAX)
                left.made = ZSTD_POSITIONS_MAX;
            left.offsets = zstd_offsets_join(&left.offsets, &out.offsets);
        }
        free(out.sequence);
    }
    if (left.is_refused)
        left.content = 0;
    own->left = left;
    free(literals);
}

static inline int
standin_await(struct decoding_driver *driver, uint64_t number,
              const struct decoding_batch *batch, struct error *error)
{
    struct standin *standin = (struct standin *)driver;
    struct standin_batch *own = standin_batch_of(standin, batch);

    (void)number;
    if (!own->is_started || batch->blocks != own->of.blocks)
        abort();
    enum standin_fault fault =
        standin_call(standin, DECODING_CALL_AWAIT, "await");
    if (fault == STANDIN_FAILS)
        return standin_result(fault, error);
    standin_make(standin, own);
    pthread_mutex_lock(&standins.lock);
    standins.decoded++;
    pthread_mutex_unlock(&standins.lock);
    if (fault == STANDIN_LIES)
        own->left.content ^= 1;
    if (fault == STANDIN_FLIPS && own->left.content > 0)
        own->made[own->of.history] ^= 1;
    if (fault == STANDIN_REFUSES) {
        own->left.is_refused = 1;
        own->left.content = 0;
    }
    standin->belt[batch->belt].left_before = own->left;
    standin->belt[batch->belt].made_before = own->made;
    return 0;
}

static inline int
standin_await_content(struct decoding_driver *driver, uint64_t number,
                      const struct decoding_batch *batch, struct error *error)
{
    struct standin *standin = (struct standin *)driver;
    struct standin_batch *own = standin_batch_of(standin, batch);

    (void)number;
    if (!own->is_started || batch->blocks != own->of.blocks)
        abort();
    own->is_started = false;
    if (own->left.content <= standin->sizes.content) {
        memcpy(own->fetched, own->made + own->of.history, own->left.content);
        own->fetched_bytes = own->left.content;
    }
    if (own->left.content > 0)
        standin_sum(own);
    return standin_result(
        standin_call(standin, DECODING_CALL_FETCH, "await_content"), error);
}

static inline void
standin_close_belt(struct standin_belt *belt)
{
    for (int i = 0; i < DECODING_BATCHES; i++) {
        struct standin_batch *own = &belt->batch[i];
        if (own->of.packed != NULL)
            free(own->of.packed - ZSTD_WORK_MARGIN);
        free(own->of.task);
        free(own->found);
        if (own->fetched != NULL)
            free(own->fetched - LEASE_FRONT_BYTES);
        free(own->sums);
        free(belt->made[i]);
    }
}

static inline void
standin_close(struct decoding_driver *driver)
{
    struct standin *standin = (struct standin *)driver;

    for (int i = 0; i < DECODING_BELTS; i++)
        standin_close_belt(&standin->belt[i]);
    free(standin);
    standins.opened--;
}

/* Returns a driver in which FAULT happens at call AT, or NULL: no memory. */
static inline struct decoding_driver *
standin_new(enum standin_fault fault, uint64_t at)
{
    static const struct decoding_driver_type type = {
        .open = standin_open,
        .open_batch = standin_open_batch,
        .decode = standin_decode,
        .await = standin_await,
        .await_content = standin_await_content,
        .close = standin_close,
    };
    struct standin *standin = calloc(1, sizeof *standin);

    if (standin == NULL)
        abort();
    standin->driver.type = &type;
    standin->fault = fault;
    standin->at = at;
    standins.opened++;
    return &standin->driver;
}

#endif
