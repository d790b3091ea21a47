/*
 * zstd_handover.h -- a zstd frame that one decoder begins and another ends
 *
 * Helpers (zstd_ahead.h) decode a long frame while a device starts, or while it
 * decodes something else.  Then they stop at some block, and the device goes on
 * with it (zstd_offload.h).
 */

#ifndef GPUHIST_ZSTD_HANDOVER_H
#define GPUHIST_ZSTD_HANDOVER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/xxh.h"
#include "input/decode/zstd/zstd_find.h"
#include "input/decode/zstd/zstd_frame.h"

struct zstd_handover {
    struct zstd_frame frame;
    off_t begin; /* of the frame, in the file */
    off_t next;  /* of the next block */

    /* What that block inherits. */
    struct zstd_inherited inherited;
    struct zstd_offsets offsets;
    size_t front_bytes; /* of its window, which are where the device's first
                           batch has its front: see zstd_batch_front() */

    /* What was taken of the frame. */
    uint64_t content_bytes;
    struct xxh64 hash; /* if the frame has a checksum */
};

#endif
