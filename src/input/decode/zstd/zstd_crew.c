/* SPDX-License-Identifier: MIT */
/* zstd_crew.c -- threads that help the owner of a device that decodes zstd */

#include <stdlib.h>

#include "input/decode/zstd/zstd_crew.h"

static struct zstd_crew *
crew_of(struct decoding_crew *base)
{
    return (struct zstd_crew *)base;
}

struct zstd_batch_frames *
zstd_crew_frames(struct zstd_crew *crew, uint64_t number)
{
    return &crew->frames[number % DECODING_BATCHES];
}

static bool
fill_batch(struct decoding_crew *base, struct decoding_batch *batch,
           uint64_t number, bool *is_over)
{
    struct zstd_crew *crew = crew_of(base);
    bool has_blocks =
        zstd_batch_fill(&crew->walk, batch, zstd_crew_frames(crew, number));

    *is_over = crew->walk.base.is_over;
    return has_blocks;
}

/* Go on to the next batch that has frames to sum. */
static void
pass_summed(struct zstd_crew *crew)
{
    while (crew->summed < crew->measured &&
           zstd_crew_frames(crew, crew->summed)->unsummed == 0) {
        crew->summed++;
        crew->started_frames = 0;
    }
}

/* The next batch is fetched: set the content of its frames, and the checksums
   of the device.  Impossible results of the device are refused. */
static void
measure(struct zstd_crew *crew, const struct decoding_batch *batch)
{
    struct zstd_batch_frames *frames = zstd_crew_frames(crew, crew->measured);
    uint32_t left = batch->left->content - frames->front_bytes;
    uint32_t block = frames->front_blocks;

    frames->is_refused = batch->left->is_refused ||
                         batch->left->content > batch->room ||
                         batch->left->content < frames->front_bytes;
    frames->unsummed = 0;
    for (uint32_t i = 0; i < frames->count && !frames->is_refused; i++) {
        struct zstd_batch_frame *frame = &frames->frame[i];
        uint64_t content = 0;
        bool is_summed = batch->task[block].summed_blocks > 0;
        frame->found_sum = is_summed ? batch->sums[block] : 0;
        frame->is_summed = is_summed || !frame->has_checksum;
        frames->unsummed += !frame->is_summed;
        for (uint32_t n = 0; n < frame->blocks; n++)
            content += batch->found[block++].content;
        frames->is_refused = content > left;
        frame->content_at = batch->left->content - left;
        frame->content = (uint32_t)content;
        left -= (uint32_t)content;
    }
    frames->is_refused |= left > 0;
    if (frames->is_refused)
        frames->unsummed = 0;
    crew->measured++;
    pass_summed(crew);
}

const struct decoding_batch *
zstd_crew_look(struct zstd_crew *crew, uint64_t number)
{
    const struct decoding_batch *batch =
        decoding_belt_fetched(crew->base.belt, number);

    if (batch != NULL && crew->measured == number)
        measure(crew, batch);
    return batch;
}

/* Returns the next frame to sum, or NULL.  Those of one batch are of different
   frames. */
static struct zstd_batch_frame *
next_to_sum(struct zstd_crew *crew)
{
    uint64_t number;

    /* The first look at a batch may pass it. */
    do {
        number = crew->summed;
        if (zstd_crew_look(crew, number) == NULL)
            return NULL;
    } while (number != crew->summed);
    struct zstd_batch_frames *frames = zstd_crew_frames(crew, crew->summed);
    while (crew->started_frames < frames->count &&
           frames->frame[crew->started_frames].is_summed)
        crew->started_frames++;
    return crew->started_frames < frames->count
               ? &frames->frame[crew->started_frames]
               : NULL;
}

static bool
can_sum(struct decoding_crew *base)
{
    return next_to_sum(crew_of(base)) != NULL;
}

/* Sum the blocks of the next frame. */
static void
sum_frame(struct decoding_crew *base)
{
    struct zstd_crew *crew = crew_of(base);
    struct decoding_belt *belt = base->belt;
    struct zstd_batch_frame *frame = next_to_sum(crew);
    const struct decoding_batch *batch = zstd_crew_look(crew, crew->summed);
    struct zstd_batch_frames *frames = zstd_crew_frames(crew, crew->summed);
    struct xxh64 hash = crew->hash;

    crew->started_frames++;
    pthread_mutex_unlock(belt->lock);
    if (frame->is_first)
        xxh64_start(&hash);
    xxh64_add(&hash, batch->content + frame->content_at, frame->content);
    frame->found_sum = xxh64_end(&hash);
    pthread_mutex_lock(belt->lock);
    if (!frame->is_last)
        crew->hash = hash;
    frame->is_summed = true;
    frames->unsummed--;
    pass_summed(crew);
    decoding_crew_tell_owner(base);
}

void
zstd_crew_await_sum(struct zstd_crew *crew, uint64_t number,
                    const struct zstd_batch_frame *frame)
{
    while (frame != NULL ? !frame->is_summed : crew->summed == number)
        decoding_crew_wait_for_work(&crew->base);
}

/* ---- start and end ---- */

void
zstd_crew_open(struct zstd_crew *crew, struct decoding_belt *belt,
               const struct source *source)
{
    static const struct decoding_crew_type type = {
        .fill = fill_batch,
        .can_work = can_sum,
        .work = sum_frame,
    };

    pthread_mutex_lock(belt->lock);
    uint64_t first = belt->filled;
    pthread_mutex_unlock(belt->lock);
    *crew = (struct zstd_crew){.measured = first, .summed = first};
    decoding_crew_open(&crew->base, &type, belt, source);
}

int
zstd_crew_open_walk(struct zstd_crew *crew, off_t offset, off_t pause_at,
                    uint32_t history)
{
    const struct decoding_sizes *sizes = crew->base.belt->sizes;

    for (int i = 0; i < DECODING_BATCHES; i++) {
        crew->frames[i].frame =
            calloc(sizes->blocks, sizeof *crew->frames->frame);
        if (crew->frames[i].frame == NULL)
            return -1;
    }
    if (zstd_batch_open(&crew->walk, crew->base.reads.source, sizes, offset,
                        pause_at, history) < 0)
        return -1;
    crew->walk.base.reads = &crew->base.reads;
    return 0;
}

off_t
zstd_crew_close(struct zstd_crew *crew)
{
    decoding_crew_close(&crew->base);
    off_t end = crew->walk.base.next;
    zstd_batch_close(&crew->walk);
    for (int i = 0; i < DECODING_BATCHES; i++) {
        free(crew->frames[i].frame);
        crew->frames[i].frame = NULL;
    }
    return end;
}
