/* SPDX-License-Identifier: MIT */
/* zstd_batch.c -- fill the batches of a device with blocks of zstd frames */

#include <string.h>

#include "input/decode/zstd/zstd_batch.h"

#define TAIL_ROOM DECODING_WALK_TAIL(ZSTD_FIND_MAX)

/* Descriptions of tables from earlier batches come first.  No description is at
   0, which stands for descriptions without bytes. */
#define FRONT_EACH ((size_t)(ZSTD_DESCRIPTION_MAX + 15) / 16 * 16)
#define FRONT_BYTES (16 + ZSTD_DESCRIPTIONS * FRONT_EACH)

/* The device computes the checksums of frames up to this size: in less time
   than decoding a batch takes (bench/NOTES.md). */
#define SUMMED_MOST ((uint64_t)2 << 20)

/* The first batch is so many times smaller than the largest one.  While other
   belts are busy, a short file should have one batch. */
#define FIRST_SHARE 8
#define FIRST_OF_BELTS(content) ((content) / 4 * 3)

const struct decoding_sizes zstd_batch_least = {
    .content = ZSTD_BLOCK_MAX,
    .packed = FRONT_BYTES + TAIL_ROOM + DECODING_READS_SLICE,
    .literals = ZSTD_BLOCK_MAX,
    .sequences = ZSTD_SEQUENCES_ROOM(ZSTD_BLOCK_MAX / ZSTD_MATCH_LEAST),
    .blocks = 1,
    .history = 16,
    .slots = DECODING_BATCHES_LEAST,
    .belts = 1,
};

uint64_t
zstd_batch_walk_bytes(const struct decoding_sizes *sizes)
{
    return TAIL_ROOM + DECODING_BATCHES * (uint64_t)sizes->blocks *
                           sizeof(struct zstd_batch_frame);
}

/* Returns the most content of the first batch. */
static uint32_t
first_content(const struct decoding_sizes *sizes)
{
    uint32_t share = sizes->belts > 1 ? FIRST_OF_BELTS(sizes->content)
                                      : sizes->content / FIRST_SHARE;

    return share > ZSTD_BLOCK_MAX ? share : ZSTD_BLOCK_MAX;
}

int
zstd_batch_open(struct zstd_batch_walk *walk, const struct source *source,
                const struct decoding_sizes *sizes, off_t offset,
                off_t pause_at, uint32_t history)
{
    *walk = (struct zstd_batch_walk){.history = history,
                                     .offsets = zstd_offsets_of_frame()};
    return decoding_walk_open(&walk->base, source, sizes, offset, pause_at,
                              first_content(sizes), TAIL_ROOM);
}

void
zstd_batch_close(struct zstd_batch_walk *walk)
{
    decoding_walk_close(&walk->base);
}

uint64_t
zstd_batch_front_max(const struct decoding_sizes *sizes)
{
    /* Room for blocks must remain after the window. */
    uint64_t packed = sizes->packed - zstd_batch_least.packed;
    uint64_t content = sizes->content - first_content(sizes);
    uint64_t blocks = (sizes->blocks - 1) * (uint64_t)ZSTD_BLOCK_MAX;
    uint64_t most = packed < content ? packed : content;

    return most < blocks ? most : blocks;
}

unsigned char *
zstd_batch_front(const struct decoding_batch *batch)
{
    return batch->packed + FRONT_BYTES;
}

void
zstd_batch_continue(struct zstd_batch_walk *walk,
                    const struct zstd_handover *handover)
{
    walk->base.next = handover->next;
    walk->is_in_frame = true;
    walk->frame_start = handover->start;
    walk->frame = handover->frame;
    walk->offsets = handover->offsets;
    walk->front_bytes = handover->front_bytes;
    zstd_find_inherit(&walk->inherited, handover->inherited.table);
}

/* A batch that is being filled. */
struct filling {
    struct decoding_filling base;
    struct zstd_batch_walk *walk;
    struct zstd_batch_frames *frames;
    struct zstd_description table[ZSTD_DESCRIPTIONS]; /* of the block before */
    uint32_t most;                                    /* content */
    uint32_t literals;
    uint32_t sequences;
};

/* Skip FRAME, which has no blocks. */
static enum decoding_step
skip_frame(struct filling *filling, const struct zstd_frame *frame)
{
    struct zstd_batch_walk *walk = filling->walk;
    off_t end = decoding_filling_offset(&filling->base) + frame->header_bytes +
                (off_t)frame->skipped_bytes;

    if (end > walk->base.source->size)
        return DECODING_STEP_OVER;
    if (end <= walk->base.next) {
        filling->base.used =
            filling->base.size - (size_t)(walk->base.next - end);
        return DECODING_STEP_DONE;
    }
    if (walk->base.reads != NULL)
        decoding_reads_end(walk->base.reads);
    /* The bytes between are not read, but counted. */
    progress_add(walk->base.source->progress,
                 (uint64_t)(end - walk->base.next));
    filling->base.used = filling->base.size;
    walk->base.next = end;
    return DECODING_STEP_DONE;
}

static enum decoding_step
start_frame(struct filling *filling)
{
    struct zstd_batch_walk *walk = filling->walk;
    const unsigned char *data =
        filling->base.batch->packed + filling->base.used;
    size_t size = filling->base.size - filling->base.used;
    struct zstd_frame frame;

    if (decoding_filling_offset(&filling->base) >= walk->base.pause_at)
        return DECODING_STEP_OVER;
    if (size < ZSTD_FRAME_HEADER_MAX &&
        walk->base.next < walk->base.source->size)
        return DECODING_STEP_SHORT;
    if (zstd_frame_read(&frame, data, size) < 0)
        return DECODING_STEP_OVER;
    if (frame.is_skippable)
        return skip_frame(filling, &frame);
    if (!frame.is_plain || frame.window_bytes > walk->history)
        return DECODING_STEP_OVER;
    walk->frame = frame;
    walk->frame_start = decoding_filling_offset(&filling->base);
    walk->is_in_frame = true;
    walk->is_at_start = true;
    memset(filling->table, 0, sizeof filling->table);
    filling->base.used += frame.header_bytes;
    return DECODING_STEP_DONE;
}

/* Returns where TABLE is, which BLOCK may need. */
static struct zstd_place
place_of(const struct decoding_batch *batch,
         const struct zstd_description *table)
{
    struct zstd_place place = {ZSTD_NOWHERE, table->bytes, table->mode};

    if (table->data != NULL)
        place.at =
            table->bytes > 0 ? (uint32_t)(table->data - batch->packed) : 0;
    return place;
}

/* Add the block just found.  Returns DONE or FULL. */
static enum decoding_step
add_block(struct filling *filling, const struct zstd_find *find)
{
    const struct zstd_batch_walk *walk = filling->walk;
    struct decoding_batch *batch = filling->base.batch;
    const struct decoding_sizes *sizes = walk->base.sizes;
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
        return DECODING_STEP_FULL;
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
    return DECODING_STEP_DONE;
}

/* The block just found has been added: add it to the frames. */
static void
add_to_frame(struct filling *filling, const struct zstd_find *find)
{
    struct zstd_batch_walk *walk = filling->walk;
    struct decoding_batch *batch = filling->base.batch;
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
    frame->end = decoding_filling_offset(&filling->base);
    frame->is_last = find->is_last;
    frame->sum = find->sum;
    if (frame->is_first && frame->is_last && frame->has_checksum &&
        (uint64_t)frame->blocks * zstd_frame_block_max(header) <= SUMMED_MOST) {
        batch->task[batch->blocks - frame->blocks].summed_blocks =
            frame->blocks;
        batch->has_sums = true;
    }
}

static enum decoding_step
take_block(struct filling *filling)
{
    struct zstd_batch_walk *walk = filling->walk;
    struct zstd_find find;

    switch (zstd_find_block(&find, filling->table,
                            zstd_frame_block_max(&walk->frame),
                            walk->frame.has_checksum,
                            filling->base.batch->packed + filling->base.used,
                            filling->base.size - filling->base.used)) {
    case ZSTD_FINDING_START:
        return DECODING_STEP_SHORT;
    case ZSTD_FINDING_WRONG:
        return DECODING_STEP_OVER;
    default:
        break;
    }
    if (add_block(filling, &find) == DECODING_STEP_FULL)
        return DECODING_STEP_FULL;
    filling->base.used += find.bytes;
    memcpy(filling->table, find.table, sizeof filling->table);
    add_to_frame(filling, &find);
    walk->is_at_start = false;
    walk->is_in_frame = !find.is_last;
    return DECODING_STEP_DONE;
}

/* Add the window of a frame that was handed over, as blocks that are stored. */
static void
add_front(struct filling *filling, size_t bytes)
{
    struct zstd_batch_frames *frames = filling->frames;
    const unsigned char *data = zstd_batch_front(filling->base.batch);

    for (size_t at = 0; at < bytes; at += ZSTD_BLOCK_MAX) {
        struct zstd_find find = {.is_last = false};
        size_t size = bytes - at < ZSTD_BLOCK_MAX ? bytes - at : ZSTD_BLOCK_MAX;
        zstd_block_store(&find.block, data + at, (uint32_t)size, false);
        /* The window fits: see zstd_batch_front_max(). */
        (void)add_block(filling, &find);
    }
    frames->front_blocks = filling->base.batch->blocks;
    frames->front_bytes = filling->base.batch->room;
}

/* Put earlier bytes first: descriptions, a window, and the rest. */
static void
start_batch(struct filling *filling)
{
    struct zstd_batch_walk *walk = filling->walk;
    struct decoding_batch *batch = filling->base.batch;
    size_t front = walk->base.is_first ? walk->front_bytes : 0;

    for (size_t i = 0; i < ZSTD_DESCRIPTIONS; i++) {
        struct zstd_description *table = &filling->table[i];
        unsigned char *copy = batch->packed + 16 + i * FRONT_EACH;
        *table = walk->inherited.table[i];
        if (table->bytes > 0) {
            memcpy(copy, table->data, table->bytes);
            table->data = copy;
        }
    }
    decoding_filling_start(&filling->base, FRONT_BYTES + front);
    filling->most = walk->base.most + (uint32_t)front;
    batch->kind = DECODING_ZSTD;
    batch->history = walk->history;
    batch->offsets = walk->offsets;
    filling->frames->count = 0;
    add_front(filling, front);
}

bool
zstd_batch_fill(struct zstd_batch_walk *walk, struct decoding_batch *batch,
                struct zstd_batch_frames *frames)
{
    struct filling filling = {
        .base = {.walk = &walk->base, .batch = batch},
        .walk = walk,
        .frames = frames,
    };
    enum decoding_step step = DECODING_STEP_DONE;

    start_batch(&filling);
    while (step == DECODING_STEP_DONE) {
        step = walk->is_in_frame ? take_block(&filling) : start_frame(&filling);
        if (step == DECODING_STEP_SHORT)
            step = decoding_filling_read(&filling.base);
    }
    if (step == DECODING_STEP_OVER) {
        walk->base.is_over = true;
        walk->base.end = walk->is_in_frame
                             ? walk->frame_start
                             : decoding_filling_offset(&filling.base);
        /* The next walk would not pass the first frame, either. */
        walk->is_refused =
            walk->is_in_frame || (walk->base.is_first && frames->count == 0);
    }
    decoding_filling_end(&filling.base);
    if (!walk->base.is_over)
        zstd_find_inherit(&walk->inherited, filling.table);
    return frames->count > 0;
}
