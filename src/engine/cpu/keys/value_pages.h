/* SPDX-License-Identifier: MIT */
/* value_pages.h -- pages and cells of the numbers of a group */

#ifndef GPUHIST_VALUE_PAGES_H
#define GPUHIST_VALUE_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * ROOM numbers; of long ones the HIGHs, then the LOWs in the other order.  A
 * packed page has offsets of 32 bits at NANO: number i is BASE + offset[i] *
 * UNIT.  The last page of a group, which is not packed, knows these of the next
 * page, if that is packed, and how many numbers it has: the bytes of the last
 * page are in a near cache.
 */
struct value_page {
    struct value_page *next;  /* the page before */
    _Alignas(8) int64_t base; /* also where a pointer has 4 bytes */
    uint32_t unit;
    uint16_t room;
    uint16_t used; /* unless the page is the last one of its group */
    uint16_t next_room;
    uint16_t next_used;
    uint16_t known; /* numbers of a page that is not packed which the figures
                       of the group have */
    bool is_packed;
    int64_t nano[];
};

_Static_assert(sizeof(struct value_page) == 32, "pages have whole lines");

struct value_cells {
    struct value_cells *next;       /* of the group */
    struct value_cells *next_taken; /* of the pool ... */
    struct value_cells **taken;     /* ... and the pointer to this one */
    int64_t unit;
    int64_t first; /* number of cell 0, in units */
    uint64_t size;
    uint64_t room;    /* cells that are taken */
    uint64_t numbers; /* in the cells at most, and below 2^32 */
    uint32_t count[];
};

/* Figures of numbers.  Of none, LEAST is above GREATEST. */
struct value_figures {
    uint64_t count;
    int64_t least;
    int64_t greatest;
    uint64_t sum_low; /* of the numbers in units of 10^-9 */
    uint64_t sum_high;
};

/* Where the next number of a group goes. */
struct value_place {
    int64_t *at; /* in the last page ... */
    int64_t *end;
};

/* All 0: no number.  PAGE is not packed; the packed page with room, if there is
   one, is the next one. */
struct group_values {
    int64_t *at; /* the place of the next number in the page ... */
    int64_t *end;
    struct value_page *page; /* ... before the pages before it */
    struct value_page *first;
    struct value_cells *cells;
    uint64_t paged;            /* numbers in the pages before PAGE */
    uint64_t look;             /* with so many in pages, cells are considered */
    struct group_values *more; /* the long numbers: ordered_decimal's HIGH;
                                  NULL: none */
    struct value_figures figures; /* of the nanos in pages before PAGE, and the
                                     known ones there; COUNT has those of
                                     cells, too.  With COUNT 0, of none */
};

/* Returns how many numbers PAGE of VALUES has. */
static inline size_t
value_page_used(const struct group_values *values,
                const struct value_page *page)
{
    return page == values->page ? (size_t)(values->at - page->nano)
                                : page->used;
}

/* Returns the offsets of PAGE, which is packed. */
static inline uint32_t *
value_page_offsets(struct value_page *page)
{
    return (uint32_t *)page->nano;
}

/* Returns the number of OFFSET in PAGE. */
static inline int64_t
value_page_unpack(const struct value_page *page, uint32_t offset)
{
    return (int64_t)((uint64_t)page->base + (uint64_t)offset * page->unit);
}

/* Returns number I of PAGE. */
static inline int64_t
value_page_nano(const struct value_page *page, size_t i)
{
    return page->is_packed
               ? value_page_unpack(page, ((const uint32_t *)page->nano)[i])
               : page->nano[i];
}

/* Returns the LOW of number I of PAGE, a page of long numbers. */
static inline uint32_t
value_page_low(const struct value_page *page, size_t i)
{
    return ((const uint8_t *)(page->nano + page->room))[page->room - i - 1];
}

/* Returns the bytes of PAGE, which has no long numbers. */
static inline size_t
value_page_bytes(const struct value_page *page)
{
    size_t each = page->is_packed ? sizeof(uint32_t) : sizeof *page->nano;

    return sizeof *page + page->room * each;
}

/* Returns the number of cell C. */
static inline int64_t
value_cells_nano(const struct value_cells *cells, uint64_t c)
{
    return (cells->first + (int64_t)c) * cells->unit;
}

#endif
