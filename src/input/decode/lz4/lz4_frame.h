/* SPDX-License-Identifier: MIT */
/*
 * lz4_frame.h -- parse the headers of lz4 frames
 *
 * "LZ4 Frame Format Description" 1.6.3 defines frames, legacy frames, too.
 */

#ifndef GPUHIST_LZ4_FRAME_H
#define GPUHIST_LZ4_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/magic.h"

enum {
    LZ4_FRAME_MAGIC_BYTES = 4,
    LZ4_FRAME_HEADER_MAX = 19, /* the longest header */
    LZ4_FRAME_WORD_BYTES = 4,  /* a block's size, or a checksum */
};

struct lz4_frame {
    bool is_skippable; /* SKIPPED_BYTES follow the header, no blocks */
    /* no checksum, no end but the end of the file or the next magic number */
    bool is_legacy;
    unsigned int header_bytes;
    uint32_t skipped_bytes;
    uint32_t
        dictionary_id;     /* that blocks may refer to; 0: none, or not known */
    uint32_t block_bytes;  /* of content, at most */
    uint32_t packed_bytes; /* of a block, at most, without its size and sum */
    bool is_linked;        /* blocks depend on the content before */
    bool has_block_sums;
    bool has_content_sum;
    bool is_sized;          /* CONTENT_BYTES is known */
    uint64_t content_bytes; /* decoded */
};

/* The header of a block. */
struct lz4_frame_block {
    bool is_end;           /* no block follows in this frame */
    bool is_stored;        /* not compressed */
    uint32_t packed_bytes; /* without size and checksum ... */
    uint32_t whole_bytes;  /* ... and with them */
};

/* Whether the SIZE bytes at DATA start a frame; skippable frames are of zstd,
   too. */
enum magic lz4_frame_match(const unsigned char *data, size_t size);

/*
 * Parse the header of the frame that starts at DATA, with SIZE bytes.  Returns
 * NULL, or an error text.
 */
const char *lz4_frame_read(struct lz4_frame *frame, const unsigned char *data,
                           size_t size);

/*
 * Whether the blocks of FRAME are parts (decoder.h): the blocks are
 * independent, and nothing in the frame depends on all of the content.
 */
bool lz4_frame_has_parts(const struct lz4_frame *frame);

/*
 * Parse the first LZ4_FRAME_WORD_BYTES of a block, at DATA.  In a legacy frame,
 * which has no end mark, these bytes must not be a magic number.  Returns 0, or
 * -1: the block is longer than FRAME allows.
 */
int lz4_frame_read_block(struct lz4_frame_block *block,
                         const struct lz4_frame *frame,
                         const unsigned char *data);

#endif
