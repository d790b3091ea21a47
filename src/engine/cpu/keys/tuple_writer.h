/* SPDX-License-Identifier: MIT */
/*
 * tuple_writer.h -- write tuples of a group and a number, for group_settling.c
 *
 * A thread that settles has a writer.  Tuples are written one group after the
 * other, and added to the tables many at a time.
 */

#ifndef GPUHIST_TUPLE_WRITER_H
#define GPUHIST_TUPLE_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/ordered_decimal.h"
#include "engine/cpu/keys/cached_groups.h"
#include "engine/cpu/keys/key_counts.h"
#include "hist/key_decimal.h"

/* Tuples that are written before they are added to the tables. */
#define TUPLE_BATCH 1024

/* The most bytes of a tuple. */
#define TUPLE_ROOM (GROUP_CODE_ROOM + KEY_CODE_DECIMAL_ROOM)
#define TUPLE_BATCH_ROOM ((size_t)64 << 10)

/* All 0, but the first three: nothing is written yet. */
struct tuple_writer {
    struct key_counts *counts; /* the tables ... */
    struct key_counter *keys;  /* ... and the part of this thread; NULL: the
                                  thread is alone */
    bool is_real;              /* numbers in tuples are doubles */
    enum key_result result;
    unsigned char group[GROUP_CODE_ROOM]; /* the group now */
    size_t group_size;
    size_t count;
    size_t used; /* of BYTE */
    unsigned char byte[TUPLE_BATCH_ROOM];
    struct text_slice slice[TUPLE_BATCH];
    uint32_t times[TUPLE_BATCH];
};

/* Start with the tuples of GROUP of CACHE. */
void tuple_writer_start(struct tuple_writer *writer,
                        const struct group_cache *cache,
                        const struct cached_group *group);

/* A value_visit() (group_values.h): write the tuple of NANO, COUNT times. */
bool tuple_writer_put(void *context, int64_t nano, uint64_t count);

/* The same of NUMBER. */
bool tuple_writer_put_long(struct tuple_writer *writer,
                           const struct ordered_decimal *number,
                           uint64_t count);

/* The same of SUM, as a decimal. */
void tuple_writer_put_sum(struct tuple_writer *writer,
                          const struct decimal_sum *sum, uint64_t count);

/* Add the tuples that are not yet in the tables.  Returns the result of all. */
enum key_result tuple_writer_end(struct tuple_writer *writer);

#endif
