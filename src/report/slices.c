/* SPDX-License-Identifier: MIT */
/*
 * slices.c -- print many lines on several cores
 *
 * The ring has more buffers than threads.  Slice s uses buffer s % BUFFERS.  A
 * buffer goes through these states:
 *
 *     free      a thread may take the next slice if its buffer is free
 *     filling   the thread writes to the buffer
 *     full      the writer reads it; the slice continues: the thread waits
 *               until the buffer is filling again
 *     done      the writer reads it; the slice ends there
 *
 * The writer waits for the first slice not written yet.  The thread of the
 * slice waits only for the writer.  So no deadlock is possible.
 */

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/thread.h"
#include "report/slices.h"

#define BUFFERS (2 * SLICES_THREADS)

/* Rows of a slice: enough work to make the cost of the locks negligible. */
#define SLICE_ROWS 8192
/* Room for a usual slice; a longer slice is handed over in several parts. */
#define BUFFER_BYTES ((size_t)144 << 10)

enum buffer_state {
    BUFFER_FREE,
    BUFFER_FILLING,
    BUFFER_FULL,
    BUFFER_DONE,
};

struct buffer {
    struct slices *slices;
    enum buffer_state state; /* under the lock */
    size_t size; /* the current owner's, thread or writer; also ROOM */
    char room[BUFFER_BYTES];
};

struct slices {
    struct slices_lines *lines;

    pthread_mutex_t lock;
    /* Waking up all threads for each slice would take longer than the slice. */
    pthread_cond_t is_full; /* AWAITED has text; the writer waits */
    pthread_cond_t is_free; /* a buffer; waiting threads take a slice ... */
    pthread_cond_t is_read; /* ... or continue a slice */
    /* Everything below is under the lock. */
    const struct buffer *awaited; /* by the writer; or NULL */
    uint64_t taken;               /* number of slices taken */
    bool has_failed;              /* the writer has failed: threads end */
    struct buffer buffer[BUFFERS];
};

/* A thread, and the lines of its slice. */
struct slices_thread {
    struct slices *slices;
    void *part;
};

/* The lines of rows. */
struct row_lines {
    struct slices_lines lines;
    struct rows *rows; /* not taken by any thread */
    slices_put *put;
    const void *context;
};

uint64_t
slices_bytes(uint64_t rows)
{
    return rows > SLICES_ROWS_MIN
               ? sizeof(struct slices) + SLICES_THREADS * sizeof(struct rows)
               : 0;
}

/* ---- threads ---- */

/* Hand the text in the buffer to the writer.  Under the lock. */
static void
hand_over(struct writer *writer, enum buffer_state state)
{
    struct buffer *buffer = writer->context;

    buffer->size = (size_t)(writer->at - writer->room);
    buffer->state = state;
    if (buffer->slices->awaited == buffer)
        pthread_cond_signal(&buffer->slices->is_full);
}

/* The buffer is full in the middle of a slice. */
static void
drain_to_buffer(struct writer *writer)
{
    struct buffer *buffer = writer->context;
    struct slices *slices = buffer->slices;

    pthread_mutex_lock(&slices->lock);
    hand_over(writer, BUFFER_FULL);
    while (buffer->state == BUFFER_FULL && !slices->has_failed)
        pthread_cond_wait(&slices->is_read, &slices->lock);
    if (slices->has_failed)
        writer->reason = ECANCELED;
    pthread_mutex_unlock(&slices->lock);
    writer->at = writer->room;
}

/* Whether all slices are taken.  Under the lock. */
static bool
are_taken(const struct slices *slices)
{
    return slices->taken == slices->lines->slices;
}

/* Take the next slice: PART gets the lines.  Returns the buffer of the slice,
   or NULL if no slice is left or the writer has failed. */
static struct buffer *
take_slice(struct slices *slices, void *part)
{
    struct buffer *buffer = NULL;

    pthread_mutex_lock(&slices->lock);
    for (;;) {
        if (slices->has_failed || are_taken(slices))
            break;
        struct buffer *next = &slices->buffer[slices->taken % BUFFERS];
        if (next->state == BUFFER_FREE) {
            buffer = next;
            buffer->state = BUFFER_FILLING;
            slices->taken++;
            slices->lines->take(slices->lines, part);
            /* The other threads need not wait for a buffer. */
            if (are_taken(slices))
                pthread_cond_broadcast(&slices->is_free);
            break;
        }
        pthread_cond_wait(&slices->is_free, &slices->lock);
    }
    pthread_mutex_unlock(&slices->lock);
    return buffer;
}

static void *
slices_main(void *argument)
{
    const struct slices_thread *own = argument;
    struct slices *slices = own->slices;
    struct buffer *buffer;

    while ((buffer = take_slice(slices, own->part)) != NULL) {
        struct writer writer;

        writer_open_room(&writer, buffer->room, sizeof buffer->room,
                         drain_to_buffer, buffer);
        slices->lines->put(&writer, own->part, slices->lines);
        pthread_mutex_lock(&slices->lock);
        hand_over(&writer, BUFFER_DONE);
        pthread_mutex_unlock(&slices->lock);
    }
    return NULL;
}

/* ---- the writer ---- */

/* Wait until BUFFER, of slice number SLICE, has text to write.  Returns false
   if the slice does not exist. */
static bool
wait_for_text(struct slices *slices, uint64_t slice,
              const struct buffer *buffer)
{
    bool is_there;

    pthread_mutex_lock(&slices->lock);
    for (;;) {
        is_there = slice < slices->taken;
        if (is_there ? buffer->state >= BUFFER_FULL : are_taken(slices))
            break;
        slices->awaited = buffer;
        pthread_cond_wait(&slices->is_full, &slices->lock);
        slices->awaited = NULL;
    }
    pthread_mutex_unlock(&slices->lock);
    return is_there;
}

static void
write_slices(struct slices *slices, struct writer *out)
{
    uint64_t slice = 0;

    for (;;) {
        struct buffer *buffer = &slices->buffer[slice % BUFFERS];
        if (!wait_for_text(slices, slice, buffer))
            return;
        writer_put_bytes(out, buffer->room, buffer->size);

        pthread_mutex_lock(&slices->lock);
        if (buffer->state == BUFFER_DONE) {
            buffer->state = BUFFER_FREE;
            pthread_cond_signal(&slices->is_free);
            slice++;
        } else {
            buffer->state = BUFFER_FILLING;
            pthread_cond_broadcast(&slices->is_read);
        }
        bool has_failed = writer_has_failed(out);
        slices->has_failed = has_failed;
        if (has_failed) {
            pthread_cond_broadcast(&slices->is_free);
            pthread_cond_broadcast(&slices->is_read);
        }
        pthread_mutex_unlock(&slices->lock);
        if (has_failed)
            return;
    }
}

/* Returns slices of LINES, owned: close_slices(); or NULL. */
static struct slices *
open_slices(struct slices_lines *lines)
{
    struct slices *slices = malloc(sizeof *slices);

    if (slices == NULL)
        return NULL;
    slices->lines = lines;
    slices->taken = 0;
    slices->has_failed = false;
    slices->awaited = NULL;
    pthread_mutex_init(&slices->lock, NULL);
    pthread_cond_init(&slices->is_full, NULL);
    pthread_cond_init(&slices->is_free, NULL);
    pthread_cond_init(&slices->is_read, NULL);
    for (size_t i = 0; i < BUFFERS; i++) {
        slices->buffer[i].slices = slices;
        slices->buffer[i].state = BUFFER_FREE;
    }
    return slices;
}

static void
close_slices(struct slices *slices)
{
    pthread_cond_destroy(&slices->is_full);
    pthread_cond_destroy(&slices->is_free);
    pthread_cond_destroy(&slices->is_read);
    pthread_mutex_destroy(&slices->lock);
    free(slices);
}

bool
slices_run(struct writer *out, struct slices_lines *lines, void *const *part,
           unsigned int threads)
{
    pthread_t thread[SLICES_THREADS];
    struct slices_thread own[SLICES_THREADS];
    unsigned int started = 0;
    struct slices *slices = open_slices(lines);

    if (slices == NULL)
        return false;
    for (; started < threads; started++) {
        own[started] = (struct slices_thread){slices, part[started]};
        if (thread_start(&thread[started], slices_main, &own[started]) != 0)
            break;
    }
    if (started > 0)
        write_slices(slices, out);
    for (unsigned int i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
    close_slices(slices);
    return started > 0;
}

/* ---- rows ---- */

static void
take_rows(struct slices_lines *lines, void *part)
{
    rows_split(((struct row_lines *)lines)->rows, part, SLICE_ROWS);
}

static void
put_rows(struct writer *out, void *part, const struct slices_lines *lines)
{
    const struct row_lines *own = (const struct row_lines *)lines;

    own->put(out, part, own->context);
}

void
slices_print(struct writer *out, struct rows *rows, unsigned int threads,
             slices_put *put, const void *context)
{
    const unsigned int most =
        threads < SLICES_THREADS ? threads : SLICES_THREADS;
    struct row_lines lines = {
        .lines = {.slices = (rows->left + SLICE_ROWS - 1) / SLICE_ROWS,
                  .take = take_rows,
                  .put = put_rows},
        .rows = rows,
        .put = put,
        .context = context,
    };
    void *part[SLICES_THREADS];
    struct rows *room = NULL;

    if (threads > 1 && !rows->is_ranked && !rows->is_by_group &&
        rows->left > SLICES_ROWS_MIN)
        room = malloc(most * sizeof *room);
    for (unsigned int i = 0; room != NULL && i < most; i++)
        part[i] = &room[i];
    if (room == NULL || !slices_run(out, &lines.lines, part, most))
        put(out, rows, context);
    free(room);
}
