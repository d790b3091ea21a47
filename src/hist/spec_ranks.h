/* SPDX-License-Identifier: MIT */
/* spec_ranks.h -- the ranks of numbers in order that are printed of a group */

#ifndef GPUHIST_SPEC_RANKS_H
#define GPUHIST_SPEC_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Percentages, and the ranks of all numbers of a group that are printed. */
#define SPEC_PERCENTILES_MAX 65
#define SPEC_RANKS_MAX (SPEC_PERCENTILES_MAX + 8)

/* The percentiles, in 10^-9 percent, and whether quartiles are wanted. */
struct spec_ranks {
    bool has_quartiles;
    bool has_other; /* also of the numbers of several groups together */
    size_t percentiles;
    uint64_t nano[SPEC_PERCENTILES_MAX];
};

/*
 * Set RANK to the ranks of COUNT numbers, at least 1, in order: the first, the
 * last, the percentiles, and the numbers that quartiles lie between.  Each rank
 * is there once, ascending.  Returns how many ranks there are.
 */
size_t spec_ranks_find(const struct spec_ranks *ranks, uint64_t count,
                       uint64_t rank[SPEC_RANKS_MAX]);

#endif
