/* SPDX-License-Identifier: MIT */
/* zstd_frame.c -- parse the headers of zstd frames and blocks */

#include "input/decode/zstd/zstd_frame.h"
#include "base/little_endian.h"

/* Little-endian: 0xFD2FB528. */
#define MAGIC_FRAME "\x28\xb5\x2f\xfd"

/* Block types: 0 raw, 1 one repeated byte, 2 compressed, 3 reserved. */
#define BLOCK_REPEATED 1
#define BLOCK_RESERVED 3

#define BLOCK_MAX ((uint32_t)128 << 10)

/* Of the descriptor of a frame. */
#define RESERVED_BIT (1u << 3)

enum magic
zstd_frame_match(const unsigned char *data, size_t size)
{
    enum magic match =
        magic_compare(data, size, MAGIC_FRAME, ZSTD_FRAME_MAGIC_BYTES);

    return match != MAGIC_NO ? match : magic_is_skippable(data, size);
}

bool
zstd_frame_is_magic(const unsigned char *data, size_t size)
{
    return zstd_frame_match(data, size) == MAGIC_YES;
}

/* The window size of the header's BYTE: a power of two plus eighths of this
   power. */
static uint64_t
window_of(unsigned int byte)
{
    uint64_t base = (uint64_t)1 << (10 + (byte >> 3));

    return base + base / 8 * (byte & 7);
}

int
zstd_frame_read(struct zstd_frame *frame, const unsigned char *data,
                size_t size)
{
    static const unsigned char dictionary_id_bytes[4] = {0, 1, 2, 4};
    size_t at = ZSTD_FRAME_MAGIC_BYTES;

    *frame = (struct zstd_frame){0};
    if (!zstd_frame_is_magic(data, size))
        return -1;
    if (magic_is_skippable(data, size) == MAGIC_YES) {
        if (size < at + 4)
            return -1;
        frame->is_skippable = true;
        frame->is_sized = true;
        frame->skipped_bytes = little_endian_32(data + at);
        frame->header_bytes = (unsigned int)at + 4;
        return 0;
    }
    if (size < at + 1)
        return -1;

    unsigned int descriptor = data[at++];
    bool is_single_segment = descriptor >> 5 & 1;
    unsigned int log_bytes = descriptor >> 6;
    /* Flag 0 means no size field, or one byte for a single segment. */
    bool is_sized = is_single_segment || log_bytes > 0;
    size_t content_bytes = is_sized ? (size_t)1 << log_bytes : 0;
    size_t window_at = at;
    at += !is_single_segment;
    size_t dictionary_at = at;
    at += dictionary_id_bytes[descriptor & 3];
    if (size < at + content_bytes)
        return -1;
    frame->dictionary_id =
        (uint32_t)little_endian(data + dictionary_at, at - dictionary_at);
    frame->is_plain =
        (descriptor & RESERVED_BIT) == 0 && frame->dictionary_id == 0;
    frame->is_sized = is_sized;
    frame->content_bytes = little_endian(data + at, content_bytes);
    /* A field of two bytes starts at 256, after the range of one byte. */
    if (content_bytes == 2)
        frame->content_bytes += 256;
    /* The window of a single segment is its whole content. */
    frame->window_bytes =
        is_single_segment ? frame->content_bytes : window_of(data[window_at]);
    frame->has_checksum = descriptor >> 2 & 1;
    frame->header_bytes = (unsigned int)(at + content_bytes);
    return 0;
}

uint32_t
zstd_frame_block_max(const struct zstd_frame *frame)
{
    return frame->window_bytes < BLOCK_MAX ? (uint32_t)frame->window_bytes
                                           : BLOCK_MAX;
}

int
zstd_frame_read_block(struct zstd_block_header *block,
                      const unsigned char *data, size_t size)
{
    if (size < ZSTD_FRAME_BLOCK_HEADER_BYTES)
        return -1;

    uint32_t header =
        (uint32_t)little_endian(data, ZSTD_FRAME_BLOCK_HEADER_BYTES);
    block->is_last = header & 1;
    block->type = header >> 1 & 3;
    block->content_bytes = header >> 3;
    block->bytes = block->type == BLOCK_REPEATED ? 1 : header >> 3;
    return block->type == BLOCK_RESERVED ? -1 : 0;
}
