/* SPDX-License-Identifier: MIT */
/*
 * group_numbers.h -- the numbers of groups, where the tuples are stand-ins
 *
 * An engine may give each group other numbers with the same figures (spec.h).
 * The figures of several groups together cannot be found from these, so the
 * engine finds them.
 */

#ifndef GPUHIST_GROUP_NUMBERS_H
#define GPUHIST_GROUP_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ordered_decimal.h"
#include "hist/key_table.h"

struct group_numbers {
    void *context;

    /*
     * Set found[r], for each of the COUNT ranks, which ascend, to the number
     * with rank[r], from 1 on, among the numbers of all groups in order, but
     * the groups of the EXCEPTIONS tuples at EXCEPT.  Returns false: out of
     * memory.
     */
    bool (*find)(void *context, const struct key_entry *except,
                 size_t exceptions, const uint64_t *rank, size_t count,
                 struct ordered_decimal *found);
};

#endif
