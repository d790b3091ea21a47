/* SPDX-License-Identifier: MIT */
/*
 * decoding_reads.h -- read a part of a file, by several threads
 *
 * One thread, the taker, starts and takes slice after slice.  Others help: a
 * thread that copies from the page cache is slower than a GPU that decodes.
 */

#ifndef GPUHIST_DECODING_READS_H
#define GPUHIST_DECODING_READS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/source.h"

enum {
    DECODING_READS_SLICE = 512 << 10,
    DECODING_READS_SLICES = 128, /* the most */
};

struct decoding_reads {
    /* Constant. */
    const struct source *source; /* a regular file */
    pthread_mutex_t *lock;       /* for the following fields */
    pthread_cond_t *has_work;    /* helpers that wait */

    pthread_cond_t has_read; /* the taker waits */
    unsigned char *to;
    off_t offset;
    size_t slices;       /* 0: nothing to read */
    size_t next;         /* first slice that no thread reads yet */
    size_t taken;        /* slices */
    unsigned int active; /* threads that read */
    bool is_read[DECODING_READS_SLICES];
};

/* Open READS of SOURCE; LOCK and HAS_WORK belong to the helpers. */
void decoding_reads_open(struct decoding_reads *reads,
                         const struct source *source, pthread_mutex_t *lock,
                         pthread_cond_t *has_work);

void decoding_reads_close(struct decoding_reads *reads);

/* ---- for helpers, under the lock ---- */

/* Whether there is a slice to read. */
static inline bool
decoding_reads_can_help(const struct decoding_reads *reads)
{
    return reads->next < reads->slices;
}

/* Read this slice.  Releases the lock meanwhile. */
void decoding_reads_help(struct decoding_reads *reads);

/* ---- for the taker, without the lock ---- */

/* Start to read SLICES slices at OFFSET of the file, which has them, to TO. */
void decoding_reads_start(struct decoding_reads *reads, unsigned char *to,
                          size_t slices, off_t offset);

/* Wait for the next slice, or read it.  Returns false if the slice cannot be
   read, or all are taken. */
bool decoding_reads_take(struct decoding_reads *reads);

/* No more is taken: from here on nobody reads. */
void decoding_reads_end(struct decoding_reads *reads);

#endif
