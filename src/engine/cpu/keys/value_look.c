/* SPDX-License-Identifier: MIT */
/* value_look.c -- looks at all numbers of several groups */

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"
#include "engine/cpu/keys/value_look.h"

/* Parts that a member of a crew takes at a time, and cells of a part. */
#define PARTS_TAKEN 4
#define PART_CELLS 4096

/* Values are one part if they have at most 1 / WHOLE_SHARE of the numbers of a
   member in pages. */
#define WHOLE_SHARE 8

/* Numbers that are compared with brackets at a time; copies that a thread
   gathers before it takes room for them. */
#define BLOCK_NUMBERS 512
#define GATHERED_MAX BLOCK_NUMBERS

/* Offsets of a packed page that are compared at a time. */
#define BLOCK_OFFSETS 32

/* The numbers of a page, or cells of one unit, from FROM on and before END; or
   all of VALUES. */
struct value_part {
    const struct group_values *values; /* NULL: a page or cells */
    const struct value_page *page;
    const struct value_cells *cells; /* NULL: the numbers of PAGE */
    uint64_t from;
    uint64_t end;
    bool is_high; /* the HIGHs of these nanos are looked for */
};

/* Does something with a number. */
typedef void copy_visit(void *context, uint64_t distance, uint64_t count);

/* ---- parts ---- */

/* Where a walk over all pages and cells is. */
struct part_walk {
    const struct value_numbers *numbers;
    size_t group;                    /* the next one */
    const struct group_values *more; /* of the group before, or NULL */
    const struct value_page *page;
    const struct value_cells *cells;
    const struct group_values *values; /* which have these */
    bool is_high;
};

/* Go to the next group, or to the long numbers of this one.  Returns false if
   there are none. */
static bool
walk_on(struct part_walk *walk)
{
    const struct value_numbers *numbers = walk->numbers;

    if (walk->more != NULL) {
        walk->values = walk->more;
        walk->more = NULL;
        walk->is_high = false;
    } else if (walk->group < numbers->groups) {
        walk->values = numbers->values[walk->group++];
        walk->more = numbers->has_long ? walk->values->more : NULL;
        walk->is_high = numbers->has_long;
    } else {
        return false;
    }
    walk->page = walk->values->page;
    walk->cells = walk->values->cells;
    return true;
}

/* Fetch the first bytes of PAGE, or of nothing: the processor fetches those
   that follow, but none of another page. */
static void
fetch_page(const struct value_page *page)
{
    const unsigned char *byte = (const unsigned char *)page;

    for (size_t line = 0; line < 4; line++)
        __builtin_prefetch(byte + 64 * line);
}

/* Set PART to the next page, or to the next cells, of the values where WALK is.
   Returns false if there are none. */
static bool
next_of_values(struct part_walk *walk, struct value_part *part)
{
    *part = (struct value_part){.is_high = walk->is_high};
    if (walk->page != NULL) {
        part->page = walk->page;
        part->end = value_page_used(walk->values, walk->page);
        walk->page = walk->page->next;
        fetch_page(walk->page);
    } else if (walk->cells != NULL) {
        part->cells = walk->cells;
        part->end = walk->cells->size;
        walk->cells = walk->cells->next;
    } else {
        return false;
    }
    return true;
}

/* The same of all values. */
static bool
next_part(struct part_walk *walk, struct value_part *part)
{
    while (!next_of_values(walk, part)) {
        if (!walk_on(walk))
            return false;
    }
    return true;
}

/* Add PART to NUMBERS, which have ROOM.  Returns whether there is memory. */
static bool
add_part(struct value_numbers *numbers, size_t *room,
         const struct value_part *part)
{
    if (numbers->parts == *room) {
        size_t wanted = 2 * *room + 64;
        struct value_part *more =
            realloc(numbers->part, wanted * sizeof *numbers->part);
        if (more == NULL)
            return false;
        numbers->part = more;
        *room = wanted;
    }
    numbers->part[numbers->parts++] = *part;
    return true;
}

/* Add the pages and cells of the values where WALK is to NUMBERS, which have
   ROOM.  Returns whether there is memory. */
static bool
add_pieces(struct value_numbers *numbers, size_t *room, struct part_walk *walk)
{
    struct value_part part;
    bool is_done = true;

    while (is_done && next_of_values(walk, &part)) {
        uint64_t end = part.end;
        for (; is_done && part.from < end; part.from = part.end) {
            part.end = part.cells != NULL && end - part.from > PART_CELLS
                           ? part.from + PART_CELLS
                           : end;
            is_done = add_part(numbers, room, &part);
        }
    }
    return is_done;
}

void
value_numbers_share(struct value_numbers *numbers, unsigned int members,
                    uint64_t count)
{
    struct part_walk walk = {.numbers = numbers};
    size_t room = 0;
    bool is_done = true;

    numbers->part = NULL;
    numbers->parts = 0;
    numbers->members = members > 1 ? members : 1;
    if (members < 2)
        return;
    /* A walk from page to page waits for each: members walk, where they can. */
    uint64_t most = count / members / WHOLE_SHARE;
    while (is_done && walk_on(&walk)) {
        const struct value_part whole = {.values = walk.values,
                                         .is_high = walk.is_high};
        is_done = walk.values->paged <= most && walk.values->cells == NULL
                      ? add_part(numbers, &room, &whole)
                      : add_pieces(numbers, &room, &walk);
    }
    if (!is_done)
        numbers->members = 1;
}

void
value_numbers_close(struct value_numbers *numbers)
{
    free(numbers->part);
    numbers->part = NULL;
}

/* ---- looks ---- */

/* A look, by one thread or by a crew. */
struct value_look {
    const struct value_numbers *numbers;
    struct part_walk walk; /* of the one thread */
    atomic_size_t taken;   /* parts of a crew; members take the next ones */
    pthread_mutex_t lock;  /* of what the look finds */

    struct distance_range range;
    struct value_buckets buckets;
    uint64_t *count; /* of SIZE buckets */
    size_t size;
    const uint16_t *wanted; /* with these ... */
    struct value_copy *copy;
    atomic_size_t *end; /* ... which end here */

    struct value_bracket *bracket;
    size_t brackets;
    atomic_size_t copies[VALUE_BRACKETS_MAX];

    uint64_t step;    /* of a sample ... */
    uint64_t sampled; /* ... and how many numbers it has */
};

/* The parts that a member has taken, and the walk in the last one. */
struct taken_parts {
    size_t next;
    size_t end;
    struct part_walk walk;
};

/* Take parts that no other member takes.  Returns false if there are none. */
static bool
take_parts(struct value_look *look, struct taken_parts *taken)
{
    const size_t parts = look->numbers->parts;

    taken->next = atomic_fetch_add(&look->taken, PARTS_TAKEN);
    if (taken->next >= parts) {
        taken->next = taken->end = 0;
        return false;
    }
    size_t left = parts - taken->next;
    taken->end = taken->next + (left < PARTS_TAKEN ? left : PARTS_TAKEN);
    return true;
}

/* Set PART to the next page, or to the next cells, that no other member takes.
   Returns false if there are none. */
static bool
take_part(struct value_look *look, struct taken_parts *taken,
          struct value_part *part)
{
    const struct value_numbers *numbers = look->numbers;

    if (numbers->members < 2)
        return next_part(&look->walk, part);
    while (!next_of_values(&taken->walk, part)) {
        if (taken->next == taken->end && !take_parts(look, taken))
            return false;
        *part = numbers->part[taken->next++];
        if (part->values == NULL)
            return true;
        taken->walk = (struct part_walk){.values = part->values,
                                         .page = part->values->page,
                                         .is_high = part->is_high};
    }
    return true;
}

/* Let all members WORK at LOOK. */
static void
run(struct value_look *look, crew_work *work)
{
    look->walk = (struct part_walk){.numbers = look->numbers};
    atomic_init(&look->taken, 0);
    pthread_mutex_init(&look->lock, NULL);
    crew_run(look->numbers->members, work, look);
    pthread_mutex_destroy(&look->lock);
}

/* Returns NANO; if IS_HIGH, its HIGH. */
static inline __attribute__((always_inline)) uint64_t
place_of(int64_t nano, bool is_high)
{
    return (uint64_t)(is_high ? ordered_decimal_of_nano(nano).high : nano);
}

/* Call VISIT, which is inlined, for the numbers of PART in the range of
   LOOK. */
static inline __attribute__((always_inline)) void
for_each_of(const struct value_look *look, const struct value_part *part,
            bool is_high, copy_visit *visit, void *context)
{
    const struct value_cells *cells = part->cells;
    const uint64_t least = look->numbers->least;
    const uint64_t low = look->range.low;
    const uint64_t most = look->range.high - low;

    for (uint64_t i = part->from; cells == NULL && i < part->end; i++) {
        int64_t nano = value_page_nano(part->page, i);
        uint64_t distance = place_of(nano, is_high) - least;
        if (distance - low <= most)
            visit(context, distance, 1);
    }
    for (uint64_t c = part->from; cells != NULL && c < part->end; c++) {
        if (cells->count[c] == 0)
            continue;
        uint64_t distance =
            place_of(value_cells_nano(cells, c), is_high) - least;
        if (distance - low <= most)
            visit(context, distance, cells->count[c]);
    }
}

static inline __attribute__((always_inline)) void
for_each(struct value_look *look, copy_visit *visit, void *context)
{
    struct taken_parts taken = {0};
    struct value_part part;

    while (take_part(look, &taken, &part)) {
        if (part.is_high)
            for_each_of(look, &part, true, visit, context);
        else
            for_each_of(look, &part, false, visit, context);
    }
}

/* ---- counting and copying ---- */

/* What count_number() needs. */
struct bucket_counts {
    struct value_buckets buckets;
    uint64_t *count;
};

static inline __attribute__((always_inline)) void
count_number(void *context, uint64_t distance, uint64_t count)
{
    const struct bucket_counts *counting = context;

    counting->count[value_bucket_of(&counting->buckets, distance)] += count;
}

/* The work of a member: count its part of the numbers. */
static void
count_share(void *context, unsigned int member)
{
    struct value_look *look = context;
    uint64_t count[VALUE_BUCKETS_MAX];
    struct bucket_counts counting = {look->buckets, count};

    (void)member;
    memset(count, 0, look->size * sizeof *count);
    for_each(look, count_number, &counting);
    pthread_mutex_lock(&look->lock);
    for (size_t b = 0; b < look->size; b++)
        look->count[b] += count[b];
    pthread_mutex_unlock(&look->lock);
}

void
value_look_count(const struct value_numbers *numbers,
                 const struct distance_range *range,
                 const struct value_buckets *buckets, uint64_t *count,
                 size_t size)
{
    struct value_look look = {.numbers = numbers,
                              .range = *range,
                              .buckets = *buckets,
                              .count = count,
                              .size = size};

    run(&look, count_share);
}

static inline __attribute__((always_inline)) void
copy_number(void *context, uint64_t distance, uint64_t count)
{
    const struct value_look *look = context;
    uint16_t wanted = look->wanted[value_bucket_of(&look->buckets, distance)];

    if (wanted != VALUE_NOT_WANTED)
        look->copy[atomic_fetch_add(&look->end[wanted], 1)] =
            (struct value_copy){distance, count};
}

/* The work of a member: copy its part of the numbers. */
static void
copy_share(void *context, unsigned int member)
{
    struct value_look *look = context;

    (void)member;
    for_each(look, copy_number, look);
}

void
value_look_copy(const struct value_numbers *numbers,
                const struct distance_range *range,
                const struct value_buckets *buckets, const uint16_t *wanted,
                struct value_copy *copy, size_t *end, size_t size)
{
    atomic_size_t shared[SPEC_RANKS_MAX];
    struct value_look look = {.numbers = numbers,
                              .range = *range,
                              .buckets = *buckets,
                              .wanted = wanted,
                              .copy = copy,
                              .end = shared};

    for (size_t t = 0; t < size; t++)
        atomic_init(&shared[t], end[t]);
    run(&look, copy_share);
    for (size_t t = 0; t < size; t++)
        end[t] = atomic_load(&shared[t]);
}

/* ---- brackets ---- */

/* What a member finds in a bracket. */
struct bracket_share {
    uint64_t below;
    uint64_t numbers;
    size_t gathered; /* copies that have no room yet */
    struct value_copy copy[GATHERED_MAX];
};

/* Give the gathered copies of bracket B of LOOK room. */
static void
give_copies(struct value_look *look, size_t b, struct bracket_share *share)
{
    const struct value_bracket *bracket = &look->bracket[b];
    size_t at = atomic_fetch_add(&look->copies[b], share->gathered);

    if (at < bracket->room && share->gathered <= bracket->room - at)
        memcpy(bracket->copy + at, share->copy,
               share->gathered * sizeof *share->copy);
    share->gathered = 0;
}

/* Add the COUNT distances at DISTANCE, of a page, to bracket B.  No branch
   depends on a number: the processor could not guess where it goes. */
static void
add_distances(struct value_look *look, size_t b, struct bracket_share *share,
              const uint64_t *distance, size_t count)
{
    const struct value_bracket *bracket = &look->bracket[b];
    const uint64_t low = bracket->low;
    const uint64_t most = bracket->high - low;
    uint64_t inside[BLOCK_NUMBERS];
    uint64_t below = 0;
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        inside[found] = distance[i];
        found += distance[i] - low <= most;
        below += distance[i] < low;
    }
    share->below += below;
    share->numbers += found;
    if (most == 0)
        return;
    if (share->gathered + found > GATHERED_MAX)
        give_copies(look, b, share);
    for (size_t i = 0; i < found; i++)
        share->copy[share->gathered++] = (struct value_copy){inside[i], 1};
}

/* Add the cell with DISTANCE, which has COUNT numbers, to bracket B. */
static void
add_cell(struct value_look *look, size_t b, struct bracket_share *share,
         uint64_t distance, uint64_t count)
{
    const struct value_bracket *bracket = &look->bracket[b];
    uint64_t most = bracket->high - bracket->low;

    share->below += distance < bracket->low ? count : 0;
    if (distance - bracket->low > most)
        return;
    share->numbers += count;
    if (most == 0)
        return;
    if (share->gathered == GATHERED_MAX)
        give_copies(look, b, share);
    share->copy[share->gathered++] = (struct value_copy){distance, count};
}

/* Which offsets of a packed page are in a bracket: from LOW to LOW + MOST. */
struct offset_range {
    uint32_t low; /* all lower ones are below the bracket */
    uint32_t most;
    bool is_empty;
    bool all_below; /* all offsets are below the bracket; is_empty, too */
};

/* Returns the range of PAGE, which is packed, for BRACKET. */
static struct offset_range
offsets_between(const struct value_page *page, uint64_t least,
                const struct value_bracket *bracket)
{
    int64_t first = (int64_t)(least + bracket->low);
    int64_t last = (int64_t)(least + bracket->high);
    uint64_t base = (uint64_t)page->base;
    uint64_t unit = page->unit;
    uint64_t low = 0;

    if (first > page->base)
        low = ((uint64_t)first - base - 1) / unit + 1;
    if (low > UINT32_MAX)
        return (struct offset_range){.is_empty = true, .all_below = true};
    if (last < page->base || ((uint64_t)last - base) / unit < low)
        return (struct offset_range){.low = (uint32_t)low, .is_empty = true};
    uint64_t most = ((uint64_t)last - base) / unit - low;
    if (most > UINT32_MAX)
        most = UINT32_MAX;
    return (struct offset_range){.low = (uint32_t)low, .most = (uint32_t)most};
}

/* Gather those of the COUNT offsets at OFFSET, of PAGE, that are in RANGE. */
static void
gather_offsets(struct bracket_share *share, uint64_t least,
               const struct value_page *page, const uint32_t *offset,
               size_t count, const struct offset_range *range)
{
    const uint64_t base = (uint64_t)page->base - least;
    const uint64_t unit = page->unit;
    uint32_t inside[BLOCK_OFFSETS];
    size_t found = 0;

    for (size_t i = 0; i < count; i++) {
        inside[found] = offset[i];
        found += offset[i] - range->low <= range->most;
    }
    for (size_t i = 0; i < found; i++)
        share->copy[share->gathered++] =
            (struct value_copy){base + inside[i] * unit, 1};
}

/* Add the COUNT numbers with the offsets at OFFSET in PAGE, which is packed, to
   bracket B, which RANGE is of. */
static void
add_offsets(struct value_look *look, size_t b, struct bracket_share *share,
            const struct value_page *page, const uint32_t *offset, size_t count,
            const struct offset_range *range)
{
    const struct value_bracket *bracket = &look->bracket[b];
    const uint32_t low = range->low;
    const uint32_t most = range->most;
    uint32_t below = 0;
    uint32_t inside = 0;

    for (size_t i = 0; i < count; i++) {
        below += offset[i] < low;
        inside += offset[i] - low <= most;
    }
    share->below += below;
    if (range->is_empty)
        return;
    share->numbers += inside;
    if (inside == 0 || bracket->low == bracket->high)
        return;
    if (share->gathered + inside > GATHERED_MAX)
        give_copies(look, b, share);
    gather_offsets(share, look->numbers->least, page, offset, count, range);
}

/* Add the numbers of PAGE, which is packed, to SHARE, one for each bracket. */
static void
add_packed_between(struct value_look *look, struct bracket_share *share,
                   const struct value_page *page)
{
    const uint32_t *offset = (const uint32_t *)page->nano;

    for (size_t b = 0; b < look->brackets; b++) {
        struct offset_range range =
            offsets_between(page, look->numbers->least, &look->bracket[b]);
        size_t at = 0;
        if (range.all_below) {
            share[b].below += page->used;
            continue;
        }
        for (; at + BLOCK_OFFSETS <= page->used; at += BLOCK_OFFSETS)
            add_offsets(look, b, &share[b], page, offset + at, BLOCK_OFFSETS,
                        &range);
        add_offsets(look, b, &share[b], page, offset + at, page->used - at,
                    &range);
    }
}

/* Add the numbers of PART to SHARE, one for each bracket. */
static void
add_part_between(struct value_look *look, struct bracket_share *share,
                 const struct value_part *part)
{
    const struct value_cells *cells = part->cells;
    const uint64_t least = look->numbers->least;
    uint64_t distance[BLOCK_NUMBERS];
    uint64_t count;

    for (uint64_t at = part->from; at < part->end; at += count) {
        count = part->end - at;
        count = count < BLOCK_NUMBERS ? count : BLOCK_NUMBERS;
        for (uint64_t i = 0; i < count; i++) {
            int64_t nano = cells == NULL ? value_page_nano(part->page, at + i)
                                         : value_cells_nano(cells, at + i);
            distance[i] = place_of(nano, part->is_high) - least;
        }
        for (size_t b = 0; b < look->brackets && cells == NULL; b++)
            add_distances(look, b, &share[b], distance, (size_t)count);
        for (uint64_t i = 0; i < count && cells != NULL; i++) {
            for (size_t b = 0; b < look->brackets && cells->count[at + i] > 0;
                 b++)
                add_cell(look, b, &share[b], distance[i], cells->count[at + i]);
        }
    }
}

/* The work of a member: find which of its part of the numbers are in
   brackets. */
static void
between_share(void *context, unsigned int member)
{
    struct value_look *look = context;
    struct bracket_share share[VALUE_BRACKETS_MAX];
    struct taken_parts taken = {0};
    struct value_part part;

    (void)member;
    for (size_t b = 0; b < look->brackets; b++)
        share[b].below = share[b].numbers = share[b].gathered = 0;
    while (take_part(look, &taken, &part)) {
        if (part.page != NULL && !part.is_high && part.page->is_packed)
            add_packed_between(look, share, part.page);
        else
            add_part_between(look, share, &part);
    }
    for (size_t b = 0; b < look->brackets; b++)
        give_copies(look, b, &share[b]);
    pthread_mutex_lock(&look->lock);
    for (size_t b = 0; b < look->brackets; b++) {
        look->bracket[b].below += share[b].below;
        look->bracket[b].numbers += share[b].numbers;
    }
    pthread_mutex_unlock(&look->lock);
}

void
value_look_between(const struct value_numbers *numbers,
                   struct value_bracket *bracket, size_t count)
{
    struct value_look look = {
        .numbers = numbers, .bracket = bracket, .brackets = count};

    for (size_t b = 0; b < count; b++) {
        bracket[b].below = bracket[b].numbers = 0;
        atomic_init(&look.copies[b], 0);
    }
    run(&look, between_share);
    for (size_t b = 0; b < count; b++)
        bracket[b].copies = atomic_load(&look.copies[b]);
}

/* ---- a sample ---- */

/* Numbers at regular distances in the pages and cells of a member. */
struct sampling {
    struct value_look *look;
    uint64_t skip;    /* numbers before the next one of the sample */
    uint64_t numbers; /* of the sample */
    size_t gathered;  /* copies that have no room yet */
    struct value_copy copy[GATHERED_MAX];
};

/* Give the gathered copies room. */
static void
give_sample(struct sampling *sampling)
{
    struct value_look *look = sampling->look;
    size_t at = atomic_fetch_add(look->end, sampling->gathered);

    memcpy(look->copy + at, sampling->copy,
           sampling->gathered * sizeof *sampling->copy);
    sampling->gathered = 0;
}

/* Add NANO of PART, which occurs COUNT times. */
static void
add_sample(struct sampling *sampling, const struct value_part *part,
           int64_t nano, uint64_t count)
{
    uint64_t least = sampling->look->numbers->least;
    uint64_t distance = place_of(nano, part->is_high) - least;

    if (sampling->gathered == GATHERED_MAX)
        give_sample(sampling);
    sampling->copy[sampling->gathered++] = (struct value_copy){distance, count};
    sampling->numbers += count;
}

/* Add numbers of PART. */
static void
sample_part(struct sampling *sampling, const struct value_part *part)
{
    const struct value_cells *cells = part->cells;
    const uint64_t step = sampling->look->step;
    uint64_t i = sampling->skip;

    if (cells == NULL) {
        for (; i < part->end; i += step)
            add_sample(sampling, part, value_page_nano(part->page, i), 1);
        i -= part->end;
    }
    for (uint64_t c = part->from; cells != NULL && c < part->end; c++) {
        uint64_t count = cells->count[c];
        if (i < count) {
            uint64_t times = (count - i + step - 1) / step;
            add_sample(sampling, part, value_cells_nano(cells, c), times);
            i += times * step;
        }
        i -= count;
    }
    sampling->skip = i;
}

/* The work of a member: take a sample of its part of the numbers. */
static void
sample_share(void *context, unsigned int member)
{
    struct value_look *look = context;
    struct sampling sampling = {.look = look};
    struct taken_parts taken = {0};
    struct value_part part;

    (void)member;
    while (take_part(look, &taken, &part))
        sample_part(&sampling, &part);
    give_sample(&sampling);
    pthread_mutex_lock(&look->lock);
    look->sampled += sampling.numbers;
    pthread_mutex_unlock(&look->lock);
}

struct value_sample
value_sample_take(const struct value_numbers *numbers, uint64_t step,
                  struct value_copy *copy)
{
    atomic_size_t end;
    struct value_look look = {
        .numbers = numbers, .step = step, .copy = copy, .end = &end};

    atomic_init(&end, 0);
    run(&look, sample_share);
    return (struct value_sample){look.sampled, atomic_load(&end)};
}
