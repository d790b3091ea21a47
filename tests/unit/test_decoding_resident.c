/* SPDX-License-Identifier: MIT */
/*
 * test_decoding_resident.c -- content that is in a GPU is found there, or not
 *
 * With a driver that does nothing but note what it is called for.
 */

#include <stdint.h>

#include "../tap.h"
#include "engine/gpu/decoding/decoding_resident.h"

#define MEMORY ((CUdeviceptr)1 << 40)
#define WINDOW 4096u
#define CONTENT 65536u
#define BYTES(slots) ((uint64_t)(slots) * (WINDOW + CONTENT))

/* What the driver was called for. */
static struct {
    unsigned int events; /* that there are */
    unsigned int waits;
    unsigned int copies;
    CUdeviceptr from; /* of the last copy */
    CUdeviceptr to;
    size_t bytes;
    CUresult result; /* of a wait */
} driver;

static CUresult
event_create(CUevent *event, unsigned int flags)
{
    static char handle[3 * DECODING_RESIDENT_MAX];

    (void)flags;
    *event = (CUevent)(void *)&handle[driver.events++];
    return CUDA_SUCCESS;
}

static CUresult
event_destroy(CUevent event)
{
    (void)event;
    driver.events--;
    return CUDA_SUCCESS;
}

static CUresult
stream_wait(CUstream stream, CUevent event, unsigned int flags)
{
    (void)stream;
    (void)event;
    (void)flags;
    driver.waits++;
    return driver.result;
}

static CUresult
event_record(CUevent event, CUstream stream)
{
    (void)event;
    (void)stream;
    return CUDA_SUCCESS;
}

static CUresult
copy_inside(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream)
{
    (void)stream;
    driver.copies++;
    driver.to = to;
    driver.from = from;
    driver.bytes = bytes;
    return CUDA_SUCCESS;
}

static CUresult
no_text(CUresult error, const char **text)
{
    (void)error;
    *text = "refused";
    return CUDA_SUCCESS;
}

static struct cu_context
open_context(const char *_Atomic *call)
{
    static char name[] = "cuda:0";
    struct cu_context context = {.call = call, .name = name};

    context.cu.cuEventCreate = event_create;
    context.cu.cuEventDestroy_v2 = event_destroy;
    context.cu.cuEventRecord = event_record;
    context.cu.cuStreamWaitEvent = stream_wait;
    context.cu.cuMemcpyDtoDAsync_v2 = copy_inside;
    context.cu.cuGetErrorName = no_text;
    context.cu.cuGetErrorString = no_text;
    return context;
}

/* The host's memory of some batches. */
static unsigned char host[3][CONTENT + 16];

/* Returns how many of the SIZE bytes at FROM are left to the host. */
static size_t
left_of(struct decoding_resident *resident, const struct cu_context *context,
        const unsigned char *from, size_t size)
{
    struct error error = ERROR_NONE;
    size_t left = 0;

    if (decoding_resident_copy(resident, context, 1000, from, size, NULL, &left,
                               &error) < 0)
        error_clear(&error);
    return left;
}

/* Start the batches from FIRST to END. */
static void
start(struct decoding_resident *resident, const struct cu_context *context,
      uint64_t first, uint64_t end)
{
    struct error error = ERROR_NONE;
    int result = 0;

    for (uint64_t n = first; n < end && result == 0; n++)
        result = decoding_resident_start(resident, context, n, NULL, &error);
    ok(result == 0, "batches %u to %u begin", (unsigned int)first,
       (unsigned int)end - 1);
    error_clear(&error);
}

/* With memory for so many SLOTS. */
static void
test_slots(const struct cu_context *context, unsigned int slots)
{
    struct decoding_resident resident = {0};
    struct error error = ERROR_NONE;
    unsigned int count =
        slots < DECODING_RESIDENT_MAX ? slots : DECODING_RESIDENT_MAX;

    ok(decoding_resident_open(&resident, context, MEMORY, BYTES(slots),
                              &error) == 0 &&
           decoding_resident_divide(&resident, context, WINDOW, CONTENT, NULL,
                                    &error) == 0 &&
           resident.count == count,
       "room for %u: %u slots", slots, count);
    start(&resident, context, 0, 2);
    ok(left_of(&resident, context, host[1], 100) == 100,
       "what is not fetched is not there");
    decoding_resident_keep(&resident, 1, host[1] + 16, CONTENT - 100);
    ok(left_of(&resident, context, host[1] + 16, 100) == 0 &&
           driver.from == decoding_resident_at(&resident, 1) + WINDOW &&
           driver.to == 1000 && driver.bytes == 100,
       "what is fetched is copied inside");
    ok(left_of(&resident, context, host[1] + 10, 100) == 6 &&
           driver.from == decoding_resident_at(&resident, 1) + WINDOW &&
           driver.to == 1006 && driver.bytes == 94,
       "what precedes it is the host's");
    ok(left_of(&resident, context, host[1] + 16 + CONTENT - 150, 50) == 0 &&
           driver.from ==
               decoding_resident_at(&resident, 1) + WINDOW + CONTENT - 150 &&
           left_of(&resident, context, host[1] + 16 + CONTENT - 150, 51) ==
               51 &&
           left_of(&resident, context, host[1], 16) == 16,
       "up to its end");

    /* The next owner of its slot starts. */
    start(&resident, context, 2, 1 + count);
    ok(left_of(&resident, context, host[1] + 16, 100) == 0,
       "it is there until the last one begins");
    unsigned int waits = driver.waits;
    start(&resident, context, 1 + count, 2 + count);
    ok(left_of(&resident, context, host[1] + 16, 100) == 100,
       "then it is gone");
    ok(driver.waits == waits + 3,
       "which waits until it is fetched, summed and copied");

    /* The host may have fetched a batch after a later one has begun. */
    decoding_resident_keep(&resident, 2, host[2], CONTENT);
    start(&resident, context, 2 + count, 4 + count);
    decoding_resident_keep(&resident, 3, host[0], CONTENT);
    ok(left_of(&resident, context, host[0], 100) == 100,
       "a batch that is fetched too late is not there");

    /* Another batch is where one was, in the host's memory. */
    decoding_resident_keep(&resident, 2 + count, host[0], CONTENT);
    decoding_resident_keep(&resident, 3 + count, host[0], CONTENT);
    ok(left_of(&resident, context, host[0], 100) == 0 &&
           driver.from == decoding_resident_at(&resident, 3 + count) + WINDOW,
       "the last one with the same memory is found");
    decoding_resident_keep(&resident, 2 + count, host[0], CONTENT);
    start(&resident, context, 4 + count, 4 + 2 * count);
    decoding_resident_keep(&resident, 3 + count, host[0], CONTENT);
    ok(left_of(&resident, context, host[0], 100) == 100,
       "one that is gone replaces it, too");

    /* Another window. */
    decoding_resident_keep(&resident, 4 + count, host[0], CONTENT);
    decoding_resident_keep(&resident, 3 + 2 * count, host[1], CONTENT);
    (void)left_of(&resident, context, host[1], 100);
    driver.result = 700;
    ok(decoding_resident_divide(&resident, context, 2 * WINDOW, CONTENT / 2,
                                NULL, &error) < 0 &&
           error.status == EXIT_NO_DEVICE &&
           left_of(&resident, context, host[1], 100) == 100 &&
           left_of(&resident, context, host[0], 100) == 100,
       "after another division nothing is there, also if it fails");
    error_clear(&error);
    driver.result = CUDA_SUCCESS;
    decoding_resident_close(&resident, &context->cu);
    decoding_resident_close(&resident, &context->cu);
    ok(driver.events == 0, "no events are left");
}

int
main(void)
{
    const char *_Atomic call = NULL;
    struct cu_context context = open_context(&call);

    for (unsigned int slots = DECODING_AT_ONCE;
         slots <= DECODING_RESIDENT_MAX + 1; slots++)
        test_slots(&context, slots);
    return done_testing();
}
