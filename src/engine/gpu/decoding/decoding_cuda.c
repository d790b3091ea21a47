/* SPDX-License-Identifier: MIT */
/*
 * decoding_cuda.c -- decode on one NVIDIA GPU, for decoding_device.h
 *
 * One stream decodes packed bytes of zstd to literals and sequences.  A second
 * stream makes content of these, batch by batch, because a batch depends on the
 * batch before.  Some streams compute checksums, which may take as long as
 * several batches.  Other streams copy packed bytes to the device, and the
 * findings and then the content back.  One stream for both directions would
 * wait for the copies of other batches.  Three batches are in the device at a
 * time, each with its own memory, except for memory that only the second stream
 * uses; their content stays for a while (decoding_resident.h).  Each belt has
 * all of this for itself.
 *
 * A batch of gzip members goes from packed bytes to content in the second
 * stream, and its sums are compared there.
 */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/pages.h"
#include "engine/gpu/cuda/cu_context.h"
#include "engine/gpu/decoding/decoding_cuda.h"
#include "engine/gpu/decoding/decoding_resident.h"

/* Alignment of memory: for the kernels, and as cuMemAlloc() aligns. */
#define ALIGNMENT ((size_t)256)

enum stream {
    STREAM_SENDING,
    STREAM_DECODING,
    STREAM_MAKING,
    STREAM_TELLING,
    STREAM_FETCHING,
    STREAM_SUMMING, /* batches side by side: one stream for each */
    STREAMS = STREAM_SUMMING + DECODING_AT_ONCE
};

enum kernel {
    KERNEL_ENTROPY,
    KERNEL_PREPARE,
    KERNEL_JOIN,
    KERNEL_PLACE,
    KERNEL_RESOLVE,
    KERNEL_SUM,
    KERNEL_INFLATE,
    KERNEL_INFLATE_SUM,
    KERNEL_INFLATE_SKETCH,
    KERNELS
};

static const struct {
    const char *name;
    unsigned int threads; /* of a block */
} kernels[KERNELS] = {
    {"zstd_entropy", ZSTD_ENTROPY_THREADS},
    {"zstd_prepare", ZSTD_THREADS},
    {"zstd_join", ZSTD_THREADS},
    {"zstd_place", ZSTD_THREADS},
    {"zstd_resolve", ZSTD_THREADS},
    {"zstd_sum", ZSTD_SUM_THREADS},
    {"inflate_decode", INFLATE_THREADS},
    {"inflate_sum", INFLATE_SUM_THREADS},
    {"inflate_sketch", INFLATE_SKETCH_THREADS},
};

/* A batch in the device. */
struct inside {
    CUdeviceptr packed;
    CUdeviceptr tasks;
    CUdeviceptr found;
    CUdeviceptr literals;
    CUdeviceptr sequences;
    CUdeviceptr left;
    CUdeviceptr sums;
    CUevent sent;
    CUevent decoded; /* to literals and sequences */
    CUevent made;
    CUevent told; /* the host has the findings */
};

/* The host's memory of a batch. */
struct outside {
    void *memory; /* MEMORY_BYTES, of huge pages: see cuda_take_batch() */
    size_t memory_bytes;
    bool is_pinned;
    unsigned char *packed;
    unsigned char *content;
    struct zstd_task *task;   /* or struct inflate_task[] */
    struct zstd_found *found; /* or u32[] */
    struct zstd_left *left;
    uint64_t *sums;           /* or struct sequence_sketch[] */
    struct zstd_left *before; /* the first batch */
};

/* What one belt has. */
struct belt {
    /* Missing handles are 0. */
    CUstream stream[STREAMS];
    CUdeviceptr sources;
    CUdeviceptr progress;
    CUdeviceptr contents; /* with windows */
    struct decoding_resident resident;
    struct inside inside[DECODING_AT_ONCE];
    struct outside outside[DECODING_BATCHES];
};

struct decoding_cuda {
    struct decoding_driver driver; /* first: pointers to it point to this */
    struct cu_lease_owner owner;   /* the token of leases */
    struct decoding_sizes sizes;
    struct cu_context context[DECODING_CALLS]; /* of the thread for each */

    /* Missing handles are 0. */
    CUmodule module;
    CUfunction function[KERNELS];
    unsigned int blocks[KERNELS]; /* of a grid, for kernels with a few blocks */
    CUdeviceptr memory;
    struct belt belt[DECODING_BELTS]; /* SIZES.belts of them */
};

static struct decoding_cuda *
cuda_of(struct decoding_driver *driver)
{
    return (struct decoding_cuda *)driver;
}

static struct belt *
belt_of(struct decoding_cuda *cuda, const struct decoding_batch *batch)
{
    return &cuda->belt[batch->belt];
}

static struct inside *
inside_of(struct belt *belt, uint64_t number)
{
    return &belt->inside[number % DECODING_AT_ONCE];
}

static struct outside *
outside_of(struct decoding_cuda *cuda, const struct decoding_batch *batch)
{
    return &belt_of(cuda, batch)->outside[batch->slot];
}

/* ---- start ---- */

/* Returns the next SIZE bytes of memory after *END, with MARGIN before and
   after them, and advances *END. */
static uint64_t
cut(uint64_t *end, uint64_t size, uint64_t margin)
{
    uint64_t at = *end + margin;

    at = (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    *end = at + size + margin;
    return at;
}

/* Returns the host's memory at ADDRESS. */
static void *
at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

/* Divide the device's memory for BELT, which starts at START.  Returns the end.
 */
static uint64_t
divide(struct belt *belt, const struct decoding_sizes *sizes, uint64_t start)
{
    uint64_t contents = decoding_resident_bytes(sizes->history, sizes->content);
    uint64_t end = start;

    /* A window needs no sources. */
    belt->sources = cut(&end, sizes->content * (uint64_t)sizeof(uint32_t), 0);
    belt->progress = cut(&end, sizeof(struct zstd_progress), 0);
    belt->contents = cut(&end, contents, 0);
    for (int i = 0; i < DECODING_AT_ONCE; i++) {
        struct inside *in = &belt->inside[i];
        in->packed = cut(&end, sizes->packed, ZSTD_WORK_MARGIN);
        in->tasks =
            cut(&end, sizes->blocks * (uint64_t)sizeof(struct zstd_task), 0);
        in->found =
            cut(&end, sizes->blocks * (uint64_t)sizeof(struct zstd_found), 0);
        in->literals = cut(&end, sizes->literals, ZSTD_WORK_MARGIN);
        in->sequences = cut(
            &end, sizes->sequences * (uint64_t)sizeof(struct zstd_sequence), 0);
        in->left = cut(&end, sizeof(struct zstd_left), 0);
        in->sums = cut(&end, sizes->blocks * sizeof(uint64_t), 0);
    }
    return end;
}

/* Divide the device's memory for all belts.  Returns the end. */
static uint64_t
divide_all(struct decoding_cuda *cuda, uint64_t start)
{
    for (uint32_t i = 0; i < cuda->sizes.belts; i++)
        start = divide(&cuda->belt[i], &cuda->sizes, start);
    return start;
}

/* Divide the memory of OUT, which starts at START.  Returns the end. */
static uint64_t
divide_outside(struct outside *out, const struct decoding_sizes *sizes,
               uintptr_t start)
{
    uint64_t blocks = sizes->blocks;
    uint64_t end = start;

    out->packed = at(cut(&end, sizes->packed, ZSTD_WORK_MARGIN));
    out->content = at(cut(&end, sizes->content, LEASE_FRONT_BYTES));
    out->task = at(cut(&end, blocks * sizeof *out->task, 0));
    out->found = at(cut(&end, blocks * sizeof *out->found, 0));
    out->left = at(cut(&end, sizeof *out->left, 0));
    out->sums = at(cut(&end, blocks * sizeof *out->sums, 0));
    out->before = at(cut(&end, sizeof *out->before, 0));
    return end;
}

/* Get KERNEL of the module, and the number of blocks running at a time. */
static int
open_kernel(struct decoding_cuda *cuda, enum kernel kernel, int multiprocessors,
            struct error *error)
{
    struct cu_context *context = &cuda->context[DECODING_CALL_DECODE];
    CUfunction *function = &cuda->function[kernel];
    int blocks;

    if (CU_CALL(context, error, cuModuleGetFunction, function, cuda->module,
                kernels[kernel].name) < 0 ||
        CU_CALL(context, error, cuOccupancyMaxActiveBlocksPerMultiprocessor,
                &blocks, *function, (int)kernels[kernel].threads, 0) < 0)
        return -1;
    /* With all that the device runs at a time, no other batch could be decoded
       meanwhile (bench/NOTES.md). */
    cuda->blocks[kernel] = (unsigned int)multiprocessors *
                           (blocks > 1 ? (unsigned int)blocks / 2 : 1);
    return 0;
}

static int
open_events(struct decoding_cuda *cuda, struct belt *belt, struct error *error)
{
    struct cu_context *context = &cuda->context[DECODING_CALL_DECODE];
    /* A busy wait would take the CPU from other threads. */
    const unsigned int awaited =
        CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC;

    for (int i = 0; i < DECODING_AT_ONCE; i++) {
        struct inside *in = &belt->inside[i];
        if (CU_CALL(context, error, cuEventCreate, &in->sent,
                    CU_EVENT_DISABLE_TIMING) < 0 ||
            CU_CALL(context, error, cuEventCreate, &in->decoded,
                    CU_EVENT_DISABLE_TIMING) < 0 ||
            CU_CALL(context, error, cuEventCreate, &in->made,
                    CU_EVENT_DISABLE_TIMING) < 0 ||
            CU_CALL(context, error, cuEventCreate, &in->told, awaited) < 0)
            return -1;
    }
    return 0;
}

/* Open what one belt has; its memory is divided. */
static int
open_belt(struct decoding_cuda *cuda, struct belt *belt, struct error *error)
{
    struct cu_context *context = &cuda->context[DECODING_CALL_DECODE];
    const struct decoding_sizes *sizes = &cuda->sizes;

    for (int i = 0; i < STREAMS; i++) {
        if (CU_CALL(context, error, cuStreamCreate, &belt->stream[i],
                    CU_STREAM_NON_BLOCKING) < 0)
            return -1;
    }
    if (open_events(cuda, belt, error) < 0)
        return -1;
    return decoding_resident_open(
        &belt->resident, context, belt->contents,
        decoding_resident_bytes(sizes->history, sizes->content), error);
}

static int
cuda_open(struct decoding_driver *driver, const struct decoding_sizes *sizes,
          struct error *error)
{
    struct decoding_cuda *cuda = cuda_of(driver);
    struct cu_context *context = &cuda->context[DECODING_CALL_DECODE];
    int multiprocessors;

    cuda->sizes = *sizes;
    if (cu_context_open(context, error) < 0 ||
        CU_CALL(context, error, cuDeviceGetAttribute, &multiprocessors,
                CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT,
                context->number) < 0 ||
        CU_CALL(context, error, cuModuleLoadData, &cuda->module, kernel_image) <
            0)
        return -1;
    for (int k = 0; k < KERNELS; k++) {
        if (open_kernel(cuda, (enum kernel)k, multiprocessors, error) < 0)
            return -1;
    }
    if (CU_CALL_V2(context, error, cuMemAlloc, &cuda->memory,
                   (size_t)divide_all(cuda, 0)) < 0)
        return -1;
    (void)divide_all(cuda, cuda->memory);
    for (uint32_t i = 0; i < sizes->belts; i++) {
        if (open_belt(cuda, &cuda->belt[i], error) < 0)
            return -1;
    }
    for (int i = 0; i < DECODING_CALLS; i++) {
        cuda->context[i] = *context;
        cuda->context[i].call = &driver->call[i];
    }
    return 0;
}

/* Returns the context for the thread of CALL, which may be new, or NULL with
   *ERROR set. */
static struct cu_context *
enter(struct decoding_cuda *cuda, enum decoding_call call, struct error *error)
{
    struct cu_context *context = &cuda->context[call];

    return CU_CALL(context, error, cuCtxSetCurrent, context->context) == 0
               ? context
               : NULL;
}

/*
 * The driver would pin many small pages, which takes a tenth of a second, and
 * threads that read small pages one after the other are half as fast.  One
 * thread spends most of the time of pinning huge pages on clearing them.
 */
static void
cuda_take_batch(struct decoding_driver *driver,
                const struct decoding_sizes *sizes,
                const struct decoding_batch *batch)
{
    struct outside *out = outside_of(cuda_of(driver), batch);

    out->memory_bytes = (size_t)divide_outside(out, sizes, 0);
    out->memory = pages_take(out->memory_bytes);
    if (out->memory != NULL)
        pages_touch(out->memory, out->memory_bytes);
}

static int
cuda_open_batch(struct decoding_driver *driver, struct decoding_batch *batch,
                struct error *error)
{
    struct decoding_cuda *cuda = cuda_of(driver);
    struct outside *out = outside_of(cuda, batch);
    struct cu_context *context = enter(cuda, DECODING_CALL_OPEN, error);
    struct error refusal = ERROR_NONE;

    if (context == NULL)
        return -1;
    if (out->memory == NULL)
        cuda_take_batch(driver, &cuda->sizes, batch);
    if (out->memory == NULL)
        return error_fail_memory(error);
    (void)divide_outside(out, &cuda->sizes, (uintptr_t)out->memory);
    /* Unpinned memory is slower, but correct. */
    out->is_pinned =
        CU_CALL_V2(context, &refusal, cuMemHostRegister, out->memory,
                   out->memory_bytes, CU_MEMHOSTREGISTER_PORTABLE) == 0;
    error_clear(&refusal);
    batch->packed = out->packed;
    batch->task = out->task;
    batch->member = (struct inflate_task *)(void *)out->task;
    batch->found = out->found;
    batch->refused = (const uint32_t *)(const void *)out->found;
    batch->left = out->left;
    batch->content = out->content;
    batch->sums = out->sums;
    batch->sketches = (const struct sequence_sketch *)(const void *)out->sums;
    return 0;
}

/* ---- batches ---- */

/* Launch KERNEL in STREAM, with BLOCKS blocks. */
static int
launch(struct decoding_cuda *cuda, enum kernel kernel, CUstream stream,
       unsigned int blocks, void *work, struct error *error)
{
    void *parameters[] = {work};

    return CU_CALL(&cuda->context[DECODING_CALL_DECODE], error, cuLaunchKernel,
                   cuda->function[kernel], blocks, 1, 1,
                   kernels[kernel].threads, 1, 1, 0, stream, parameters, NULL);
}

/* Send the packed bytes of BATCH and its tasks of TASK_BYTES each.  The earlier
   batch in the same memory has been awaited, but may still be summed.  STREAM
   waits for the copies. */
static int
send_batch(struct decoding_cuda *cuda, uint64_t number,
           const struct decoding_batch *batch, size_t task_bytes,
           CUstream stream, struct error *error)
{
    struct belt *belt = belt_of(cuda, batch);
    const struct inside *in = inside_of(belt, number);
    CUevent summed = decoding_resident_summed(
        &belt->resident, number + belt->resident.count - DECODING_AT_ONCE);
    struct cu_context *context = &cuda->context[DECODING_CALL_DECODE];
    CUstream sending = belt->stream[STREAM_SENDING];

    if (CU_CALL(context, error, cuStreamWaitEvent, sending, summed, 0) < 0 ||
        CU_CALL_V2(context, error, cuMemcpyHtoDAsync, in->packed, batch->packed,
                   batch->packed_bytes, sending) < 0 ||
        CU_CALL_V2(context, error, cuMemcpyHtoDAsync, in->tasks, batch->task,
                   batch->blocks * task_bytes, sending) < 0 ||
        CU_CALL(context, error, cuEventRecord, in->sent, sending) < 0)
        return -1;
    return CU_CALL(context, error, cuStreamWaitEvent, stream, in->sent, 0);
}

/* Decode a batch to literals and sequences. */
static int
decode_blocks(struct decoding_cuda *cuda, uint64_t number,
              const struct decoding_batch *batch, struct zstd_work *work,
              struct error *error)
{
    struct belt *belt = belt_of(cuda, batch);
    const struct inside *in = inside_of(belt, number);
    CUstream stream = belt->stream[STREAM_DECODING];

    if (send_batch(cuda, number, batch, sizeof(struct zstd_task), stream,
                   error) < 0 ||
        launch(cuda, KERNEL_ENTROPY, stream, 2 * batch->blocks, work, error) <
            0)
        return -1;
    return CU_CALL(&cuda->context[DECODING_CALL_DECODE], error, cuEventRecord,
                   in->decoded, stream);
}

/* Make content of literals and sequences. */
static int
make_content(struct decoding_cuda *cuda, const struct belt *belt,
             struct zstd_work *work, struct error *error)
{
    CUstream stream = belt->stream[STREAM_MAKING];

    if (launch(cuda, KERNEL_PREPARE, stream, cuda->blocks[KERNEL_PREPARE], work,
               error) < 0 ||
        launch(cuda, KERNEL_JOIN, stream, 1, work, error) < 0 ||
        launch(cuda, KERNEL_PLACE, stream, work->blocks, work, error) < 0)
        return -1;
    return launch(cuda, KERNEL_RESOLVE, stream, cuda->blocks[KERNEL_RESOLVE],
                  work, error);
}

/* Compute checksums of the content. */
static int
sum_frames(struct decoding_cuda *cuda, uint64_t number,
           const struct decoding_batch *batch, struct zstd_work *work,
           struct error *error)
{
    struct cu_context *context = &cuda->context[DECODING_CALL_DECODE];
    struct belt *belt = belt_of(cuda, batch);
    const struct inside *in = inside_of(belt, number);
    const struct outside *out = outside_of(cuda, batch);
    CUstream stream = belt->stream[STREAM_SUMMING + number % DECODING_AT_ONCE];

    if (CU_CALL(context, error, cuStreamWaitEvent, stream, in->made, 0) < 0 ||
        launch(cuda, KERNEL_SUM, stream,
               (work->blocks + ZSTD_SUM_BLOCKS - 1) / ZSTD_SUM_BLOCKS, work,
               error) < 0 ||
        CU_CALL_V2(context, error, cuMemcpyDtoHAsync, out->sums, in->sums,
                   work->blocks * sizeof(uint64_t), stream) < 0)
        return -1;
    return CU_CALL(context, error, cuEventRecord,
                   decoding_resident_summed(&belt->resident, number), stream);
}

/* Copy the findings. */
static int
tell(struct decoding_cuda *cuda, const struct inside *in,
     const struct decoding_batch *batch, struct error *error)
{
    struct cu_context *context = &cuda->context[DECODING_CALL_DECODE];
    const struct belt *belt = belt_of(cuda, batch);
    const struct outside *out = outside_of(cuda, batch);
    CUstream stream = belt->stream[STREAM_TELLING];

    if (CU_CALL(context, error, cuStreamWaitEvent, stream, in->made, 0) < 0 ||
        CU_CALL_V2(context, error, cuMemcpyDtoHAsync, out->left, in->left,
                   sizeof(struct zstd_left), stream) < 0 ||
        CU_CALL_V2(context, error, cuMemcpyDtoHAsync, out->found, in->found,
                   batch->blocks * sizeof(struct zstd_found), stream) < 0)
        return -1;
    return CU_CALL(context, error, cuEventRecord, in->told, stream);
}

/* Start to decode a batch of blocks of zstd. */
static int
decode_zstd(struct decoding_cuda *cuda, uint64_t number,
            const struct decoding_batch *batch, struct error *error)
{
    struct cu_context *context = &cuda->context[DECODING_CALL_DECODE];
    struct belt *belt = belt_of(cuda, batch);
    const struct inside *in = inside_of(belt, number);
    const struct inside *before =
        inside_of(belt, number + DECODING_AT_ONCE - 1);
    const struct outside *out = outside_of(cuda, batch);
    struct decoding_resident *resident = &belt->resident;
    CUstream stream = belt->stream[STREAM_MAKING];

    struct zstd_work work = {
        .packed = in->packed,
        .tasks = in->tasks,
        .found = in->found,
        .literals = in->literals,
        .sequences = in->sequences,
        .sources = belt->sources - batch->history * sizeof(uint32_t),
        .content = decoding_resident_at(resident, number),
        .before = decoding_resident_at(resident, number + resident->count - 1),
        .left = in->left,
        .left_before = before->left,
        .progress = belt->progress,
        .sums = in->sums,
        .blocks = batch->blocks,
        .history = batch->history,
        .room = batch->room,
    };

    if (decode_blocks(cuda, number, batch, &work, error) < 0 ||
        CU_CALL(context, error, cuStreamWaitEvent, stream, in->decoded, 0) <
            0 ||
        decoding_resident_start(resident, context, number, stream, error) < 0)
        return -1;
    if (batch->is_first) {
        *out->before = (struct zstd_left){.offsets = batch->offsets};
        if (CU_CALL_V2(context, error, cuMemcpyHtoDAsync, before->left,
                       out->before, sizeof(struct zstd_left), stream) < 0)
            return -1;
    }
    if (make_content(cuda, belt, &work, error) < 0 ||
        CU_CALL(context, error, cuEventRecord, in->made, stream) < 0)
        return -1;
    if (tell(cuda, in, batch, error) < 0)
        return -1;
    return batch->has_sums ? sum_frames(cuda, number, batch, &work, error) : 0;
}

/*
 * Start to decode a batch of members of gzip, which needs no other batch.
 *
 * GPUs from Blackwell on have an engine for deflate data.  Where the driver
 * says that a GPU has it (CU_DEVICE_ATTRIBUTE_MEM_DECOMPRESS_ALGORITHM_MASK),
 * cuMemBatchDecompressAsync() could take the place of the kernel that decodes,
 * here: tasks and results are the same, and the sums are compared as now.
 */
static int
decode_members(struct decoding_cuda *cuda, uint64_t number,
               const struct decoding_batch *batch, struct error *error)
{
    struct cu_context *context = &cuda->context[DECODING_CALL_DECODE];
    struct belt *belt = belt_of(cuda, batch);
    const struct inside *in = inside_of(belt, number);
    const struct outside *out = outside_of(cuda, batch);
    CUstream stream = belt->stream[STREAM_MAKING];
    CUstream telling = belt->stream[STREAM_TELLING];
    struct inflate_work work = {
        .packed = in->packed,
        .tasks = in->tasks,
        .content = decoding_resident_at(&belt->resident, number),
        .refused = in->found,
        .sketches = in->sums,
        .members = batch->blocks,
    };

    if (send_batch(cuda, number, batch, sizeof(struct inflate_task), stream,
                   error) < 0 ||
        decoding_resident_start(&belt->resident, context, number, stream,
                                error) < 0 ||
        launch(cuda, KERNEL_INFLATE, stream, batch->blocks, &work, error) < 0 ||
        launch(cuda, KERNEL_INFLATE_SUM, stream,
               (batch->blocks + INFLATE_SUM_MEMBERS - 1) / INFLATE_SUM_MEMBERS,
               &work, error) < 0 ||
        (batch->has_sketches && launch(cuda, KERNEL_INFLATE_SKETCH, stream,
                                       batch->blocks, &work, error) < 0) ||
        CU_CALL(context, error, cuEventRecord, in->made, stream) < 0 ||
        CU_CALL(context, error, cuStreamWaitEvent, telling, in->made, 0) < 0 ||
        (batch->has_sketches &&
         CU_CALL_V2(context, error, cuMemcpyDtoHAsync, out->sums, in->sums,
                    batch->blocks * sizeof *batch->sketches, telling) < 0) ||
        CU_CALL_V2(context, error, cuMemcpyDtoHAsync, out->found, in->found,
                   batch->blocks * sizeof *batch->refused, telling) < 0)
        return -1;
    return CU_CALL(context, error, cuEventRecord, in->told, telling);
}

static int
cuda_decode(struct decoding_driver *driver, uint64_t number,
            const struct decoding_batch *batch, struct error *error)
{
    struct decoding_cuda *cuda = cuda_of(driver);
    struct cu_context *context = enter(cuda, DECODING_CALL_DECODE, error);
    struct belt *belt = belt_of(cuda, batch);

    if (context == NULL ||
        (batch->is_first &&
         decoding_resident_divide(&belt->resident, context, batch->history,
                                  cuda->sizes.content,
                                  belt->stream[STREAM_MAKING], error) < 0))
        return -1;
    return batch->kind == DECODING_ZSTD
               ? decode_zstd(cuda, number, batch, error)
               : decode_members(cuda, number, batch, error);
}

static int
cuda_await(struct decoding_driver *driver, uint64_t number,
           const struct decoding_batch *batch, struct error *error)
{
    struct decoding_cuda *cuda = cuda_of(driver);
    struct cu_context *context = enter(cuda, DECODING_CALL_AWAIT, error);
    struct belt *belt = belt_of(cuda, batch);
    const struct inside *in = inside_of(belt, number);
    const struct outside *out = outside_of(cuda, batch);
    CUstream stream = belt->stream[STREAM_FETCHING];

    if (context == NULL ||
        CU_CALL(context, error, cuEventSynchronize, in->told) < 0)
        return -1;
    size_t size = decoding_batch_content(batch);
    CUdeviceptr content =
        decoding_resident_at(&belt->resident, number) + batch->history;
    if (size > 0 && CU_CALL_V2(context, error, cuMemcpyDtoHAsync, out->content,
                               content, size, stream) < 0)
        return -1;
    return CU_CALL(context, error, cuEventRecord,
                   decoding_resident_fetched(&belt->resident, number), stream);
}

static int
cuda_await_content(struct decoding_driver *driver, uint64_t number,
                   const struct decoding_batch *batch, struct error *error)
{
    struct decoding_cuda *cuda = cuda_of(driver);
    struct cu_context *context = enter(cuda, DECODING_CALL_FETCH, error);
    struct belt *belt = belt_of(cuda, batch);
    const struct outside *out = outside_of(cuda, batch);

    if (context == NULL ||
        CU_CALL(context, error, cuEventSynchronize,
                decoding_resident_fetched(&belt->resident, number)) < 0)
        return -1;
    decoding_resident_keep(&belt->resident, number, out->content,
                           decoding_batch_content(batch));
    return batch->has_sums
               ? CU_CALL(context, error, cuEventSynchronize,
                         decoding_resident_summed(&belt->resident, number))
               : 0;
}

/* ---- the end ---- */

static void
release_belt(struct belt *belt, const struct cu_api *cu)
{
    for (int i = 0; i < STREAMS; i++) {
        if (belt->stream[i] != NULL)
            cu->cuStreamSynchronize(belt->stream[i]);
    }
    for (int i = 0; i < DECODING_AT_ONCE; i++) {
        CUevent events[] = {belt->inside[i].sent, belt->inside[i].decoded,
                            belt->inside[i].made, belt->inside[i].told};
        for (size_t e = 0; e < sizeof events / sizeof *events; e++)
            if (events[e] != NULL)
                cu->cuEventDestroy_v2(events[e]);
    }
    decoding_resident_close(&belt->resident, cu);
    for (int i = 0; i < STREAMS; i++) {
        if (belt->stream[i] != NULL)
            cu->cuStreamDestroy_v2(belt->stream[i]);
    }
    for (int i = 0; i < DECODING_BATCHES; i++) {
        struct outside *out = &belt->outside[i];
        if (out->is_pinned)
            cu->cuMemHostUnregister(out->memory);
    }
}

static void
release_all(struct decoding_cuda *cuda)
{
    const struct cu_api *cu = &cuda->context[DECODING_CALL_DECODE].cu;

    for (uint32_t i = 0; i < cuda->sizes.belts; i++)
        release_belt(&cuda->belt[i], cu);
    if (cuda->memory != 0)
        cu->cuMemFree_v2(cuda->memory);
    if (cuda->module != NULL)
        cu->cuModuleUnload(cuda->module);
}

/* Give the host's memory back. */
static void
give_outside(const struct belt *belt)
{
    for (int i = 0; i < DECODING_BATCHES; i++) {
        const struct outside *out = &belt->outside[i];
        if (out->memory != NULL)
            pages_give(out->memory, out->memory_bytes);
    }
}

static void
cuda_close(struct decoding_driver *driver)
{
    struct decoding_cuda *cuda = cuda_of(driver);
    struct cu_context *context = &cuda->context[DECODING_CALL_DECODE];

    if (context->context != NULL) {
        /* If this fails, closing the context frees the memory. */
        if (context->cu.cuCtxSetCurrent(context->context) == CUDA_SUCCESS)
            release_all(cuda);
        context->cu.cuDevicePrimaryCtxRelease_v2(context->number);
    }
    for (int i = 0; i < DECODING_BELTS; i++)
        give_outside(&cuda->belt[i]);
    free(cuda);
}

static const struct decoding_driver_type cuda_type = {
    .open = cuda_open,
    .take_batch = cuda_take_batch,
    .open_batch = cuda_open_batch,
    .decode = cuda_decode,
    .await = cuda_await,
    .await_content = cuda_await_content,
    .close = cuda_close,
};

/* See struct cu_lease_owner. */
static int
copy_resident(void *decoder, const struct cu_context *context, CUdeviceptr to,
              const unsigned char *from, size_t size, CUstream stream,
              size_t *left, struct error *error)
{
    struct decoding_cuda *cuda = decoder;

    *left = size;
    if (cuda->context[DECODING_CALL_DECODE].context != context->context)
        return 0;
    for (uint32_t i = 0; i < cuda->sizes.belts && *left == size; i++) {
        if (decoding_resident_copy(&cuda->belt[i].resident, context, to, from,
                                   size, stream, left, error) < 0)
            return -1;
    }
    return 0;
}

struct decoding_driver *
decoding_cuda_new(struct cu_start start, int ordinal)
{
    struct decoding_cuda *cuda = calloc(1, sizeof *cuda);

    if (cuda == NULL)
        return NULL;
    cuda->driver.type = &cuda_type;
    cuda->owner = (struct cu_lease_owner){copy_resident, cuda};
    cuda->driver.token = &cuda->owner;
    cuda->context[DECODING_CALL_DECODE] =
        (struct cu_context){.start = start,
                            .ordinal = ordinal,
                            .call = &cuda->driver.call[DECODING_CALL_DECODE],
                            .name = cuda->driver.name,
                            .name_bytes = sizeof cuda->driver.name};
    snprintf(cuda->driver.name, sizeof cuda->driver.name, "cuda:%d", ordinal);
    return &cuda->driver;
}
