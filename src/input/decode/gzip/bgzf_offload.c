/* SPDX-License-Identifier: MIT */
/* bgzf_offload.c -- let a device decode consecutive blocks of BGZF */

#include <stdlib.h>

#include "input/decode/gzip/bgzf_offload.h"
#include "input/decode/gzip/gzip_header.h"

/* A device that has stopped so often within a file decodes no more of it:
   each time some batches are decoded in vain. */
#define STOPS_MAX 4

/* ---- the crew ---- */

static off_t *
starts_of(struct bgzf_crew *crew, uint64_t number)
{
    return crew->start[number % DECODING_BATCHES];
}

static bool
fill_batch(struct decoding_crew *base, struct decoding_batch *batch,
           uint64_t number, bool *is_over)
{
    struct bgzf_crew *crew = (struct bgzf_crew *)base;
    bool has_blocks =
        bgzf_batch_fill(&crew->walk, batch, starts_of(crew, number));

    batch->has_sketches = crew->wants_sketches;
    *is_over = crew->walk.is_over;
    return has_blocks;
}

/* Returns the bytes of memory of a crew. */
static uint64_t
crew_bytes(const struct decoding_sizes *sizes)
{
    return bgzf_batch_walk_bytes() +
           DECODING_BATCHES * (sizes->blocks + 1) * (uint64_t)sizeof(off_t);
}

/* Open a crew of BELT, with memory.  Returns 0, or -1: out of memory; both
   for close_crew(). */
static int
open_crew(struct bgzf_crew *crew, struct decoding_belt *belt,
          const struct decoder *decoder, off_t start)
{
    static const struct decoding_crew_type type = {.fill = fill_batch};
    const struct decoding_sizes *sizes = belt->sizes;

    const struct decoding_devices *devices = decoder->budget->devices;

    *crew = (struct bgzf_crew){.walk.next = start,
                               .wants_sketches = devices->use.wants_sketches};
    decoding_crew_open(&crew->base, &type, belt, decoder->source);
    for (int i = 0; i < DECODING_BATCHES; i++) {
        crew->start[i] = calloc(sizes->blocks + 1, sizeof *crew->start[i]);
        if (crew->start[i] == NULL)
            return -1;
    }
    if (bgzf_batch_open(&crew->walk, decoder->source, sizes, start,
                        decoder->pause_at) < 0)
        return -1;
    crew->walk.reads = &crew->base.reads;
    return 0;
}

/* Returns up to where the file has been read. */
static off_t
close_crew(struct bgzf_crew *crew)
{
    decoding_crew_close(&crew->base);
    decoding_walk_close(&crew->walk);
    for (int i = 0; i < DECODING_BATCHES; i++) {
        free(crew->start[i]);
        crew->start[i] = NULL;
    }
    return crew->walk.next;
}

/* ---- start and end ---- */

bool
bgzf_offload_fits(const struct bgzf_offload *offload,
                  const struct decoder *decoder, off_t offset,
                  const unsigned char *data, size_t size)
{
    const struct decoding_devices *devices = decoder->budget->devices;
    struct gzip_header header = {.field = GZIP_HEADER_FIXED};

    return devices != NULL && decoder->source->is_regular &&
           decoder->source->size >= devices->use.file_bytes_min &&
           /* A file that grows has more, which is not walked through. */
           offset < decoder->source->size && offset >= offload->refused_until &&
           offload->stops < STOPS_MAX &&
           gzip_header_match(data, size) == MAGIC_YES &&
           gzip_header_take(&header, data, size) >= 0 &&
           header.field == GZIP_HEADER_END && header.block_bytes > 0;
}

off_t
bgzf_offload_close(struct bgzf_offload *offload)
{
    if (!offload->is_open)
        return 0;
    off_t end = close_crew(&offload->crew);
    budget_loan_return(&offload->loan);
    offload->is_open = false;
    return end;
}

/* Taking ends, where the library goes on.  Returns END, or FAILED. */
static enum bgzf_offload_result
end_taking(struct bgzf_offload *offload, struct decoder *decoder)
{
    off_t end = bgzf_offload_close(offload);

    if (!decoding_devices_replace(decoder->budget->devices, &offload->belt))
        offload->refused_until = DECODER_NO_PAUSE;
    /* Bytes that have been read, and that will be read again. */
    progress_add(decoder->source->progress, -(uint64_t)(end - offload->start));
    offload->stops += offload->start < decoder->source->size &&
                      offload->start < decoder->pause_at;
    return decoder_seek(decoder, offload->start) < 0 ? BGZF_OFFLOAD_FAILED
                                                     : BGZF_OFFLOAD_END;
}

bool
bgzf_offload_start(struct bgzf_offload *offload, struct decoder *decoder)
{
    struct budget *budget = decoder->budget;
    off_t start = decoder_offset(decoder);

    if (source_is_cut_short(decoder->source) ||
        !decoding_devices_hold(decoder->budget->devices,
                               decoder->source->cancel, &offload->belt))
        return false;
    struct decoding_belt *belt = offload->belt;
    uint64_t bytes = crew_bytes(belt->sizes);
    *offload = (struct bgzf_offload){.belt = belt,
                                     .refused_until = offload->refused_until,
                                     .stops = offload->stops,
                                     .start = start,
                                     .loan.budget = budget};
    if (!budget_try(budget, bytes))
        return false;
    offload->is_open = true;
    offload->loan.bytes = bytes;
    pthread_mutex_lock(belt->lock);
    offload->number = belt->filled;
    pthread_mutex_unlock(belt->lock);
    if (open_crew(&offload->crew, belt, decoder, start) < 0) {
        (void)bgzf_offload_close(offload);
        return false;
    }
    decoding_crew_start(&offload->crew.base, &offload->loan);
    return true;
}

/* ---- content ---- */

/* All content of the batch has been taken. */
static void
end_batch(struct bgzf_offload *offload)
{
    struct decoding_belt *belt = offload->belt;

    pthread_mutex_lock(belt->lock);
    decoding_belt_release(belt);
    decoding_crew_wake(&offload->crew.base);
    pthread_mutex_unlock(belt->lock);
    offload->batch = NULL;
    offload->number++;
}

/* Wait for the next batch.  Returns MORE: the batch is there, unless the run is
   cancelled; END: no batch follows; or FAILED. */
static enum bgzf_offload_result
await_batch(struct bgzf_offload *offload, struct decoder *decoder)
{
    struct decoding_belt *belt = offload->belt;
    struct bgzf_crew *crew = &offload->crew;
    enum bgzf_offload_result result = BGZF_OFFLOAD_MORE;

    pthread_mutex_lock(belt->lock);
    while ((offload->batch = decoding_belt_fetched(belt, offload->number)) ==
               NULL &&
           result == BGZF_OFFLOAD_MORE &&
           !cancel_is_asked(decoder->source->cancel)) {
        if (crew->base.is_walked && offload->number == belt->filled)
            result = BGZF_OFFLOAD_END;
        else if (!decoding_belt_is_ready(belt))
            result = BGZF_OFFLOAD_END;
        else
            decoding_crew_wait(&crew->base);
    }
    pthread_mutex_unlock(belt->lock);
    offload->next = 0;
    if (offload->batch == NULL)
        return result;
    /* Other readers see the position of the source. */
    off_t end = starts_of(crew, offload->number)[offload->batch->blocks];
    return decoder_seek(decoder, end) < 0 ? BGZF_OFFLOAD_FAILED
                                          : BGZF_OFFLOAD_MORE;
}

/* All content of the next block of the batch has been taken. */
static void
end_block(struct bgzf_offload *offload, const struct decoder *decoder)
{
    uint32_t content = offload->batch->member[offload->next].content;

    progress_add_device_block(decoder->source->progress, content);
    offload->is_in_block = false;
    offload->had_block = true;
    offload->last_content = content;
    offload->next++;
    offload->start = starts_of(&offload->crew, offload->number)[offload->next];
}

/* Have the next block's content, even if it is empty. */
static enum bgzf_offload_result
advance(struct bgzf_offload *offload, struct decoder *decoder)
{
    const struct decoding_batch *batch = offload->batch;

    if (batch == NULL)
        return await_batch(offload, decoder);
    if (offload->is_in_block) {
        end_block(offload, decoder);
        return BGZF_OFFLOAD_MORE;
    }
    if (offload->next == batch->blocks) {
        end_batch(offload);
        return BGZF_OFFLOAD_MORE;
    }
    /* It may have been set since the offload began. */
    if (offload->start >= decoder->pause_at)
        return BGZF_OFFLOAD_END;
    if (batch->refused[offload->next] != 0) {
        offload->refused_until =
            starts_of(&offload->crew, offload->number)[offload->next + 1];
        return BGZF_OFFLOAD_END;
    }
    const struct inflate_task *block = &batch->member[offload->next];
    offload->left = batch->content + block->content_at;
    offload->left_bytes = block->content;
    offload->is_in_block = true;
    return BGZF_OFFLOAD_MORE;
}

/* SIZE more bytes have been taken. */
static void
pass_left(struct bgzf_offload *offload, size_t size)
{
    offload->left += size;
    offload->left_bytes -= size;
}

/* Returns RESULT, or what end_taking() returns. */
static enum bgzf_offload_result
finish(struct bgzf_offload *offload, struct decoder *decoder,
       enum bgzf_offload_result result)
{
    if (result == BGZF_OFFLOAD_END)
        return end_taking(offload, decoder);
    if (result == BGZF_OFFLOAD_FAILED)
        (void)bgzf_offload_close(offload);
    return result;
}

/* Copy the content of the next blocks to BUFFER, up to SIZE bytes: helpers copy
   what is more than a block.  Returns how many bytes. */
static size_t
copy_blocks(struct bgzf_offload *offload, const struct decoder *decoder,
            unsigned char *buffer, size_t size)
{
    const struct decoding_batch *batch = offload->batch;
    const off_t *start = starts_of(&offload->crew, offload->number);
    size_t bytes = offload->left_bytes;

    for (uint32_t i = offload->next + 1;
         i < batch->blocks && bytes < size && batch->refused[i] == 0 &&
         start[i] < decoder->pause_at;
         i++)
        bytes += batch->member[i].content;
    if (bytes > size)
        bytes = size;
    pthread_mutex_lock(offload->belt->lock);
    decoding_crew_copy(&offload->crew.base, buffer, offload->left, bytes);
    pthread_mutex_unlock(offload->belt->lock);
    return bytes;
}

enum bgzf_offload_result
bgzf_offload_take(struct bgzf_offload *offload, struct decoder *decoder,
                  unsigned char *buffer, size_t capacity, size_t *size)
{
    enum bgzf_offload_result result = BGZF_OFFLOAD_MORE;
    size_t done = 0;
    size_t copied = 0; /* bytes in BUFFER, up to which blocks are passed */

    while (result == BGZF_OFFLOAD_MORE && done < capacity &&
           !cancel_is_asked(decoder->source->cancel)) {
        size_t more = capacity - done;
        if (more > offload->left_bytes)
            more = offload->left_bytes;
        if (more == 0) {
            result = advance(offload, decoder);
            continue;
        }
        if (copied == done)
            copied +=
                copy_blocks(offload, decoder, buffer + done, capacity - done);
        pass_left(offload, more);
        done += more;
    }
    *size = done;
    return finish(offload, decoder, result);
}

/* Returns the sketches of the blocks from the next byte on. */
static struct sequence_sketches
sketches_of(const struct bgzf_offload *offload)
{
    const struct decoding_batch *batch = offload->batch;
    uint32_t block = offload->next;
    uint32_t at = 0;

    if (!batch->has_sketches)
        return (struct sequence_sketches){.count = 0};
    if (offload->left_bytes < batch->member[block].content) {
        /* Some of it is taken already. */
        at = (uint32_t)offload->left_bytes;
        block++;
    }
    return (struct sequence_sketches){.sketch = batch->sketches + block,
                                      .count = batch->blocks - block,
                                      .at = at};
}

enum bgzf_offload_result
bgzf_offload_lease(struct bgzf_offload *offload, struct decoder *decoder,
                   const unsigned char *front, size_t front_bytes,
                   size_t capacity, struct lease *lease)
{
    enum bgzf_offload_result result = BGZF_OFFLOAD_MORE;

    while (result == BGZF_OFFLOAD_MORE && lease->bytes < capacity &&
           !cancel_is_asked(decoder->source->cancel)) {
        size_t size = capacity - lease->bytes;
        if (size > offload->left_bytes)
            size = offload->left_bytes;
        if (size == 0) {
            /* The next batch is elsewhere. */
            if (lease->bytes > 0 && !offload->is_in_block &&
                (offload->batch == NULL ||
                 offload->next == offload->batch->blocks))
                break;
            result = advance(offload, decoder);
            continue;
        }
        if (lease->bytes == 0) {
            if (!decoding_crew_lease(&offload->crew.base, offload->batch,
                                     offload->left, front, front_bytes, lease))
                break;
            lease->sketches = sketches_of(offload);
        }
        pass_left(offload, size);
        lease->bytes += size;
    }
    return finish(offload, decoder, result);
}
