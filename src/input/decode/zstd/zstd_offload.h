/* SPDX-License-Identifier: MIT */
/*
 * zstd_offload.h -- let a device decode consecutive zstd frames
 *
 * A crew of helpers (zstd_crew.h) fills batches and computes checksums; the
 * device computes the checksums of short frames.  The owner leases content in
 * place (lease.h), because a device makes content faster than threads copy it.
 * Where leasing is impossible, all share in copying to the owner's buffer.  A
 * checksum may still be unknown when content of its frame is leased or copied,
 * but not when content of the next frame is.
 *
 * A frame that the device refuses, or does not finish, libzstd decodes again
 * from the start, and drops the content that was already taken.  So only
 * libzstd says what is wrong with a frame.
 *
 * Helpers that have started a frame may also hand it over (zstd_handover.h).
 */

#ifndef GPUHIST_ZSTD_OFFLOAD_H
#define GPUHIST_ZSTD_OFFLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/decode/zstd/zstd_crew.h"
#include "input/decode/zstd/zstd_frame.h"
#include "input/decode/zstd/zstd_handover.h"
#include "input/decoder.h"
#include "input/device/decoding_devices.h"

enum zstd_offload_result {
    ZSTD_OFFLOAD_MORE, /* content may follow */
    ZSTD_OFFLOAD_END,  /* of whole frames; their checksums are right */
    ZSTD_OFFLOAD_REFUSED,
    ZSTD_OFFLOAD_FAILED, /* the source's error is set */
};

/* All 0 at first. */
struct zstd_offload {
    bool is_open;           /* frames are being decoded: */
    off_t start;            /* start of the current one in the file */
    uint64_t content_bytes; /* of it, taken */
    /* If the frame is REFUSED: */
    bool has_sum; /* the taken content has ... */
    uint64_t sum; /* ... this XXH64 */

    /* Private. */
    struct decoding_belt *belt; /* NULL: somebody else's */
    unsigned char *front;       /* see zstd_offload_take_idle() */
    off_t refused_until; /* of the file: libzstd decodes earlier frames */

    struct budget_loan loan;
    struct zstd_crew crew;
    uint64_t number;                    /* of the batch that is being taken */
    const struct decoding_batch *batch; /* NULL: not yet there */
    uint32_t next;                      /* frame of it ... */
    bool is_in_frame;                   /* ... whose content is LEFT */
    struct zstd_batch_frame last;       /* of the batch before */
    uint64_t started_bytes; /* of CONTENT_BYTES: taken by somebody else */
    unsigned char *left;    /* LEFT_BYTES of content to take */
    size_t left_bytes;
};

/* Whether the device of DECODER's budget can decode FRAME, and is for files of
   this size. */
bool zstd_offload_fits(const struct decoder *decoder,
                       const struct zstd_frame *frame);

/*
 * FRAME starts at the next byte of DECODER's input, which is a regular file.
 * Returns whether the device decodes this frame and the following ones, up to
 * DECODER's pause.
 */
bool zstd_offload_start(struct zstd_offload *offload, struct decoder *decoder,
                        const struct zstd_frame *frame);

/*
 * FRAME starts at the next byte of DECODER's input.  Whether helpers should
 * start the frame, because the device is starting and zstd_offload_take_idle()
 * may take it later.
 */
bool zstd_offload_may_follow(const struct zstd_offload *offload,
                             const struct decoder *decoder,
                             const struct zstd_frame *frame);

/*
 * Take a belt, if the device is ready, has a free one, and can go on with
 * FRAME, which helpers decode and which starts at START in DECODER's input.
 * Returns whether it is taken; then copy the frame's window to OFFLOAD->front,
 * in memory of the device.
 */
bool zstd_offload_take_idle(struct zstd_offload *offload,
                            const struct decoder *decoder,
                            const struct zstd_frame *frame, off_t start);

/*
 * After zstd_offload_take_idle(): go on with the frame of HANDOVER as
 * zstd_offload_start() would.  Returns false if the frame is REFUSED for lack
 * of memory.
 */
bool zstd_offload_continue(struct zstd_offload *offload,
                           struct decoder *decoder,
                           const struct zstd_handover *handover);

/*
 * Take up to CAPACITY bytes of content to BUFFER, and set *SIZE to their
 * number.  At the END, DECODER's next input follows the frames.  OFFLOAD is
 * closed unless the result is MORE.
 */
enum zstd_offload_result zstd_offload_take(struct zstd_offload *offload,
                                           struct decoder *decoder,
                                           unsigned char *buffer,
                                           size_t capacity, size_t *size);

/*
 * As zstd_offload_take(), but lease the content: set *LEASE, which is 0, to up
 * to CAPACITY bytes of one batch.  Before them stand the preceding FRONT_BYTES,
 * which are at FRONT, up to LEASE_FRONT_BYTES.  If nothing is leased and the
 * result is MORE, use zstd_offload_take().
 */
enum zstd_offload_result zstd_offload_lease(struct zstd_offload *offload,
                                            struct decoder *decoder,
                                            const unsigned char *front,
                                            size_t front_bytes, size_t capacity,
                                            struct lease *lease);

/*
 * End the helpers, and release their memory, but not the belt.  Returns up to
 * where the file has been read.  May be called twice, and then returns 0.
 */
off_t zstd_offload_close(struct zstd_offload *offload);

#endif
