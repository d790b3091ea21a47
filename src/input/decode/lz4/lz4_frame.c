/* SPDX-License-Identifier: MIT */
/* lz4_frame.c -- parse the headers of lz4 frames */

#include "input/decode/lz4/lz4_frame.h"
#include "base/little_endian.h"
#include "base/xxh.h"

#define LEGACY_BLOCK_BYTES (8 << 20)

/* Incompressible data are compressed, too; other frames store them. */
#define LEGACY_PACKED_BYTES (LEGACY_BLOCK_BYTES + LEGACY_BLOCK_BYTES / 255 + 16)

/* In a block's size, which is 0 at the end of a frame that is not legacy. */
#define STORED (UINT32_C(1) << 31)

#define SIZE_BYTES 8
#define DICTIONARY_BYTES 4

enum magic
lz4_frame_match(const unsigned char *data, size_t size)
{
    enum magic match = magic_is_lz4(data, size);

    return match != MAGIC_NO ? match : magic_is_skippable(data, size);
}

/* Parse the descriptor at DATA, which starts after the magic number. */
static const char *
read_descriptor(struct lz4_frame *frame, const unsigned char *data, size_t size)
{
    size_t at = 2;

    if (size < at + 1)
        return "unexpected end of file";
    unsigned int flags = data[0];
    unsigned int blocks = data[1];
    if (flags >> 6 != 1)
        return "an unknown version";
    if ((flags & 2) != 0 || (blocks & 0x8f) != 0)
        return "reserved bits are set";
    if (blocks >> 4 < 4)
        return "an unknown block size";
    frame->is_linked = (flags & 0x20) == 0;
    frame->has_block_sums = (flags & 0x10) != 0;
    frame->is_sized = (flags & 8) != 0;
    frame->has_content_sum = (flags & 4) != 0;
    frame->block_bytes = (uint32_t)1 << (8 + 2 * (blocks >> 4));
    frame->packed_bytes = frame->block_bytes;
    if (frame->is_sized) {
        if (size < at + SIZE_BYTES)
            return "unexpected end of file";
        frame->content_bytes = little_endian(data + at, SIZE_BYTES);
        at += SIZE_BYTES;
    }
    /* lz4(1) decodes without a dictionary, too, if no block refers to it. */
    size_t dictionary_at = at;
    at += (flags & 1) != 0 ? DICTIONARY_BYTES : 0;
    if (size < at + 1)
        return "unexpected end of file";
    frame->dictionary_id =
        (uint32_t)little_endian(data + dictionary_at, at - dictionary_at);
    if (data[at] != (xxh32_of(data, at) >> 8 & 0xff))
        return "the header has a wrong checksum";
    frame->header_bytes = LZ4_FRAME_MAGIC_BYTES + (unsigned int)at + 1;
    return NULL;
}

const char *
lz4_frame_read(struct lz4_frame *frame, const unsigned char *data, size_t size)
{
    *frame = (struct lz4_frame){0};
    if (magic_is_skippable(data, size) == MAGIC_YES) {
        frame->is_skippable = true;
        frame->header_bytes = LZ4_FRAME_MAGIC_BYTES + LZ4_FRAME_WORD_BYTES;
        if (size < frame->header_bytes)
            return "unexpected end of file";
        frame->skipped_bytes = little_endian_32(data + LZ4_FRAME_MAGIC_BYTES);
        return NULL;
    }
    if (magic_compare(data, size, MAGIC_LZ4_LEGACY, LZ4_FRAME_MAGIC_BYTES) ==
        MAGIC_YES) {
        frame->is_legacy = true;
        frame->block_bytes = LEGACY_BLOCK_BYTES;
        frame->packed_bytes = LEGACY_PACKED_BYTES;
        frame->header_bytes = LZ4_FRAME_MAGIC_BYTES;
        return NULL;
    }
    if (size < LZ4_FRAME_MAGIC_BYTES)
        return "unexpected end of file";
    return read_descriptor(frame, data + LZ4_FRAME_MAGIC_BYTES,
                           size - LZ4_FRAME_MAGIC_BYTES);
}

bool
lz4_frame_has_parts(const struct lz4_frame *frame)
{
    return !frame->is_linked && !frame->is_sized && !frame->has_content_sum;
}

int
lz4_frame_read_block(struct lz4_frame_block *block,
                     const struct lz4_frame *frame, const unsigned char *data)
{
    uint32_t word = little_endian_32(data);

    *block = (struct lz4_frame_block){.whole_bytes = LZ4_FRAME_WORD_BYTES};
    block->is_end = word == 0 && !frame->is_legacy;
    if (block->is_end)
        return 0;
    block->is_stored = !frame->is_legacy && (word & STORED) != 0;
    block->packed_bytes = block->is_stored ? word & ~STORED : word;
    block->whole_bytes += block->packed_bytes;
    if (frame->has_block_sums)
        block->whole_bytes += LZ4_FRAME_WORD_BYTES;
    return block->packed_bytes <= frame->packed_bytes ? 0 : -1;
}
