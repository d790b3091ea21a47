/* SPDX-License-Identifier: MIT */
/*
 * decoding_resident.h -- decoded content in a GPU's memory
 *
 * Content decoded by a GPU is copied to the host, which leases it to chunks
 * (lease.h).  The content also stays in the GPU's memory until a later batch
 * needs the slot.  So an engine counting on this GPU copies the content within
 * the GPU, not over the wire.  Nobody waits for the engine to ask: lost content
 * comes from the host.
 *
 * The memory has as many slots as fit, more if windows are small.  A batch has
 * its slot until the batch COUNT numbers later starts.
 */

#ifndef GPUHIST_DECODING_RESIDENT_H
#define GPUHIST_DECODING_RESIDENT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/gpu/cuda/cu_context.h"
#include "input/device/decoding_device.h"

enum {
    /* Batches being decoded, and as many being counted. */
    DECODING_RESIDENT_MAX = 2 * DECODING_AT_ONCE
};

struct decoding_resident_slot {
    CUevent fetched; /* the host has the content ... */
    CUevent summed;  /* ... and the checksums */
    CUevent copied;  /* the engine's copies are done */

    /* Under the lock. */
    uint64_t number; /* of the last batch that has started */
    /* has the content, too; NULL: not yet, or the content may not be copied
       from here */
    const unsigned char *host;
    size_t bytes;  /* of that */
    bool is_asked; /* the engine has asked for some */
};

/* All 0 at first. */
struct decoding_resident {
    bool is_open;
    CUdeviceptr memory;
    uint64_t bytes; /* there */

    /* Set by the thread that decodes, while no batch is there; for the engine,
       under the lock. */
    uint32_t history; /* bytes of a window, before the content */
    uint64_t stride;  /* from slot to slot */
    unsigned int count;

    pthread_mutex_t lock;
    struct decoding_resident_slot slot[DECODING_RESIDENT_MAX];
};

/* Returns the memory for windows of up to HISTORY bytes and up to CONTENT
   bytes. */
uint64_t decoding_resident_bytes(uint32_t history, uint32_t content);

/* Use BYTES of MEMORY in the GPU of CONTEXT.  Returns 0, or -1 with *ERROR set,
   and then decoding_resident_close() must follow. */
int decoding_resident_open(struct decoding_resident *resident,
                           const struct cu_context *context, CUdeviceptr memory,
                           uint64_t bytes, struct error *error);

/*
 * Divide the memory anew into slots for windows of HISTORY bytes and CONTENT
 * bytes: DECODING_AT_ONCE slots must fit.  The host has fetched the old
 * content, which is forgotten.  STREAM waits until the engine's copies are
 * done.  Returns 0, or -1 with *ERROR set.
 */
int decoding_resident_divide(struct decoding_resident *resident,
                             const struct cu_context *context, uint32_t history,
                             uint32_t content, CUstream stream,
                             struct error *error);

/*
 * STREAM is about to write batch NUMBER to its slot.  The old content is
 * forgotten.  STREAM waits until the host has fetched the content and
 * checksums, and the engine's copies are done.  Returns 0, or -1 with *ERROR
 * set.
 */
int decoding_resident_start(struct decoding_resident *resident,
                            const struct cu_context *context, uint64_t number,
                            CUstream stream, struct error *error);

/* Returns the address of the window of batch NUMBER, before the content. */
CUdeviceptr decoding_resident_at(const struct decoding_resident *resident,
                                 uint64_t number);

/* Return the events of batch NUMBER, to record and to wait for. */
CUevent decoding_resident_fetched(const struct decoding_resident *resident,
                                  uint64_t number);
CUevent decoding_resident_summed(const struct decoding_resident *resident,
                                 uint64_t number);

/* The host has fetched BYTES of content of batch NUMBER to HOST, which holds no
   other fetched content.  The content may already be gone here. */
void decoding_resident_keep(struct decoding_resident *resident, uint64_t number,
                            const unsigned char *host, size_t bytes);

/*
 * The host keeps SIZE bytes at FROM until they are counted.  Start to copy them
 * within the GPU to TO, in STREAM, for the only engine whose CONTEXT is of this
 * GPU: always the same stream.  Sets *LEFT: so many of the first bytes are only
 * in the host's memory.  Returns 0, or -1 with *ERROR set.
 */
int decoding_resident_copy(struct decoding_resident *resident,
                           const struct cu_context *context, CUdeviceptr to,
                           const unsigned char *from, size_t size,
                           CUstream stream, size_t *left, struct error *error);

/* Release everything but the memory; the streams are idle.  May be called
   twice. */
void decoding_resident_close(struct decoding_resident *resident,
                             const struct cu_api *cu);

#endif
