/* SPDX-License-Identifier: MIT */
/* group_values.c -- the numbers of a group, where percentiles are wanted */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/wide_integer.h"
#include "engine/cpu/keys/group_values.h"
#include "engine/cpu/keys/value_pages.h"

/* The bytes of the first page of a group that is packed when it is full. */
#define PAGE_PACKED 512

/* After a page that cannot be packed, so many are not tried. */
#define PACK_PAUSE 15

/* Cells are considered when this many numbers are in pages; then the range is
   that of so many of them, and 1 / RANGE_MARGIN of the range on each side. */
#define LOOK_FIRST 1024
#define RANGE_SAMPLE 64
#define RANGE_MARGIN 8

#define PAGE_ROOM(bytes) \
    (((bytes) - sizeof(struct value_page)) / sizeof(int64_t))
#define PACKED_ROOM(bytes) \
    (((bytes) - sizeof(struct value_page)) / sizeof(uint32_t))
#define LONG_PAGE_ROOM(bytes) \
    (((bytes) - sizeof(struct value_page)) / (sizeof(int64_t) + 1))

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

/* ---- figures ---- */

/* Add the COUNT numbers at NANO, 2^32 at most, to FIGURES, but their count. */
static void
add_numbers(struct value_figures *figures, const int64_t *nano, size_t count)
{
    int64_t least = figures->least;
    int64_t greatest = figures->greatest;
    uint64_t low = 0;
    int64_t high = 0;

    for (size_t i = 0; i < count; i++) {
        low += (uint32_t)nano[i];
        high += nano[i] >> 32;
        least = nano[i] < least ? nano[i] : least;
        greatest = nano[i] > greatest ? nano[i] : greatest;
    }
    figures->least = least;
    figures->greatest = greatest;
    /* Their sum is HIGH * 2^32 + LOW. */
    high += (int64_t)(low >> 32);
    low = (uint64_t)high << 32 | (uint32_t)low;
    figures->sum_low += low;
    figures->sum_high += (uint64_t)(high >> 32) + (figures->sum_low < low);
}

/* Add the numbers of PAGE that FIGURES do not have, but their count. */
static void
add_page_figures(struct value_figures *figures, const struct value_page *page)
{
    add_numbers(figures, page->nano + page->known, page->used - page->known);
}

/* Add the numbers of PAGE, which is packed. */
static void
add_packed_figures(struct value_figures *figures, const struct value_page *page)
{
    for (size_t i = 0; i < page->used; i++) {
        int64_t nano = value_page_nano(page, i);
        add_numbers(figures, &nano, 1);
    }
}

/* Add the numbers of CELLS, but their count. */
static void
add_cells_figures(struct value_figures *figures,
                  const struct value_cells *cells)
{
    struct wide sum = {figures->sum_low, figures->sum_high};

    for (uint64_t c = 0; c < cells->size; c++) {
        int64_t nano = value_cells_nano(cells, c);
        if (cells->count[c] == 0)
            continue;
        sum =
            wide_add(sum, wide_multiply(wide_of_signed(nano), cells->count[c]));
        figures->least = nano < figures->least ? nano : figures->least;
        figures->greatest = nano > figures->greatest ? nano : figures->greatest;
    }
    figures->sum_low = sum.low;
    figures->sum_high = sum.high;
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

/* Add the new numbers of the last page of VALUES, which has USED, but their
   count. */
static void
know_page(struct group_values *values)
{
    struct value_page *page = values->page;

    add_page_figures(&values->figures, page);
    page->known = page->used;
}

/* Some numbers of pages have moved to cells: find the figures of the others.
   All pages have USED. */
static void
know_pages(struct group_values *values)
{
    struct value_figures *figures = &values->figures;

    *figures = (struct value_figures){
        .count = figures->count, .least = INT64_MAX, .greatest = INT64_MIN};
    for (struct value_page *page = values->page; page != NULL;
         page = page->next) {
        if (page->is_packed)
            add_packed_figures(figures, page);
        else
            add_numbers(figures, page->nano, page->used);
        page->known = page->used;
    }
}

/* ---- cells ---- */

/* Count the number at DISTANCE above that of the first one of CELLS.  Returns
   whether it has a cell. */
static inline bool
count_number(struct value_cells *cells, uint64_t distance,
             const struct value_unit *unit)
{
    uint64_t cell = value_unit_divide(distance, unit);

    if (cell >= cells->size)
        return false;
    cells->count[cell]++;
    return true;
}

/* Fetch CELLS, if COUNT numbers need most of their lines: one after the other,
   that is faster than as the numbers come. */
static void
fetch_cells(const struct value_cells *cells, uint32_t count)
{
    const uint64_t per_line = 64 / sizeof *cells->count;

    if (cells->size / per_line > count)
        return;
    for (uint64_t c = 0; c < cells->size; c += per_line)
        __builtin_prefetch(&cells->count[c], 1);
}

/* Put cells in front of those of VALUES, if they have no room for COUNT numbers
   more.  Returns false if there is no memory. */
static bool
open_cells(struct value_pool *pool, struct group_values *values, uint32_t count)
{
    struct value_cells *full = values->cells;

    if (full->numbers <= UINT32_MAX - count)
        return true;
    struct value_cells *cells =
        value_pool_take_cells(pool, full->unit, full->first, full->size);
    if (cells == NULL)
        return false;
    cells->next = full;
    values->cells = cells;
    return true;
}

/*
 * Count the USED numbers of PAGE that have cells in VALUES, but those that are
 * known: the figures have these already, and would have them twice.  The other
 * numbers move to the start.
 */
static void
count_page(struct value_pool *pool, struct group_values *values,
           struct value_page *page)
{
    if (!open_cells(pool, values, page->used))
        return;
    struct value_cells *cells = values->cells;
    const struct value_unit unit = value_unit_of((uint32_t)cells->unit);
    const uint64_t first = (uint64_t)value_cells_nano(cells, 0);
    uint32_t *offset = value_page_offsets(page);
    uint16_t kept = page->known;

    fetch_cells(cells, page->used);
    if (page->is_packed) {
        for (uint32_t i = page->known; i < page->used; i++) {
            uint64_t nano = (uint64_t)value_page_unpack(page, offset[i]);
            if (!count_number(cells, nano - first, &unit))
                offset[kept++] = offset[i];
        }
    } else {
        for (uint32_t i = page->known; i < page->used; i++) {
            if (!count_number(cells, (uint64_t)page->nano[i] - first, &unit))
                page->nano[kept++] = page->nano[i];
        }
    }
    cells->numbers += page->used - kept;
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
    to->numbers += from->numbers;
}

/* Find the range of the numbers in the last page of VALUES, which is full, and
   of its cells. */
static struct value_range
find_range(const struct group_values *values)
{
    const struct value_page *page = values->page;
    const struct value_cells *cells = values->cells;
    struct value_range range = {VALUE_UNIT_MAX, page->nano[0], page->nano[0]};

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
    struct value_cells *cells;
    int64_t first = divide_down(range.least, range.unit);
    int64_t last = divide_down(range.greatest, range.unit);

    first += first < INT64_MIN / range.unit; /* which no number can be */
    uint64_t size = (uint64_t)last - (uint64_t)first + 1;
    if (values->page->next_room == 0)
        most *= sizeof(int64_t) / sizeof *cells->count;
    most += old != NULL ? old->size : 0;
    if (size > most || size > pool->all->most / sizeof *cells->count)
        return false;
    cells = value_pool_take_cells(pool, range.unit, first, size);
    if (cells == NULL)
        return false;
    if (old != NULL) {
        cells->next = old->next;
        move_cells(cells, old);
        value_pool_give_cells(pool, old);
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
    struct value_page *page = value_pool_take_page(pool, bytes);

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
    value_pool_give_page(pool, last);
    return true;
}

/* Count all pages of VALUES, which have new cells, and find the figures of what
   stays in pages.  All pages have USED. */
static void
count_pages(struct value_pool *pool, struct group_values *values)
{
    struct value_page *last = values->page;
    struct value_page *packed = NULL; /* the one with room for more ... */
    struct value_page *wide = NULL;   /* ... and one that is not packed */
    struct value_page *next = last->next;

    last->known = 0;
    count_page(pool, values, last);
    if (value_page_bytes(last) < VALUE_PAGE_BYTES)
        (void)move_last(pool, values, VALUE_PAGE_BYTES);
    last = values->first = values->page;
    last->next = NULL;
    values->paged = 0;
    for (struct value_page *page = next; page != NULL; page = next) {
        bool is_packed = page->is_packed;
        next = page->next;
        page->known = 0;
        count_page(pool, values, page);
        values->paged += page->used;
        if (page->used == 0 || move_numbers(is_packed ? packed : wide, page)) {
            value_pool_give_page(pool, page);
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
    know_pages(values);
    values->at = last->nano + last->used;
    values->end = last->nano + last->room;
}

/* ---- packing ---- */

/* Set OFFSET to the offsets of the numbers of PAGE from BASE, in units.
   Returns whether all of them have one: the distance of a number below BASE is
   modulo 2^64, and may be small. */
static bool
find_offsets(const struct value_page *page, int64_t base,
             const struct value_unit *unit, uint32_t *offset)
{
    const struct value_unit by = *unit;
    uint64_t all = 0;

    _Static_assert(VALUE_UNIT_MAX <= UINT32_MAX, "2^32 units are below 2^64");
    for (uint32_t i = 0; i < page->used; i++) {
        uint64_t distance = (uint64_t)page->nano[i] - (uint64_t)base;
        uint64_t units = value_unit_divide(distance, &by);
        offset[i] = (uint32_t)units;
        all |= units | (uint64_t)(page->nano[i] < base) << 32;
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
    uint32_t unit = VALUE_UNIT_MAX;

    for (uint32_t i = 0; i < page->used && unit > 1; i++) {
        while (page->nano[i] % (int64_t)unit != 0)
            unit /= 10;
    }
    if (unit == pool->unit.unit)
        return false;
    pool->unit = value_unit_of(unit);
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
        struct value_unit unit = page->unit == pool->unit.unit
                                     ? pool->unit
                                     : value_unit_of(page->unit);
        *base = page->base;
        if (find_offsets(page, *base, &unit, offset))
            return page->unit;
        /* Too many pages with room, of many forms, are no gain. */
        if (page->next_used < page->next_room / 2)
            return 0;
    }
    if (pool->unit.unit == 0)
        pool->unit = value_unit_of(VALUE_UNIT_MAX);
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

    while (bytes < VALUE_PAGE_BYTES && PACKED_ROOM(bytes) < values->paged)
        bytes *= 2;
    struct value_page *page = value_pool_take_page(pool, bytes);
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
    uint32_t offset[PAGE_ROOM(VALUE_PAGE_BYTES)];
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

/* Empty the last page of VALUES, which is full, into the cells, or pack its
   numbers.  Returns whether there is room for more in the page. */
static bool
empty_page(struct value_pool *pool, struct group_values *values)
{
    struct value_page *page = values->page;

    page->used = page->room;
    open_figures(&values->figures);
    values->figures.count += page->used - page->known;
    if (values->cells != NULL)
        count_page(pool, values, page);
    know_page(values);
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
        bytes = VALUE_PAGE_FIRST;
    else if (value_page_bytes(values->page) < PAGE_PACKED)
        return move_last(pool, values, 2 * value_page_bytes(values->page));
    else if (values->cells != NULL)
        bytes = VALUE_PAGE_BYTES;
    uint64_t paged = paged_of(values);
    while (bytes < VALUE_PAGE_BYTES && PAGE_ROOM(bytes) < paged)
        bytes *= 2;
    struct value_page *page = value_pool_take_page(pool, bytes);
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
    size_t bytes = VALUE_PAGE_FIRST;

    if (values->more == NULL) {
        values->more = value_pool_take(pool, (sizeof *values + 63) / 64 * 64);
        if (values->more == NULL)
            return false;
        *values->more = (struct group_values){0};
    }
    struct group_values *more = values->more;
    if (more->page != NULL)
        more->page->used = more->page->room;
    uint64_t paged = paged_of(more);
    while (bytes < VALUE_PAGE_BYTES && LONG_PAGE_ROOM(bytes) < paged)
        bytes *= 2;
    struct value_page *page = value_pool_take_page(pool, bytes);
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
   has the same unit, if TO has room for so many numbers.  Then FROM has the
   cells before or after those of TO. */
static void
unite_cells(struct value_cells *to, struct value_cells *from)
{
    uint64_t before = to->first > from->first
                          ? (uint64_t)to->first - (uint64_t)from->first
                          : 0;
    uint64_t ahead = from->first > to->first
                         ? (uint64_t)from->first - (uint64_t)to->first
                         : 0;

    if (before >= from->size || ahead >= to->size ||
        from->numbers > UINT32_MAX - to->numbers)
        return;
    uint64_t shared = from->size - before;
    if (shared > to->size - ahead)
        shared = to->size - ahead;
    for (uint64_t c = 0; c < shared; c++)
        to->count[ahead + c] += from->count[before + c];
    to->numbers += from->numbers;
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
            add_page_figures(figures, page);
    }
    for (const struct value_cells *cells = values->cells; cells != NULL;
         cells = cells->next)
        add_cells_figures(figures, cells);
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
