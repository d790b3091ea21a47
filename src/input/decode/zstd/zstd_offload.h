/*
 * zstd_offload.h -- let a device decode zstd frames that follow each other
 *
 * A crew of helpers (zstd_crew.h) fills batches and computes checksums; the
 * device computes those of short frames.  The owner lends content where it lies
 * (lease.h), since a device makes it faster than threads copy.  Where it
 * cannot, all share in copying it to where the owner wants it.  A checksum may
 * be still unknown when content of its frame is lent or copied, but not when
 * content of the next frame is.
 *
 * What a device refuses, or does not finish, libzstd decodes again from the
 * frame's begin, without the content that was taken before.  So only libzstd
 * says what is wrong with a frame.
 *
 * A frame may also be handed over by helpers that have begun to decode it
 * (zstd_handover.h).
 */

#ifndef GPUHIST_ZSTD_OFFLOAD_H
#define GPUHIST_ZSTD_OFFLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/decode/zstd/zstd_crew.h"
#include "input/decode/zstd/zstd_device.h"
#include "input/decode/zstd/zstd_frame.h"
#include "input/decode/zstd/zstd_handover.h"
#include "input/decoder.h"

enum zstd_offload_result {
    ZSTD_OFFLOAD_MORE, /* content may follow */
    ZSTD_OFFLOAD_END,  /* of whole frames; their checksums are right */
    ZSTD_OFFLOAD_REFUSED,
    ZSTD_OFFLOAD_FAILED, /* the source's error is set */
};

/* All 0 at first. */
struct zstd_offload {
    bool is_open;           /* frames are being decoded: */
    off_t begin;            /* where the current one begins in the file */
    uint64_t content_bytes; /* of it, taken */
    /* If it is REFUSED: */
    bool has_sum; /* the content that was taken has ... */
    uint64_t sum; /* ... this XXH64 */

    /* Private. */
    struct zstd_device *device; /* NULL: somebody else's */
    unsigned char *front;       /* see zstd_offload_take_idle() */
    off_t refused_until; /* of the file: what begins before is libzstd's */

    struct budget_loan loan;
    struct zstd_crew crew;
    uint64_t number; /* of the batch that is being taken */
    const struct zstd_device_batch *batch; /* NULL: not yet there */
    uint32_t next;                         /* part of it ... */
    bool is_in_part;                       /* ... whose content is LEFT */
    struct zstd_batch_part last;           /* of the batch before */
    uint64_t begun_bytes; /* of CONTENT_BYTES: taken by somebody else */
    unsigned char *left;  /* LEFT_BYTES of content to take */
    size_t left_bytes;
};

/*
 * Have the device of DECODER's budget, for all frames of a file, unless some
 * other decoder has it.  Returns whether that is so.  Waits until it has
 * started.
 */
bool zstd_offload_take_device(struct zstd_offload *offload,
                              struct decoder *decoder);

/* Let other decoders have the device.  May be called twice. */
void zstd_offload_give_device(struct zstd_offload *offload);

/* Whether the device of DECODER's budget can decode FRAME, and is for such
   files. */
bool zstd_offload_fits(const struct decoder *decoder,
                       const struct zstd_frame *frame);

/*
 * FRAME starts at the next byte of DECODER's input, which is a regular file.
 * Returns whether the device decodes it, and the frames that follow, up to
 * DECODER's pause.
 */
bool zstd_offload_begin(struct zstd_offload *offload, struct decoder *decoder,
                        const struct zstd_frame *frame);

/*
 * FRAME starts at the next byte of DECODER's input.  Whether helpers should
 * begin it, since the device is starting, and zstd_offload_take_idle() may get
 * it later.
 */
bool zstd_offload_may_follow(const struct zstd_offload *offload,
                             const struct decoder *decoder,
                             const struct zstd_frame *frame);

/*
 * Have the device, if it is ready, nobody else has it, and it can go on with
 * FRAME, which helpers are decoding and which starts at BEGIN of DECODER's
 * input.  Returns whether that is so; then OFFLOAD->front is where the frame's
 * window is to be copied to, in memory of the device.
 */
bool zstd_offload_take_idle(struct zstd_offload *offload,
                            const struct decoder *decoder,
                            const struct zstd_frame *frame, off_t begin);

/*
 * Go on with the frame of HANDOVER, for which zstd_offload_take_idle() has the
 * device, as zstd_offload_begin() would.  Returns false if the frame is
 * REFUSED, since there is no memory.
 */
bool zstd_offload_continue(struct zstd_offload *offload,
                           struct decoder *decoder,
                           const struct zstd_handover *handover);

/*
 * Take up to CAPACITY bytes of content to BUFFER, and set *SIZE to how many
 * they are.  At the END, DECODER's next input is what follows the frames.
 * Unless there is MORE, OFFLOAD is closed.
 */
enum zstd_offload_result zstd_offload_take(struct zstd_offload *offload,
                                           struct decoder *decoder,
                                           unsigned char *buffer,
                                           size_t capacity, size_t *size);

/*
 * As zstd_offload_take(), but lend the content: set *LEASE, which is 0, to up
 * to CAPACITY bytes of one batch.  They have the FRONT_BYTES at FRONT in front
 * of them, up to LEASE_FRONT_BYTES, which precede them.  If they remain 0 and
 * there is MORE, use zstd_offload_take().
 */
enum zstd_offload_result zstd_offload_lend(struct zstd_offload *offload,
                                           struct decoder *decoder,
                                           const unsigned char *front,
                                           size_t front_bytes, size_t capacity,
                                           struct lease *lease);

/*
 * End the helpers, and release what they use, but not the device.  Returns up
 * to where the file has been read.  May be called twice, and then returns 0.
 */
off_t zstd_offload_close(struct zstd_offload *offload);

#endif
