/* SPDX-License-Identifier: MIT */
/*
 * inflate_standin.h -- a driver that decodes batches of gzip members by zlib
 *
 * Each step is as late as it may be: members are decoded when somebody waits
 * for the batch, and content is copied when somebody waits for the content.
 * Memory has just the size that it must have.
 */

#ifndef GPUHIST_INFLATE_STANDIN_H
#define GPUHIST_INFLATE_STANDIN_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <zlib.h>

#include "input/device/decoding_device.h"
#include "tap.h"

#define STANDIN_POISON 0xa5

/* What goes wrong, at call number AT of all calls from open() on. */
enum standin_fault {
    STANDIN_NONE,
    STANDIN_FAILS,
    STANDIN_HANGS,   /* until standin_awake() */
    STANDIN_REFUSES, /* a member of the batch */
};

struct standin_batch {
    struct decoding_batch of;
    uint32_t *refused;
    struct sequence_sketch *sketches; /* those of refused members are wrong */
    unsigned char *made;              /* of the device: ROOM bytes */
    unsigned char *fetched; /* of the host, behind LEASE_FRONT_BYTES */
    size_t fetched_bytes;
    bool is_started;
};

struct standin {
    struct decoding_driver driver;
    struct decoding_sizes sizes;
    struct standin_batch batch[DECODING_BATCHES]; /* by slot */
    enum standin_fault fault;
    uint64_t at;
    _Atomic uint64_t calls;
};

/* Of all stand-ins, for one thread that waits for the others. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t awakes;
    bool is_awake;
    int opened;
    uint64_t fired;
} standins = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0, 0};

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

/* Let hanging calls return; a device that was lost is left behind otherwise. */
static inline void
standin_awake(bool is_awake)
{
    pthread_mutex_lock(&standins.lock);
    standins.is_awake = is_awake;
    pthread_cond_broadcast(&standins.awakes);
    pthread_mutex_unlock(&standins.lock);
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
    return standin_result(standin_call(standin, DECODING_CALL_DECODE, "open"),
                          error);
}

static inline int
standin_open_batch(struct decoding_driver *driver, struct decoding_batch *batch,
                   struct error *error)
{
    struct standin *standin = (struct standin *)driver;
    struct standin_batch *own = &standin->batch[batch->slot];
    const struct decoding_sizes *sizes = &standin->sizes;

    batch->packed = standin_memory(sizes->packed);
    batch->member = standin_memory(sizes->blocks * sizeof *batch->member);
    own->refused = standin_memory(sizes->blocks * sizeof *own->refused);
    own->sketches = standin_memory(sizes->blocks * sizeof *own->sketches);
    own->made = standin_memory(sizes->content);
    own->fetched = standin_memory(LEASE_FRONT_BYTES + sizes->content);
    own->fetched += LEASE_FRONT_BYTES;
    batch->refused = own->refused;
    batch->sketches = own->sketches;
    batch->content = own->fetched;
    own->of = *batch;
    return standin_result(
        standin_call(standin, DECODING_CALL_OPEN, "open_batch"), error);
}

static inline int
standin_decode(struct decoding_driver *driver, uint64_t number,
               const struct decoding_batch *batch, struct error *error)
{
    struct standin *standin = (struct standin *)driver;
    struct standin_batch *own = &standin->batch[batch->slot];

    (void)number;
    /* Nothing that was there before may be read again.  What the last batch did
       not write is poisoned already. */
    memset(own->refused, STANDIN_POISON, own->of.blocks * sizeof *own->refused);
    memset(own->sketches, STANDIN_POISON,
           own->of.blocks * sizeof *own->sketches);
    memset(own->fetched - LEASE_FRONT_BYTES, STANDIN_POISON,
           LEASE_FRONT_BYTES + own->fetched_bytes);
    own->fetched_bytes = 0;
    own->of = *batch;
    own->is_started = true;
    return standin_result(standin_call(standin, DECODING_CALL_DECODE, "decode"),
                          error);
}

/* Decode MEMBER of BATCH to its place in CONTENT.  Returns the refusal. */
static inline uint32_t
standin_member(const struct decoding_batch *batch,
               const struct inflate_task *member, unsigned char *content)
{
    unsigned char *to = content + member->content_at;
    z_stream stream = {.next_in = batch->packed + member->at,
                       .avail_in = member->bytes,
                       .next_out = to,
                       .avail_out = member->content};

    if (inflateInit2(&stream, -15) != Z_OK)
        abort();
    int result = inflate(&stream, Z_FINISH);
    bool is_whole =
        result == Z_STREAM_END && stream.avail_in == 0 && stream.avail_out == 0;
    inflateEnd(&stream);
    if (!is_whole)
        return INFLATE_REFUSED_DATA;
    return crc32(crc32(0, NULL, 0), to, member->content) != member->sum
               ? INFLATE_REFUSED_SUM
               : 0;
}

/* Sketch the content of MEMBER, of which only the lines are counted. */
static inline struct sequence_sketch
standin_sketch(const struct inflate_task *member, const unsigned char *content)
{
    struct sequence_sketch sketch = {.bytes = member->content};

    for (uint32_t i = 0; i < member->content; i++)
        sketch.lines += content[member->content_at + i] == '\n';
    return sketch;
}

static inline void
standin_make(const struct standin *standin, struct standin_batch *own)
{
    const struct decoding_batch *batch = &own->of;
    uint32_t end = 0;
    uint64_t content = 0;

    if (batch->kind != DECODING_INFLATE || batch->history != 0 ||
        batch->room > standin->sizes.content || batch->blocks == 0 ||
        batch->blocks > standin->sizes.blocks ||
        batch->packed_bytes > standin->sizes.packed)
        abort();
    for (uint32_t m = 0; m < batch->blocks; m++) {
        const struct inflate_task *member = &batch->member[m];
        if (member->at < end || member->at > batch->packed_bytes ||
            member->bytes > batch->packed_bytes - member->at ||
            member->content_at != content ||
            member->content > INFLATE_CONTENT_MAX)
            abort();
        end = member->at + member->bytes;
        content += member->content;
        if (content > batch->room)
            abort();
        own->refused[m] = standin_member(batch, member, own->made);
        if (batch->has_sketches && own->refused[m] == 0)
            own->sketches[m] = standin_sketch(member, own->made);
    }
    if (content != batch->room)
        abort();
}

static inline int
standin_await(struct decoding_driver *driver, uint64_t number,
              const struct decoding_batch *batch, struct error *error)
{
    struct standin *standin = (struct standin *)driver;
    struct standin_batch *own = &standin->batch[batch->slot];

    if (!own->is_started || batch->blocks != own->of.blocks)
        abort();
    enum standin_fault fault =
        standin_call(standin, DECODING_CALL_AWAIT, "await");
    if (fault == STANDIN_FAILS)
        return standin_result(fault, error);
    standin_make(standin, own);
    if (fault == STANDIN_REFUSES)
        own->refused[number % batch->blocks] = INFLATE_REFUSED_DATA;
    return 0;
}

static inline int
standin_await_content(struct decoding_driver *driver, uint64_t number,
                      const struct decoding_batch *batch, struct error *error)
{
    struct standin *standin = (struct standin *)driver;
    struct standin_batch *own = &standin->batch[batch->slot];

    (void)number;
    if (!own->is_started || batch->blocks != own->of.blocks)
        abort();
    own->is_started = false;
    own->fetched_bytes = decoding_batch_content(batch);
    memcpy(own->fetched, own->made, own->fetched_bytes);
    return standin_result(
        standin_call(standin, DECODING_CALL_FETCH, "await_content"), error);
}

static inline void
standin_close(struct decoding_driver *driver)
{
    struct standin *standin = (struct standin *)driver;

    for (int i = 0; i < DECODING_BATCHES; i++) {
        struct standin_batch *own = &standin->batch[i];
        free(own->of.packed);
        free(own->of.member);
        free(own->refused);
        free(own->sketches);
        free(own->made);
        if (own->fetched != NULL)
            free(own->fetched - LEASE_FRONT_BYTES);
    }
    free(standin);
    standins.opened--;
}

/* Returns a driver in which FAULT happens at call AT. */
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
