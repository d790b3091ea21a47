/* SPDX-License-Identifier: MIT */
/* group_values.c -- the numbers of a group, where percentiles are wanted */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/keys/group_values.h"
#include "engine/cpu/keys/value_pages.h"

/* The bytes of the first page of a group, and of most pages. */
#define PAGE_FIRST 128
#define PAGE_BYTES 4096

/* Cells are considered when this many numbers are in pages; then the range is
   that of so many of them, and 1 / RANGE_MARGIN of the range on each side. */
#define LOOK_FIRST 1024
#define RANGE_SAMPLE 64
#define RANGE_MARGIN 8

/* A number has 9 decimals at most. */
#define UNIT_MAX 1000000000

#define PAGE_ROOM(bytes) \
    (((bytes) - sizeof(struct value_page)) / sizeof(int64_t))
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

/* Returns a page of BYTES, a power of two, or NULL: no room. */
static struct value_page *
take_page(struct value_pool *pool, size_t bytes)
{
    struct value_page *page = pool->unused;

    if (bytes == PAGE_BYTES && page != NULL)
        pool->unused = page->next;
    else
        page = take_bytes(pool, bytes);
    return page;
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

/* ---- cells ---- */

/* Returns NUMBER / UNIT; if NUMBER is not a multiple, another integer. */
static inline int64_t
units_of(int64_t number, double per_unit)
{
    double units = (double)number * per_unit;

    return (int64_t)(units + (units < 0 ? -0.5 : 0.5));
}

/*
 * Count the first USED numbers of PAGE that have CELLS.  The other numbers move
 * to the start.  Returns how many these are.
 */
static size_t
count_page(struct value_cells *cells, struct value_page *page, size_t used)
{
    double per_unit = 1 / (double)cells->unit;
    size_t kept = 0;

    for (size_t i = 0; i < used; i++) {
        int64_t nano = page->nano[i];
        int64_t units = units_of(nano, per_unit);
        uint64_t cell = (uint64_t)units - (uint64_t)cells->first;
        if (cell < cells->size &&
            (uint64_t)units * (uint64_t)cells->unit == (uint64_t)nano)
            cells->count[cell]++;
        else
            page->nano[kept++] = nano;
    }
    return kept;
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
    range.least -= (int64_t)margin;
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
    uint64_t most = paged_of(values) + (old != NULL ? old->size : 0);
    int64_t first = divide_down(range.least, range.unit);
    uint64_t size =
        (uint64_t)divide_down(range.greatest, range.unit) - (uint64_t)first + 1;

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

/* Count all pages of VALUES, which have new cells.  All pages have USED. */
static void
count_pages(struct value_pool *pool, struct group_values *values)
{
    struct value_page *next;
    struct value_page *page = values->page;

    values->at = values->end = NULL;
    values->page = values->first = NULL;
    values->paged = 0;
    for (; page != NULL; page = next) {
        size_t i = 0;
        size_t kept = count_page(values->cells, page, page->used);
        next = page->next;
        if (page->room == PAGE_ROOM(PAGE_BYTES)) {
            page->next = pool->unused;
            pool->unused = page;
        }
        /* The next page may be PAGE itself, whose numbers stay then. */
        while (i < kept && group_values_add(pool, values, page->nano[i]))
            i++;
        if (i == kept)
            continue;
        /* Only a small page can be left without room. */
        assert(page->room < PAGE_ROOM(PAGE_BYTES) && values->page != NULL);
        memmove(page->nano, page->nano + i, (kept - i) * sizeof *page->nano);
        page->used = kept - i;
        values->paged += page->used;
        page->next = NULL;
        values->first->next = page;
        values->first = page;
    }
}

/* Empty the last page of VALUES, which is full, into the cells.  Returns
   whether there is room for more in the page. */
static bool
empty_page(struct value_pool *pool, struct group_values *values)
{
    struct value_page *page = values->page;

    page->used = page->room;
    if (values->cells != NULL)
        page->used = count_page(values->cells, page, page->room);
    values->at = page->nano + page->used;
    if (page->used <= page->room / 2)
        return true;
    uint64_t paged = paged_of(values);
    if (page->room < PAGE_ROOM(PAGE_BYTES) || paged < LOOK_FIRST ||
        paged < values->look)
        return false;
    values->look = 2 * paged;
    if (!make_cells(pool, values))
        return false;
    count_pages(pool, values);
    if (values->page != NULL)
        values->page->used = (size_t)(values->at - values->page->nano);
    return values->at < values->end;
}

/* Let PAGE, with room for ROOM numbers, be the last page of VALUES. */
static void
add_page(struct group_values *values, struct value_page *page, size_t room)
{
    values->paged = paged_of(values);
    page->room = room;
    page->next = values->page;
    values->page = page;
    if (values->first == NULL)
        values->first = page;
    values->at = page->nano;
    values->end = page->nano + room;
}

bool
group_values_grow(struct value_pool *pool, struct group_values *values)
{
    size_t bytes = PAGE_FIRST;

    if (values->page != NULL && empty_page(pool, values))
        return true;
    uint64_t paged = paged_of(values);
    if (values->cells != NULL)
        bytes = PAGE_BYTES;
    while (bytes < PAGE_BYTES && PAGE_ROOM(bytes) < paged)
        bytes *= 2;
    struct value_page *page = take_page(pool, bytes);
    /* Without another page, the last one may have some room yet. */
    if (page == NULL)
        return values->at < values->end;
    add_page(values, page, PAGE_ROOM(bytes));
    return true;
}

bool
group_values_grow_more(struct value_pool *pool, struct group_values *values)
{
    size_t bytes = PAGE_FIRST;

    _Static_assert(sizeof *values <= 64, "a line of a slab");
    if (values->more == NULL) {
        values->more = take_bytes(pool, 64);
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
        more->page->used = value_page_used(more, more->page);
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
            if (!visit(context, page->nano[i], 1))
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
