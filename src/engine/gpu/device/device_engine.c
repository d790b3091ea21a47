/* SPDX-License-Identifier: MIT */
/* device_engine.c -- an engine that counts on a device */

#include <assert.h>
#include <stdlib.h>

#include "engine/gpu/device/device_engine.h"

/*
 * The memory pinned by one call.  For four GPUs, 2 MiB take 0.6 ms and 32 MiB
 * 3.3 ms, and a driver runs one call at a time.
 */
#define PINNED_BYTES ((size_t)32 << 20)

/* The alignment of memory allocated by a driver. */
#define SLOT_ALIGNMENT ((size_t)256)

static struct device_engine *
device_of(struct engine *engine)
{
    return (struct device_engine *)engine;
}

const char *
device_kernel_name(enum device_kernel kernel)
{
    static const char *const names[DEVICE_KERNELS] = {
        [DEVICE_CARRY] = "carry_weights",
        [DEVICE_LINES] = "sequence_lines",
        [DEVICE_CLASSIFY] = "sequence_classify",
        [DEVICE_CHECK] = "sequence_check",
        [DEVICE_FIELDS] = "sequence_fields",
        [DEVICE_KMERS] = "sequence_kmers",
        [DEVICE_LISTS] = "sequence_lists",
        [DEVICE_DRAIN] = "sequence_drain",
        [DEVICE_LEARN] = "text_learn",
        [DEVICE_PREPARE] = "text_prepare",
        [DEVICE_FIND] = "text_find",
        [DEVICE_FIND_SPANS] = "text_find_spans",
        [DEVICE_FIND_NUMBERS] = "text_find_numbers",
        [DEVICE_CELLS] = "text_count",
    };

    return names[kernel];
}

/* ---- opening ---- */

int
device_write_now(struct device_engine *device, uintptr_t to, const void *from,
                 size_t size, struct error *error)
{
    const struct device_command command = {
        QUEUE_COUNTING, {device->last}, NULL};

    return device->operations->write(device, &command, to, 0, from, size,
                                     error);
}

int
device_upload(struct device_engine *device, uintptr_t *to, const void *from,
              size_t size, struct error *error)
{
    if (size == 0)
        return 0;
    if (device->operations->allocate(device, to, size, NULL, error) < 0)
        return -1;
    return device_write_now(device, *to, from, size, error);
}

int
device_open_event(struct device_engine *device, struct device_event *event,
                  enum device_event_use use, struct error *error)
{
    event->use = use;
    if (device->operations->open_event == NULL)
        return 0;
    return device->operations->open_event(device, event, error);
}

void
device_open_host(struct device_engine *device, struct host_memory *host,
                 size_t size)
{
    if (device->is_pinning &&
        device->operations->allocate_host(device, host, size,
                                          &device->engine.shortage) < 0)
        device->is_pinning = false;
}

/* Allocate the memory and the event of each checkpoint. */
static int
open_checkpoints(struct device_engine *device, struct error *error)
{
    for (size_t i = 0; i < device->checkpoints.count; i++) {
        struct checkpoint *checkpoint = &device->checkpoints.all[i];

        /* One copy, at the end: pinning would take longer than pinning saves.
         */
        if (!device->checkpoints.is_large || !device->is_alone)
            device_open_host(device, &device->value[i], device->table_bytes);
        checkpoint->value = device->value[i].address;
        if (checkpoint->value == NULL)
            checkpoint->value = malloc(device->table_bytes);
        if (checkpoint->value == NULL)
            return error_fail_memory(error);
        if (device_open_event(device, &device->made[i], EVENT_AWAITED, error) <
            0)
            return -1;
    }
    return 0;
}

/* Set the histogram to 0, after its last change. */
static int
clear_now(struct device_engine *device, struct error *error)
{
    const struct device_command command = {
        QUEUE_COUNTING, {device->last}, NULL};

    return device->operations->clear(device, &command, device->histogram,
                                     device->table_bytes, error);
}

static int
open_histogram(struct device_engine *device, struct error *error)
{
    const struct device_operations *operations = device->operations;

    if (operations->allocate(device, &device->histogram, device->table_bytes,
                             NULL, error) < 0 ||
        clear_now(device, error) < 0)
        return -1;
    if (device->has_shadow &&
        (operations->allocate(device, &device->shadow, device->table_bytes,
                              NULL, error) < 0 ||
         device_open_event(device, &device->shadowed, EVENT_LOOSE, error) < 0))
        return -1;
    return open_checkpoints(device, error);
}

/* Offer fast memory for one more chunk until all chunks have it. */
static void
make_spare(struct device_engine *device)
{
    if (device->spare == NULL || !device->is_pinning ||
        device->engine.spare != NULL ||
        device->spares == device->pool->chunk_count)
        return;
    struct host_memory *spare = &device->spare[device->spares++];
    device_open_host(device, spare, device->pool->chunk_bytes);
    device->engine.spare = spare->address;
}

/* Whether a chunk without a checkpoint is complete only after counting. */
static bool
awaits_count(const struct device_engine *device)
{
    return device->is_in_place || device->refusal != NULL;
}

/* Open slot number I; all earlier slots are open. */
static int
open_slot(struct device_engine *device, size_t i, struct error *error)
{
    struct device_slot *slot = &device->slot[i];
    bool is_counted = awaits_count(device);
    size_t in_batch = i % device->batch;

    if (!device->is_in_place && in_batch > 0) {
        slot->data = device->slot[i - 1].data;
        slot->at = in_batch * device->stride;
    } else if (!device->is_in_place &&
               device->operations->allocate(device, &slot->data,
                                            (device->batch - 1) *
                                                    device->stride +
                                                device->pool->chunk_bytes,
                                            NULL, error) < 0) {
        return -1;
    }
    if (device_open_event(device, &slot->copied,
                          is_counted ? EVENT_LOOSE : EVENT_AWAITED, error) < 0)
        return -1;
    return device_open_event(device, &slot->counted,
                             is_counted ? EVENT_AWAITED : EVENT_EXACT, error);
}

static int
open_slots(struct device_engine *device, struct error *error)
{
    const struct device_operations *operations = device->operations;

    for (size_t i = 0; i < CHECKPOINT_SLOTS; i++) {
        if (open_slot(device, i, error) < 0)
            return -1;
    }
    if (device->is_in_place || operations->pin != NULL || !device->may_replace)
        return 0;
    device->spare = calloc(device->pool->chunk_count, sizeof *device->spare);
    if (device->spare == NULL)
        return error_fail_memory(error);
    make_spare(device);
    return 0;
}

static void
plan_checkpoints(struct device_engine *device)
{
    struct checkpoints *checkpoints = &device->checkpoints;
    unsigned int planes;
    uint64_t cells;

    device->job->shape(device, &cells, &planes);
    device->table_bytes = (size_t)(cells * planes * sizeof(uint64_t));
    checkpoint_plan(checkpoints, &device->engine, device->table_bytes,
                    device->pool->chunk_bytes, device->is_alone);
    checkpoints->cells = cells;
    checkpoints->planes = planes;
    checkpoints->adds_up = device->job->adds_up;
}

static int
open_engine(struct engine *engine, const struct pool *pool, struct error *error)
{
    struct device_engine *device = device_of(engine);
    const struct device_operations *operations = device->operations;

    /* A launch counts in 32-bit counters. */
    assert(pool->chunk_bytes <= UINT32_MAX);
    device->pool = pool;
    device->stride = (pool->chunk_bytes + SLOT_ALIGNMENT - 1) / SLOT_ALIGNMENT *
                     SLOT_ALIGNMENT;
    plan_checkpoints(device);
    device->has_shadow = operations->copy != NULL &&
                         device->checkpoints.is_large && !device->is_alone;
    if (operations->open(device, error) < 0)
        return -1;
    device->is_pinning = !device->is_in_place;
    /* Without pin(), copies are fast only from the memory of chunks. */
    device->engine.needs_own = operations->pin == NULL;
    if (device->job->choose(device, error) < 0 ||
        open_histogram(device, error) < 0 ||
        device->job->open(device, error) < 0 ||
        operations->open_kernels(device, error) < 0)
        return -1;
    return open_slots(device, error);
}

/* ---- counting ---- */

static int
flush(struct device_engine *device, enum device_queue queue,
      struct error *error)
{
    if (device->operations->flush == NULL)
        return 0;
    return device->operations->flush(device, queue, error);
}

/*
 * Pin the memory of CHUNK and its neighbours, once, for all devices.  If the
 * system refuses (a limit on locked memory, for example), copies are slower;
 * other devices also copy more slowly until the memory is pinned.
 */
static void
pin(struct device_engine *device, const struct chunk *chunk)
{
    const struct pool *pool = device->pool;

    if (device->operations->pin == NULL || pool_is_leased(chunk))
        return;
    /* Only devices that cannot pin move chunks, so the chunks are in order; but
       a chunk may have other memory now, for a long record. */
    size_t stride = pool_stride(pool->chunk_bytes);
    size_t together = stride < PINNED_BYTES ? PINNED_BYTES / stride : 1;
    size_t number = (size_t)(chunk - pool->chunks) / together * together;
    size_t left = pool->chunk_count - number;
    struct chunk *first = &pool->chunks[number];
    if (atomic_exchange(&first->pinning_tried, true))
        return;
    if (device->operations->pin(device, pool_usual(pool, number),
                                stride * (left < together ? left : together),
                                &device->engine.shortage) == 0)
        first->pinned_with = device;
}

/* Returns the event of the end of the batch of the chunk in SLOT. */
static const struct device_event *
counted_of(const struct device_engine *device, const struct device_slot *slot)
{
    return &device->slot[(slot->end - 1) % CHECKPOINT_SLOTS].counted;
}

/*
 * Copy the SIZE bytes at DATA, perhaps leased with TOKEN, to SLOT.  The
 * device, not this thread, waits until the slot's last chunk is counted.  If a
 * copy fails, the next copies of the batch fail, too.
 */
static int
copy_in(struct device_engine *device, struct device_slot *slot,
        const unsigned char *data, size_t size, void *token,
        struct error *error)
{
    const struct device_operations *operations = device->operations;
    struct device_command command = {
        .queue = QUEUE_COPYING,
        .event = &slot->copied,
    };

    if (slot->end > device->reused) {
        command.after[0] = counted_of(device, slot);
        device->reused = slot->end;
    }
    if (device->checkpoints.submitted > device->launched)
        command.after[1] = &slot[-1].copied;
    if (token != NULL && operations->write_leased != NULL)
        return operations->write_leased(device, &command, slot->data, slot->at,
                                        token, data, size, error);
    return operations->write(device, &command, slot->data, slot->at, data, size,
                             error);
}

/* Let the device read the SIZE bytes at DATA, perhaps leased with TOKEN. */
static int
place(struct device_engine *device, struct device_slot *slot,
      unsigned char *data, size_t size, void *token, struct error *error)
{
    const struct device_operations *operations = device->operations;

    slot->size = size;
    if (!device->is_in_place)
        return copy_in(device, slot, data, size, token, error);
    /*
     * A new buffer for each chunk: a buffer keeps the memory's content of its
     * creation.
     */
    operations->release(device, &slot->data);
    return operations->allocate(device, &slot->data, size, data, error);
}

const struct device_event *
device_slot_filled(const struct device_engine *device,
                   const struct device_slot *slot)
{
    return device->is_in_place ? NULL : &slot->copied;
}

int
device_launch(struct device_engine *device, const struct device_launch *launch,
              const struct device_event *after, struct device_event *event,
              struct error *error)
{
    const struct device_command command = {
        QUEUE_COUNTING, {after, device->last}, event};

    if (device->operations->launch(device, &command, launch, error) < 0)
        return -1;
    device->last = event;
    return 0;
}

/* Have the device count all submitted chunks. */
static int
launch_batch(struct device_engine *device, struct error *error)
{
    uint64_t first = device->launched;
    uint64_t end = device->checkpoints.submitted;

    if (first == end)
        return 0;
    assert(first % device->batch + (end - first) <= device->batch);
    if (device->job->count(device, &device->slot[first % CHECKPOINT_SLOTS],
                           (size_t)(end - first), error) < 0)
        return -1;
    for (uint64_t n = first; n < end; n++)
        device->slot[n % CHECKPOINT_SLOTS].end = end;
    device->launched = end;
    return flush(device, QUEUE_COUNTING, error);
}

/* Start to copy a large histogram to checkpoint number I. */
static int
copy_large(struct device_engine *device, size_t i, struct error *error)
{
    const struct checkpoints *checkpoints = &device->checkpoints;
    const struct device_command shadowing = {
        QUEUE_COUNTING, {device->last}, &device->shadowed};
    const struct device_command fetching = {
        QUEUE_FETCHING, {&device->shadowed}, &device->made[i]};

    /* The shadow is free: no other checkpoint is being copied. */
    assert(checkpoints->started == checkpoints->made + 1);
    if (device->operations->copy(device, &shadowing, device->shadow,
                                 device->histogram, device->table_bytes,
                                 error) < 0)
        return -1;
    return device->operations->read(device, &fetching,
                                    checkpoints->all[i].value, device->shadow,
                                    device->table_bytes, error);
}

/* Start to copy the histogram, with all submitted chunks, at least one. */
static int
start_checkpoint(struct device_engine *device, struct error *error)
{
    if (launch_batch(device, error) < 0)
        return -1;
    if (device->job->settle != NULL && device->job->settle(device, error) < 0)
        return -1;
    size_t i = checkpoint_start(&device->checkpoints, device->spec);
    const struct device_command command = {
        QUEUE_COUNTING, {device->last}, &device->made[i]};

    if (device->has_shadow)
        return copy_large(device, i, error);
    if (device->operations->read(
            device, &command, device->checkpoints.all[i].value,
            device->histogram, device->table_bytes, error) < 0)
        return -1;
    return flush(device, QUEUE_COUNTING, error);
}

/* Forget all counts, before a chunk that is counted by SPEC. */
static int
start_over(struct device_engine *device, const struct spec *spec,
           struct error *error)
{
    if (clear_now(device, error) < 0 ||
        (device->job->start_over != NULL &&
         device->job->start_over(device, spec, error) < 0))
        return -1;
    checkpoint_start_over(&device->checkpoints);
    /* If all chunks are refused, no other checkpoint follows. */
    device->engine.histogram = (struct histogram){0};
    device->engine.starts_over = false;
    return 0;
}

static int
submit(struct engine *engine, struct chunk *chunk, struct error *error)
{
    struct device_engine *device = device_of(engine);
    struct checkpoints *checkpoints = &device->checkpoints;
    struct device_slot *slot =
        &device->slot[checkpoints->submitted % CHECKPOINT_SLOTS];
    /* After a timeout the chunk may be reused, so read its fields first. */
    const struct spec *spec = chunk->spec;
    unsigned char *data = chunk->data;
    size_t used = chunk->used;
    void *token = chunk->lease.token;

    assert(checkpoints->submitted - checkpoints->completed < engine->depth);
    assert(used > 0 && used <= device->pool->chunk_bytes);
    pin(device, chunk);
    if (engine->starts_over && start_over(device, spec, error) < 0)
        return -1;
    if (device->spec->generation < spec->generation &&
        device->job->change(device, spec, error) < 0)
        return -1;
    if (place(device, slot, data, used, token, error) < 0 ||
        flush(device, QUEUE_COPYING, error) < 0)
        return -1;
    make_spare(device);
    if (device->job->hold != NULL)
        device->job->hold(device, data, used);
    uint64_t records = 0;
    if (device->job->records != NULL)
        records = device->job->records(engine->spec, used);
    bool is_due = checkpoint_submit(checkpoints, records);
    if (checkpoints->submitted % device->batch != 0)
        return 0;
    if (launch_batch(device, error) < 0)
        return -1;
    return is_due ? start_checkpoint(device, error) : 0;
}

/* Wait until the oldest chunk is on the device, or until the device has
   accepted or refused the chunk. */
static int
await_oldest(struct device_engine *device, struct error *error)
{
    uint64_t oldest = device->checkpoints.completed;
    const struct device_slot *slot = &device->slot[oldest % CHECKPOINT_SLOTS];

    if (oldest == device->launched && launch_batch(device, error) < 0)
        return -1;
    if (!awaits_count(device))
        return device->operations->wait(device, &slot->copied, error);
    if (oldest < device->awaited)
        return 0;
    device->awaited = slot->end;
    return device->operations->wait(device, counted_of(device, slot), error);
}

/* Whether the device has refused chunk NUMBER, after counting. */
static bool
is_refused(const struct device_engine *device, uint64_t number)
{
    return device->refusal != NULL &&
           device->refusal[number % device->refusal_count] != 0;
}

/* Complete the oldest chunk, if possible without a checkpoint; otherwise *COUNT
   is 0. */
static int
complete_oldest(struct device_engine *device, size_t *count,
                struct error *error)
{
    struct checkpoints *checkpoints = &device->checkpoints;

    bool is_last = checkpoints->submitted - checkpoints->completed == 1;

    *count = 0;
    if (!checkpoint_may_release(checkpoints) ||
        (is_last && device->refusal == NULL))
        return 0;
    if (await_oldest(device, error) < 0)
        return -1;
    *count = checkpoint_release(checkpoints,
                                is_refused(device, checkpoints->completed));
    return 0;
}

static int
complete(struct engine *engine, size_t *count, struct error *error)
{
    struct device_engine *device = device_of(engine);
    struct checkpoints *checkpoints = &device->checkpoints;
    uint64_t first = checkpoints->completed;

    assert(checkpoints->completed < checkpoints->submitted);
    if (complete_oldest(device, count, error) < 0)
        return -1;
    if (*count == 0) {
        if (!checkpoint_is_under_way(checkpoints) &&
            start_checkpoint(device, error) < 0)
            return -1;
        if (device->operations->wait(
                device, &device->made[checkpoints->made % checkpoints->count],
                error) < 0 ||
            checkpoint_end(checkpoints, count, error) < 0)
            return -1;
    }
    for (size_t i = 0; device->refused != NULL && i < *count; i++)
        device->refused[i] = is_refused(device, first + i);
    return device->job->complete != NULL
               ? device->job->complete(device, first, *count, error)
               : 0;
}

/* ---- closing ---- */

/* Release the memory and events of the device, which is idle now. */
static void
release_all(struct device_engine *device)
{
    const struct device_operations *operations = device->operations;
    uintptr_t *const memory[] = {
        &device->histogram,  &device->shadow,       &device->axes,
        &device->edges,      &device->lookup,       &device->scratch,
        &device->refusals,   &device->list_entries, &device->list_sizes,
        &device->text.slots, &device->text.arena,   &device->text.learned,
        &device->text.lists};

    for (size_t i = 0; i < device->pool->chunk_count; i++) {
        const struct chunk *chunk = &device->pool->chunks[i];
        if (chunk->pinned_with == device)
            operations->unpin(device, pool_usual(device->pool, i));
    }
    for (size_t i = 0; i < CHECKPOINT_SLOTS; i++) {
        operations->close_event(device, &device->slot[i].counted);
        operations->close_event(device, &device->slot[i].copied);
        if (i % device->batch == 0)
            operations->release(device, &device->slot[i].data);
    }
    for (int i = 0; i < CHECKPOINTS_MAX; i++) {
        operations->close_event(device, &device->made[i]);
        operations->release_host(device, &device->value[i]);
    }
    for (size_t i = 0; i < device->spares; i++)
        operations->release_host(device, &device->spare[i]);
    operations->close_event(device, &device->shadowed);
    operations->close_event(device, &device->carried);
    operations->close_event(device, &device->stepped);
    operations->release_host(device, &device->status);
    operations->release_host(device, &device->text.listed);
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++)
        operations->release(device, memory[i]);
}

/* Failures do not matter here: the counts are in host memory. */
static void
close_engine(struct engine *engine)
{
    struct device_engine *device = device_of(engine);

    /* After a failure, commands may still use the memory. */
    bool is_there = device->operations->finish(device);
    for (int i = 0; i < CHECKPOINTS_MAX; i++) {
        if (device->value[i].address == NULL)
            free(device->checkpoints.all[i].value);
    }
    if (device->status.address == NULL)
        free(device->refusal);
    if (device->job->close != NULL)
        device->job->close(device);
    if (is_there)
        release_all(device);
    device->operations->close(device);
    free(device->spare);
    free(device->refused);
    histogram_close(&device->moved);
    error_clear(&engine->shortage);
    free(device);
}

void
device_engine_init(struct device_engine *device,
                   const struct device_operations *operations,
                   const struct device_job *job, const struct spec *spec,
                   enum strategy strategy, bool is_alone, uint32_t text_keys)
{
    static const struct engine_type type = {
        .kind = CONSUMER_DEVICE,
        .open = open_engine,
        .submit = submit,
        .complete = complete,
        .close = close_engine,
    };

    device->engine.type = &type;
    device->engine.spec = spec;
    device->engine.histogram_spec = spec;
    device->operations = operations;
    device->job = job;
    device->wanted = strategy;
    device->is_alone = is_alone;
    device->text.keys_max = text_keys;
    device->batch = 1;
    device->spec = spec;
}
