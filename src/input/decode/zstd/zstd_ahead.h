/* SPDX-License-Identifier: MIT */
/*
 * zstd_ahead.h -- who decodes a zstd frame: libzstd or helpers
 *
 * If a frame is long and in a regular file, and processors are idle, helpers
 * decode its blocks (zstd_blocks.h) with a decoder of our own.  This decoder
 * accepts less than libzstd.  If it refuses a frame, for any reason, libzstd
 * decodes the frame again from the start and drops the content that was already
 * taken.  So only libzstd says what is wrong with a frame.
 *
 * The content is leased to chunks where possible (zstd_window.h), or copied.
 *
 * Helpers may also stop at some block, so that a device goes on with the frame.
 */

#ifndef GPUHIST_ZSTD_AHEAD_H
#define GPUHIST_ZSTD_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/decode/zstd/zstd_blocks.h"
#include "input/decode/zstd/zstd_frame.h"
#include "input/decode/zstd/zstd_handover.h"
#include "input/decode/zstd/zstd_window.h"
#include "input/decoder.h"

struct zstd_ahead_sizes {
    off_t long_bytes;        /* compressed bytes of a frame, at least, ... */
    off_t helper_bytes;      /* ... and for each helper */
    off_t remainder_bytes;   /* of a file, with which a device may go on */
    size_t slot_extra_bytes; /* of a slot of the window, if slots are leased */
};

/* For ordinary files. */
extern const struct zstd_ahead_sizes zstd_ahead_usual;

enum zstd_ahead_result {
    ZSTD_AHEAD_MORE, /* content may follow */
    ZSTD_AHEAD_END,  /* the frame has ended; its checksum is right */
    ZSTD_AHEAD_REFUSED,
    ZSTD_AHEAD_STOPPED, /* for zstd_ahead_hand_over() */
    ZSTD_AHEAD_FAILED,  /* the source's error is set */
};

/* All 0 at first, except SIZES. */
struct zstd_ahead {
    const struct zstd_ahead_sizes *sizes;
    bool is_open;           /* a frame is being decoded: */
    off_t start;            /* start of the frame in the file */
    uint64_t content_bytes; /* taken */
    struct zstd_frame frame;

    /* Private. */
    struct zstd_blocks blocks;
    struct zstd_window window;
    struct budget_loan loan;
    const struct zstd_block_set *set; /* the first one; NULL: not decoded yet */
    unsigned int next;                /* block of it */
    unsigned char *left;              /* LEFT_BYTES of content to take */
    size_t left_bytes;
};

/* Whether FRAME, which starts at the next byte of DECODER's input, is long. */
bool zstd_ahead_is_long(const struct zstd_ahead *ahead,
                        const struct decoder *decoder,
                        const struct zstd_frame *frame);

/*
 * FRAME starts at the next byte of DECODER's input.  Returns whether helpers
 * decode the frame; then they have started with the first block.
 */
bool zstd_ahead_start(struct zstd_ahead *ahead, struct decoder *decoder,
                      const struct zstd_frame *frame);

/*
 * Take up to CAPACITY bytes of content to BUFFER, and set *SIZE to their
 * number.  At the END, DECODER's next input follows the frame.  AHEAD is closed
 * unless the result is MORE or STOPPED.
 */
enum zstd_ahead_result zstd_ahead_take(struct zstd_ahead *ahead,
                                       struct decoder *decoder,
                                       unsigned char *buffer, size_t capacity,
                                       size_t *size);

/*
 * As zstd_ahead_take(), but lease the content: set *LEASE, which is 0, to up to
 * CAPACITY bytes.  Before them stand the preceding FRONT_BYTES, which are at
 * FRONT, up to LEASE_FRONT_BYTES.  If nothing is leased and the result is MORE,
 * use zstd_ahead_take().
 */
enum zstd_ahead_result zstd_ahead_lease(struct zstd_ahead *ahead,
                                        struct decoder *decoder,
                                        const unsigned char *front,
                                        size_t front_bytes, size_t capacity,
                                        struct lease *lease);

/* Start no more blocks.  Once all started blocks have been taken, AHEAD is
   STOPPED, if the frame has more. */
void zstd_ahead_stop(struct zstd_ahead *ahead);

/* AHEAD is STOPPED.  Fill *HANDOVER, with which a device goes on, copy the
   window to FRONT, and close AHEAD.  DECODER's next input is the next block. */
void zstd_ahead_hand_over(struct zstd_ahead *ahead, struct decoder *decoder,
                          struct zstd_handover *handover, unsigned char *front);

/*
 * End the helpers and release their memory.  Returns up to where the file has
 * been read.  May be called twice, and then returns 0.
 */
off_t zstd_ahead_close(struct zstd_ahead *ahead);

#endif
