/* SPDX-License-Identifier: MIT */
/*
 * progress.h -- progress counters of a run, and their line of text
 *
 * The threads of a run update the counters without a lock.  Any thread may
 * take a snapshot at any time.
 */

#ifndef GPUHIST_PROGRESS_H
#define GPUHIST_PROGRESS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum progress_phase {
    PROGRESS_STARTING,
    PROGRESS_COUNTING,
    PROGRESS_PRINTING,
};

/* The size of the inputs is not known. */
#define PROGRESS_UNKNOWN UINT64_MAX

/* Room for any line, with its '\0'. */
#define PROGRESS_TEXT_BYTES 256

struct progress {
    double start;     /* start, in seconds of the monotonic clock; constant */
    atomic_int phase; /* enum progress_phase */
    atomic_uint_fast64_t read_bytes;     /* of the inputs, before decoding */
    atomic_uint_fast64_t expected_bytes; /* size of the inputs, or UNKNOWN */
    /* Holes of sparse files in archives, which no input contains: bytes that
       have been passed, and bytes of all holes found so far. */
    atomic_uint_fast64_t zero_bytes;
    atomic_uint_fast64_t expected_zeros;
    /* Frames that helpers have decoded, and their content; and frames that
       helpers have given up, which a library decoded again. */
    atomic_uint_fast64_t helped_frames;
    atomic_uint_fast64_t helped_bytes;
    atomic_uint_fast64_t refused_frames;
    atomic_uint_fast64_t device_frames; /* that a device has decoded ... */
    atomic_uint_fast64_t device_bytes;  /* ... and their content */
    /* Likewise blocks of BGZF. */
    atomic_uint_fast64_t helped_blocks;
    atomic_uint_fast64_t helped_block_bytes;
    atomic_uint_fast64_t device_blocks;
    atomic_uint_fast64_t device_block_bytes;
    atomic_uint_fast64_t sketched_bytes; /* divided between records unseen */
    /* Frames that helpers started, and their decoded bytes (not in
       DEVICE_BYTES). */
    atomic_uint_fast64_t started_frames;
    atomic_uint_fast64_t started_bytes;
    atomic_int host_threads; /* CPU threads that count */
    atomic_int gpus_starting;
    atomic_int gpus_counting;
};

struct progress_snapshot {
    enum progress_phase phase;
    double seconds; /* since the start */
    uint64_t read_bytes;
    uint64_t expected_bytes;
    int host_threads;
    int gpus_starting;
    int gpus_counting;
    uint64_t zero_bytes;
    uint64_t expected_zeros;
};

/* Set all counters to 0 and the start to now. */
void progress_open(struct progress *progress);

/* A run starts again, after all its threads have ended. */
void progress_restart(struct progress *progress);

/* BYTES more have been read.  Does nothing if PROGRESS is NULL. */
void progress_add(struct progress *progress, uint64_t bytes);

/* A hole of BYTES has been found; BYTES of one have been passed.  PROGRESS may
   be NULL. */
void progress_expect_zeros(struct progress *progress, uint64_t bytes);
void progress_add_zeros(struct progress *progress, uint64_t bytes);

/* Helpers have decoded a frame of BYTES of content.  PROGRESS may be NULL. */
void progress_add_helped(struct progress *progress, uint64_t bytes);

/* Helpers have decoded so many BLOCKS of BGZF, of BYTES of content.  PROGRESS
   may be NULL. */
void progress_add_helped_blocks(struct progress *progress, uint64_t blocks,
                                uint64_t bytes);

/* A device has decoded a frame of BYTES, except for the first STARTED bytes,
   which helpers have decoded. */
void progress_add_device(struct progress *progress, uint64_t bytes,
                         uint64_t started);

/* A device has decoded a block of BGZF, of BYTES of content.  PROGRESS may be
   NULL. */
void progress_add_device_block(struct progress *progress, uint64_t bytes);

/* A reader has divided BYTES between records by a device's sketches of them.
   PROGRESS may be NULL. */
void progress_add_sketched(struct progress *progress, uint64_t bytes);

/* Helpers or a device have given up a frame. */
void progress_add_refused(struct progress *progress);

/* Returns the counters as they are now. */
struct progress_snapshot progress_look(struct progress *progress);

/*
 * Write "1610612736 bytes (1.50 GiB) read in 3.2 s, 503 MB/s, 37 %, 0:06 left;
 * 4 CPU threads" to TEXT, which has room for PROGRESS_TEXT_BYTES.
 */
void progress_text(const struct progress_snapshot *snapshot, char *text);

#endif
