/* zstd_resident.c -- content of zstd in a GPU's memory */

#include <assert.h>

#include "engine/gpu/zstd/zstd_resident.h"

/* Alignment for the kernels, and as cuMemAlloc() aligns. */
#define ALIGNMENT ((uint64_t)256)

static struct zstd_resident_place *
place_of(struct zstd_resident *resident, uint64_t number)
{
    return &resident->place[number % resident->count];
}

static uint64_t
stride_of(uint32_t history, uint32_t content)
{
    uint64_t whole = (uint64_t)history + content;

    return (whole + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

uint64_t
zstd_resident_bytes(uint32_t history, uint32_t content)
{
    return ZSTD_DEVICE_DECODING * stride_of(history, content);
}

int
zstd_resident_open(struct zstd_resident *resident,
                   const struct cu_context *context, CUdeviceptr memory,
                   uint64_t bytes, struct error *error)
{
    /* A busy wait would take the CPU from other threads. */
    const unsigned int awaited =
        CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC;

    *resident = (struct zstd_resident){
        .is_open = true, .memory = memory, .bytes = bytes};
    pthread_mutex_init(&resident->lock, NULL);
    for (int i = 0; i < ZSTD_RESIDENT_MAX; i++) {
        struct zstd_resident_place *place = &resident->place[i];
        if (CU_CALL(context, error, cuEventCreate, &place->fetched, awaited) <
                0 ||
            CU_CALL(context, error, cuEventCreate, &place->summed, awaited) <
                0 ||
            CU_CALL(context, error, cuEventCreate, &place->copied,
                    CU_EVENT_DISABLE_TIMING) < 0)
            return -1;
    }
    return 0;
}

/* Forget the content of PLACE; STREAM waits until the content has been copied.
   Returns 0, or -1 with *ERROR set. */
static int
forget(struct zstd_resident *resident, struct zstd_resident_place *place,
       const struct cu_context *context, CUstream stream, struct error *error)
{
    pthread_mutex_lock(&resident->lock);
    bool is_asked = place->is_asked;
    place->host = NULL;
    place->is_asked = false;
    pthread_mutex_unlock(&resident->lock);
    /* The engine asks for nothing more that is there, and need not wait for a
       call that may hang. */
    return is_asked ? CU_CALL(context, error, cuStreamWaitEvent, stream,
                              place->copied, 0)
                    : 0;
}

int
zstd_resident_divide(struct zstd_resident *resident,
                     const struct cu_context *context, uint32_t history,
                     uint32_t content, CUstream stream, struct error *error)
{
    uint64_t stride = stride_of(history, content);
    uint64_t count = resident->bytes / stride;

    assert(count >= ZSTD_DEVICE_DECODING);
    pthread_mutex_lock(&resident->lock);
    for (int i = 0; i < ZSTD_RESIDENT_MAX; i++)
        resident->place[i].host = NULL;
    resident->history = history;
    resident->stride = stride;
    resident->count =
        count < ZSTD_RESIDENT_MAX ? (unsigned int)count : ZSTD_RESIDENT_MAX;
    pthread_mutex_unlock(&resident->lock);
    for (int i = 0; i < ZSTD_RESIDENT_MAX; i++) {
        if (forget(resident, &resident->place[i], context, stream, error) < 0)
            return -1;
    }
    return 0;
}

int
zstd_resident_start(struct zstd_resident *resident,
                    const struct cu_context *context, uint64_t number,
                    CUstream stream, struct error *error)
{
    struct zstd_resident_place *place = place_of(resident, number);

    pthread_mutex_lock(&resident->lock);
    place->number = number;
    pthread_mutex_unlock(&resident->lock);
    if (forget(resident, place, context, stream, error) < 0 ||
        CU_CALL(context, error, cuStreamWaitEvent, stream, place->fetched, 0) <
            0)
        return -1;
    return CU_CALL(context, error, cuStreamWaitEvent, stream, place->summed, 0);
}

CUdeviceptr
zstd_resident_at(const struct zstd_resident *resident, uint64_t number)
{
    return resident->memory + number % resident->count * resident->stride;
}

CUevent
zstd_resident_fetched(const struct zstd_resident *resident, uint64_t number)
{
    return resident->place[number % resident->count].fetched;
}

CUevent
zstd_resident_summed(const struct zstd_resident *resident, uint64_t number)
{
    return resident->place[number % resident->count].summed;
}

void
zstd_resident_keep(struct zstd_resident *resident, uint64_t number,
                   const unsigned char *host, size_t bytes)
{
    struct zstd_resident_place *place = place_of(resident, number);

    pthread_mutex_lock(&resident->lock);
    for (unsigned int i = 0; i < resident->count; i++) {
        if (resident->place[i].host == host)
            resident->place[i].host = NULL;
    }
    /* A later batch may have started there before the host fetched this
       batch. */
    if (place->number == number) {
        place->host = host;
        place->bytes = bytes;
    }
    pthread_mutex_unlock(&resident->lock);
}

/* Returns the place of the byte before END, or NULL. */
static struct zstd_resident_place *
find(struct zstd_resident *resident, const unsigned char *end)
{
    for (unsigned int i = 0; i < resident->count; i++) {
        struct zstd_resident_place *place = &resident->place[i];
        if (place->host != NULL && end > place->host &&
            end <= place->host + place->bytes)
            return place;
    }
    return NULL;
}

int
zstd_resident_copy(struct zstd_resident *resident,
                   const struct cu_context *context, CUdeviceptr to,
                   const unsigned char *from, size_t size, CUstream stream,
                   size_t *left, struct error *error)
{
    int result = 0;

    *left = size;
    /* Whoever forgets the place must wait for the event of this copy. */
    pthread_mutex_lock(&resident->lock);
    struct zstd_resident_place *place = find(resident, from + size);
    if (place != NULL) {
        /* The preceding bytes of the chunk stand before the content. */
        *left = from < place->host ? (size_t)(place->host - from) : 0;
        CUdeviceptr content =
            zstd_resident_at(resident, (uint64_t)(place - resident->place)) +
            resident->history;
        content += (uint64_t)(from + *left - place->host);
        place->is_asked = true;
        if (CU_CALL_V2(context, error, cuMemcpyDtoDAsync, to + *left, content,
                       size - *left, stream) < 0 ||
            CU_CALL(context, error, cuEventRecord, place->copied, stream) < 0)
            result = -1;
    }
    pthread_mutex_unlock(&resident->lock);
    return result;
}

void
zstd_resident_close(struct zstd_resident *resident, const struct cu_api *cu)
{
    for (int i = 0; i < ZSTD_RESIDENT_MAX; i++) {
        struct zstd_resident_place *place = &resident->place[i];
        CUevent *events[] = {&place->fetched, &place->summed, &place->copied};
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
