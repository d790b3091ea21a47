/* SPDX-License-Identifier: MIT */
/* spec_ranks.c -- the ranks of numbers in order that are printed of a group */

#include <string.h>

#include "base/percentile.h"
#include "hist/spec_ranks.h"

/* Add MORE to the COUNT ranks, in order, and once.  Returns their number. */
static size_t
add(uint64_t rank[SPEC_RANKS_MAX], size_t count, uint64_t more)
{
    size_t i = count;

    while (i > 0 && rank[i - 1] > more)
        i--;
    if (i > 0 && rank[i - 1] == more)
        return count;
    memmove(rank + i + 1, rank + i, (count - i) * sizeof *rank);
    rank[i] = more;
    return count + 1;
}

size_t
spec_ranks_find(const struct spec_ranks *ranks, uint64_t count,
                uint64_t rank[SPEC_RANKS_MAX])
{
    size_t found = add(rank, 0, 1);

    found = add(rank, found, count);
    for (size_t p = 0; p < ranks->percentiles; p++)
        found = add(rank, found, percentile_rank(ranks->nano[p], count));
    for (unsigned int q = 1; q <= 3 && ranks->has_quartiles; q++) {
        unsigned int part;
        uint64_t low = quartile_rank(q, count, &part);
        found = add(rank, found, low);
        if (part > 0)
            found = add(rank, found, low + 1);
    }
    return found;
}
