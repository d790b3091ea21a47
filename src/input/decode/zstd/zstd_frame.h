/* SPDX-License-Identifier: MIT */
/*
 * zstd_frame.h -- parse the headers of zstd frames and blocks
 *
 * RFC 8878, sections 3.1.1 and 3.1.2, defines the format.  libzstd reports the
 * window size only through functions outside its stable interface.
 */

#ifndef GPUHIST_ZSTD_FRAME_H
#define GPUHIST_ZSTD_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "input/magic.h"

enum {
    ZSTD_FRAME_MAGIC_BYTES = 4,
    ZSTD_FRAME_HEADER_MAX = 18, /* the longest header */
    ZSTD_FRAME_BLOCK_HEADER_BYTES = 3,
    ZSTD_FRAME_CHECKSUM_BYTES = 4,
};

struct zstd_frame {
    bool is_skippable; /* SKIPPED_BYTES follow the header, no blocks */
    unsigned int header_bytes;
    uint32_t skipped_bytes;
    uint64_t window_bytes;  /* that decoding needs; 0 if skippable */
    bool is_sized;          /* CONTENT_BYTES is known: 0 if skippable */
    uint64_t content_bytes; /* decoded */
    bool has_checksum;      /* after the last block */
    uint32_t dictionary_id; /* that decoding needs; 0: none, or not known */
    bool is_plain; /* no dictionary is needed, and no bit is reserved */
};

struct zstd_block_header {
    bool is_last;
    unsigned int type;      /* enum zstd_block_type of zstd_block.h */
    uint32_t bytes;         /* after the header */
    uint32_t content_bytes; /* if it is not compressed */
};

/* Whether the SIZE bytes at DATA start a zstd frame or a skippable frame. */
enum magic zstd_frame_match(const unsigned char *data, size_t size);

/* Whether that is MAGIC_YES. */
bool zstd_frame_is_magic(const unsigned char *data, size_t size);

/*
 * Parse the header of the frame that starts at DATA, with SIZE bytes.  Returns
 * 0; or -1 with *FRAME all 0: not a frame, or SIZE is too small.
 */
int zstd_frame_read(struct zstd_frame *frame, const unsigned char *data,
                    size_t size);

/* Returns the most content that a block of FRAME may have. */
uint32_t zstd_frame_block_max(const struct zstd_frame *frame);

/*
 * Parse the header of the block that starts at DATA, with SIZE bytes.  Returns
 * 0; or -1: the block's type is reserved, or SIZE is too small.
 */
int zstd_frame_read_block(struct zstd_block_header *block,
                          const unsigned char *data, size_t size);

#endif
