/*
 * progress.h -- how far a run has come, as one line of text
 *
 * The threads of a run note what they do without a lock; who wants to know
 * takes a snapshot at any moment.
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
    double begin; /* in seconds of the monotonic clock; set once */
    atomic_int phase;
    atomic_uint_fast64_t read_bytes;     /* as they are in the inputs ... */
    atomic_uint_fast64_t expected_bytes; /* ... of so many, or UNKNOWN */
    atomic_int host_threads;             /* that count */
    atomic_int gpus_starting;
    atomic_int gpus_counting;
};

struct progress_snapshot {
    enum progress_phase phase;
    double seconds; /* since the begin */
    uint64_t read_bytes;
    uint64_t expected_bytes;
    int host_threads;
    int gpus_starting;
    int gpus_counting;
};

/* The run begins now. */
void progress_open(struct progress *progress);

/* BYTES more have been read.  PROGRESS may be NULL: nobody wants to know. */
void progress_add(struct progress *progress, uint64_t bytes);

struct progress_snapshot progress_look(struct progress *progress);

/*
 * "1610612736 bytes (1.50 GiB) read in 3.2 s, 503 MB/s, 37 %, 0:06 left; 4 CPU
 * threads": TEXT has room for PROGRESS_TEXT_BYTES.
 */
void progress_text(const struct progress_snapshot *snapshot, char *text);

#endif
