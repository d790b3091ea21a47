/* SPDX-License-Identifier: MIT */
/* test_spelling.c -- the distance of words, against its definition */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../tap.h"
#include "base/near_names.h"

static size_t
least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Every way to do it. */
static size_t
search(const char *a, size_t i, const char *b, size_t j)
{
    if (i == 0 || j == 0)
        return i + j;
    size_t best = least(search(a, i - 1, b, j), search(a, i, b, j - 1)) + 1;
    best = least(best, search(a, i - 1, b, j - 1) + (a[i - 1] != b[j - 1]));
    if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best = least(best, search(a, i - 2, b, j - 2) + 1);
    return best;
}

static void
test_known(void)
{
    static const struct {
        const char *a;
        const char *b;
        size_t distance;
    } table[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"abc", "", 3},
        {"device", "device", 0},
        {"devise", "device", 1},
        {"devcie", "device", 1},
        {"divece", "device", 2},
        {"kitten", "sitting", 3},
        {"ca", "abc", 3},
        {"chunksize", "chunk-size", 1},
    };

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t got =
            spelling_distance(table[i].a, strlen(table[i].a), table[i].b);
        ok(got == table[i].distance, "\"%s\", \"%s\": %zu, %zu", table[i].a,
           table[i].b, got, table[i].distance);
    }
    ok(spelling_distance("bins=3", 4, "bins") == 0, "a part of a word");
}

/* All words of up to 4 letters out of three, beside some of them. */
static void
test_short(void)
{
    char a[8];
    char b[8];
    size_t wrong = 0;

    for (unsigned int x = 0; x < 256; x++) {
        for (unsigned int y = 0; y < 256; y++) {
            size_t a_length = x % 5;
            size_t b_length = y % 6;
            for (size_t i = 0; i < 6; i++) {
                a[i] = (char)('a' + (x * 7919 >> (2 * i)) % 3);
                b[i] = (char)('a' + (y * 104729 >> (2 * i)) % 3);
            }
            b[b_length] = '\0';
            wrong += spelling_distance(a, a_length, b) !=
                     search(a, a_length, b, b_length);
        }
    }
    ok(wrong == 0, "short words: %zu are wrong", wrong);
}

static void
test_long(void)
{
    char word[SPELLING_LENGTH_MAX + 2];

    memset(word, 'x', sizeof word - 1);
    word[SPELLING_LENGTH_MAX + 1] = '\0';
    ok(spelling_distance(word, SPELLING_LENGTH_MAX, "y") == SPELLING_LENGTH_MAX,
       "a long word");
    ok(spelling_distance(word, SPELLING_LENGTH_MAX + 1, "x") == SIZE_MAX &&
           spelling_distance("x", 1, word) == SIZE_MAX,
       "one that is too long");
}

int
main(void)
{
    test_known();
    test_short();
    test_long();
    return done_testing();
}
