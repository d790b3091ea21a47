/*
 * zstd_frame.h -- what the first bytes of a zstd frame say
 *
 * The format: RFC 8878, sections 3.1.1 and 3.1.2.  libzstd tells the window
 * only through functions that are not part of its stable interface.
 */

#ifndef GPUHIST_ZSTD_FRAME_H
#define GPUHIST_ZSTD_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    ZSTD_FRAME_MAGIC_BYTES = 4,
    ZSTD_FRAME_HEADER_MAX = 18, /* no header is longer */
    ZSTD_FRAME_BLOCK_HEADER_BYTES = 3,
    ZSTD_FRAME_CHECKSUM_BYTES = 4,
};

struct zstd_frame {
    bool is_skippable; /* behind the header: SKIPPED_BYTES, no blocks */
    unsigned int header_bytes;
    uint32_t skipped_bytes;
    uint64_t window_bytes;  /* that decoding needs; 0 if skippable */
    bool is_sized;          /* CONTENT_BYTES is known; 0 if skippable */
    uint64_t content_bytes; /* decoded */
    bool has_checksum;      /* behind the last block */
};

struct zstd_block {
    bool is_last;
    uint32_t bytes; /* behind the header */
};

/* Whether the SIZE bytes at DATA begin a zstd frame or a skippable frame. */
bool zstd_frame_is_magic(const unsigned char *data, size_t size);

/*
 * Read the header of the frame that begins at DATA, of which there are SIZE
 * bytes.  Returns 0; or -1, with *FRAME zero: no frame, or SIZE is too small.
 */
int zstd_frame_read(struct zstd_frame *frame, const unsigned char *data,
                    size_t size);

/* The same for a block's header.  Returns -1 also for a type that is none. */
int zstd_frame_read_block(struct zstd_block *block, const unsigned char *data,
                          size_t size);

#endif
