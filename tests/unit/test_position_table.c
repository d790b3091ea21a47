/* SPDX-License-Identifier: MIT */
/*
 * test_position_table.c -- bases and qualities by position, counted one by one
 *
 * The reads lie between two pages that must not be touched.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/sequences/position_table.h"
#include "text/scan_forms.h"

#define ARENA_BYTES ((size_t)1 << 16)
#define ROUNDS (IS_INSTRUMENTED ? 8 : 16)

/* The positions of most rounds, and of one in eight, with long reads. */
#define ROWS ((size_t)256)
#define ROWS_LONG ((size_t)79 * POSITION_BLOCK)

/* Reads with so many qualities are found by vectors, if there are some. */
#define SURELY_FOUND 32

/* More than counters of 8 bits have room for. */
#define READS 700

static const char *const names[] = {
    [SEQUENCE_OF_POSITION_BASE] = "bases",
    [SEQUENCE_OF_POSITION_QUALITY] = "qualities",
    [SEQUENCE_OF_ALL] = "bases and qualities",
};

static unsigned char code[256];

/* What a round counts. */
struct round {
    enum sequence_source source;
    struct position_table table;
    struct quality_set set;
    uint64_t *wanted;
    uint64_t *sum;
};

/* The length of a read of round R: the usual one, or any. */
static size_t
make_length(size_t r, size_t rows)
{
    static const size_t usual[] = {150, 0, 1, 0, 65, 250, 64, 128};

    if (noise() % 256 == 0)
        return noise() % rows + 1;
    return usual[r % 8] > 0 ? usual[r % 8] : noise() % 200 + 1;
}

/* Fill the SIZE bases and the qualities, of which there are VALUES. */
static void
make_read(unsigned char *base, unsigned char *quality, size_t size,
          size_t values)
{
    for (size_t i = 0; i < size; i++) {
        uint64_t random = noise() >> 32;
        base[i] = (unsigned char)"ACGTacgtACGTACGN"[random % 16];
        quality[i] =
            (unsigned char)(SEQUENCE_QUALITY_FIRST +
                            (random >> 8) % values * 53 % SEQUENCE_QUALITIES);
    }
}

static void
count_one_by_one(struct round *round, const struct position_read *read)
{
    size_t width = sequence_table_width(round->source);

    for (size_t i = 0; i < read->size; i++)
        round->wanted[i * width + sequence_base_cell(round->source, 0,
                                                     code[read->base[i]],
                                                     read->quality[i])]++;
}

/* Add a read of SIZE bases.  Bases are put to the start of the arena, and
   qualities to its end; *USED bytes have been. */
static void
add_read(struct round *round, unsigned char *arena, size_t *used, size_t size,
         size_t values)
{
    if (*used + 2 * size > ARENA_BYTES) {
        position_table_settle(&round->table, code, &round->set);
        memset(arena, 0xff, ARENA_BYTES);
        *used = 0;
    }
    unsigned char *base = arena + *used / 2;
    unsigned char *quality = arena + ARENA_BYTES - *used / 2 - size;
    const struct position_read read = {base, quality, (uint32_t)size};
    *used += 2 * size;
    make_read(base, quality, size, values);
    count_one_by_one(round, &read);
    (void)quality_set_take(&round->set, quality, size);
    position_table_add(&round->table, code, &round->set, base, quality,
                       (uint32_t)size);
}

/* Whether round NUMBER counts right, and its table is empty afterwards. */
static bool
count_round(struct round *round, bool has_planes, size_t number,
            unsigned char *arena)
{
    static const size_t values[] = {40, 4, 96, 1};
    const size_t rows = number % 8 == 3 ? ROWS_LONG : ROWS;
    const size_t bytes =
        rows * sequence_table_width(round->source) * sizeof(uint64_t);
    size_t used = 0;

    position_table_open(&round->table, round->source, has_planes);
    quality_set_open(&round->set, has_planes);
    round->wanted = calloc(1, bytes);
    round->sum = calloc(1, bytes);
    for (size_t r = 0; r < READS; r++) {
        size_t size = make_length(number, rows);
        position_table_grow(&round->table, size, rows);
        add_read(round, arena, &used, size, values[number / 2 % 4]);
    }
    position_table_settle(&round->table, code, &round->set);
    position_table_move(&round->table, &round->set, round->sum);
    position_table_move(&round->table, &round->set, round->sum);
    bool is_right = memcmp(round->sum, round->wanted, bytes) == 0;
    position_table_close(&round->table);
    free(round->wanted);
    free(round->sum);
    return is_right;
}

static void
test_tables(unsigned char *arena, bool has_planes)
{
    for (int s = SEQUENCE_OF_POSITION_BASE; s < SEQUENCE_SOURCES; s++) {
        size_t wrong = 0;
        for (size_t r = 0; r < ROUNDS; r++) {
            struct round round = {.source = (enum sequence_source)s};
            wrong += !count_round(&round, has_planes, r, arena);
        }
        ok(wrong == 0, "%s%s: %zu wrong", names[s],
           has_planes ? ", planes" : "", wrong);
    }
}

/* Whether quality_set_find() finds the SIZE qualities at the end of ARENA, of a
   read among others that have none, and only these. */
static bool
finds(const struct quality_set *set, const unsigned char *arena, size_t size)
{
    struct sequence_record record[QUALITY_SET_READS] = {0};
    const size_t r = noise() % QUALITY_SET_READS;

    record[r].length = (binning_u32)size;
    record[r].quality_start = (binning_u32)(ARENA_BYTES - size);
    record[r].quality_end = (binning_u32)ARENA_BYTES;
    uint32_t found = quality_set_find(set, arena, record, QUALITY_SET_READS);
    return found == (uint32_t)1 << r;
}

/* Which bytes tables lack, wherever they are. */
static void
test_set(unsigned char *arena, bool is_kept)
{
    size_t wrong = 0;
    bool has_forms = is_kept;

#ifdef SCAN_HAS_AVX2
    has_forms = has_forms || scan_avx2_is_possible();
#endif
    for (size_t r = 0; r < 256 * 20; r++) {
        struct quality_set set;
        size_t size = noise() % 200 + 1;
        unsigned char *quality = arena + ARENA_BYTES - size;
        unsigned char *other = quality + noise() % size;
        quality_set_open(&set, is_kept);
        memset(quality, 'F', size);
        wrong += is_kept && finds(&set, arena, size);
        wrong += !quality_set_take(&set, quality, size);
        wrong += has_forms && (is_kept || size >= SURELY_FOUND) &&
                 !finds(&set, arena, size);
        *other = (unsigned char)r;
        unsigned int cell = *other - (unsigned int)SEQUENCE_QUALITY_FIRST;
        bool has_cell = cell < SEQUENCE_QUALITIES;
        wrong += (!has_cell || (is_kept && *other != 'F')) &&
                 finds(&set, arena, size);
        wrong += quality_set_take(&set, quality, size) != has_cell;
        wrong += is_kept && has_cell &&
                 (set.known[*other] != *other ||
                  (set.byte[cell / 8] >> cell % 8 & 1) == 0);
    }
    ok(wrong == 0, "qualities without a cell%s: %zu wrong",
       is_kept ? ", of a set" : "", wrong);
}

int
main(void)
{
    unsigned char *arena = arena_open(ARENA_BYTES);

    for (binning_u32 byte = 0; byte < 256; byte++)
        code[byte] = (unsigned char)sequence_letter_code(byte, 0);
    test_tables(arena, false);
    test_set(arena, false);
    if (position_planes_are_possible()) {
        test_tables(arena, true);
        test_set(arena, true);
    }
    return done_testing();
}
