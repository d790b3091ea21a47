/* SPDX-License-Identifier: MIT */
/*
 * value_look.h -- looks at all numbers of several groups
 *
 * A look passes all numbers once, with one thread or with a crew.  Numbers are
 * given as their distances from the least one.
 */

#ifndef GPUHIST_VALUE_LOOK_H
#define GPUHIST_VALUE_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/keys/group_values.h"

/* A number, as its distance from the least one. */
struct value_copy {
    uint64_t distance;
    uint64_t count;
};

struct value_part;

/* The numbers of several groups. */
struct value_numbers {
    const struct group_values *const *values; /* of GROUPS */
    size_t groups;
    bool has_long; /* numbers are HIGHs of ordered decimals */
    uint64_t least;
    unsigned int members;    /* of the crew; 1: there is none ... */
    struct value_part *part; /* ... which shares these PARTS, owned */
    size_t parts;
};

/*
 * Let a crew of MEMBERS look at NUMBERS, of which there are COUNT, and all else
 * of which is set.  The crew shares a list of groups, and of the pages of large
 * ones.  Without memory for the list one thread looks at them.
 */
void value_numbers_share(struct value_numbers *numbers, unsigned int members,
                         uint64_t count);

/* Release what value_numbers_share() has taken. */
void value_numbers_close(struct value_numbers *numbers);

/* Buckets, 1 << SHIFT distances wide, from LOW to HIGH.  The first and the last
   one have all distances below and above, too. */
struct value_buckets {
    unsigned int shift;
    uint64_t low;
    uint64_t high;
};

static inline __attribute__((always_inline)) size_t
value_bucket_of(const struct value_buckets *buckets, uint64_t distance)
{
    distance = distance > buckets->low ? distance : buckets->low;
    distance = distance < buckets->high ? distance : buckets->high;
    return (size_t)((distance - buckets->low) >> buckets->shift);
}

/* Buckets of a look at most, and what is above any bucket that is wanted. */
#define VALUE_BUCKETS_MAX ((size_t)1 << 11)
#define VALUE_NOT_WANTED UINT16_MAX

/* A look at the numbers with distances from LOW to HIGH. */
struct distance_range {
    uint64_t low;
    uint64_t high;
};

/* Add the numbers of RANGE to COUNT, which is 0, of SIZE BUCKETS. */
void value_look_count(const struct value_numbers *numbers,
                      const struct distance_range *range,
                      const struct value_buckets *buckets, uint64_t *count,
                      size_t size);

/*
 * Copy the numbers of RANGE in wanted buckets to COPY.  The copies of bucket b
 * go to end[wanted[b]], which moves to their end; there are SIZE ends.
 */
void value_look_copy(const struct value_numbers *numbers,
                     const struct distance_range *range,
                     const struct value_buckets *buckets,
                     const uint16_t *wanted, struct value_copy *copy,
                     size_t *end, size_t size);

/* Brackets of a look at most. */
#define VALUE_BRACKETS_MAX 8

/* The distances from LOW to HIGH, and what a look finds. */
struct value_bracket {
    uint64_t low;
    uint64_t high;
    struct value_copy *copy; /* room for ROOM copies */
    size_t room;
    uint64_t below;   /* numbers below LOW */
    uint64_t numbers; /* in the bracket */
    size_t copies;    /* of these; above ROOM: not all of them are at COPY */
};

/* Find what is in the COUNT brackets at BRACKET, which do not overlap.  A
   bracket with one distance gets no copies. */
void value_look_between(const struct value_numbers *numbers,
                        struct value_bracket *bracket, size_t count);

/* A sample. */
struct value_sample {
    uint64_t numbers; /* which it has ... */
    size_t copies;    /* ... as copies */
};

/* Copy one of each STEP numbers that a member looks at to COPY.  COPY has room
   for one of each STEP, and one for each member. */
struct value_sample value_sample_take(const struct value_numbers *numbers,
                                      uint64_t step, struct value_copy *copy);

#endif
