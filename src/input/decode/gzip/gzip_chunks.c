/* gzip_chunks.c -- decode a gzip member at several places at once */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "input/decode/gzip/gzip_chunks.h"

/* How far to look for a block, and how much at first. */
#define SEARCH_MOST ((size_t)256 << 10)
#define SEARCH_FIRST ((size_t)32 << 10)

/* Chunks that wait, beside those of the helpers: a share of these and more. */
#define WAITING_SHARE 2
#define WAITING_LEAST 3

/* The content of a chunk takes this share of its room, if the next bytes expand
   as far as those before. */
#define ROOM_SHARE 0.6

/* Content for each compressed byte, until it is known. */
#define EXPANSION_AT_FIRST 4

static unsigned int
count_for(unsigned int helpers)
{
    return helpers + helpers / WAITING_SHARE + WAITING_LEAST;
}

/* Up to the end of the block that is the first one of the next chunk. */
static size_t
packed_room(const struct gzip_chunks_sizes *sizes)
{
    return sizes->packed_most + SEARCH_MOST + DEFLATE_FIND_MARGIN;
}

uint64_t
gzip_chunks_bytes(const struct gzip_chunks_sizes *sizes, unsigned int helpers)
{
    uint64_t each = sizeof(struct gzip_chunk) + sizeof(struct deflate_window) +
                    packed_room(sizes) +
                    deflate_piece_memory(sizes->content_room);

    return each * count_for(helpers) + sizeof(struct deflate_codes) * helpers;
}

static struct gzip_chunk *
chunk_of(const struct gzip_chunks *chunks, uint64_t number)
{
    return &chunks->chunk[number % chunks->count];
}

/* ---- work of a helper on a chunk, without the lock ---- */

/* Find where CHUNK starts. */
static void
find_start(const struct gzip_chunks *chunks, const struct source *source,
           struct gzip_chunk *chunk)
{
    size_t most = (size_t)(chunk->to - chunk->from);
    size_t looked = 0;
    size_t size = 0;

    if (most > SEARCH_MOST)
        most = SEARCH_MOST;
    chunk->start = GZIP_CHUNKS_NONE;
    for (size_t wanted = SEARCH_FIRST; looked < most; wanted *= 2) {
        if (wanted > most)
            wanted = most;
        wanted += DEFLATE_FIND_MARGIN;
        size += source_look_at(source, chunk->packed + size, wanted - size,
                               chunk->from + (off_t)size);
        if (size < wanted)
            return; /* the owner decodes the last bytes */
        uint64_t bit = deflate_find(&chunks->finder, chunk->packed, size,
                                    CHAR_BIT * (uint64_t)looked);
        if (bit != DEFLATE_FIND_NONE) {
            chunk->start = CHAR_BIT * (uint64_t)chunk->from + bit;
            return;
        }
        wanted -= DEFLATE_FIND_MARGIN;
        looked = wanted;
    }
}

/* Decode CHUNK, whose next one is known.  Returns whether it is good. */
static bool
decode(const struct source *source, struct gzip_chunk *chunk,
       struct deflate_codes *codes)
{
    uint64_t first = chunk->start / CHAR_BIT;
    uint64_t end = chunk->next_start - CHAR_BIT * first;
    size_t size = (size_t)((end + CHAR_BIT - 1) / CHAR_BIT);

    if (source_look_at(source, chunk->packed, size, (off_t)first) < size)
        return false;
    memset(chunk->packed + size, 0, DEFLATE_PIECE_MARGIN);
    return deflate_piece_decode(&chunk->piece, codes, chunk->packed,
                                chunk->start % CHAR_BIT, end);
}

/* ---- the order of the work, under the lock ---- */

/* Whether the chunk NUMBER can be decoded now, or found to be bad. */
static bool
can_decode(const struct gzip_chunks *chunks, uint64_t number)
{
    const struct gzip_chunk *chunk = chunk_of(chunks, number);

    return chunk->state == GZIP_CHUNK_FOUND && number + 1 < chunks->filled &&
           chunk_of(chunks, number + 1)->state != GZIP_CHUNK_NEW;
}

/*
 * Choose what to do next: what others or the owner wait for comes first.
 * Returns a chunk, or NULL.
 */
static struct gzip_chunk *
choose(const struct gzip_chunks *chunks)
{
    struct gzip_chunk *to_decode = NULL;
    struct gzip_chunk *to_find = NULL;

    if (chunks->is_stopped)
        return NULL;
    for (uint64_t n = chunks->released; n < chunks->filled; n++) {
        struct gzip_chunk *chunk = chunk_of(chunks, n);
        if (chunk->is_busy)
            continue;
        if (chunk->state == GZIP_CHUNK_DECODED && chunks->is_linked &&
            n < chunks->linked)
            return chunk;
        if (to_decode == NULL && can_decode(chunks, n)) {
            to_decode = chunk;
            to_decode->next_start = chunk_of(chunks, n + 1)->start;
        }
        if (to_find == NULL && chunk->state == GZIP_CHUNK_NEW)
            to_find = chunk;
    }
    return to_decode != NULL ? to_decode : to_find;
}

/*
 * Pass windows on from decoded chunk to decoded chunk.  The lock is released
 * meanwhile.
 */
static void
pass_windows(struct gzip_chunks *chunks)
{
    if (chunks->is_passing)
        return; /* that thread will go on */
    chunks->is_passing = true;
    while (chunks->is_linked && !chunks->is_stopped) {
        const struct gzip_chunk *chunk = chunk_of(chunks, chunks->linked);
        struct gzip_chunk *next = chunk_of(chunks, chunks->linked + 1);
        if (chunk->state != GZIP_CHUNK_DECODED)
            break;
        pthread_mutex_unlock(&chunks->lock);
        deflate_piece_pass(&chunk->piece, chunk->window, next->window);
        pthread_mutex_lock(&chunks->lock);
        chunks->linked++;
        pthread_cond_signal(&chunks->has_work);
    }
    chunks->is_passing = false;
}

/* Do the next step of CHUNK.  The lock is released meanwhile. */
static void
work_on(struct gzip_chunks *chunks, struct gzip_chunk *chunk,
        struct deflate_codes *codes)
{
    const struct source *source = chunks->source;
    enum gzip_chunk_state state = chunk->state;

    chunk->is_busy = true;
    chunks->busy++;
    pthread_mutex_unlock(&chunks->lock);
    switch (state) {
    case GZIP_CHUNK_NEW:
        find_start(chunks, source, chunk);
        state = chunk->start != GZIP_CHUNKS_NONE ? GZIP_CHUNK_FOUND
                                                 : GZIP_CHUNK_BAD;
        break;
    case GZIP_CHUNK_FOUND:
        state = chunk->next_start != GZIP_CHUNKS_NONE &&
                        decode(source, chunk, codes)
                    ? GZIP_CHUNK_DECODED
                    : GZIP_CHUNK_BAD;
        break;
    default: /* GZIP_CHUNK_DECODED */
        deflate_piece_resolve(&chunk->piece, chunk->window);
        chunk->crc = inflate_crc(0, deflate_piece_content(&chunk->piece),
                                 chunk->piece.content_bytes);
        state = GZIP_CHUNK_DONE;
    }
    pthread_mutex_lock(&chunks->lock);
    chunk->state = state;
    chunk->is_busy = false;
    chunks->busy--;
    pass_windows(chunks);
    pthread_cond_broadcast(&chunks->has_work);
    pthread_cond_signal(&chunks->has_changed);
}

static void *
helper_main(void *argument)
{
    struct gzip_chunks *chunks = argument;

    pthread_mutex_lock(&chunks->lock);
    struct deflate_codes *codes = &chunks->codes[chunks->started++];
    while (!chunks->is_closing) {
        struct gzip_chunk *chunk = choose(chunks);
        if (chunk != NULL)
            work_on(chunks, chunk, codes);
        else
            pthread_cond_wait(&chunks->has_work, &chunks->lock);
    }
    pthread_mutex_unlock(&chunks->lock);
    return NULL;
}

/* ---- memory ---- */

static void
free_memory(struct gzip_chunks *chunks)
{
    for (unsigned int i = 0; chunks->chunk != NULL && i < chunks->count; i++) {
        free(chunks->chunk[i].packed);
        deflate_piece_close(&chunks->chunk[i].piece);
        free(chunks->chunk[i].window);
    }
    free(chunks->chunk);
    free(chunks->codes);
    free(chunks->helper);
    *chunks = (struct gzip_chunks){0};
}

static int
allocate(struct gzip_chunks *chunks, unsigned int helpers)
{
    const struct gzip_chunks_sizes *sizes = &chunks->sizes;

    chunks->chunk = calloc(chunks->count, sizeof *chunks->chunk);
    chunks->codes = calloc(helpers, sizeof *chunks->codes);
    chunks->helper = calloc(helpers, sizeof *chunks->helper);
    if (chunks->chunk == NULL || chunks->codes == NULL ||
        chunks->helper == NULL)
        return -1;
    for (unsigned int i = 0; i < chunks->count; i++) {
        struct gzip_chunk *chunk = &chunks->chunk[i];
        chunk->packed = malloc(packed_room(sizes));
        bool is_open =
            deflate_piece_open(&chunk->piece, sizes->content_room) == 0;
        chunk->window = calloc(1, sizeof *chunk->window);
        if (!is_open || chunk->packed == NULL || chunk->window == NULL)
            return -1;
        deflate_window_make(chunk->window);
    }
    return 0;
}

int
gzip_chunks_open(struct gzip_chunks *chunks,
                 const struct gzip_chunks_sizes *sizes, unsigned int helpers)
{
    *chunks = (struct gzip_chunks){
        .sizes = *sizes, .count = count_for(helpers), .is_stopped = true};
    if (allocate(chunks, helpers) < 0) {
        free_memory(chunks);
        return -1;
    }
    deflate_finder_make(&chunks->finder);
    pthread_mutex_init(&chunks->lock, NULL);
    pthread_cond_init(&chunks->has_work, NULL);
    pthread_cond_init(&chunks->has_changed, NULL);
    while (chunks->helpers < helpers &&
           thread_start(&chunks->helper[chunks->helpers], helper_main,
                        chunks) == 0)
        chunks->helpers++;
    if (chunks->helpers > 0)
        return 0;
    gzip_chunks_close(chunks);
    return -1;
}

/* ---- the owner's side ---- */

/* The next chunks expand as PACKED bytes did to CONTENT bytes. */
static void
set_size(struct gzip_chunks *chunks, uint64_t packed, uint64_t content)
{
    const struct gzip_chunks_sizes *sizes = &chunks->sizes;
    double wanted = ROOM_SHARE * (double)sizes->content_room;

    wanted *= content > 0 ? (double)packed / (double)content
                          : 1.0 / EXPANSION_AT_FIRST;
    chunks->packed_size =
        wanted < (double)sizes->packed_least  ? sizes->packed_least
        : wanted > (double)sizes->packed_most ? sizes->packed_most
                                              : (size_t)wanted;
}

/* Fill the ring with new chunks.  Under the lock. */
static void
fill(struct gzip_chunks *chunks)
{
    const off_t size = (off_t)chunks->packed_size;
    bool is_new = false;

    while (!chunks->is_complete &&
           chunks->filled - chunks->released < chunks->count) {
        if (chunks->source->size - chunks->next_from < size) {
            chunks->is_complete = true;
            break;
        }
        struct gzip_chunk *chunk = chunk_of(chunks, chunks->filled++);
        chunk->from = chunks->next_from;
        chunk->to = chunk->from + size;
        chunk->state = GZIP_CHUNK_NEW;
        chunks->next_from += size;
        is_new = true;
    }
    if (is_new)
        pthread_cond_broadcast(&chunks->has_work);
}

void
gzip_chunks_begin(struct gzip_chunks *chunks, const struct source *source,
                  off_t from, uint64_t packed, uint64_t content)
{
    gzip_chunks_discard(chunks);
    set_size(chunks, packed, content);
    chunks->next_from = from;
    chunks->bad = 0;
    pthread_mutex_lock(&chunks->lock);
    chunks->source = source;
    chunks->is_complete = false;
    chunks->is_stopped = false;
    fill(chunks);
    pthread_mutex_unlock(&chunks->lock);
}

/* Release the first chunk, when no helper works on it.  Under the lock. */
static void
release(struct gzip_chunks *chunks)
{
    const struct gzip_chunk *chunk = chunk_of(chunks, chunks->released);

    while (chunk->is_busy)
        pthread_cond_wait(&chunks->has_changed, &chunks->lock);
    if (chunk->state == GZIP_CHUNK_DONE) {
        set_size(chunks, (chunk->next_start - chunk->start) / CHAR_BIT,
                 chunk->piece.content_bytes);
        chunks->bad -= chunks->bad > 0;
    } else {
        chunks->is_linked = false;
        chunks->bad++;
    }
    chunks->released++;
    fill(chunks);
}

uint64_t
gzip_chunks_start(struct gzip_chunks *chunks)
{
    uint64_t start = GZIP_CHUNKS_NONE;

    pthread_mutex_lock(&chunks->lock);
    while (chunks->released < chunks->filled) {
        const struct gzip_chunk *chunk = chunk_of(chunks, chunks->released);
        while (chunk->state == GZIP_CHUNK_NEW)
            pthread_cond_wait(&chunks->has_changed, &chunks->lock);
        start = chunk->start;
        if (start != GZIP_CHUNKS_NONE)
            break;
        release(chunks);
    }
    pthread_mutex_unlock(&chunks->lock);
    return start;
}

void
gzip_chunks_join(struct gzip_chunks *chunks, const unsigned char *window)
{
    pthread_mutex_lock(&chunks->lock);
    memcpy(deflate_window_bytes(chunk_of(chunks, chunks->released)->window),
           window, INFLATE_WINDOW_BYTES);
    chunks->linked = chunks->released;
    chunks->is_linked = true;
    pass_windows(chunks);
    pthread_cond_broadcast(&chunks->has_work);
    pthread_mutex_unlock(&chunks->lock);
}

struct gzip_chunk *
gzip_chunks_await(struct gzip_chunks *chunks)
{
    struct gzip_chunk *chunk = chunk_of(chunks, chunks->released);

    pthread_mutex_lock(&chunks->lock);
    while (chunk->state != GZIP_CHUNK_DONE && chunk->state != GZIP_CHUNK_BAD) {
        /* It is not known where the last chunk ends. */
        if (chunk->state == GZIP_CHUNK_FOUND && chunks->is_complete &&
            chunks->released + 1 == chunks->filled)
            break;
        pthread_cond_wait(&chunks->has_changed, &chunks->lock);
    }
    pthread_mutex_unlock(&chunks->lock);
    return chunk;
}

void
gzip_chunks_release(struct gzip_chunks *chunks)
{
    pthread_mutex_lock(&chunks->lock);
    release(chunks);
    pthread_mutex_unlock(&chunks->lock);
}

bool
gzip_chunks_are_bad(const struct gzip_chunks *chunks)
{
    return chunks->bad >= chunks->sizes.chunks_bad;
}

void
gzip_chunks_discard(struct gzip_chunks *chunks)
{
    if (chunks->chunk == NULL)
        return;
    pthread_mutex_lock(&chunks->lock);
    chunks->is_stopped = true;
    while (chunks->busy > 0 || chunks->is_passing)
        pthread_cond_wait(&chunks->has_changed, &chunks->lock);
    chunks->released = chunks->filled;
    chunks->is_linked = false;
    chunks->is_complete = true;
    pthread_mutex_unlock(&chunks->lock);
}

void
gzip_chunks_close(struct gzip_chunks *chunks)
{
    if (chunks->chunk == NULL)
        return;
    pthread_mutex_lock(&chunks->lock);
    chunks->is_stopped = true;
    chunks->is_closing = true;
    pthread_cond_broadcast(&chunks->has_work);
    pthread_mutex_unlock(&chunks->lock);
    for (unsigned int i = 0; i < chunks->helpers; i++)
        pthread_join(chunks->helper[i], NULL);
    pthread_mutex_destroy(&chunks->lock);
    pthread_cond_destroy(&chunks->has_work);
    pthread_cond_destroy(&chunks->has_changed);
    free_memory(chunks);
}
