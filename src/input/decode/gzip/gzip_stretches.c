/* SPDX-License-Identifier: MIT */
/* gzip_stretches.c -- decode a gzip member at several places at once */

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "input/decode/gzip/gzip_stretches.h"

/* How far to look for a block, and how much at first. */
#define SEARCH_MOST ((size_t)256 << 10)
#define SEARCH_FIRST ((size_t)32 << 10)

/* Waiting stretches, beside the stretches of the helpers: this share of them,
   and more. */
#define WAITING_SHARE 2
#define WAITING_LEAST 3

/* The content of a stretch takes this share of its room, if the next bytes
   expand as far as the bytes before. */
#define ROOM_SHARE 0.6

/* Content for each compressed byte, until it is known. */
#define EXPANSION_AT_FIRST 4

static unsigned int
count_for(unsigned int helpers)
{
    return helpers + helpers / WAITING_SHARE + WAITING_LEAST;
}

/* Up to the end of the first block of the next stretch. */
static size_t
packed_room(const struct gzip_stretches_sizes *sizes)
{
    return sizes->packed_most + SEARCH_MOST + DEFLATE_FIND_MARGIN;
}

uint64_t
gzip_stretches_bytes(const struct gzip_stretches_sizes *sizes,
                     unsigned int helpers)
{
    uint64_t each = sizeof(struct gzip_stretch) +
                    sizeof(struct deflate_window) + packed_room(sizes) +
                    deflate_stretch_memory(sizes->content_room);

    return each * count_for(helpers) + sizeof(struct deflate_codes) * helpers;
}

static struct gzip_stretch *
stretch_of(const struct gzip_stretches *stretches, uint64_t number)
{
    return &stretches->stretch[ring_at(&stretches->ring, number)];
}

/* ---- work of a helper on a stretch, without the lock ---- */

/* Find where STRETCH starts. */
static void
find_start(const struct gzip_stretches *stretches, const struct source *source,
           struct gzip_stretch *stretch)
{
    size_t most = (size_t)(stretch->to - stretch->from);
    size_t looked = 0;
    size_t size = 0;

    if (most > SEARCH_MOST)
        most = SEARCH_MOST;
    stretch->start = GZIP_STRETCHES_NONE;
    for (size_t wanted = SEARCH_FIRST; looked < most; wanted *= 2) {
        if (wanted > most)
            wanted = most;
        wanted += DEFLATE_FIND_MARGIN;
        size += source_look_at(source, stretch->packed + size, wanted - size,
                               stretch->from + (off_t)size);
        if (size < wanted)
            return; /* the owner decodes the last bytes */
        uint64_t bit = deflate_find(&stretches->finder, stretch->packed, size,
                                    CHAR_BIT * (uint64_t)looked);
        if (bit != DEFLATE_FIND_NONE) {
            stretch->start = CHAR_BIT * (uint64_t)stretch->from + bit;
            return;
        }
        wanted -= DEFLATE_FIND_MARGIN;
        looked = wanted;
    }
}

/* Decode STRETCH, whose end is known.  Returns whether it is good. */
static bool
decode(const struct source *source, struct gzip_stretch *stretch,
       struct deflate_codes *codes)
{
    uint64_t first = stretch->start / CHAR_BIT;
    uint64_t end = stretch->next_start - CHAR_BIT * first;
    size_t size = (size_t)((end + CHAR_BIT - 1) / CHAR_BIT);

    if (source_look_at(source, stretch->packed, size, (off_t)first) < size)
        return false;
    memset(stretch->packed + size, 0, DEFLATE_STRETCH_MARGIN);
    return deflate_stretch_decode(&stretch->deflate, codes, stretch->packed,
                                  stretch->start % CHAR_BIT, end);
}

/* ---- stages ---- */

enum gzip_stage {
    STAGE_FIND,
    STAGE_DECODE,
    STAGE_PASS, /* the window on to the next stretch */
    STAGE_RESOLVE,
    STAGES
};

static bool
work_find(void *context, uint64_t number, unsigned int member)
{
    struct gzip_stretches *stretches = context;
    struct gzip_stretch *stretch = stretch_of(stretches, number);

    (void)member;
    find_start(stretches, stretches->source, stretch);
    return stretch->start != GZIP_STRETCHES_NONE;
}

/* A stretch ends where the next one starts. */
static bool
can_decode(const void *context, uint64_t number)
{
    const struct gzip_stretches *stretches = context;

    return ring_has_passed(&stretches->ring, number + 1, STAGE_FIND + 1);
}

static bool
work_decode(void *context, uint64_t number, unsigned int member)
{
    struct gzip_stretches *stretches = context;
    struct gzip_stretch *stretch = stretch_of(stretches, number);

    stretch->next_start = stretch_of(stretches, number + 1)->start;
    return stretch->next_start != GZIP_STRETCHES_NONE &&
           decode(stretches->source, stretch, &stretches->codes[member]);
}

static bool
can_pass(const void *context, uint64_t number)
{
    return stretch_of(context, number)->has_window;
}

static bool
work_pass(void *context, uint64_t number, unsigned int member)
{
    const struct gzip_stretches *stretches = context;
    const struct gzip_stretch *stretch = stretch_of(stretches, number);
    struct gzip_stretch *next = stretch_of(stretches, number + 1);

    (void)member;
    deflate_stretch_pass(&stretch->deflate, stretch->window, next->window);
    next->has_window = true;
    return true;
}

static bool
work_resolve(void *context, uint64_t number, unsigned int member)
{
    struct gzip_stretch *stretch = stretch_of(context, number);

    (void)member;
    deflate_stretch_resolve(&stretch->deflate, stretch->window);
    stretch->crc = inflate_crc(0, deflate_stretch_content(&stretch->deflate),
                               stretch->deflate.content_bytes);
    stretch->is_done = true;
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
allocate(struct gzip_stretches *stretches, unsigned int count,
         unsigned int helpers)
{
    const struct gzip_stretches_sizes *sizes = &stretches->sizes;

    stretches->stretch = calloc(count, sizeof *stretches->stretch);
    stretches->codes = calloc(helpers, sizeof *stretches->codes);
    if (stretches->stretch == NULL || stretches->codes == NULL)
        return -1;
    for (unsigned int i = 0; i < count; i++) {
        struct gzip_stretch *stretch = &stretches->stretch[i];
        stretch->packed = malloc(packed_room(sizes));
        bool is_open =
            deflate_stretch_open(&stretch->deflate, sizes->content_room) == 0;
        stretch->window = calloc(1, sizeof *stretch->window);
        if (!is_open || stretch->packed == NULL || stretch->window == NULL)
            return -1;
        deflate_window_make(stretch->window);
    }
    return 0;
}

int
gzip_stretches_open(struct gzip_stretches *stretches,
                    const struct gzip_stretches_sizes *sizes,
                    unsigned int helpers)
{
    unsigned int count = count_for(helpers);

    *stretches = (struct gzip_stretches){.sizes = *sizes};
    if (ring_crew_open(&stretches->crew, helpers) == 0 &&
        ring_open(&stretches->ring, &stretches->crew, stages, STAGES, count,
                  stretches) == 0 &&
        allocate(stretches, count, helpers) == 0) {
        deflate_finder_make(&stretches->finder);
        ring_crew_start(&stretches->crew, helpers);
    }
    if (stretches->crew.threads > 0)
        return 0;
    gzip_stretches_close(stretches);
    return -1;
}

void
gzip_stretches_close(struct gzip_stretches *stretches)
{
    unsigned int count = stretches->stretch != NULL ? stretches->ring.count : 0;

    ring_crew_close(&stretches->crew);
    for (unsigned int i = 0; i < count; i++) {
        free(stretches->stretch[i].packed);
        deflate_stretch_close(&stretches->stretch[i].deflate);
        free(stretches->stretch[i].window);
    }
    free(stretches->stretch);
    free(stretches->codes);
    *stretches = (struct gzip_stretches){.stretch = NULL};
}

/* ---- the owner's side ---- */

/* The next stretches expand as PACKED bytes did to CONTENT bytes. */
static void
set_size(struct gzip_stretches *stretches, uint64_t packed, uint64_t content)
{
    const struct gzip_stretches_sizes *sizes = &stretches->sizes;
    double wanted = ROOM_SHARE * (double)sizes->content_room;

    wanted *= content > 0 ? (double)packed / (double)content
                          : 1.0 / EXPANSION_AT_FIRST;
    stretches->packed_size =
        wanted < (double)sizes->packed_least  ? sizes->packed_least
        : wanted > (double)sizes->packed_most ? sizes->packed_most
                                              : (size_t)wanted;
}

/* Returns the first stretch of the ring, even if the ring is empty. */
static struct gzip_stretch *
first_of(const struct gzip_stretches *stretches)
{
    return stretch_of(stretches, stretches->ring.released);
}

/* Fill the ring with new stretches.  After the last stretch comes an empty
   stretch without a start: helpers do not know where the last stretch ends. */
static void
fill(struct gzip_stretches *stretches)
{
    off_t size = (off_t)stretches->packed_size;

    while (!stretches->is_complete && !ring_is_full(&stretches->ring)) {
        struct gzip_stretch *stretch =
            stretch_of(stretches, stretches->ring.filled);
        if (stretches->source->size - stretches->next_from < size) {
            stretches->is_complete = true;
            size = 0;
        }
        stretch->from = stretches->next_from;
        stretch->to = stretch->from + size;
        stretch->has_window = false;
        stretch->is_done = false;
        stretches->next_from += size;
        ring_submit(&stretches->ring);
    }
}

void
gzip_stretches_open_at(struct gzip_stretches *stretches,
                       const struct source *source, off_t from, uint64_t packed,
                       uint64_t content)
{
    gzip_stretches_discard(stretches);
    set_size(stretches, packed, content);
    stretches->next_from = from;
    stretches->bad = 0;
    stretches->source = source;
    stretches->is_complete = false;
    fill(stretches);
}

uint64_t
gzip_stretches_start(struct gzip_stretches *stretches)
{
    while (ring_await(&stretches->ring, STAGE_FIND + 1)) {
        uint64_t start = first_of(stretches)->start;
        if (start != GZIP_STRETCHES_NONE)
            return start;
        gzip_stretches_release(stretches);
    }
    return GZIP_STRETCHES_NONE;
}

void
gzip_stretches_join(struct gzip_stretches *stretches,
                    const unsigned char *window)
{
    struct gzip_stretch *stretch = first_of(stretches);

    memcpy(deflate_window_bytes(stretch->window), window, INFLATE_WINDOW_BYTES);
    ring_lock(&stretches->ring);
    stretch->has_window = true;
    ring_unlock(&stretches->ring);
}

struct gzip_stretch *
gzip_stretches_await(struct gzip_stretches *stretches)
{
    (void)ring_await(&stretches->ring, RING_ALL);
    return first_of(stretches);
}

void
gzip_stretches_release(struct gzip_stretches *stretches)
{
    const struct gzip_stretch *stretch = first_of(stretches);

    ring_release(&stretches->ring);
    if (stretch->is_done) {
        set_size(stretches, (stretch->next_start - stretch->start) / CHAR_BIT,
                 stretch->deflate.content_bytes);
        stretches->bad -= stretches->bad > 0;
    } else {
        stretches->bad++;
    }
    fill(stretches);
}

bool
gzip_stretches_are_bad(const struct gzip_stretches *stretches)
{
    return stretches->bad >= stretches->sizes.stretches_bad;
}

void
gzip_stretches_discard(struct gzip_stretches *stretches)
{
    if (stretches->stretch != NULL)
        ring_discard(&stretches->ring);
}
