/* SPDX-License-Identifier: MIT */
/* group_values.c -- the numbers of a group, where percentiles are wanted */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/keys/group_values.h"
#include "engine/cpu/keys/value_pages.h"

/* The bytes of the first page of a group, of the first one that is packed when
   it is full, and of most pages. */
#define PAGE_FIRST 128
#define PAGE_PACKED 512
#define PAGE_BYTES 4096

/* After a page that cannot be packed, so many are not tried. */
#define PACK_PAUSE 15

/* Cells are considered when this many numbers are in pages; then the range is
   that of so many of them, and 1 / RANGE_MARGIN of the range on each side. */
#define LOOK_FIRST 1024
#define RANGE_SAMPLE 64
#define RANGE_MARGIN 8

/* A number has 9 decimals at most. */
#define UNIT_MAX 1000000000

#define PAGE_ROOM(bytes) \
    (((bytes) - sizeof(struct value_page)) / sizeof(int64_t))
#define PACKED_ROOM(bytes) \
    (((bytes) - sizeof(struct value_page)) / sizeof(uint32_t))
#define LONG_PAGE_ROOM(bytes) \
    (((bytes) - sizeof(struct value_page)) / (sizeof(int64_t) + 1))

/* The first bytes of a slab, a block of key_memory.h. */
struct value_slab {
    struct value_slab *next;
    struct key_slab *slab;
};

#define SLAB_START 64

/* ---- memory ---- */

static bool
reserve(struct values_memory *all, size_t bytes)
{
    if (atomic_fetch_add(&all->taken, bytes) + bytes <= all->most)
        return true;
    atomic_fetch_sub(&all->taken, bytes);
    return false;
}

/* Take a slab.  Returns false if there is no room. */
static bool
take_slab(struct value_pool *pool)
{
    enum key_result result;
    struct key_slab *slab;

    if (!reserve(pool->all, KEY_BLOCK_BYTES))
        return false;
    struct value_slab *taken =
        key_memory_take_block(pool->all->memory, &slab, &result);
    if (taken == NULL) {
        atomic_fetch_sub(&pool->all->taken, KEY_BLOCK_BYTES);
        return false;
    }
    *taken = (struct value_slab){.next = pool->slab, .slab = slab};
    pool->slab = taken;
    pool->used = SLAB_START;
    return true;
}

/* Returns BYTES, a multiple of 64, of a slab, or NULL: no room. */
static void *
take_bytes(struct value_pool *pool, size_t bytes)
{
    if ((pool->slab == NULL || KEY_BLOCK_BYTES - pool->used < bytes) &&
        !take_slab(pool))
        return NULL;
    void *taken = (unsigned char *)pool->slab + pool->used;
    pool->used += bytes;
    return taken;
}

/* Returns the unused pages of POOL with BYTES, a power of two. */
static struct value_page **
unused_of(struct value_pool *pool, size_t bytes)
{
    _Static_assert(PAGE_FIRST << (VALUE_PAGE_SIZES - 1) == PAGE_BYTES,
                   "a list for each size");
    return &pool->unused[__builtin_ctzll(bytes / PAGE_FIRST)];
}

/* Returns a page of BYTES, a power of two, or NULL: no room. */
static struct value_page *
take_page(struct value_pool *pool, size_t bytes)
{
    struct value_page **unused = unused_of(pool, bytes);
    struct value_page *page = *unused;

    if (page == NULL)
        return take_bytes(pool, bytes);
    *unused = page->next;
    return page;
}

/* Returns the bytes of PAGE, which has no long numbers. */
static size_t
page_bytes(const struct value_page *page)
{
    size_t each = page->is_packed ? sizeof(uint32_t) : sizeof *page->nano;

    return sizeof *page + page->room * each;
}

static void
give_page(struct value_pool *pool, struct value_page *page)
{
    struct value_page **unused = unused_of(pool, page_bytes(page));

    page->next = *unused;
    *unused = page;
}

static size_t
cells_bytes(uint64_t size)
{
    return sizeof(struct value_cells) + (size_t)size * sizeof(uint64_t);
}

/* Returns SIZE cells from FIRST on, in UNITs, all 0; or NULL: no room. */
static struct value_cells *
take_cells(struct value_pool *pool, int64_t unit, int64_t first, uint64_t size)
{
    enum key_result result;
    size_t bytes = cells_bytes(size);

    if (!reserve(pool->all, bytes))
        return NULL;
    struct value_cells *cells =
        key_memory_take_zeros(pool->all->memory, bytes, &result);
    if (cells == NULL) {
        atomic_fetch_sub(&pool->all->taken, bytes);
        return NULL;
    }
    cells->unit = unit;
    cells->first = first;
    cells->size = cells->room = size;
    cells->next_taken = pool->cells;
    cells->taken = &pool->cells;
    if (pool->cells != NULL)
        pool->cells->taken = &cells->next_taken;
    pool->cells = cells;
    return cells;
}

static void
give_cells(struct value_pool *pool, struct value_cells *cells)
{
    size_t bytes = cells_bytes(cells->room);

    *cells->taken = cells->next_taken;
    if (cells->next_taken != NULL)
        cells->next_taken->taken = cells->taken;
    key_memory_give(pool->all->memory, cells, bytes);
    atomic_fetch_sub(&pool->all->taken, bytes);
}

void
value_pool_close(struct value_pool *pool)
{
    struct value_slab *next;

    while (pool->cells != NULL)
        give_cells(pool, pool->cells);
    for (struct value_slab *slab = pool->slab; slab != NULL; slab = next) {
        next = slab->next;
        key_memory_give_block(pool->all->memory, slab, slab->slab);
        atomic_fetch_sub(&pool->all->taken, KEY_BLOCK_BYTES);
    }
    *pool = (struct value_pool){.all = pool->all};
}

/* Put PAGE behind the last page of VALUES. */
static void
put_next(struct group_values *values, struct value_page *page)
{
    page->next = values->page->next;
    values->page->next = page;
    if (values->first == values->page)
        values->first = page;
}

/* Let the last page of VALUES know the next one, if that is packed. */
static void
note_next(struct group_values *values)
{
    struct value_page *page = values->page;
    const struct value_page *next = page->next;

    page->next_room = page->next_used = 0;
    if (next == NULL || !next->is_packed)
        return;
    page->base = next->base;
    page->unit = next->unit;
    page->next_room = next->room;
    page->next_used = next->used;
}

/* ---- cells ---- */

/* Returns NUMBER / UNIT; if NUMBER is not a multiple, another integer. */
static inline int64_t
units_of(int64_t number, double per_unit)
{
    double units = (double)number * per_unit;

    return (int64_t)(units + (units < 0 ? -0.5 : 0.5));
}

/* Count NANO, if it has one of CELLS.  Returns whether it has. */
static inline bool
count_number(struct value_cells *cells, int64_t nano, double per_unit)
{
    int64_t units = units_of(nano, per_unit);
    uint64_t cell = (uint64_t)units - (uint64_t)cells->first;

    if (cell >= cells->size ||
        (uint64_t)units * (uint64_t)cells->unit != (uint64_t)nano)
        return false;
    cells->count[cell]++;
    return true;
}

/*
 * Count the USED numbers of PAGE that have CELLS.  The other numbers move to
 * the start.
 */
static void
count_page(struct value_cells *cells, struct value_page *page)
{
    double per_unit = 1 / (double)cells->unit;
    uint32_t *offset = value_page_offsets(page);
    uint16_t kept = 0;

    if (page->is_packed) {
        for (uint32_t i = 0; i < page->used; i++) {
            if (!count_number(cells, value_page_unpack(page, offset[i]),
                              per_unit))
                offset[kept++] = offset[i];
        }
    } else {
        for (uint32_t i = 0; i < page->used; i++) {
            if (!count_number(cells, page->nano[i], per_unit))
                page->nano[kept++] = page->nano[i];
        }
    }
    page->used = kept;
}

/* Returns the quotient of A and B, which is positive, rounded down. */
static int64_t
divide_down(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/* A range of numbers with a common unit, a power of ten. */
struct value_range {
    int64_t unit;
    int64_t least;
    int64_t greatest;
};

static void
widen(struct value_range *range, int64_t nano)
{
    while (nano % range->unit != 0)
        range->unit /= 10;
    range->least = nano < range->least ? nano : range->least;
    range->greatest = nano > range->greatest ? nano : range->greatest;
}

/* Add the counts of FROM to TO, which has cells for all of them. */
static void
move_cells(struct value_cells *to, const struct value_cells *from)
{
    int64_t step = from->unit / to->unit;

    for (uint64_t c = 0; c < from->size; c++) {
        int64_t units = (from->first + (int64_t)c) * step;
        if (from->count[c] > 0)
            to->count[units - to->first] += from->count[c];
    }
}

/* Find the range of the numbers in the last page of VALUES, which is full, and
   of its cells. */
static struct value_range
find_range(const struct group_values *values)
{
    const struct value_page *page = values->page;
    const struct value_cells *cells = values->cells;
    struct value_range range = {UNIT_MAX, page->nano[0], page->nano[0]};

    for (size_t i = 0; i < RANGE_SAMPLE; i++)
        widen(&range, page->nano[i * page->used / RANGE_SAMPLE]);
    uint64_t margin =
        ((uint64_t)range.greatest - (uint64_t)range.least) / RANGE_MARGIN;
    if ((uint64_t)range.least - (uint64_t)INT64_MIN > margin)
        range.least -= (int64_t)margin;
    if ((uint64_t)INT64_MAX - (uint64_t)range.greatest > margin)
        range.greatest += (int64_t)margin;
    if (cells != NULL) {
        int64_t last = cells->first + (int64_t)cells->size - 1;
        range.unit = cells->unit < range.unit ? cells->unit : range.unit;
        if (cells->first * cells->unit < range.least)
            range.least = cells->first * cells->unit;
        if (last * cells->unit > range.greatest)
            range.greatest = last * cells->unit;
    }
    return range;
}

/* Returns how many numbers are in pages; those of the last page are known. */
static uint64_t
paged_of(const struct group_values *values)
{
    return values->paged + (values->page != NULL ? values->page->used : 0);
}

/*
 * Give VALUES cells, or more cells, if they take no more memory than the full
 * pages and the old cells do.  Returns whether they have new ones.
 */
static bool
make_cells(struct value_pool *pool, struct group_values *values)
{
    struct value_cells *old = values->cells;
    struct value_range range = find_range(values);
    uint64_t most = paged_of(values);
    int64_t first = divide_down(range.least, range.unit);
    uint64_t size =
        (uint64_t)divide_down(range.greatest, range.unit) - (uint64_t)first + 1;

    if (values->page->next_room > 0)
        most /= sizeof(uint64_t) / sizeof(uint32_t);
    most += old != NULL ? old->size : 0;
    if (size > most || size > pool->all->most / sizeof(uint64_t))
        return false;
    struct value_cells *cells = take_cells(pool, range.unit, first, size);
    if (cells == NULL)
        return false;
    if (old != NULL) {
        move_cells(cells, old);
        give_cells(pool, old);
    }
    values->cells = cells;
    return true;
}

/* Move the numbers of PAGE to TO, if TO has room for all of them in its form.
   Returns whether it has. */
static bool
move_numbers(struct value_page *to, const struct value_page *page)
{
    if (to == NULL || page->used > to->room - to->used)
        return false;
    if (page->is_packed && (page->unit != to->unit || page->base != to->base))
        return false;
    if (page->is_packed)
        memcpy(value_page_offsets(to) + to->used, page->nano,
               page->used * sizeof(uint32_t));
    else
        memcpy(to->nano + to->used, page->nano,
               page->used * sizeof *page->nano);
    to->known = to->used = (uint16_t)(to->used + page->used);
    return true;
}

/* Move the numbers of the last page of VALUES, which has USED, to a page of
   BYTES, if there is room.  Returns whether there is. */
static bool
move_last(struct value_pool *pool, struct group_values *values, size_t bytes)
{
    struct value_page *last = values->page;
    struct value_page *page = take_page(pool, bytes);

    if (page == NULL)
        return false;
    *page = (struct value_page){.next = last->next,
                                .room = (uint16_t)PAGE_ROOM(bytes)};
    (void)move_numbers(page, last);
    values->page = page;
    if (values->first == last)
        values->first = page;
    values->at = page->nano + page->used;
    values->end = page->nano + page->room;
    give_page(pool, last);
    return true;
}

/* Count all pages of VALUES, which have new cells.  All pages have USED. */
static void
count_pages(struct value_pool *pool, struct group_values *values)
{
    struct value_page *last = values->page;
    struct value_page *packed = NULL; /* the one with room for more ... */
    struct value_page *wide = NULL;   /* ... and one that is not packed */
    struct value_page *next = last->next;

    count_page(values->cells, last);
    if (page_bytes(last) < PAGE_BYTES)
        (void)move_last(pool, values, PAGE_BYTES);
    last = values->first = values->page;
    last->next = NULL;
    values->paged = 0;
    for (struct value_page *page = next; page != NULL; page = next) {
        bool is_packed = page->is_packed;
        next = page->next;
        count_page(values->cells, page);
        values->paged += page->used;
        page->known = page->used;
        if (page->used == 0 || move_numbers(is_packed ? packed : wide, page)) {
            give_page(pool, page);
        } else if (is_packed) {
            put_next(values, page);
            packed = page;
        } else {
            page->next = NULL;
            values->first->next = page;
            values->first = wide = page;
        }
    }
    note_next(values);
    last->known = last->used;
    values->at = last->nano + last->used;
    values->end = last->nano + last->room;
}

/* ---- packing ---- */

/* Returns UNIT, a power of ten, with what divides its multiples. */
static struct value_unit
unit_of(uint32_t unit)
{
    unsigned int shift = (unsigned int)__builtin_ctz(unit);
    uint64_t odd = unit >> shift;
    uint64_t inverse = odd; /* to three bits; each step doubles them */

    for (int step = 0; step < 5; step++)
        inverse *= 2 - odd * inverse;
    return (struct value_unit){unit, inverse, shift};
}

/* Returns NUMBER / UNIT; if NUMBER is not a multiple, an integer that is
   greater than each multiple's. */
static inline uint64_t
divide_exactly(uint64_t number, const struct value_unit *unit)
{
    uint64_t product = number * unit->inverse;

    return product >> unit->shift | product << (-unit->shift & 63);
}

/* Set OFFSET to the offsets of the numbers of PAGE from BASE, in units.
   Returns whether all of them have one. */
static bool
find_offsets(const struct value_page *page, int64_t base,
             const struct value_unit *unit, uint32_t *offset)
{
    const struct value_unit by = *unit;
    uint64_t all = 0;

    _Static_assert(UNIT_MAX <= UINT32_MAX, "2^32 units are below 2^64");
    for (uint32_t i = 0; i < page->used; i++) {
        uint64_t distance = (uint64_t)page->nano[i] - (uint64_t)base;
        uint64_t units = divide_exactly(distance, &by);
        offset[i] = (uint32_t)units;
        all |= units;
    }
    return all <= UINT32_MAX;
}

/* Returns a number 2^31 units below NANO, or less, if there is none. */
static int64_t
base_for(int64_t nano, uint32_t unit)
{
    uint64_t most = ((uint64_t)nano - (uint64_t)INT64_MIN) / unit;
    uint64_t units = most < UINT64_C(1) << 31 ? most : UINT64_C(1) << 31;

    return (int64_t)((uint64_t)nano - units * unit);
}

/* Let the unit of POOL be the greatest one of PAGE.  Returns whether it was
   another one. */
static bool
find_unit(struct value_pool *pool, const struct value_page *page)
{
    uint32_t unit = UNIT_MAX;

    for (uint32_t i = 0; i < page->used && unit > 1; i++) {
        while (page->nano[i] % (int64_t)unit != 0)
            unit /= 10;
    }
    if (unit == pool->unit.unit)
        return false;
    pool->unit = unit_of(unit);
    return true;
}

/*
 * Find a form for the numbers of PAGE, the last one: that of the packed page
 * next to it, if there is one, or another one.  Set *BASE and OFFSET, and
 * return the unit; 0: there is none.
 */
static uint32_t
find_form(struct value_pool *pool, const struct value_page *page, int64_t *base,
          uint32_t *offset)
{
    if (page->next_room > 0) {
        struct value_unit unit =
            page->unit == pool->unit.unit ? pool->unit : unit_of(page->unit);
        *base = page->base;
        if (find_offsets(page, *base, &unit, offset))
            return page->unit;
        /* Too many pages with room, of many forms, are no gain. */
        if (page->next_used < page->next_room / 2)
            return 0;
    }
    if (pool->unit.unit == 0)
        pool->unit = unit_of(UNIT_MAX);
    do {
        *base = base_for(page->nano[0], pool->unit.unit);
        if (find_offsets(page, *base, &pool->unit, offset))
            return pool->unit.unit;
    } while (find_unit(pool, page));
    return 0;
}

/* Put a packed page next to the last one of VALUES.  Returns false if there is
   no room. */
static bool
add_packed(struct value_pool *pool, struct group_values *values, int64_t base,
           uint32_t unit)
{
    size_t bytes = PAGE_PACKED;

    while (bytes < PAGE_BYTES && PACKED_ROOM(bytes) < values->paged)
        bytes *= 2;
    struct value_page *page = take_page(pool, bytes);
    if (page == NULL)
        return false;
    *page = (struct value_page){.base = base,
                                .unit = unit,
                                .room = (uint16_t)PACKED_ROOM(bytes),
                                .is_packed = true};
    put_next(values, page);
    note_next(values);
    return true;
}

/* Append the COUNT offsets at OFFSET to the page next to the last one of
   VALUES, which has room for them. */
static void
append_offsets(struct group_values *values, const uint32_t *offset,
               uint32_t count)
{
    struct value_page *page = values->page;
    struct value_page *packed = page->next;

    memcpy(value_page_offsets(packed) + page->next_used, offset,
           count * sizeof *offset);
    page->next_used = (uint16_t)(page->next_used + count);
    packed->used = page->next_used;
    values->paged += count;
}

/* Pack the numbers of the last page of VALUES, which has USED.  Returns whether
   there is room for more in the page. */
static bool
pack_page(struct value_pool *pool, struct group_values *values)
{
    struct value_page *page = values->page;
    uint32_t offset[PAGE_ROOM(PAGE_BYTES)];
    uint32_t done = 0;
    int64_t base;

    if (pool->pause > 0) {
        pool->pause--;
        return false;
    }
    uint32_t unit = find_form(pool, page, &base, offset);
    if (unit == 0) {
        pool->pause = PACK_PAUSE;
        return false;
    }
    bool is_next = base == page->base && unit == page->unit;
    while (done < page->used) {
        uint32_t left = page->used - done;
        uint32_t room = is_next ? page->next_room - page->next_used : 0;
        if (room == 0) {
            if (!add_packed(pool, values, base, unit))
                break;
            is_next = true;
            continue;
        }
        append_offsets(values, offset + done, left < room ? left : room);
        done += left < room ? left : room;
    }
    page->known = page->used = (uint16_t)(page->used - done);
    memmove(page->nano, page->nano + done, page->used * sizeof *page->nano);
    values->at = page->nano + page->used;
    return done > 0;
}

/* ---- growing ---- */

/* Add the numbers of PAGE that FIGURES do not have, but their count. */
static void
add_figures(struct value_figures *figures, const struct value_page *page)
{
    int64_t least = figures->least;
    int64_t greatest = figures->greatest;
    uint64_t low = 0;
    int64_t high = 0;

    for (uint32_t i = page->known; i < page->used; i++) {
        int64_t nano = page->nano[i];
        low += (uint32_t)nano;
        high += nano >> 32;
        least = nano < least ? nano : least;
        greatest = nano > greatest ? nano : greatest;
    }
    figures->least = least;
    figures->greatest = greatest;
    /* The sum of a page is HIGH * 2^32 + LOW. */
    high += (int64_t)(low >> 32);
    low = (uint64_t)high << 32 | (uint32_t)low;
    figures->sum_low += low;
    figures->sum_high += (uint64_t)(high >> 32) + (figures->sum_low < low);
}

/* Let FIGURES be those of no number, if their count is 0. */
static void
open_figures(struct value_figures *figures)
{
    if (figures->count > 0)
        return;
    figures->least = INT64_MAX;
    figures->greatest = INT64_MIN;
}

/* Add the new numbers of the last page of VALUES, which has USED. */
static void
know_page(struct group_values *values)
{
    struct value_figures *figures = &values->figures;
    const struct value_page *page = values->page;

    open_figures(figures);
    add_figures(figures, page);
    figures->count += page->used - page->known;
}

/* Empty the last page of VALUES, which is full, into the cells, or pack its
   numbers.  Returns whether there is room for more in the page. */
static bool
empty_page(struct value_pool *pool, struct group_values *values)
{
    struct value_page *page = values->page;

    page->used = page->room;
    know_page(values);
    if (values->cells != NULL)
        count_page(values->cells, page);
    page->known = page->used;
    values->at = page->nano + page->used;
    if (page->used <= page->room / 2)
        return true;
    if (page->room < PAGE_ROOM(PAGE_PACKED))
        return false;
    uint64_t paged = paged_of(values);
    if (paged >= LOOK_FIRST && paged >= values->look) {
        values->look = 2 * paged;
        if (make_cells(pool, values)) {
            count_pages(pool, values);
            if (values->at < values->end)
                return true;
        }
    }
    return pack_page(pool, values);
}

/* Let PAGE, with room for ROOM numbers, be the last page of VALUES. */
static void
add_page(struct group_values *values, struct value_page *page, size_t room)
{
    struct value_page *before = values->page;

    values->paged = paged_of(values);
    *page = (struct value_page){.next = before, .room = (uint16_t)room};
    values->page = page;
    if (values->first == NULL)
        values->first = page;
    if (before != NULL && before->next_room > 0) {
        struct value_page *packed = before->next;
        page->next = packed;
        before->next = packed->next;
        packed->next = before;
        if (values->first == packed)
            values->first = before;
        note_next(values);
    }
    values->at = page->nano;
    values->end = page->nano + room;
}

/* As group_values_grow(), of the place in VALUES. */
static bool
grow(struct value_pool *pool, struct group_values *values)
{
    size_t bytes = PAGE_PACKED;

    if (values->page != NULL && empty_page(pool, values))
        return true;
    if (values->page == NULL)
        bytes = PAGE_FIRST;
    else if (page_bytes(values->page) < PAGE_PACKED)
        return move_last(pool, values, 2 * page_bytes(values->page));
    else if (values->cells != NULL)
        bytes = PAGE_BYTES;
    uint64_t paged = paged_of(values);
    while (bytes < PAGE_BYTES && PAGE_ROOM(bytes) < paged)
        bytes *= 2;
    struct value_page *page = take_page(pool, bytes);
    /* Without another page, the last one may have some room yet. */
    if (page == NULL)
        return values->at < values->end;
    add_page(values, page, PAGE_ROOM(bytes));
    return true;
}

/* Fetch VALUES and their last page, which ends at PLACE: most likely no near
   cache has any of it, and one needs the other. */
static void
fetch_last(const struct group_values *values, const struct value_place *place)
{
    uintptr_t end = (uintptr_t)place->end;

    __builtin_prefetch(&values->figures);
    for (size_t before = 64; before <= PAGE_PACKED; before += 64)
        __builtin_prefetch((const void *)(end - before));
}

bool
group_values_grow(struct value_pool *pool, struct group_values *values,
                  struct value_place *place)
{
    fetch_last(values, place);
    values->at = place->at;
    bool has_room = grow(pool, values);
    place->at = values->at;
    place->end = values->end;
    return has_room;
}

bool
group_values_grow_more(struct value_pool *pool, struct group_values *values)
{
    size_t bytes = PAGE_FIRST;

    if (values->more == NULL) {
        values->more = take_bytes(pool, (sizeof *values + 63) / 64 * 64);
        if (values->more == NULL)
            return false;
        *values->more = (struct group_values){0};
    }
    struct group_values *more = values->more;
    if (more->page != NULL)
        more->page->used = more->page->room;
    uint64_t paged = paged_of(more);
    while (bytes < PAGE_BYTES && LONG_PAGE_ROOM(bytes) < paged)
        bytes *= 2;
    struct value_page *page = take_page(pool, bytes);
    if (page == NULL)
        return false;
    add_page(more, page, LONG_PAGE_ROOM(bytes));
    return true;
}

/* ---- all numbers ---- */

/* As group_values_join(), without long numbers. */
static void
join_pages(struct group_values *values, struct group_values *more)
{
    struct value_cells **last = &more->cells;

    if (more->page != NULL)
        more->page->used = (uint16_t)value_page_used(more, more->page);
    while (*last != NULL)
        last = &(*last)->next;
    *last = values->cells;
    values->cells = more->cells;
    if (values->page == NULL) {
        struct value_cells *cells = values->cells;
        struct group_values *long_ones = values->more;
        *values = *more;
        values->cells = cells;
        values->more = long_ones;
    } else if (more->page != NULL) {
        values->paged += more->paged + more->page->used;
        values->first->next = more->page;
        values->first = more->first;
    }
}

void
group_values_join(struct group_values *values, struct group_values *more)
{
    join_pages(values, more);
    if (values->more == NULL)
        values->more = more->more;
    else if (more->more != NULL)
        join_pages(values->more, more->more);
    *more = (struct group_values){0};
}

/* Move the counts of FROM that TO has cells for to TO, which is no shorter and
   has the same unit.  Then FROM has the cells before or after those of TO. */
static void
unite_cells(struct value_cells *to, struct value_cells *from)
{
    uint64_t before = to->first > from->first
                          ? (uint64_t)to->first - (uint64_t)from->first
                          : 0;
    uint64_t ahead = from->first > to->first
                         ? (uint64_t)from->first - (uint64_t)to->first
                         : 0;

    if (before >= from->size || ahead >= to->size)
        return;
    uint64_t shared = from->size - before;
    if (shared > to->size - ahead)
        shared = to->size - ahead;
    for (uint64_t c = 0; c < shared; c++)
        to->count[ahead + c] += from->count[before + c];
    if (before > 0) {
        from->size = before;
        return;
    }
    from->size -= shared;
    from->first += (int64_t)shared;
    memmove(from->count, from->count + shared,
            (size_t)from->size * sizeof *from->count);
}

void
group_values_unite(struct group_values *values)
{
    struct value_cells *to = values->cells;
    struct value_cells **at = &values->cells;
    struct value_cells *cells;

    for (cells = to; cells != NULL; cells = cells->next)
        to = cells->size > to->size ? cells : to;
    while ((cells = *at) != NULL) {
        if (cells != to && cells->unit == to->unit)
            unite_cells(to, cells);
        if (cells->size == 0)
            *at = cells->next;
        else
            at = &cells->next;
    }
}

/* Returns how many numbers the pages of VALUES have. */
static uint64_t
count_paged(const struct group_values *values)
{
    return values->page == NULL
               ? 0
               : values->paged + value_page_used(values, values->page);
}

void
group_values_end(struct group_values *values, const struct value_place *place,
                 struct value_figures *figures)
{
    struct value_page *page = values->page;

    *figures = values->figures;
    open_figures(figures);
    values->at = place->at;
    if (page != NULL) {
        page->used = (uint16_t)value_page_used(values, page);
        figures->count += page->used - page->known;
    }
}

void
group_values_complete(const struct group_values *values,
                      struct value_figures *figures)
{
    for (const struct value_page *page = values->page; page != NULL;
         page = page->next) {
        if (!page->is_packed && page->known < page->used)
            add_figures(figures, page);
    }
}

uint64_t
group_values_most(const struct group_values *values)
{
    uint64_t most = count_paged(values);

    if (values->more != NULL)
        most += count_paged(values->more);
    for (const struct value_cells *cells = values->cells; cells != NULL;
         cells = cells->next)
        most += cells->size;
    return most;
}

bool
group_values_visit(const struct group_values *values, value_visit *visit,
                   void *context)
{
    for (const struct value_page *page = values->page; page != NULL;
         page = page->next) {
        size_t used = value_page_used(values, page);
        for (size_t i = 0; i < used; i++) {
            if (!visit(context, value_page_nano(page, i), 1))
                return false;
        }
    }
    for (const struct value_cells *cells = values->cells; cells != NULL;
         cells = cells->next) {
        for (uint64_t c = 0; c < cells->size; c++) {
            if (cells->count[c] > 0 &&
                !visit(context, value_cells_nano(cells, c), cells->count[c]))
                return false;
        }
    }
    return true;
}

bool
group_values_visit_long(const struct group_values *values, long_visit *visit,
                        void *context)
{
    const struct group_values *more = values->more;

    if (more == NULL)
        return true;
    for (const struct value_page *page = more->page; page != NULL;
         page = page->next) {
        size_t used = value_page_used(more, page);
        for (size_t i = 0; i < used; i++) {
            const struct ordered_decimal number = {page->nano[i],
                                                   value_page_low(page, i)};
            if (!visit(context, &number))
                return false;
        }
    }
    return true;
}
