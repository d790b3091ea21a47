/* SPDX-License-Identifier: MIT */
/*
 * test_position_tail.c -- bases beyond the rows of a table, counted one by one
 *
 * Two threads have a tail each.  Joined and sorted, they must ascend, and have
 * what was added.  Some tails have no room for all.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/sequences/position_tail.h"

#define ROWS 6000
#define READS 60
#define THREADS 2
#define PLENTY ((size_t)1 << 24)
#define LITTLE ((size_t)70000)

static const char *const names[] = {
    [SEQUENCE_OF_POSITION_BASE] = "bases",
    [SEQUENCE_OF_POSITION_QUALITY] = "qualities",
    [SEQUENCE_OF_ALL] = "bases and qualities",
};

static unsigned char code[256];
static unsigned char base[ROWS];
static unsigned char quality[ROWS];

/* Add a read to TAIL, and what has room to WANTED.  Returns whether all has. */
static bool
add_read(struct position_tail *tail, enum sequence_source source, size_t most,
         uint64_t *wanted)
{
    const uint32_t size = (uint32_t)(noise() % ROWS) + 1;

    for (uint32_t i = 0; i < size; i++) {
        base[i] = (unsigned char)"ACGTNacgtn"[noise() % 10];
        quality[i] = (unsigned char)(SEQUENCE_QUALITY_FIRST +
                                     noise() % SEQUENCE_QUALITIES);
    }
    uint32_t added =
        position_tail_add(tail, source, code, base, quality, size, most);
    for (uint32_t i = 0; i < added; i++)
        wanted[i * SEQUENCE_BOTH +
               sequence_base_cell(source, 0, code[base[i]], quality[i])]++;
    return added == size;
}

/* Returns how many elements of TAIL are wrong, and takes them from WANTED. */
static size_t
check(const struct position_tail *tail, uint64_t *wanted)
{
    size_t wrong = 0;

    for (size_t i = 0; i < tail->used; i++) {
        const uint32_t element = tail->element[i];
        const size_t row = position_tail_row(element);
        const size_t cell = position_tail_cell(element);
        wrong += i > 0 && tail->element[i - 1] > element;
        wrong += row >= ROWS || cell >= SEQUENCE_BOTH ||
                 wanted[row * SEQUENCE_BOTH + cell]-- == 0;
    }
    return wrong;
}

static void
test_tails(enum sequence_source source, size_t most, bool has_room)
{
    uint64_t *wanted = calloc(ROWS * SEQUENCE_BOTH, sizeof *wanted);
    struct position_tail tail[THREADS] = {0};
    struct position_tail all = {0};
    size_t wrong = 0;
    size_t used = 0;
    bool is_all = true;

    for (size_t r = 0; r < READS; r++)
        is_all &= add_read(&tail[r % THREADS], source, most, wanted);
    for (size_t t = 0; t < THREADS; t++) {
        used += tail[t].used;
        wrong += tail[t].used > most;
        wrong += position_tail_move(&tail[t], &all) < 0 || tail[t].used > 0;
    }
    wrong += position_tail_sort(&all) < 0 || all.used != used;
    wrong += check(&all, wanted);
    for (size_t c = 0; c < ROWS * SEQUENCE_BOTH; c++)
        wrong += wanted[c] != 0;
    ok(wrong == 0 && is_all == has_room && used > 0,
       "%s, room for %zu: %zu wrong", names[source], most, wrong);
    position_tail_close(&all);
    free(wanted);
}

/* Rows that an element has no bits for are left. */
static void
test_rows(void)
{
    const uint32_t size = POSITION_TAIL_ROWS + 3;
    unsigned char *bases = malloc(size);
    struct position_tail tail = {0};

    memset(bases, 'T', size);
    uint32_t added = position_tail_add(&tail, SEQUENCE_OF_POSITION_BASE, code,
                                       bases, NULL, size, PLENTY);
    ok(added == POSITION_TAIL_ROWS && tail.used == added &&
           position_tail_row(tail.element[added - 1]) == added - 1 &&
           position_tail_cell(tail.element[added - 1]) == code['T'],
       "the most rows");
    position_tail_close(&tail);
    free(bases);
}

int
main(void)
{
    for (binning_u32 byte = 0; byte < 256; byte++)
        code[byte] = (unsigned char)sequence_letter_code(byte, 0);
    for (int s = SEQUENCE_OF_POSITION_BASE; s < SEQUENCE_SOURCES; s++) {
        test_tails((enum sequence_source)s, PLENTY, true);
        test_tails((enum sequence_source)s, LITTLE, false);
    }
    test_rows();
    return done_testing();
}
