/* SPDX-License-Identifier: MIT */
/*
 * position_tuples.h -- the tuples of dense tables by position, in order
 *
 * If the position is the first field, the tuples of a table that is read
 * position by position ascend.  So they are appended to a sorted table of keys,
 * which costs a small part of hashing and sorting them.  All tuples of a
 * position start with its component; the other components, an end, are those of
 * an element of the table: each is written once.
 *
 *     position_tuples_open()
 *     position_tuples_add() ... for each element that occurs
 *     position_tuples_start()
 *     [position_tuples_go(), position_tuples_count() ...] ... by position
 *     position_tuples_end()
 *     position_tuples_close() in any case
 */

#ifndef GPUHIST_POSITION_TUPLES_H
#define GPUHIST_POSITION_TUPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/keys/key_codes.h"
#include "engine/cpu/keys/key_counts.h"

/* The most elements. */
#define POSITION_ELEMENTS_MAX ((size_t)1 << 16)

/* The most bytes of a tuple, as key_counts_append() wants. */
#define POSITION_TUPLE_MAX 4096

struct position_end; /* of a tuple */

struct position_tuples {
    struct key_counts *counts;
    struct key_table *table; /* of COUNTS, which is sorted */
    struct key_codes codes;
    size_t histogram;
    size_t position; /* the place of the field */

    /* The fields of the last element, in DATA: those of all but the position
       have no effect on the first component. */
    const unsigned char *data;
    struct text_slice *field;

    struct position_end *end; /* of each of ROOM elements, ADDED so far */
    size_t room;
    size_t added;
    unsigned char *byte; /* of the ends ... */
    size_t used;         /* ... so many of BYTES */
    size_t bytes;

    /* The different ends, in order; elements may have equal ones. */
    uint32_t *rank;    /* of the end of each element */
    uint64_t *sum;     /* of each rank: elements at the position ... */
    uint64_t *is_here; /* ... and a bit, if there are any */
    size_t ranks;

    unsigned char first[POSITION_TUPLE_MAX]; /* a tuple: its component of the
                                                position ... */
    size_t first_size;                       /* ... or 0: none yet */
};

/* Whether the tuples of HISTOGRAM of SPEC, whose snapshot is the last one, are
   in order by position. */
bool position_tuples_are_for(const struct spec *spec, size_t histogram);

/*
 * Prepare for ELEMENTS of HISTOGRAM, for which position_tuples_are_for() is
 * true.  RANGES, and COUNTS, which are settled, outlive TUPLES.  Returns
 * KEY_LIMIT, if the tuples cannot be appended: they are hashed instead.
 */
enum key_result position_tuples_open(struct position_tuples *tuples,
                                     const struct spec *spec, size_t histogram,
                                     struct code_ranges *ranges,
                                     struct key_counts *counts,
                                     size_t elements);

/*
 * Add ELEMENT, below the number of elements, which occurs.  It has the fields
 * FIELD in DATA, which outlives TUPLES, and any position.  Returns KEY_LIMIT as
 * position_tuples_open().
 */
enum key_result position_tuples_add(struct position_tuples *tuples,
                                    const unsigned char *data,
                                    const struct text_slice *field,
                                    size_t element);

/* All elements are added.  Returns KEY_LIMIT as position_tuples_open(). */
enum key_result position_tuples_start(struct position_tuples *tuples);

/* Elements are counted at POSITION from now on, which is not below the one
   before.  After a failure some tuples are in the tables. */
enum key_result position_tuples_go(struct position_tuples *tuples,
                                   uint64_t position);

/* Count ELEMENT, COUNT times, which is not 0. */
static inline void
position_tuples_count(struct position_tuples *tuples, size_t element,
                      uint64_t count)
{
    const uint32_t rank = tuples->rank[element];

    tuples->sum[rank] += count;
    tuples->is_here[rank / 64] |= UINT64_C(1) << rank % 64;
}

/* All is counted. */
enum key_result position_tuples_end(struct position_tuples *tuples);

/* Also of TUPLES all 0. */
void position_tuples_close(struct position_tuples *tuples);

#endif
