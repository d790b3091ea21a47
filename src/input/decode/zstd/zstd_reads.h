/*
 * zstd_reads.h -- read a part of a file, by several threads
 *
 * One thread, the taker, starts and takes slice after slice.  Others help: a
 * thread that copies from the page cache is slower than a GPU that decodes.
 */

#ifndef GPUHIST_ZSTD_READS_H
#define GPUHIST_ZSTD_READS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/source.h"

enum {
    ZSTD_READS_SLICE = 512 << 10,
    ZSTD_READS_SLICES = 128, /* the most */
};

struct zstd_reads {
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
    bool is_read[ZSTD_READS_SLICES];
};

/* Open READS of SOURCE; LOCK and HAS_WORK belong to the helpers. */
void zstd_reads_open(struct zstd_reads *reads, const struct source *source,
                     pthread_mutex_t *lock, pthread_cond_t *has_work);

void zstd_reads_close(struct zstd_reads *reads);

/* ---- for helpers, under the lock ---- */

/* Whether there is a slice to read. */
static inline bool
zstd_reads_can_help(const struct zstd_reads *reads)
{
    return reads->next < reads->slices;
}

/* Read this slice.  Releases the lock meanwhile. */
void zstd_reads_help(struct zstd_reads *reads);

/* ---- for the taker, without the lock ---- */

/* Start to read SLICES slices at OFFSET of the file, which has them, to TO. */
void zstd_reads_start(struct zstd_reads *reads, unsigned char *to,
                      size_t slices, off_t offset);

/* Wait for the next slice, or read it.  Returns false if the slice cannot be
   read, or all are taken. */
bool zstd_reads_take(struct zstd_reads *reads);

/* No more is taken: from here on nobody reads. */
void zstd_reads_end(struct zstd_reads *reads);

#endif
