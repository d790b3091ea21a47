/* SPDX-License-Identifier: MIT */
/*
 * zstd_handover.h -- a zstd frame that one decoder starts and another ends
 *
 * Helpers (zstd_ahead.h) decode a long frame while a device starts, or while
 * the device decodes something else.  Then the helpers stop at some block, and
 * the device goes on (zstd_offload.h).
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
    off_t start; /* of the frame, in the file */
    off_t next;  /* of the next block */

    /* Inherited by this block. */
    struct zstd_inherited inherited;
    struct zstd_offsets offsets;
    size_t front_bytes; /* of its window, which are where the device's first
                           batch has its front: see zstd_batch_front() */

    /* Content already taken. */
    uint64_t content_bytes;
    struct xxh64 hash; /* if the frame has a checksum */
};

#endif
