/* SPDX-License-Identifier: MIT */
/*
 * test_letter_count.c -- the letters of sequences, counted one by one
 *
 * The data lie between two pages that must not be touched.
 */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../noise.h"
#include "../tap.h"
#include "engine/cpu/bytes/letter_count.h"

#define ARENA_BYTES ((size_t)1 << 12)
#define ROUNDS 2000

static bool
is_possible(void)
{
    return true;
}

#ifdef SCAN_HAS_AVX2
static bool
avx2_is_possible(void)
{
    return __builtin_cpu_supports("avx2");
}
#endif

static const struct {
    const char *name;
    letter_count_form *run;
    bool (*is_possible)(void);
} forms[] = {
    {"chosen", letter_count, is_possible},
    {"portable", letter_count_portable, is_possible},
#ifdef SCAN_HAS_AVX2
    {"AVX2", letter_count_avx2, avx2_is_possible},
#endif
#ifdef SCAN_HAS_AVX512
    {"AVX-512", letter_count_avx512, letter_count_avx512_is_possible},
#endif
};

static void
count_letters(const unsigned char *data, size_t size, bool folds_case,
              uint32_t count[LETTER_COUNTS])
{
    memset(count, 0, LETTER_COUNTS * sizeof *count);
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = data[i];
        if (folds_case && byte >= 'a' && byte <= 'z')
            byte = (unsigned char)(byte - ('a' - 'A'));
        for (int l = 0; l < LETTER_COUNTS; l++)
            count[l] += byte == (unsigned char)LETTER_COUNT_TEXT[l];
    }
}

/* Bytes of any value, or of some letters. */
static void
make(unsigned char *data, size_t size)
{
    static const char letters[] = "ACGTACGTACGTNacgtn\n\r*-.U";
    bool is_any = noise() % 4 == 0;

    for (size_t i = 0; i < size; i++)
        data[i] = is_any ? (unsigned char)(noise() >> 32)
                         : (unsigned char)letters[noise() % sizeof letters];
}

int
main(void)
{
    unsigned char *arena = arena_open(ARENA_BYTES);

    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        size_t wrong = 0;
        if (!forms[f].is_possible())
            continue;
        for (size_t r = 0; r < ROUNDS; r++) {
            uint32_t wanted[LETTER_COUNTS];
            uint32_t got[LETTER_COUNTS];
            size_t size = r < 300 ? r : noise() % ARENA_BYTES;
            unsigned char *data =
                r % 2 == 0 ? arena : arena + ARENA_BYTES - size;
            bool folds_case = noise() >> 63 != 0;
            make(data, size);
            count_letters(data, size, folds_case, wanted);
            forms[f].run(data, size, folds_case, got);
            wrong += memcmp(got, wanted, sizeof got) != 0;
        }
        ok(wrong == 0, "%s: %zu wrong", forms[f].name, wrong);
    }
    return done_testing();
}
