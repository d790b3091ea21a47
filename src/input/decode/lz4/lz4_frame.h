/*
 * lz4_frame.h -- parse the headers of lz4 frames
 *
 * "LZ4 Frame Format Description" 1.6.3 defines them, the legacy ones, too.
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
    bool is_legacy;    /* no checksum, no end but that of the file or the next
                          magic number */
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

/* What is at the begin of a block says. */
struct lz4_frame_block {
    bool is_end;           /* no block follows in this frame */
    bool is_stored;        /* not compressed */
    uint32_t packed_bytes; /* without its size and checksum ... */
    uint32_t whole_bytes;  /* ... and with them */
};

/* Whether the SIZE bytes at DATA start a frame; skippable frames are of zstd,
   too. */
enum magic lz4_frame_match(const unsigned char *data, size_t size);

/*
 * Parse the header of the frame that starts at DATA, with SIZE bytes.  Returns
 * NULL, or what is wrong.
 */
const char *lz4_frame_read(struct lz4_frame *frame, const unsigned char *data,
                           size_t size);

/*
 * Whether the blocks of FRAME are parts (decoder.h): they are independent, and
 * nothing in the frame depends on the content of all of them.
 */
bool lz4_frame_has_parts(const struct lz4_frame *frame);

/*
 * Parse the first LZ4_FRAME_WORD_BYTES of a block, at DATA.  In a legacy frame,
 * which has no end of its own, they are no magic number.  Returns 0, or -1: the
 * block is longer than FRAME allows.
 */
int lz4_frame_read_block(struct lz4_frame_block *block,
                         const struct lz4_frame *frame,
                         const unsigned char *data);

#endif
