/* SPDX-License-Identifier: MIT */
/* plain_sets.c -- let helpers write pages of the next plain bytes */

#include <stdlib.h>
#include <string.h>

#include "input/ahead.h"
#include "input/plain_sets.h"

/* As much as the pages of SAM are made for, and fits into a core's cache. */
#define SET_BYTES ((size_t)512 << 10)

/* Sets that are done or being filled while each helper writes a page. */
#define SETS_SPARE 2

/* So many helpers keep the owner busy, which reads and takes pages; the owner
   writes some, too, if there are fewer than the last number. */
#define HELPERS_MAX 12
#define HELPERS_ENOUGH 4

/* Bytes after which helpers pay off, and bytes for each of them. */
#define BYTES_WORTH_HELPERS ((uint64_t)2 << 20)
#define BYTES_WORTH_A_HELPER ((off_t)1 << 20)

struct plain_set {
    unsigned char *content; /* SET_BYTES of room, filled by who reads */

    /* Set by the owner before a helper sees the set. */
    off_t offset; /* if the helper reads */
    size_t bytes;

    /* By a helper. */
    bool is_bad; /* the helper could not read */
    void *page;
};

static struct plain_set *
set_of(const struct plain_sets *sets, uint64_t number)
{
    return &sets->set[ring_at(&sets->ring, number)];
}

/* Whether helpers read, not the owner. */
static bool
helpers_read(const struct plain_sets *sets)
{
    return sets->source->is_regular;
}

/* ---- helpers ---- */

static bool
work_write(void *context, uint64_t number, unsigned int member)
{
    const struct plain_sets *sets = context;
    struct plain_set *set = set_of(sets, number);
    struct error error = {.status = EXIT_DONE};

    (void)member;
    set->is_bad = helpers_read(sets) &&
                  source_read_at(sets->source, set->content, set->bytes,
                                 set->offset, &error) < 0;
    error_clear(&error);
    if (set->is_bad)
        return true;
    sets->writer->page_write(sets->writer->context, set->page, set->content,
                             set->bytes);
    return true;
}

static const struct ring_stage stages[] = {{.work = work_write}};

/* ---- start and end ---- */

static unsigned int
count_for(unsigned int helpers)
{
    return helpers + SETS_SPARE;
}

static uint64_t
memory_of(const void *context, unsigned int helpers)
{
    const struct decoder_writer *writer = context;

    return (sizeof(struct plain_set) + SET_BYTES + writer->page_bytes) *
           count_for(helpers);
}

static int
allocate(struct plain_sets *sets, unsigned int helpers)
{
    const unsigned int count = count_for(helpers);

    sets->set = calloc(count, sizeof *sets->set);
    if (sets->set == NULL)
        return -1;
    for (unsigned int i = 0; i < count; i++) {
        sets->set[i].content = malloc(SET_BYTES);
        sets->set[i].page = sets->writer->page_open();
        if (sets->set[i].content == NULL || sets->set[i].page == NULL)
            return -1;
    }
    return 0;
}

/* Open the ring for HELPERS.  Returns whether a helper has started. */
static bool
open_ring(struct plain_sets *sets, unsigned int helpers)
{
    if (ring_crew_open(&sets->crew, helpers) == 0 &&
        ring_open(&sets->ring, &sets->crew, stages,
                  sizeof stages / sizeof *stages, count_for(helpers),
                  sets) == 0 &&
        allocate(sets, helpers) == 0)
        ring_crew_start(&sets->crew, helpers);
    sets->ring.owner = sets->crew.threads < HELPERS_ENOUGH ? RING_OWNER_WORKS
                                                           : RING_OWNER_WAITS;
    return sets->crew.threads > 0;
}

/* End the helpers. */
static void
close_ring(struct plain_sets *sets)
{
    if (sets->crew.thread != NULL && sets->ring.crew != NULL)
        ring_discard(&sets->ring);
    for (unsigned int i = 0; sets->set != NULL && i < sets->ring.count; i++) {
        free(sets->set[i].content);
        sets->writer->page_close(sets->set[i].page);
    }
    free(sets->set);
    sets->set = NULL;
    ring_crew_close(&sets->crew);
    budget_loan_return(&sets->loan);
}

void
plain_sets_open(struct plain_sets *sets, struct source *source,
                struct budget *budget, const struct decoder_writer *writer)
{
    *sets = (struct plain_sets){
        .source = source, .budget = budget, .writer = writer};
}

void
plain_sets_close(struct plain_sets *sets)
{
    if (sets->writer == NULL)
        return;
    close_ring(sets);
    error_clear(&sets->failure);
    sets->writer = NULL;
}

/* ---- the owner ---- */

/* Have helpers, if they are useful and free. */
static bool
have_helpers(struct plain_sets *sets)
{
    const struct source *source = sets->source;
    const struct ahead_need need = {.helpers_least = 1,
                                    .helper_bytes = BYTES_WORTH_A_HELPER,
                                    .reads_in_order = true,
                                    .memory = memory_of,
                                    .context = sets->writer};
    unsigned int worth = 0;

    if (sets->set != NULL || sets->is_refused)
        return sets->set != NULL;
    if (sets->taken >= BYTES_WORTH_HELPERS)
        worth = ahead_worth(&need, source, sets->budget,
                            source->size - source->offset, HELPERS_MAX);
    if (worth == 0 ||
        !ahead_reserve(&sets->loan, &need, sets->budget, worth, 0))
        return false;
    if (open_ring(sets, sets->loan.helpers))
        return true;
    close_ring(sets); /* the owner goes on alone */
    return false;
}

/* Read the next bytes to SET: all that it has room for, or those that are
   there, or, if it MAY_WAIT, that come first. */
static void
fill_set(struct plain_set *set, struct source *source, bool may_wait)
{
    ssize_t got = 1;

    set->bytes = 0;
    while (got > 0 && set->bytes < SET_BYTES &&
           ((may_wait && set->bytes == 0) || source_is_ready(source))) {
        got = source_read(source, set->content + set->bytes,
                          SET_BYTES - set->bytes);
        if (got > 0)
            set->bytes += (size_t)got;
    }
}

/* Let a helper read the next bytes of the file to SET. */
static void
place_set(struct plain_sets *sets, struct plain_set *set)
{
    struct source *source = sets->source;
    const off_t left = source->size - source->offset;

    set->bytes =
        left < (off_t)SET_BYTES ? (size_t)(left > 0 ? left : 0) : SET_BYTES;
    set->offset = source->offset;
    source->offset += (off_t)set->bytes;
    sets->is_ahead = true;
}

/* Fill the ring with the next bytes. */
static void
fill(struct plain_sets *sets)
{
    while (!ring_is_full(&sets->ring) && sets->failure.status == EXIT_DONE) {
        struct plain_set *set = set_of(sets, sets->ring.filled);
        if (helpers_read(sets))
            place_set(sets, set);
        else
            fill_set(set, sets->source, ring_is_empty(&sets->ring));
        if (sets->source->error.status != EXIT_DONE)
            error_move(&sets->failure, &sets->source->error);
        if (set->bytes == 0)
            return;
        ring_submit(&sets->ring);
    }
}

/* Whether helpers have sets, or the source has failed after them. */
static bool
is_busy(const struct plain_sets *sets)
{
    return sets->set != NULL &&
           (!ring_is_empty(&sets->ring) || sets->failure.status != EXIT_DONE);
}

/* Returns the first set; NULL: there is none, it is bad, or reading was cut
   short. */
static struct plain_set *
await(struct plain_sets *sets)
{
    if (source_is_cut_short(sets->source))
        return NULL;
    fill(sets);
    if (!ring_await(&sets->ring, RING_ALL))
        return NULL;
    struct plain_set *set = set_of(sets, sets->ring.released);
    if (!set->is_bad)
        return set;
    sets->source->offset = set->offset;
    sets->is_refused = true;
    close_ring(sets);
    return NULL;
}

void
plain_sets_skip(struct plain_sets *sets, size_t size)
{
    sets->used += size;
    if (sets->used < set_of(sets, sets->ring.released)->bytes)
        return;
    sets->used = 0;
    ring_release(&sets->ring);
}

/* Read as the owner alone does. */
static ssize_t
read_alone(struct plain_sets *sets, void *buffer, size_t capacity)
{
    struct source *source = sets->source;

    if (sets->is_ahead && source_seek(source, source->offset) < 0)
        return -1;
    sets->is_ahead = false;
    const ssize_t got = source_read(source, buffer, capacity);
    sets->taken += got > 0 ? (uint64_t)got : 0;
    return got;
}

ssize_t
plain_sets_read(struct plain_sets *sets, void *buffer, size_t capacity)
{
    if (!is_busy(sets) && !have_helpers(sets))
        return read_alone(sets, buffer, capacity);
    const struct plain_set *set = await(sets);
    if (set == NULL && source_is_cut_short(sets->source))
        return 0;
    if (set == NULL && sets->failure.status != EXIT_DONE) {
        error_move(&sets->source->error, &sets->failure);
        return -1;
    }
    /* A file may be longer or shorter now. */
    if (set == NULL)
        return read_alone(sets, buffer, capacity);
    const size_t left = set->bytes - sets->used;
    const size_t size = left < capacity ? left : capacity;
    memcpy(buffer, set->content + sets->used, size);
    plain_sets_skip(sets, size);
    return (ssize_t)size;
}

bool
plain_sets_find_page(struct plain_sets *sets, struct decoder_place *place)
{
    const struct plain_set *set = is_busy(sets) ? await(sets) : NULL;

    if (set != NULL)
        *place = (struct decoder_place){set->page, sets->used, set->bytes};
    return set != NULL;
}
