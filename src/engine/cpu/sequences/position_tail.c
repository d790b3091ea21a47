/* SPDX-License-Identifier: MIT */
/* position_tail.c -- bases and qualities beyond the rows of a table by
   position */

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "engine/cpu/sequences/position_tail.h"

/* Elements are sorted by so many bits in a turn. */
#define DIGIT_BITS 11
#define DIGITS ((size_t)1 << DIGIT_BITS)
#define ELEMENT_BITS 32

/* Tails grow to at least so many elements. */
#define ELEMENTS_MIN 4096

_Static_assert(SEQUENCE_BOTH <= 1 << POSITION_TAIL_CELL_BITS,
               "each cell has a number");

/* Give TAIL room for NEEDED elements.  Returns 0, or -1: out of memory. */
static int
make_room(struct position_tail *tail, size_t needed)
{
    if (needed <= tail->room)
        return 0;
    uint32_t *grown = realloc(tail->element, needed * sizeof *grown);
    if (grown == NULL)
        return -1;
    tail->element = grown;
    tail->room = needed;
    return 0;
}

/* Make room for SIZE elements more, or for as many as MOST allows.  Returns how
   many have room. */
static uint32_t
make_more(struct position_tail *tail, uint32_t size, size_t most)
{
    size_t needed = tail->used + size;
    size_t room = 2 * tail->room;

    room = room > ELEMENTS_MIN ? room : ELEMENTS_MIN;
    room = room > needed ? room : needed;
    room = room < most ? room : most;
    if (needed > tail->room)
        (void)make_room(tail, room);
    return tail->room - tail->used < size ? (uint32_t)(tail->room - tail->used)
                                          : size;
}

uint32_t
position_tail_add(struct position_tail *tail, enum sequence_source source,
                  const unsigned char *code, const unsigned char *base,
                  const unsigned char *quality, uint32_t size, size_t most)
{
    const bool has_base = source != SEQUENCE_OF_POSITION_QUALITY;

    size = size < POSITION_TAIL_ROWS ? size : POSITION_TAIL_ROWS;
    size = make_more(tail, size, most);
    uint32_t *element = tail->element + tail->used;
    for (uint32_t i = 0; i < size; i++)
        element[i] =
            i << POSITION_TAIL_CELL_BITS |
            sequence_base_cell(source, base[i], has_base ? code[base[i]] : 0,
                               source != SEQUENCE_OF_POSITION_BASE
                                   ? quality[i]
                                   : SEQUENCE_QUALITY_FIRST);
    tail->used += size;
    return size;
}

int
position_tail_move(struct position_tail *from, struct position_tail *to)
{
    if (to->used == 0) {
        position_tail_close(to);
        *to = *from;
        *from = (struct position_tail){NULL, 0, 0};
        return 0;
    }
    if (make_room(to, to->used + from->used) < 0)
        return -1;
    if (from->used > 0)
        memcpy(to->element + to->used, from->element,
               from->used * sizeof *from->element);
    to->used += from->used;
    position_tail_close(from);
    return 0;
}

/* Write the COUNT elements at FROM to TO, in the order of the digit that starts
   at bit SHIFT; those with one digit keep their order. */
static void
sort_digit(const uint32_t *from, uint32_t *to, size_t count, unsigned int shift)
{
    size_t at[DIGITS] = {0};
    size_t next = 0;

    for (size_t i = 0; i < count; i++)
        at[from[i] >> shift & (DIGITS - 1)]++;
    for (size_t d = 0; d < DIGITS; d++) {
        const size_t here = at[d];
        at[d] = next;
        next += here;
    }
    for (size_t i = 0; i < count; i++)
        to[at[from[i] >> shift & (DIGITS - 1)]++] = from[i];
}

int
position_tail_sort(struct position_tail *tail)
{
    if (tail->used == 0)
        return 0;
    uint32_t *other = malloc(tail->used * sizeof *other);
    if (other == NULL)
        return -1;
    for (unsigned int shift = 0; shift < ELEMENT_BITS; shift += DIGIT_BITS) {
        uint32_t *sorted = other;
        sort_digit(tail->element, sorted, tail->used, shift);
        other = tail->element;
        tail->element = sorted;
    }
    tail->room = tail->used;
    free(other);
    return 0;
}

void
position_tail_close(struct position_tail *tail)
{
    free(tail->element);
    *tail = (struct position_tail){NULL, 0, 0};
}
