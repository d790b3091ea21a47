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
};

/* Whether the SIZE bytes at DATA begin a zstd frame or a skippable frame. */
bool zstd_frame_is_magic(const unsigned char *data, size_t size);

/*
 * The window that decoding the frame at HEADER needs, in bytes.  0 for a
 * skippable frame, and where SIZE bytes are too few to tell.
 */
uint64_t zstd_frame_window(const unsigned char *header, size_t size);

#endif
