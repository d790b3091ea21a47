/* SPDX-License-Identifier: MIT */
/*
 * feed.c -- what readers deliver into a ring of chunks that drops the bytes
 *
 *     feed READERS CHUNKS TAKERS FILE...
 *
 * READERS threads read the FILEs, 2 MiB at a time, into CHUNKS chunks of
 * gpuhist's pool.  TAKERS threads, which stand for GPUs, release each chunk at
 * once.  The rate is the limit for a run that feeds as many GPUs from files in
 * the page cache.
 */

#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "sync/pool.h"

#define CHUNK_BYTES ((size_t)2 << 20)
#define THREADS_MAX 1024

/* A chunk of the input: each file starts a new one. */
struct piece {
    int file;
    off_t offset;
};

struct ring {
    struct pool pool;
    struct piece *piece;
    size_t pieces;
    _Atomic size_t next; /* piece to read */
    _Atomic uint64_t bytes;
    atomic_bool has_failed;
};

static void *
read_pieces(void *argument)
{
    struct ring *ring = argument;
    size_t i;

    while ((i = atomic_fetch_add(&ring->next, 1)) < ring->pieces) {
        const struct piece *piece = &ring->piece[i];
        struct chunk *chunk = pool_fill_start(&ring->pool);
        ssize_t got =
            pread(piece->file, chunk->data, CHUNK_BYTES, piece->offset);
        chunk->used = got > 0 ? (size_t)got : 0;
        if (got < 0)
            atomic_store(&ring->has_failed, true);
        atomic_fetch_add(&ring->bytes, chunk->used);
        pool_fill_end(&ring->pool, chunk);
    }
    return NULL;
}

static void *
drop_chunks(void *argument)
{
    struct ring *ring = argument;
    struct chunk *chunk;

    pool_count_device(&ring->pool, 1);
    while ((chunk = pool_take(&ring->pool, CONSUMER_DEVICE, POOL_WAIT)) != NULL)
        pool_release(&ring->pool, chunk);
    return NULL;
}

/* Append the pieces of the file at PATH.  Returns 0, or -1. */
static int
add_file(struct ring *ring, const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);

    if (file < 0 || fstat(file, &status) < 0)
        return -1;
    size_t more = ((size_t)status.st_size + CHUNK_BYTES - 1) / CHUNK_BYTES;
    struct piece *piece =
        realloc(ring->piece, (ring->pieces + more) * sizeof *piece);
    if (piece == NULL)
        return -1;
    ring->piece = piece;
    for (size_t i = 0; i < more; i++)
        piece[ring->pieces++] = (struct piece){file, (off_t)(i * CHUNK_BYTES)};
    return 0;
}

/* Start COUNT threads.  Returns 0, or -1. */
static int
start(pthread_t *thread, size_t count, void *(*function)(void *),
      struct ring *ring)
{
    for (size_t i = 0; i < count; i++) {
        if (pthread_create(&thread[i], NULL, function, ring) != 0)
            return -1;
    }
    return 0;
}

static void
join(const pthread_t *thread, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
}

/* Read everything once.  Returns 0, or -1. */
static int
run(struct ring *ring, size_t readers, size_t takers)
{
    static pthread_t reader[THREADS_MAX];
    static pthread_t taker[THREADS_MAX];

    if (start(taker, takers, drop_chunks, ring) < 0 ||
        start(reader, readers, read_pieces, ring) < 0)
        return -1;
    join(reader, readers);
    pool_end(&ring->pool);
    join(taker, takers);
    return atomic_load(&ring->has_failed) ? -1 : 0;
}

int
main(int argc, char **argv)
{
    static struct ring ring;
    struct error error = ERROR_NONE;

    size_t readers = argc > 4 ? strtoul(argv[1], NULL, 10) : 0;
    size_t chunks = argc > 4 ? strtoul(argv[2], NULL, 10) : 0;
    size_t takers = argc > 4 ? strtoul(argv[3], NULL, 10) : 0;
    if (readers < 1 || chunks < 1 || takers < 1 || readers > THREADS_MAX ||
        takers > THREADS_MAX) {
        fputs("usage: feed READERS CHUNKS TAKERS FILE...\n", stderr);
        return 2;
    }
    for (int i = 4; i < argc; i++) {
        if (add_file(&ring, argv[i]) < 0) {
            perror(argv[i]);
            return 1;
        }
    }
    if (pool_open(&ring.pool, chunks, CHUNK_BYTES, true, &error) < 0) {
        fprintf(stderr, "feed: %s\n", error.text);
        return 1;
    }
    pool_add(&ring.pool, chunks);
    double start_time = clock_now();
    if (run(&ring, readers, takers) < 0) {
        fputs("feed: a thread or a read failed\n", stderr);
        return 1;
    }
    double seconds = clock_now() - start_time;
    uint64_t bytes = atomic_load(&ring.bytes);
    printf("%zu\t%zu\t%zu\t%" PRIu64 "\t%.3f\t%.1f GB/s\n", readers, chunks,
           takers, bytes, seconds, (double)bytes / seconds * 1e-9);
    pool_close(&ring.pool);
    free(ring.piece);
    return 0;
}
