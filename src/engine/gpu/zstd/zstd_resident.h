/*
 * zstd_resident.h -- content of zstd that is in a GPU's memory
 *
 * What a GPU has decoded is copied to the host, which lends it to chunks
 * (lease.h).  Until its place is needed for a later batch, it is in the GPU's
 * memory, too.  So the engine that counts on this GPU copies it from there, and
 * not over the wire.  Nobody waits for the engine to ask: what is gone, it
 * copies from the host.
 *
 * There are as many places as the memory has room for, more if windows are
 * small.  A batch has its place until the one COUNT numbers later begins.
 */

#ifndef GPUHIST_ZSTD_RESIDENT_H
#define GPUHIST_ZSTD_RESIDENT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "engine/gpu/cuda/cu_context.h"
#include "input/decode/zstd/zstd_device.h"

enum {
    /* Those that are decoded, and as many that are counted. */
    ZSTD_RESIDENT_MAX = 2 * ZSTD_DEVICE_DECODING
};

struct zstd_resident_place {
    CUevent fetched; /* the host has the content ... */
    CUevent summed;  /* ... and the checksums */
    CUevent copied;  /* the engine has copied what it has asked for */

    /* Under the lock. */
    uint64_t number;           /* of the last batch that has begun */
    const unsigned char *host; /* has its content, too; NULL: not yet, or it may
                                  not be copied from here */
    size_t bytes;              /* of that */
    bool is_asked;             /* the engine has asked for some */
};

/* All 0 at first. */
struct zstd_resident {
    bool is_open;
    CUdeviceptr memory;
    uint64_t bytes; /* there */

    /* Set by the thread that decodes, while no batch is there; for the engine,
       under the lock. */
    uint32_t history; /* bytes of a window, in front of the content */
    uint64_t stride;  /* from place to place */
    unsigned int count;

    pthread_mutex_t lock;
    struct zstd_resident_place place[ZSTD_RESIDENT_MAX];
};

/* Returns the memory that is enough for windows of up to HISTORY bytes and
   CONTENT bytes, or less of both. */
uint64_t zstd_resident_bytes(uint32_t history, uint32_t content);

/* Use BYTES of MEMORY in the GPU of CONTEXT.  Returns 0, or -1 with *ERROR set,
   and then zstd_resident_close() must follow. */
int zstd_resident_open(struct zstd_resident *resident,
                       const struct cu_context *context, CUdeviceptr memory,
                       uint64_t bytes, struct error *error);

/*
 * Divide the memory anew into places for windows of HISTORY bytes and CONTENT
 * bytes: there must be room for ZSTD_DEVICE_DECODING of them.  The host has
 * fetched what is there, which is forgotten.  STREAM waits until the engine has
 * copied what it has asked for.  Returns 0, or -1 with *ERROR set.
 */
int zstd_resident_divide(struct zstd_resident *resident,
                         const struct cu_context *context, uint32_t history,
                         uint32_t content, CUstream stream,
                         struct error *error);

/*
 * STREAM is about to write batch NUMBER to its place.  What is there is
 * forgotten.  STREAM waits until the host has fetched it, with checksums, and
 * the engine has copied what it has asked for.  Returns 0, or -1 with *ERROR
 * set.
 */
int zstd_resident_begin(struct zstd_resident *resident,
                        const struct cu_context *context, uint64_t number,
                        CUstream stream, struct error *error);

/* Returns where batch NUMBER has its window, which its content follows. */
CUdeviceptr zstd_resident_at(const struct zstd_resident *resident,
                             uint64_t number);

/* Return the events of batch NUMBER, to record and to wait for. */
CUevent zstd_resident_fetched(const struct zstd_resident *resident,
                              uint64_t number);
CUevent zstd_resident_summed(const struct zstd_resident *resident,
                             uint64_t number);

/* The host has fetched the content of batch NUMBER: BYTES, to HOST, where
   nothing else is that was fetched.  It may be gone here already. */
void zstd_resident_keep(struct zstd_resident *resident, uint64_t number,
                        const unsigned char *host, size_t bytes);

/*
 * The host has SIZE bytes at FROM, and will until they are counted.  Begin to
 * copy them within the GPU to TO, in STREAM, for the only engine whose CONTEXT
 * is of this GPU: always the same stream.  Sets *LEFT: that many of the first
 * ones are only in the host's memory.  Returns 0, or -1 with *ERROR set.
 */
int zstd_resident_copy(struct zstd_resident *resident,
                       const struct cu_context *context, CUdeviceptr to,
                       const unsigned char *from, size_t size, CUstream stream,
                       size_t *left, struct error *error);

/* Release everything but the memory; the streams are idle.  May be called
   twice. */
void zstd_resident_close(struct zstd_resident *resident,
                         const struct cu_api *cu);

#endif
