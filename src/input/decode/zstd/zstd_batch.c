/* zstd_batch.c -- fill the batches of a device with blocks of zstd frames */

#include <stdlib.h>
#include <string.h>

#include "input/decode/zstd/zstd_batch.h"

/* Bytes that are read at once: a batch keeps bytes of the next batch. */
#define READ_BYTES ((size_t)ZSTD_READS_SLICE)
#define TAIL_ROOM (READ_BYTES + ZSTD_FIND_MAX)

/* Descriptions of tables from earlier batches come first.  No description is at
   0, which stands for descriptions without bytes. */
#define FRONT_EACH ((size_t)(ZSTD_DESCRIPTION_MAX + 15) / 16 * 16)
#define FRONT_BYTES (16 + ZSTD_DESCRIPTIONS * FRONT_EACH)

/* The device computes the checksums of frames up to this size: in less time
   than decoding a batch takes (bench/NOTES.md). */
#define SUMMED_MOST ((uint64_t)2 << 20)

/* The first batch is so many times smaller, and each batch twice as large as
   the batch before, so that the first content comes early. */
#define FIRST_SHARE 8

/* Helpers read this part of the expected bytes of a batch: bytes of the next
   batch would be read again. */
#define EXPECTED(bytes) ((bytes) / 16 * 15)

const struct zstd_device_sizes zstd_batch_least = {
    .content = ZSTD_BLOCK_MAX,
    .packed = FRONT_BYTES + TAIL_ROOM + READ_BYTES,
    .literals = ZSTD_BLOCK_MAX,
    .sequences = ZSTD_SEQUENCES_ROOM(ZSTD_BLOCK_MAX / ZSTD_MATCH_LEAST),
    .blocks = 1,
    .history = 16,
    .slots = ZSTD_DEVICE_BATCHES_LEAST,
};

uint64_t
zstd_batch_walk_bytes(const struct zstd_device_sizes *sizes)
{
    return TAIL_ROOM + ZSTD_DEVICE_BATCHES * (uint64_t)sizes->blocks *
                           sizeof(struct zstd_batch_frame);
}

/* Returns the most content of the first batch. */
static uint32_t
first_content(const struct zstd_device_sizes *sizes)
{
    uint32_t share = sizes->content / FIRST_SHARE;

    return share > ZSTD_BLOCK_MAX ? share : ZSTD_BLOCK_MAX;
}

int
zstd_batch_open(struct zstd_batch_walk *walk, const struct source *source,
                const struct zstd_device_sizes *sizes, off_t offset,
                off_t pause_at, uint32_t history)
{
    *walk = (struct zstd_batch_walk){.source = source,
                                     .sizes = sizes,
                                     .pause_at = pause_at,
                                     .history = history,
                                     .next = offset,
                                     .most = first_content(sizes),
                                     .is_first = true,
                                     .offsets = zstd_offsets_of_frame()};
    walk->tail = malloc(TAIL_ROOM);
    return walk->tail != NULL ? 0 : -1;
}

void
zstd_batch_close(struct zstd_batch_walk *walk)
{
    free(walk->tail);
    walk->tail = NULL;
}

uint64_t
zstd_batch_front_max(const struct zstd_device_sizes *sizes)
{
    /* Room for blocks must remain after the window. */
    uint64_t packed = sizes->packed - zstd_batch_least.packed;
    uint64_t content = sizes->content - first_content(sizes);
    uint64_t blocks = (sizes->blocks - 1) * (uint64_t)ZSTD_BLOCK_MAX;
    uint64_t most = packed < content ? packed : content;

    return most < blocks ? most : blocks;
}

unsigned char *
zstd_batch_front(const struct zstd_device_batch *batch)
{
    return batch->packed + FRONT_BYTES;
}

void
zstd_batch_continue(struct zstd_batch_walk *walk,
                    const struct zstd_handover *handover)
{
    walk->next = handover->next;
    walk->is_in_frame = true;
    walk->frame_start = handover->start;
    walk->frame = handover->frame;
    walk->offsets = handover->offsets;
    walk->front_bytes = handover->front_bytes;
    zstd_find_inherit(&walk->inherited, handover->inherited.table);
}

/* A batch that is being filled. */
struct filling {
    struct zstd_batch_walk *walk;
    struct zstd_device_batch *batch;
    struct zstd_batch_frames *frames;
    struct zstd_description table[ZSTD_DESCRIPTIONS]; /* of the block before */
    size_t used;   /* of the packed bytes ... */
    size_t size;   /* ... and has been read */
    uint32_t most; /* content */
    uint32_t literals;
    uint32_t sequences;
};

enum step {
    STEP_DONE,
    STEP_SHORT, /* more must be read */
    STEP_FULL,  /* the rest is of the next batch */
    STEP_OVER,  /* libzstd decodes the rest */
};

/* Returns where in the file the next byte is. */
static off_t
offset_of(const struct filling *filling)
{
    return filling->walk->next - (off_t)(filling->size - filling->used);
}

/* Read more.  Returns STEP_DONE; STEP_FULL; or STEP_OVER: no more bytes, or
   they cannot be read, as libzstd will find, too. */
static enum step
read_more(struct filling *filling)
{
    struct zstd_batch_walk *walk = filling->walk;
    struct error error = ERROR_NONE;
    off_t left = walk->source->size - walk->next;
    size_t wanted = READ_BYTES;

    if (walk->reads != NULL && zstd_reads_take(walk->reads)) {
        walk->next += (off_t)READ_BYTES;
        filling->size += READ_BYTES;
        return STEP_DONE;
    }
    if (left <= 0 || cancel_is_asked(walk->source->cancel))
        return STEP_OVER;
    if (wanted > walk->sizes->packed - filling->size)
        return STEP_FULL;
    if ((off_t)wanted > left)
        wanted = (size_t)left;
    int result =
        source_read_at(walk->source, filling->batch->packed + filling->size,
                       wanted, walk->next, &error);
    error_clear(&error);
    if (result < 0)
        return STEP_OVER;
    walk->next += (off_t)wanted;
    filling->size += wanted;
    return STEP_DONE;
}

/* Skip FRAME, which has no blocks. */
static enum step
skip_frame(struct filling *filling, const struct zstd_frame *frame)
{
    struct zstd_batch_walk *walk = filling->walk;
    off_t end =
        offset_of(filling) + frame->header_bytes + (off_t)frame->skipped_bytes;

    if (end > walk->source->size)
        return STEP_OVER;
    if (end <= walk->next) {
        filling->used = filling->size - (size_t)(walk->next - end);
        return STEP_DONE;
    }
    if (walk->reads != NULL)
        zstd_reads_end(walk->reads);
    /* The bytes between are not read, but counted. */
    progress_add(walk->source->progress, (uint64_t)(end - walk->next));
    filling->used = filling->size;
    walk->next = end;
    return STEP_DONE;
}

static enum step
start_frame(struct filling *filling)
{
    struct zstd_batch_walk *walk = filling->walk;
    const unsigned char *data = filling->batch->packed + filling->used;
    size_t size = filling->size - filling->used;
    struct zstd_frame frame;

    if (offset_of(filling) >= walk->pause_at)
        return STEP_OVER;
    if (size < ZSTD_FRAME_HEADER_MAX && walk->next < walk->source->size)
        return STEP_SHORT;
    if (zstd_frame_read(&frame, data, size) < 0)
        return STEP_OVER;
    if (frame.is_skippable)
        return skip_frame(filling, &frame);
    if (!frame.is_plain || frame.window_bytes > walk->history)
        return STEP_OVER;
    walk->frame = frame;
    walk->frame_start = offset_of(filling);
    walk->is_in_frame = true;
    walk->is_at_start = true;
    memset(filling->table, 0, sizeof filling->table);
    filling->used += frame.header_bytes;
    return STEP_DONE;
}

/* Returns where TABLE is, which BLOCK may need. */
static struct zstd_place
place_of(const struct zstd_device_batch *batch,
         const struct zstd_description *table)
{
    struct zstd_place place = {ZSTD_NOWHERE, table->bytes, table->mode};

    if (table->data != NULL)
        place.at =
            table->bytes > 0 ? (uint32_t)(table->data - batch->packed) : 0;
    return place;
}

/* Add the block just found.  Returns STEP_DONE or STEP_FULL. */
static enum step
add_block(struct filling *filling, const struct zstd_find *find)
{
    const struct zstd_batch_walk *walk = filling->walk;
    struct zstd_device_batch *batch = filling->batch;
    const struct zstd_device_sizes *sizes = walk->sizes;
    const struct zstd_block *block = &find->block;
    bool is_packed = block->type == ZSTD_COMPRESSED;
    uint32_t content_max = block->sequences > 0
                               ? zstd_frame_block_max(&walk->frame)
                               : block->literals;
    uint32_t literals = is_packed
                            ? (block->literals + ZSTD_WORK_ALIGNMENT - 1) /
                                  ZSTD_WORK_ALIGNMENT * ZSTD_WORK_ALIGNMENT
                            : 0;
    uint32_t sequences =
        block->sequences > 0 ? ZSTD_SEQUENCES_ROOM(block->sequences) : 0;

    if (batch->blocks == sizes->blocks ||
        content_max > filling->most - batch->room ||
        literals > sizes->literals - filling->literals ||
        sequences > sizes->sequences - filling->sequences)
        return STEP_FULL;
    struct zstd_task *task = &batch->task[batch->blocks++];
    *task = (struct zstd_task){
        .type = block->type,
        .literals = block->literals,
        .streams = block->streams,
        .data_at = (uint32_t)(block->data - batch->packed),
        .data_bytes = block->data_bytes,
        .bits_bytes = block->bits_bytes,
        .sequences = block->sequences,
        .literals_at = filling->literals,
        .sequences_at = filling->sequences,
        .starts_frame = walk->is_at_start,
        .content_max = content_max,
        .window = (uint32_t)walk->frame.window_bytes,
    };
    if (block->sequences > 0)
        task->bits_at = (uint32_t)(block->bits - batch->packed);
    for (int i = 0; i < ZSTD_DESCRIPTIONS; i++)
        task->table[i] = place_of(batch, &block->table[i]);
    batch->room += content_max;
    filling->literals += literals;
    filling->sequences += sequences;
    return STEP_DONE;
}

/* The block just found has been added: add it to the frames. */
static void
add_to_frame(struct filling *filling, const struct zstd_find *find)
{
    struct zstd_batch_walk *walk = filling->walk;
    struct zstd_device_batch *batch = filling->batch;
    struct zstd_batch_frames *frames = filling->frames;
    const struct zstd_frame *header = &walk->frame;
    struct zstd_batch_frame *frame = &frames->frame[frames->count - 1];

    if (walk->is_at_start || frames->count == 0) {
        frame = &frames->frame[frames->count++];
        *frame =
            (struct zstd_batch_frame){.start = walk->frame_start,
                                      .is_first = walk->is_at_start,
                                      .has_checksum = header->has_checksum,
                                      .is_sized = header->is_sized,
                                      .content_bytes = header->content_bytes};
    }
    frame->blocks++;
    frame->end = offset_of(filling);
    frame->is_last = find->is_last;
    frame->sum = find->sum;
    if (frame->is_first && frame->is_last && frame->has_checksum &&
        (uint64_t)frame->blocks * zstd_frame_block_max(header) <= SUMMED_MOST) {
        batch->task[batch->blocks - frame->blocks].summed_blocks =
            frame->blocks;
        batch->has_sums = true;
    }
}

static enum step
take_block(struct filling *filling)
{
    struct zstd_batch_walk *walk = filling->walk;
    struct zstd_find find;

    switch (zstd_find_block(
        &find, filling->table, zstd_frame_block_max(&walk->frame),
        walk->frame.has_checksum, filling->batch->packed + filling->used,
        filling->size - filling->used)) {
    case ZSTD_FINDING_START:
        return STEP_SHORT;
    case ZSTD_FINDING_WRONG:
        return STEP_OVER;
    default:
        break;
    }
    if (add_block(filling, &find) == STEP_FULL)
        return STEP_FULL;
    filling->used += find.bytes;
    memcpy(filling->table, find.table, sizeof filling->table);
    add_to_frame(filling, &find);
    walk->is_at_start = false;
    walk->is_in_frame = !find.is_last;
    return STEP_DONE;
}

/* Let helpers read most of the batch's bytes. */
static void
start_reads(const struct filling *filling)
{
    const struct zstd_batch_walk *walk = filling->walk;
    off_t end = walk->source->size;
    size_t most = walk->sizes->packed - filling->size;

    if (end > walk->pause_at)
        end = walk->pause_at;
    if (walk->reads == NULL || walk->next >= end)
        return;
    if ((uint64_t)(end - walk->next) < most)
        most = (size_t)(end - walk->next);
    size_t wanted = EXPECTED(walk->expected);
    wanted -= wanted < walk->tail_bytes ? wanted : walk->tail_bytes;
    size_t slices = (wanted < most ? wanted : most) / READ_BYTES;
    if (slices > 1)
        zstd_reads_start(walk->reads, filling->batch->packed + filling->size,
                         slices < ZSTD_READS_SLICES ? slices
                                                    : ZSTD_READS_SLICES,
                         walk->next);
}

/* Add the window of a frame that was handed over, as blocks that are stored. */
static void
add_front(struct filling *filling, size_t bytes)
{
    struct zstd_batch_frames *frames = filling->frames;
    const unsigned char *data = zstd_batch_front(filling->batch);

    for (size_t at = 0; at < bytes; at += ZSTD_BLOCK_MAX) {
        struct zstd_find find = {.is_last = false};
        size_t size = bytes - at < ZSTD_BLOCK_MAX ? bytes - at : ZSTD_BLOCK_MAX;
        zstd_block_store(&find.block, data + at, (uint32_t)size, false);
        /* The window fits: see zstd_batch_front_max(). */
        (void)add_block(filling, &find);
    }
    frames->front_blocks = filling->batch->blocks;
    frames->front_bytes = filling->batch->room;
}

/* Put earlier bytes first: descriptions, a window, and the rest. */
static void
start_batch(struct filling *filling)
{
    struct zstd_batch_walk *walk = filling->walk;
    struct zstd_device_batch *batch = filling->batch;
    size_t front = walk->is_first ? walk->front_bytes : 0;

    for (size_t i = 0; i < ZSTD_DESCRIPTIONS; i++) {
        struct zstd_description *table = &filling->table[i];
        unsigned char *copy = batch->packed + 16 + i * FRONT_EACH;
        *table = walk->inherited.table[i];
        if (table->bytes > 0) {
            memcpy(copy, table->data, table->bytes);
            table->data = copy;
        }
    }
    filling->used = FRONT_BYTES + front;
    filling->size = filling->used + walk->tail_bytes;
    filling->most = walk->most + (uint32_t)front;
    memcpy(batch->packed + filling->used, walk->tail, walk->tail_bytes);
    batch->blocks = 0;
    batch->room = 0;
    batch->history = walk->history;
    batch->is_first = walk->is_first;
    batch->has_sums = false;
    batch->offsets = walk->offsets;
    filling->frames->count = 0;
    add_front(filling, front);
    start_reads(filling);
}

/* Keep data for the next batch. */
static void
end_batch(struct filling *filling)
{
    struct zstd_batch_walk *walk = filling->walk;
    struct zstd_device_batch *batch = filling->batch;

    batch->packed_bytes = (uint32_t)filling->used;
    if (walk->reads != NULL)
        zstd_reads_end(walk->reads);
    if (walk->is_over)
        return;
    walk->tail_bytes = filling->size - filling->used;
    memcpy(walk->tail, batch->packed + filling->used, walk->tail_bytes);
    zstd_find_inherit(&walk->inherited, filling->table);
    walk->is_first = false;
    uint32_t before = walk->most;
    walk->most =
        before < walk->sizes->content / 2 ? 2 * before : walk->sizes->content;
    walk->expected = filling->used - FRONT_BYTES - filling->frames->front_bytes;
    if (walk->most > before)
        walk->expected *= 2;
}

bool
zstd_batch_fill(struct zstd_batch_walk *walk, struct zstd_device_batch *batch,
                struct zstd_batch_frames *frames)
{
    struct filling filling = {.walk = walk, .batch = batch, .frames = frames};
    enum step step = STEP_DONE;

    start_batch(&filling);
    while (step == STEP_DONE) {
        step = walk->is_in_frame ? take_block(&filling) : start_frame(&filling);
        if (step == STEP_SHORT)
            step = read_more(&filling);
    }
    if (step == STEP_OVER) {
        walk->is_over = true;
        walk->is_refused = walk->is_in_frame;
        walk->end = walk->is_refused ? walk->frame_start : offset_of(&filling);
    }
    end_batch(&filling);
    return frames->count > 0;
}
