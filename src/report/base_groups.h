/* SPDX-License-Identifier: MIT */
/* base_groups.h -- positions of bases as FastQC groups them */

#ifndef GPUHIST_BASE_GROUPS_H
#define GPUHIST_BASE_GROUPS_H

#include <stddef.h>
#include <stdint.h>

/* Reads of any length have at most so many groups. */
enum {
    BASE_GROUPS_MAX = 75
};

/* Positions, counted from 1. */
struct base_group {
    uint64_t first;
    uint64_t last; /* included */
};

/*
 * Write the groups of the positions 1 to LONGEST to GROUPS, in order, and
 * return their number; 0 has none.  Positions of reads of at most 75 bases are
 * alone.  Otherwise the first 9 are, and those behind are in groups of equal
 * width: the least of 2, 5, 10, 20, 50 ... that makes fewer than 75 groups.  A
 * width above 10 has its bounds at its multiples, so that the tenth group is
 * shorter by 10.  The last group ends at LONGEST.  Equal to the groups of
 * FastQC 0.11 to 0.12 without --nogroup and --expgroup.
 */
size_t base_groups_make(uint64_t longest,
                        struct base_group groups[BASE_GROUPS_MAX]);

#endif
