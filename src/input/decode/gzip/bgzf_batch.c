/* SPDX-License-Identifier: MIT */
/* bgzf_batch.c -- fill the batches of a device with blocks of BGZF */

#include "input/decode/gzip/bgzf_batch.h"
#include "base/little_endian.h"
#include "input/decode/gzip/gzip_header.h"

#define TAIL_ROOM DECODING_WALK_TAIL(GZIP_HEADER_BLOCK_MAX)

/* The first batch is so many times smaller than the largest one. */
#define FIRST_SHARE 8

const struct decoding_sizes bgzf_batch_least = {
    .content = INFLATE_CONTENT_MAX,
    .packed = TAIL_ROOM + DECODING_READS_SLICE,
    .literals = 16,
    .sequences = 1,
    .blocks = 1,
    .history = 16,
    .slots = DECODING_BATCHES_LEAST,
};

uint64_t
bgzf_batch_walk_bytes(void)
{
    return TAIL_ROOM;
}

int
bgzf_batch_open(struct decoding_walk *walk, const struct source *source,
                const struct decoding_sizes *sizes, off_t offset,
                off_t pause_at)
{
    uint32_t share = sizes->content / FIRST_SHARE;

    return decoding_walk_open(
        walk, source, sizes, offset, pause_at,
        share > INFLATE_CONTENT_MAX ? share : INFLATE_CONTENT_MAX, TAIL_ROOM);
}

/* Parse the HEADER of the next member.  Returns DONE: it is a block. */
static enum decoding_step
take_header(const struct decoding_filling *filling, struct gzip_header *header)
{
    switch (gzip_header_match_block(header,
                                    filling->batch->packed + filling->used,
                                    filling->size - filling->used)) {
    case MAGIC_YES:
        return DECODING_STEP_DONE;
    case MAGIC_SHORT:
        return DECODING_STEP_SHORT;
    default:
        return DECODING_STEP_OVER;
    }
}

/* Add the next block. */
static enum decoding_step
take_block(struct decoding_filling *filling)
{
    struct decoding_walk *walk = filling->walk;
    struct decoding_batch *batch = filling->batch;
    struct gzip_header header;

    if (decoding_filling_offset(filling) >= walk->pause_at)
        return DECODING_STEP_OVER;
    enum decoding_step step = take_header(filling, &header);
    if (step != DECODING_STEP_DONE)
        return step;
    size_t end = filling->used + header.block_bytes;
    const unsigned char *trailer =
        batch->packed + end - GZIP_HEADER_TRAILER_BYTES;
    uint32_t content = little_endian_32(trailer + 4);
    if (content > INFLATE_CONTENT_MAX)
        return DECODING_STEP_OVER;
    if (batch->blocks == walk->sizes->blocks ||
        content > walk->most - batch->room)
        return DECODING_STEP_FULL;
    batch->member[batch->blocks++] = (struct inflate_task){
        .at = (uint32_t)(filling->used + header.bytes),
        .bytes = header.block_bytes - (uint32_t)header.bytes -
                 GZIP_HEADER_TRAILER_BYTES,
        .content_at = batch->room,
        .content = content,
        .sum = little_endian_32(trailer),
    };
    batch->room += content;
    filling->used = end;
    return DECODING_STEP_DONE;
}

bool
bgzf_batch_fill(struct decoding_walk *walk, struct decoding_batch *batch,
                off_t *start)
{
    struct decoding_filling filling = {.walk = walk, .batch = batch};
    enum decoding_step step = DECODING_STEP_DONE;

    decoding_filling_start(&filling, 0);
    batch->kind = DECODING_INFLATE;
    batch->history = 0;
    start[0] = decoding_filling_offset(&filling);
    while (step == DECODING_STEP_DONE) {
        step = take_block(&filling);
        if (step == DECODING_STEP_SHORT)
            step = decoding_filling_read(&filling);
        start[batch->blocks] = decoding_filling_offset(&filling);
    }
    if (step == DECODING_STEP_OVER) {
        walk->is_over = true;
        walk->end = decoding_filling_offset(&filling);
    }
    decoding_filling_end(&filling);
    return batch->blocks > 0;
}
