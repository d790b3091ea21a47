/* SPDX-License-Identifier: MIT */
/* decoding_reads.c -- read a part of a file, by several threads */

#include <assert.h>

#include "input/device/decoding_reads.h"

void
decoding_reads_open(struct decoding_reads *reads, const struct source *source,
                    pthread_mutex_t *lock, pthread_cond_t *has_work)
{
    *reads = (struct decoding_reads){
        .source = source, .lock = lock, .has_work = has_work};
    pthread_cond_init(&reads->has_read, NULL);
}

void
decoding_reads_close(struct decoding_reads *reads)
{
    if (reads->lock != NULL)
        pthread_cond_destroy(&reads->has_read);
    reads->lock = NULL;
}

void
decoding_reads_help(struct decoding_reads *reads)
{
    struct error error = ERROR_NONE;
    size_t slice = reads->next++;
    size_t at = slice * DECODING_READS_SLICE;

    reads->active++;
    pthread_mutex_unlock(reads->lock);
    /* The taker reads the slice again, and reports the error. */
    int result =
        source_read_at(reads->source, reads->to + at, DECODING_READS_SLICE,
                       reads->offset + (off_t)at, &error);
    error_clear(&error);
    pthread_mutex_lock(reads->lock);
    reads->is_read[slice] = result == 0;
    reads->active--;
    if (result < 0)
        reads->slices = reads->next; /* what follows would not be taken */
    pthread_cond_signal(&reads->has_read);
}

void
decoding_reads_start(struct decoding_reads *reads, unsigned char *to,
                     size_t slices, off_t offset)
{
    assert(slices <= DECODING_READS_SLICES);
    pthread_mutex_lock(reads->lock);
    reads->to = to;
    reads->offset = offset;
    reads->slices = slices;
    reads->next = 0;
    reads->taken = 0;
    for (size_t i = 0; i < slices; i++)
        reads->is_read[i] = false;
    pthread_cond_broadcast(reads->has_work);
    pthread_mutex_unlock(reads->lock);
}

bool
decoding_reads_take(struct decoding_reads *reads)
{
    pthread_mutex_lock(reads->lock);
    size_t slice = reads->taken;
    while (slice < reads->slices && !reads->is_read[slice]) {
        if (decoding_reads_can_help(reads))
            decoding_reads_help(reads);
        else if (reads->active > 0)
            pthread_cond_wait(&reads->has_read, reads->lock);
        else
            break; /* it cannot be read */
    }
    bool is_there = slice < reads->slices && reads->is_read[slice];
    reads->taken += is_there;
    pthread_mutex_unlock(reads->lock);
    return is_there;
}

void
decoding_reads_end(struct decoding_reads *reads)
{
    pthread_mutex_lock(reads->lock);
    reads->slices = reads->next;
    while (reads->active > 0)
        pthread_cond_wait(&reads->has_read, reads->lock);
    /* Slices that were read in vain are read again. */
    for (size_t i = reads->taken; i < reads->slices; i++)
        if (reads->is_read[i])
            progress_add(reads->source->progress,
                         -(uint64_t)DECODING_READS_SLICE);
    reads->slices = 0;
    reads->next = 0;
    pthread_mutex_unlock(reads->lock);
}
