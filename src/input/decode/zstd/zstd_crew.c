/* zstd_crew.c -- threads that help the owner of a device that decodes zstd */

#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "input/decode/zstd/zstd_crew.h"

/* Bytes that a thread copies at once. */
#define SLICE_BYTES ((size_t)256 << 10)

struct zstd_batch_frames *
zstd_crew_frames(struct zstd_crew *crew, uint64_t number)
{
    return &crew->frames[number % ZSTD_DEVICE_BATCHES];
}

static void
wake_helper(struct zstd_crew *crew)
{
    if (crew->idle > 0)
        pthread_cond_signal(&crew->has_work);
}

static void
wake_helpers(struct zstd_crew *crew)
{
    if (crew->idle > 0)
        pthread_cond_broadcast(&crew->has_work);
}

static void
tell_owner(struct zstd_crew *crew)
{
    pthread_cond_broadcast(&crew->device->has_changed);
}

static bool
can_copy(const struct zstd_crew *crew)
{
    return crew->copy.next < crew->copy.size;
}

static void
copy_slice(struct zstd_crew *crew)
{
    struct zstd_crew_copy *copy = &crew->copy;
    size_t at = copy->next;
    size_t size = copy->size - at;

    if (size > SLICE_BYTES)
        size = SLICE_BYTES;
    copy->next += size;
    copy->copying++;
    pthread_mutex_unlock(&crew->device->lock);
    memcpy(copy->to + at, copy->from + at, size);
    pthread_mutex_lock(&crew->device->lock);
    if (--copy->copying == 0)
        tell_owner(crew);
}

static bool
can_fill(struct zstd_crew *crew)
{
    return !crew->is_filling && !crew->is_walked &&
           zstd_device_vacant(crew->device) != NULL;
}

static void
fill_batch(struct zstd_crew *crew)
{
    struct zstd_device *device = crew->device;
    struct zstd_device_batch *batch = zstd_device_vacant(device);
    struct zstd_batch_frames *frames = zstd_crew_frames(crew, device->filled);

    crew->is_filling = true;
    pthread_mutex_unlock(&device->lock);
    bool has_blocks = zstd_batch_fill(&crew->walk, batch, frames);
    pthread_mutex_lock(&device->lock);
    crew->is_filling = false;
    crew->is_walked = crew->walk.is_over;
    if (has_blocks)
        zstd_device_submit(device, batch);
    tell_owner(crew);
    if (can_fill(crew))
        wake_helper(crew);
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
measure(struct zstd_crew *crew, const struct zstd_device_batch *batch)
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

const struct zstd_device_batch *
zstd_crew_look(struct zstd_crew *crew, uint64_t number)
{
    const struct zstd_device_batch *batch =
        zstd_device_fetched(crew->device, number);

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
can_sum(struct zstd_crew *crew)
{
    return next_to_sum(crew) != NULL;
}

/* Sum the blocks of the next frame. */
static void
sum_frame(struct zstd_crew *crew)
{
    struct zstd_device *device = crew->device;
    struct zstd_batch_frame *frame = next_to_sum(crew);
    const struct zstd_device_batch *batch = zstd_crew_look(crew, crew->summed);
    struct zstd_batch_frames *frames = zstd_crew_frames(crew, crew->summed);
    struct xxh64 hash = crew->hash;

    crew->started_frames++;
    pthread_mutex_unlock(&device->lock);
    if (frame->is_first)
        xxh64_start(&hash);
    xxh64_add(&hash, batch->content + frame->content_at, frame->content);
    frame->found_sum = xxh64_end(&hash);
    pthread_mutex_lock(&device->lock);
    if (!frame->is_last)
        crew->hash = hash;
    frame->is_summed = true;
    frames->unsummed--;
    pass_summed(crew);
    tell_owner(crew);
}

static void *
helper_main(void *argument)
{
    struct zstd_crew *crew = argument;
    pthread_mutex_t *lock = &crew->device->lock;

    pthread_mutex_lock(lock);
    while (!crew->is_closing) {
        if (can_copy(crew)) {
            copy_slice(crew);
        } else if (zstd_reads_can_help(&crew->reads)) {
            zstd_reads_help(&crew->reads);
        } else if (can_fill(crew)) {
            fill_batch(crew);
        } else if (can_sum(crew)) {
            sum_frame(crew);
        } else {
            crew->idle++;
            pthread_cond_wait(&crew->has_work, lock);
            crew->idle--;
        }
    }
    pthread_mutex_unlock(lock);
    return NULL;
}

void
zstd_crew_wake(struct zstd_crew *crew)
{
    if (can_sum(crew) || can_fill(crew))
        wake_helpers(crew);
}

void
zstd_crew_copy(struct zstd_crew *crew, unsigned char *to,
               const unsigned char *from, size_t size)
{
    crew->copy = (struct zstd_crew_copy){.to = to, .from = from, .size = size};
    if (size > SLICE_BYTES)
        wake_helpers(crew);
    else if (can_sum(crew) || can_fill(crew))
        wake_helper(crew);
    while (can_copy(crew))
        copy_slice(crew);
    while (crew->copy.copying > 0)
        zstd_device_wait(crew->device);
}

void
zstd_crew_wait(struct zstd_crew *crew)
{
    if (can_fill(crew))
        fill_batch(crew);
    else if (crew->helpers == 0 && can_sum(crew))
        sum_frame(crew);
    else
        zstd_device_wait(crew->device);
}

void
zstd_crew_await_sum(struct zstd_crew *crew, uint64_t number,
                    const struct zstd_batch_frame *frame)
{
    while (frame != NULL ? !frame->is_summed : crew->summed == number) {
        if (can_sum(crew))
            sum_frame(crew);
        else
            zstd_device_wait(crew->device);
    }
}

/* ---- start and end ---- */

void
zstd_crew_open(struct zstd_crew *crew, struct zstd_device *device,
               const struct source *source)
{
    pthread_mutex_lock(&device->lock);
    uint64_t first = device->filled;
    pthread_mutex_unlock(&device->lock);
    *crew = (struct zstd_crew){
        .device = device, .measured = first, .summed = first};
    pthread_cond_init(&crew->has_work, NULL);
    zstd_reads_open(&crew->reads, source, &device->lock, &crew->has_work);
}

int
zstd_crew_open_walk(struct zstd_crew *crew, off_t offset, off_t pause_at,
                    uint32_t history)
{
    const struct zstd_device_sizes *sizes = &crew->device->sizes;

    for (int i = 0; i < ZSTD_DEVICE_BATCHES; i++) {
        crew->frames[i].frame =
            calloc(sizes->blocks, sizeof *crew->frames->frame);
        if (crew->frames[i].frame == NULL)
            return -1;
    }
    if (zstd_batch_open(&crew->walk, crew->reads.source, sizes, offset,
                        pause_at, history) < 0)
        return -1;
    crew->walk.reads = &crew->reads;
    return 0;
}

void
zstd_crew_start(struct zstd_crew *crew, unsigned int helpers)
{
    while (crew->helpers < helpers &&
           thread_start(&crew->helper[crew->helpers], helper_main, crew) == 0)
        crew->helpers++;
}

off_t
zstd_crew_close(struct zstd_crew *crew)
{
    struct zstd_device *device = crew->device;

    pthread_mutex_lock(&device->lock);
    crew->is_closing = true;
    pthread_cond_broadcast(&crew->has_work);
    pthread_mutex_unlock(&device->lock);
    for (unsigned int i = 0; i < crew->helpers; i++)
        pthread_join(crew->helper[i], NULL);
    pthread_cond_destroy(&crew->has_work);
    zstd_reads_close(&crew->reads);
    zstd_device_drop(device);
    off_t end = crew->walk.next;
    zstd_batch_close(&crew->walk);
    for (int i = 0; i < ZSTD_DEVICE_BATCHES; i++) {
        free(crew->frames[i].frame);
        crew->frames[i].frame = NULL;
    }
    return end;
}
