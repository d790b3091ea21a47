/* SPDX-License-Identifier: MIT */
/* group_other.h -- the figures of several groups that need all values */

#ifndef GPUHIST_GROUP_OTHER_H
#define GPUHIST_GROUP_OTHER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "report/figure.h"
#include "report/group_walk.h"

struct group_other {
    uint64_t distinct;
    /* For each figure that is a value, the code of the value (key_code.h);
       owned.  NULL: VALUE is the figure. */
    unsigned char *code[FIGURES_MAX];
    uint32_t size[FIGURES_MAX];
    struct figure_value value[FIGURES_MAX];
};

/*
 * Find the figures of all groups of WALK except CHOSEN, which are in the order
 * of rows, and groups without a key.  ALL has the facts about these groups.
 * About LIMIT bytes are in memory, and at most THREADS threads sort.  Returns
 * 0, or -1 with *ERROR set; the caller calls group_other_close() in both cases.
 */
int group_other_make(struct group_other *other, struct group_walk *walk,
                     const struct group_entries *chosen,
                     const struct figures *figures,
                     const struct group_figures *all, size_t limit,
                     unsigned int threads, struct error *error);

/* The same from the numbers of SPEC, where the tuples are stand-ins; the
   figures need only numbers with the ranks of SPEC. */
int group_other_find(struct group_other *other, struct group_walk *walk,
                     const struct group_entries *chosen,
                     const struct figures *figures,
                     const struct group_figures *all, const struct spec *spec,
                     struct error *error);

void group_other_close(struct group_other *other);

#endif
