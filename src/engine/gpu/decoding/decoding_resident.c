/* SPDX-License-Identifier: MIT */
/* decoding_resident.c -- decoded content in a GPU's memory */

#include <assert.h>

#include "engine/gpu/decoding/decoding_resident.h"

/* Alignment for the kernels, and as cuMemAlloc() aligns. */
#define ALIGNMENT ((uint64_t)256)

static struct decoding_resident_slot *
slot_of(struct decoding_resident *resident, uint64_t number)
{
    return &resident->slot[number % resident->count];
}

static uint64_t
stride_of(uint32_t history, uint32_t content)
{
    uint64_t whole = (uint64_t)history + content;

    return (whole + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uint64_t
decoding_resident_bytes(uint32_t history, uint32_t content)
{
    return DECODING_AT_ONCE * stride_of(history, content);
}

int
decoding_resident_open(struct decoding_resident *resident,
                       const struct cu_context *context, CUdeviceptr memory,
                       uint64_t bytes, struct error *error)
{
    /* A busy wait would take the CPU from other threads. */
    const unsigned int awaited =
        CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC;

    *resident = (struct decoding_resident){
        .is_open = true, .memory = memory, .bytes = bytes};
    pthread_mutex_init(&resident->lock, NULL);
    for (int i = 0; i < DECODING_RESIDENT_MAX; i++) {
        struct decoding_resident_slot *slot = &resident->slot[i];
        if (CU_CALL(context, error, cuEventCreate, &slot->fetched, awaited) <
                0 ||
            CU_CALL(context, error, cuEventCreate, &slot->summed, awaited) <
                0 ||
            CU_CALL(context, error, cuEventCreate, &slot->copied,
                    CU_EVENT_DISABLE_TIMING) < 0)
            return -1;
    }
    return 0;
}

/* Forget the content of SLOT; STREAM waits until the content has been copied.
   Returns 0, or -1 with *ERROR set. */
static int
forget(struct decoding_resident *resident, struct decoding_resident_slot *slot,
       const struct cu_context *context, CUstream stream, struct error *error)
{
    pthread_mutex_lock(&resident->lock);
    bool is_asked = slot->is_asked;
    slot->host = NULL;
    slot->is_asked = false;
    pthread_mutex_unlock(&resident->lock);
    /* The engine asks for nothing more that is there, and need not wait for a
       call that may hang. */
    return is_asked ? CU_CALL(context, error, cuStreamWaitEvent, stream,
                              slot->copied, 0)
                    : 0;
}

int
decoding_resident_divide(struct decoding_resident *resident,
                         const struct cu_context *context, uint32_t history,
                         uint32_t content, CUstream stream, struct error *error)
{
    uint64_t stride = stride_of(history, content);
    uint64_t count = resident->bytes / stride;

    assert(count >= DECODING_AT_ONCE);
    pthread_mutex_lock(&resident->lock);
    for (int i = 0; i < DECODING_RESIDENT_MAX; i++)
        resident->slot[i].host = NULL;
    resident->history = history;
    resident->stride = stride;
    resident->count = count < DECODING_RESIDENT_MAX ? (unsigned int)count
                                                    : DECODING_RESIDENT_MAX;
    pthread_mutex_unlock(&resident->lock);
    for (int i = 0; i < DECODING_RESIDENT_MAX; i++) {
        if (forget(resident, &resident->slot[i], context, stream, error) < 0)
            return -1;
    }
    return 0;
}

int
decoding_resident_start(struct decoding_resident *resident,
                        const struct cu_context *context, uint64_t number,
                        CUstream stream, struct error *error)
{
    struct decoding_resident_slot *slot = slot_of(resident, number);

    pthread_mutex_lock(&resident->lock);
    slot->number = number;
    pthread_mutex_unlock(&resident->lock);
    if (forget(resident, slot, context, stream, error) < 0 ||
        CU_CALL(context, error, cuStreamWaitEvent, stream, slot->fetched, 0) <
            0)
        return -1;
    return CU_CALL(context, error, cuStreamWaitEvent, stream, slot->summed, 0);
}

CUdeviceptr
decoding_resident_at(const struct decoding_resident *resident, uint64_t number)
{
    return resident->memory + number % resident->count * resident->stride;
}

CUevent
decoding_resident_fetched(const struct decoding_resident *resident,
                          uint64_t number)
{
    return resident->slot[number % resident->count].fetched;
}

CUevent
decoding_resident_summed(const struct decoding_resident *resident,
                         uint64_t number)
{
    return resident->slot[number % resident->count].summed;
}

void
decoding_resident_keep(struct decoding_resident *resident, uint64_t number,
                       const unsigned char *host, size_t bytes)
{
    struct decoding_resident_slot *slot = slot_of(resident, number);

    pthread_mutex_lock(&resident->lock);
    for (unsigned int i = 0; i < resident->count; i++) {
        if (resident->slot[i].host == host)
            resident->slot[i].host = NULL;
    }
    /* A later batch may have started there before the host fetched this
       batch. */
    if (slot->number == number) {
        slot->host = host;
        slot->bytes = bytes;
    }
    pthread_mutex_unlock(&resident->lock);
}

/* Returns the slot of the byte before END, or NULL. */
static struct decoding_resident_slot *
find(struct decoding_resident *resident, const unsigned char *end)
{
    for (unsigned int i = 0; i < resident->count; i++) {
        struct decoding_resident_slot *slot = &resident->slot[i];
        if (slot->host != NULL && end > slot->host &&
            end <= slot->host + slot->bytes)
            return slot;
    }
    return NULL;
}

int
decoding_resident_copy(struct decoding_resident *resident,
                       const struct cu_context *context, CUdeviceptr to,
                       const unsigned char *from, size_t size, CUstream stream,
                       size_t *left, struct error *error)
{
    int result = 0;

    *left = size;
    /* Whoever forgets the slot must wait for the event of this copy. */
    pthread_mutex_lock(&resident->lock);
    struct decoding_resident_slot *slot = find(resident, from + size);
    if (slot != NULL) {
        /* The preceding bytes of the chunk stand before the content. */
        *left = from < slot->host ? (size_t)(slot->host - from) : 0;
        CUdeviceptr content =
            decoding_resident_at(resident, (uint64_t)(slot - resident->slot)) +
            resident->history;
        content += (uint64_t)(from + *left - slot->host);
        slot->is_asked = true;
        if (CU_CALL_V2(context, error, cuMemcpyDtoDAsync, to + *left, content,
                       size - *left, stream) < 0 ||
            CU_CALL(context, error, cuEventRecord, slot->copied, stream) < 0)
            result = -1;
    }
    pthread_mutex_unlock(&resident->lock);
    return result;
}

void
decoding_resident_close(struct decoding_resident *resident,
                        const struct cu_api *cu)
{
    for (int i = 0; i < DECODING_RESIDENT_MAX; i++) {
        struct decoding_resident_slot *slot = &resident->slot[i];
        CUevent *events[] = {&slot->fetched, &slot->summed, &slot->copied};
        for (size_t e = 0; e < sizeof events / sizeof *events; e++) {
            if (*events[e] != NULL)
                cu->cuEventDestroy_v2(*events[e]);
            *events[e] = NULL;
        }
    }
    if (resident->is_open)
        pthread_mutex_destroy(&resident->lock);
    resident->is_open = false;
}
