/* SPDX-License-Identifier: MIT */
/* base_groups.c -- positions of bases as FastQC groups them */

#include "report/base_groups.h"

/* Groups from the tenth position on have a width of more than 1. */
#define SINGLES 9

/* The width of the groups behind the first 9, for LONGEST above 75. */
static uint64_t
width_of(uint64_t longest)
{
    static const uint64_t steps[] = {2, 5, 10};
    const uint64_t room = BASE_GROUPS_MAX - 1 - SINGLES;
    uint64_t scale = 1;
    size_t i = 0;

    /* Rounded up: one group more for what a division leaves. */
    while ((longest - SINGLES - 1) / (steps[i] * scale) + 1 > room)
        if (++i == sizeof steps / sizeof *steps) {
            i = 0;
            scale *= 10;
        }
    return steps[i] * scale;
}

size_t
base_groups_make(uint64_t longest, struct base_group groups[BASE_GROUPS_MAX])
{
    uint64_t width = longest > BASE_GROUPS_MAX ? width_of(longest) : 1;
    uint64_t last = 0;
    size_t count = 0;

    while (last < longest) {
        uint64_t first = last + 1;
        uint64_t bases = width;
        if (first <= SINGLES)
            bases = 1;
        else if (first == SINGLES + 1 && width > first)
            bases = width - first;
        last = longest - last > bases ? last + bases : longest;
        groups[count++] = (struct base_group){first, last};
    }
    return count;
}
