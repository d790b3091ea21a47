/* SPDX-License-Identifier: MIT */
/* text_search.c -- where a text is in another one */

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "text/modify/text_search.h"

/* So many places are looked at together: the compiler makes vectors of them. */
#define PLACES 32

/* Bytes of the wanted text that are compared first, evenly spread.  Of four
   letters at random, they agree at one place of 4096. */
#define PROBES 6

struct probes {
    size_t at[PROBES];
    unsigned char byte[PROBES];
};

static struct probes
make_probes(const unsigned char *wanted, size_t size)
{
    struct probes probes;

    for (size_t i = 0; i < PROBES; i++) {
        probes.at[i] = (size - 1) * i / (PROBES - 1);
        probes.byte[i] = wanted[probes.at[i]];
    }
    return probes;
}

/* Set AGREES to 1 for the places from TEXT on at which all probes agree, and to
   0 for others.  Returns whether there are any. */
static inline bool
compare(const struct probes *probes, const unsigned char *text,
        unsigned char agrees[PLACES])
{
    const struct probes own = *probes;
    const unsigned char *a = text + own.at[0];
    const unsigned char *b = text + own.at[1];
    const unsigned char *c = text + own.at[2];
    const unsigned char *d = text + own.at[3];
    const unsigned char *e = text + own.at[4];
    const unsigned char *f = text + own.at[5];
    uint64_t word[PLACES / sizeof(uint64_t)];
    uint64_t any = 0;

    for (size_t i = 0; i < PLACES; i++)
        agrees[i] = (a[i] == own.byte[0]) & (b[i] == own.byte[1]) &
                    (c[i] == own.byte[2]) & (d[i] == own.byte[3]) &
                    (e[i] == own.byte[4]) & (f[i] == own.byte[5]);
    memcpy(word, agrees, sizeof word);
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        any |= word[i];
    return any != 0;
}

size_t
text_search(const unsigned char *text, size_t size, const unsigned char *wanted,
            size_t wanted_size)
{
    if (size < wanted_size)
        return size;
    const struct probes probes = make_probes(wanted, wanted_size);
    size_t places = size - wanted_size + 1;
    size_t at = 0;
    while (at < places && places >= PLACES) {
        unsigned char agrees[PLACES];
        /* The last places are looked at with some of those before again. */
        if (at + PLACES > places)
            at = places - PLACES;
        bool is_any = compare(&probes, text + at, agrees);
        for (size_t i = 0; is_any && i < PLACES; i++) {
            if (agrees[i] != 0 &&
                memcmp(text + at + i, wanted, wanted_size) == 0)
                return at + i;
        }
        at += PLACES;
    }
    for (; at < places; at++) {
        if (memcmp(text + at, wanted, wanted_size) == 0)
            return at;
    }
    return size;
}
