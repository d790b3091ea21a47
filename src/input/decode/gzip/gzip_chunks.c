/* gzip_chunks.c -- decode a gzip member at several places at once */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

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
    return &chunks->chunk[ring_at(&chunks->ring, number)];
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

/* ---- stages ---- */

enum gzip_stage {
    STAGE_FIND,
    STAGE_DECODE,
    STAGE_PASS, /* the window on to the next chunk */
    STAGE_RESOLVE,
    STAGES
};

static bool
work_find(void *context, uint64_t number, unsigned int member)
{
    struct gzip_chunks *chunks = context;
    struct gzip_chunk *chunk = chunk_of(chunks, number);

    (void)member;
    find_start(chunks, chunks->source, chunk);
    return chunk->start != GZIP_CHUNKS_NONE;
}

/* A chunk ends where the next one starts. */
static bool
can_decode(const void *context, uint64_t number)
{
    const struct gzip_chunks *chunks = context;

    return ring_has_passed(&chunks->ring, number + 1, STAGE_FIND + 1);
}

static bool
work_decode(void *context, uint64_t number, unsigned int member)
{
    struct gzip_chunks *chunks = context;
    struct gzip_chunk *chunk = chunk_of(chunks, number);

    chunk->next_start = chunk_of(chunks, number + 1)->start;
    return chunk->next_start != GZIP_CHUNKS_NONE &&
           decode(chunks->source, chunk, &chunks->codes[member]);
}

static bool
can_pass(const void *context, uint64_t number)
{
    return chunk_of(context, number)->has_window;
}

static bool
work_pass(void *context, uint64_t number, unsigned int member)
{
    const struct gzip_chunks *chunks = context;
    const struct gzip_chunk *chunk = chunk_of(chunks, number);
    struct gzip_chunk *next = chunk_of(chunks, number + 1);

    (void)member;
    deflate_piece_pass(&chunk->piece, chunk->window, next->window);
    next->has_window = true;
    return true;
}

static bool
work_resolve(void *context, uint64_t number, unsigned int member)
{
    struct gzip_chunk *chunk = chunk_of(context, number);

    (void)member;
    deflate_piece_resolve(&chunk->piece, chunk->window);
    chunk->crc = inflate_crc(0, deflate_piece_content(&chunk->piece),
                             chunk->piece.content_bytes);
    chunk->is_done = true;
    return true;
}

static const struct ring_stage stages[STAGES] = {
    [STAGE_FIND] = {.work = work_find},
    [STAGE_DECODE] = {.work = work_decode, .can = can_decode},
    [STAGE_PASS] = {.work = work_pass, .can = can_pass, .is_in_order = true},
    [STAGE_RESOLVE] = {.work = work_resolve},
};

/* ---- memory ---- */

static int
allocate(struct gzip_chunks *chunks, unsigned int count, unsigned int helpers)
{
    const struct gzip_chunks_sizes *sizes = &chunks->sizes;

    chunks->chunk = calloc(count, sizeof *chunks->chunk);
    chunks->codes = calloc(helpers, sizeof *chunks->codes);
    if (chunks->chunk == NULL || chunks->codes == NULL)
        return -1;
    for (unsigned int i = 0; i < count; i++) {
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
    unsigned int count = count_for(helpers);

    *chunks = (struct gzip_chunks){.sizes = *sizes};
    if (ring_crew_open(&chunks->crew, helpers) == 0 &&
        ring_open(&chunks->ring, &chunks->crew, stages, STAGES, count,
                  chunks) == 0 &&
        allocate(chunks, count, helpers) == 0) {
        deflate_finder_make(&chunks->finder);
        ring_crew_start(&chunks->crew, helpers);
    }
    if (chunks->crew.threads > 0)
        return 0;
    gzip_chunks_close(chunks);
    return -1;
}

void
gzip_chunks_close(struct gzip_chunks *chunks)
{
    unsigned int count = chunks->chunk != NULL ? chunks->ring.count : 0;

    ring_crew_close(&chunks->crew);
    for (unsigned int i = 0; i < count; i++) {
        free(chunks->chunk[i].packed);
        deflate_piece_close(&chunks->chunk[i].piece);
        free(chunks->chunk[i].window);
    }
    free(chunks->chunk);
    free(chunks->codes);
    *chunks = (struct gzip_chunks){.chunk = NULL};
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

/* Returns the first chunk of the ring, even if the ring is empty. */
static struct gzip_chunk *
first_of(const struct gzip_chunks *chunks)
{
    return chunk_of(chunks, chunks->ring.released);
}

/* Fill the ring with new chunks.  Behind the last one there is one without any
   bytes, which has no start: helpers do not know where the last one ends. */
static void
fill(struct gzip_chunks *chunks)
{
    off_t size = (off_t)chunks->packed_size;

    while (!chunks->is_complete && !ring_is_full(&chunks->ring)) {
        struct gzip_chunk *chunk = chunk_of(chunks, chunks->ring.filled);
        if (chunks->source->size - chunks->next_from < size) {
            chunks->is_complete = true;
            size = 0;
        }
        chunk->from = chunks->next_from;
        chunk->to = chunk->from + size;
        chunk->has_window = false;
        chunk->is_done = false;
        chunks->next_from += size;
        ring_submit(&chunks->ring);
    }
}

void
gzip_chunks_begin(struct gzip_chunks *chunks, const struct source *source,
                  off_t from, uint64_t packed, uint64_t content)
{
    gzip_chunks_discard(chunks);
    set_size(chunks, packed, content);
    chunks->next_from = from;
    chunks->bad = 0;
    chunks->source = source;
    chunks->is_complete = false;
    fill(chunks);
}

uint64_t
gzip_chunks_start(struct gzip_chunks *chunks)
{
    while (ring_await(&chunks->ring, STAGE_FIND + 1)) {
        uint64_t start = first_of(chunks)->start;
        if (start != GZIP_CHUNKS_NONE)
            return start;
        gzip_chunks_release(chunks);
    }
    return GZIP_CHUNKS_NONE;
}

void
gzip_chunks_join(struct gzip_chunks *chunks, const unsigned char *window)
{
    struct gzip_chunk *chunk = first_of(chunks);

    memcpy(deflate_window_bytes(chunk->window), window, INFLATE_WINDOW_BYTES);
    ring_lock(&chunks->ring);
    chunk->has_window = true;
    ring_unlock(&chunks->ring);
}

struct gzip_chunk *
gzip_chunks_await(struct gzip_chunks *chunks)
{
    (void)ring_await(&chunks->ring, RING_ALL);
    return first_of(chunks);
}

void
gzip_chunks_release(struct gzip_chunks *chunks)
{
    const struct gzip_chunk *chunk = first_of(chunks);

    ring_release(&chunks->ring);
    if (chunk->is_done) {
        set_size(chunks, (chunk->next_start - chunk->start) / CHAR_BIT,
                 chunk->piece.content_bytes);
        chunks->bad -= chunks->bad > 0;
    } else {
        chunks->bad++;
    }
    fill(chunks);
}

bool
gzip_chunks_are_bad(const struct gzip_chunks *chunks)
{
    return chunks->bad >= chunks->sizes.chunks_bad;
}

void
gzip_chunks_discard(struct gzip_chunks *chunks)
{
    if (chunks->chunk != NULL)
        ring_discard(&chunks->ring);
}
