/* SPDX-License-Identifier: MIT */
/*
 * test_read_letters.c -- the letters of many reads, counted one by one
 *
 * The reads lie between two pages that must not be touched.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/sequences/read_letters.h"
#include "text/scan_forms.h"

#define ARENA_BYTES ((size_t)1 << 17)
#define ROUNDS 2000
#define LENGTH_MAX 300

static bool
is_possible(void)
{
    return true;
}

static const struct {
    const char *name;
    read_letters_form *run;
    bool (*is_possible)(void);
    uint32_t least; /* reads with as many letters, or more, are counted */
} forms[] = {
    {"portable", read_letters_portable, is_possible, UINT32_MAX},
#ifdef SCAN_HAS_AVX2
    {"AVX2", read_letters_avx2, scan_avx2_is_possible, 32},
#endif
#ifdef SCAN_HAS_AVX512
    {"AVX-512", read_letters_avx512, scan_avx512_is_possible, 0},
#endif
};

/* Reads, one behind the other, and what they have. */
struct reads {
    struct sequence_record record[READ_LETTERS_READS];
    size_t count;
    uint32_t size[READ_LETTERS_READS];
    uint32_t count_of[READ_LETTERS_READS][READ_LETTERS];
    bool has_others[READ_LETTERS_READS];
};

/* A letter, or with ODD, perhaps another byte. */
static unsigned char
make_byte(bool folds_case, bool odd)
{
    static const char letters[] = "ACGTacgt";
    static const char others[] = "NnUuRYSWKMBDHVacgt*-.\r\n !EQ`";
    uint64_t random = noise() >> 32;

    if (odd && random % 100 == 0)
        return (unsigned char)(random >> 16);
    if (odd && random % 100 == 1)
        return (unsigned char)others[(random >> 16) % sizeof others];
    return (unsigned char)letters[(random >> 8) % (folds_case ? 8 : 4)];
}

/* Write a read, number R, to DATA.  Returns its bytes. */
static uint32_t
make_read(struct reads *reads, size_t r, unsigned char *data, bool folds_case)
{
    const bool odd = noise() % 3 == 0;
    const bool is_long = noise() % 500 == 0;
    const uint32_t size =
        (uint32_t)(noise() >> 32) % (is_long ? READ_LETTERS_MAX : LENGTH_MAX);

    reads->size[r] = size;
    memset(reads->count_of[r], 0, sizeof reads->count_of[r]);
    reads->has_others[r] = false;
    for (uint32_t i = 0; i < size; i++) {
        data[i] = make_byte(folds_case, odd);
        /* The last byte of the line is no end of it. */
        if (i + 1 == size && data[i] == '\n')
            data[i] = 'N';
        unsigned char upper = data[i];
        if (folds_case && upper >= 'a' && upper <= 'z')
            upper = (unsigned char)(upper - ('a' - 'A'));
        const char *letter = memchr(READ_LETTERS_TEXT, upper, READ_LETTERS);
        if (letter == NULL)
            reads->has_others[r] = true;
        else
            reads->count_of[r][letter - READ_LETTERS_TEXT]++;
    }
    return size;
}

/* Fill ARENA with reads; the last one may have no end of its line. */
static void
make_reads(struct reads *reads, unsigned char *arena, bool folds_case)
{
    uint32_t at = 0;

    reads->count = noise() % READ_LETTERS_READS + 1;
    for (size_t r = 0; r < reads->count; r++) {
        struct sequence_record *record = &reads->record[r];
        *record = (struct sequence_record){.bases_start = at};
        at += make_read(reads, r, arena + at, folds_case);
        if (r + 1 < reads->count || noise() % 2 == 0)
            arena[at++] = '\n';
        record->bases_end = at;
    }
    /* The end of the reads is the end of the arena. */
    memmove(arena + ARENA_BYTES - at, arena, at);
    for (size_t r = 0; r < reads->count; r++) {
        reads->record[r].bases_start += (uint32_t)ARENA_BYTES - at;
        reads->record[r].bases_end += (uint32_t)ARENA_BYTES - at;
    }
}

/* Whether LETTERS are those of READS, of which a form counts those with LEAST
   letters or more. */
static bool
are_right(const struct reads *reads, uint32_t least,
          const struct read_letters *letters)
{
    uint32_t total[READ_LETTERS] = {0};

    for (size_t r = 0; r < reads->count; r++) {
        if (letters->gc[r] == READ_LETTERS_NONE) {
            if (!reads->has_others[r] && reads->size[r] >= least)
                return false;
            continue;
        }
        for (int l = 0; l < READ_LETTERS; l++)
            total[l] += reads->count_of[r][l];
        if (reads->has_others[r] ||
            letters->gc[r] != reads->count_of[r][1] + reads->count_of[r][2])
            return false;
    }
    return memcmp(total, letters->total, sizeof total) == 0;
}

int
main(void)
{
    unsigned char *arena = arena_open(ARENA_BYTES);

    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        size_t wrong = 0;
        if (!forms[f].is_possible())
            continue;
        for (size_t round = 0; round < ROUNDS; round++) {
            struct reads reads;
            struct read_letters letters;
            bool folds_case = noise() >> 63 != 0;
            make_reads(&reads, arena, folds_case);
            forms[f].run(arena, reads.record, reads.count, folds_case,
                         &letters);
            wrong += !are_right(&reads, forms[f].least, &letters);
        }
        ok(wrong == 0, "%s: %zu wrong", forms[f].name, wrong);
    }
    return done_testing();
}
