/* SPDX-License-Identifier: MIT */
/* test_common_bases.c -- letters of bases, eight at a time and one by one */

#include <string.h>

#include "../noise.h"
#include "../tap.h"
#include "input/alignment/common_bases.h"

#define BASES_MAX 70

static const char letters[] = "ACGTN";
static const char complements[] = "TGCAN";

/* Whether the functions write what BASES become, and nothing after it, or say
   that not all are common. */
static bool
is_right(const unsigned char *bases, size_t length, bool is_common)
{
    unsigned char out[BASES_MAX + 1], turned[BASES_MAX + 1];

    memset(out, '?', sizeof out);
    memset(turned, '?', sizeof turned);
    if (common_bases_copy(bases, length, out) != is_common ||
        common_bases_turn(bases, length, turned) != is_common)
        return false;
    for (size_t i = 0; is_common && i < length; i++) {
        const char *letter = strchr(letters, bases[i]);
        if (turned[length - 1 - i] != complements[letter - letters])
            return false;
    }
    return out[length] == '?' && turned[length] == '?' &&
           (!is_common || memcmp(out, bases, length) == 0);
}

int
main(void)
{
    unsigned char bases[BASES_MAX] = {0};
    unsigned int wrong = 0;

    for (size_t length = 0; length < BASES_MAX; length++) {
        for (size_t i = 0; i < length; i++)
            bases[i] = (unsigned char)letters[noise() % 5];
        wrong += !is_right(bases, length, true);
        for (unsigned int byte = 0; byte < 256 && length > 0; byte++) {
            const size_t at = noise() % length;
            const unsigned char before = bases[at];
            bases[at] = (unsigned char)byte;
            wrong += !is_right(bases, length,
                               byte != 0 && strchr(letters, (int)byte) != NULL);
            bases[at] = before;
        }
    }
    ok(wrong == 0, "%u of all lengths and bytes are wrong", wrong);
    return done_testing();
}
