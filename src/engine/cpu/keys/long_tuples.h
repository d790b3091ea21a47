/* SPDX-License-Identifier: MIT */
/*
 * long_tuples.h -- tuples of groups with long numbers, for group_settling.c
 *
 * If a group has long numbers, kept or not, the tuples with its figures are
 * decimals.
 */

#ifndef GPUHIST_LONG_TUPLES_H
#define GPUHIST_LONG_TUPLES_H

#include "engine/cpu/keys/cached_groups.h"
#include "engine/cpu/keys/group_longs.h"
#include "engine/cpu/keys/group_values.h"
#include "engine/cpu/keys/tuple_writer.h"
#include "hist/spec_ranks.h"

/* Write tuples with the count, the sum and the extremes of GROUP: of its nanos
   and LONGS, its long numbers, of which there are some. */
void long_tuples_write(struct tuple_writer *writer,
                       const struct cached_group *group,
                       const struct group_longs *longs);

/*
 * The same of GROUP with VALUES, some of which are long, and with RANKS: write
 * the numbers with these ranks, and between two of them as many numbers as
 * before, with the same sum in all.
 */
void long_tuples_write_values(struct tuple_writer *writer,
                              struct value_search *search,
                              const struct spec_ranks *ranks,
                              const struct cached_group *group,
                              const struct group_values *values);

#endif
