/* SPDX-License-Identifier: MIT */
/*
 * bgzf_offload.h -- let a device decode consecutive blocks of BGZF
 *
 * A crew of helpers (decoding_crew.h) fills batches (bgzf_batch.h); the device
 * compares sizes and checksums.  The owner leases content in place (lease.h),
 * or all share in copying to the owner's buffer.
 *
 * A block that the device refuses, or does not finish, has no content taken.
 * The library decodes the block, so only the library says what is wrong with
 * it; then the device may go on after it.  The content of such a block never
 * goes to a batch, because the device's copy would differ.
 */

#ifndef GPUHIST_BGZF_OFFLOAD_H
#define GPUHIST_BGZF_OFFLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/decode/gzip/bgzf_batch.h"
#include "input/decoder.h"
#include "input/device/decoding_crew.h"
#include "input/device/decoding_devices.h"

enum bgzf_offload_result {
    BGZF_OFFLOAD_MORE,   /* content may follow */
    BGZF_OFFLOAD_END,    /* of whole blocks: the library goes on */
    BGZF_OFFLOAD_FAILED, /* the source's error is set */
};

/* Fills batches. */
struct bgzf_crew {
    struct decoding_crew base;      /* first: pointers to it point to this */
    struct decoding_walk walk;      /* for the thread that IS_FILLING */
    bool wants_sketches;            /* constant */
    off_t *start[DECODING_BATCHES]; /* see bgzf_batch_fill() */
};

/* All 0 at first, and for another file. */
struct bgzf_offload {
    bool is_open;          /* blocks are being decoded */
    bool had_block;        /* at least one has been taken ... */
    uint32_t last_content; /* ... of which the last one has these bytes */

    /* Private. */
    struct decoding_belt *belt; /* NULL: somebody else's */
    off_t start;                /* of the next block to take, in the file */
    off_t refused_until; /* of the file: the library decodes earlier blocks */
    unsigned int stops;  /* within the file */
    struct budget_loan loan;
    struct bgzf_crew crew;
    uint64_t number;                    /* of the batch that is being taken */
    const struct decoding_batch *batch; /* NULL: not yet there */
    uint32_t next;                      /* block of it ... */
    bool is_in_block;                   /* ... whose content is LEFT */
    unsigned char *left;                /* LEFT_BYTES of content to take */
    size_t left_bytes;
};

/* Whether the device of DECODER's budget could decode a member that starts at
   OFFSET, with the SIZE bytes at DATA, and those after the member. */
bool bgzf_offload_fits(const struct bgzf_offload *offload,
                       const struct decoder *decoder, off_t offset,
                       const unsigned char *data, size_t size);

/*
 * A member that fits starts at the next byte of DECODER's input, which is a
 * regular file.  Returns whether the device decodes this member and the
 * following ones, up to DECODER's pause; then DECODER must seek to the member.
 */
bool bgzf_offload_start(struct bgzf_offload *offload, struct decoder *decoder);

/*
 * Take up to CAPACITY bytes of content to BUFFER, and set *SIZE to their
 * number.  At the END, DECODER's next input follows the blocks.  OFFLOAD is
 * closed unless the result is MORE.
 */
enum bgzf_offload_result bgzf_offload_take(struct bgzf_offload *offload,
                                           struct decoder *decoder,
                                           unsigned char *buffer,
                                           size_t capacity, size_t *size);

/*
 * As bgzf_offload_take(), but lease the content: set *LEASE, which is 0, to up
 * to CAPACITY bytes of one batch.  Before them stand the preceding FRONT_BYTES,
 * which are at FRONT, up to LEASE_FRONT_BYTES.  If nothing is leased and the
 * result is MORE, use bgzf_offload_take().
 */
enum bgzf_offload_result bgzf_offload_lease(struct bgzf_offload *offload,
                                            struct decoder *decoder,
                                            const unsigned char *front,
                                            size_t front_bytes, size_t capacity,
                                            struct lease *lease);

/*
 * End the helpers, and release their memory, but not the belt.  Returns up to
 * where the file has been read.  May be called twice, and then returns 0.
 */
off_t bgzf_offload_close(struct bgzf_offload *offload);

#endif
