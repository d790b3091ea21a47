/* SPDX-License-Identifier: MIT */
/*
 * plain_sets.h -- let helpers write pages of the next plain bytes of a source
 *
 * For a file or pipe that one reader reads, and that is not compressed, as SAM.
 * Helpers read sets of a regular file; of a pipe, the owner reads what is
 * there, up to a set.  Helpers write the pages of sets side by side, and the
 * owner takes the sets in order (sync/ring.h).
 */

#ifndef GPUHIST_PLAIN_SETS_H
#define GPUHIST_PLAIN_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "input/decoder.h"
#include "sync/budget.h"
#include "sync/ring.h"

/* Consecutive bytes. */
struct plain_set;

/* All 0 before plain_sets_open(). */
struct plain_sets {
    struct source *source;
    struct budget *budget;
    const struct decoder_writer *writer; /* NULL: not open */
    uint64_t taken;                      /* bytes without helpers */

    struct ring_crew crew;
    struct ring ring;
    struct plain_set *set; /* the slots of RING; NULL: there are no helpers */
    bool is_ahead;         /* the descriptor is not where the next set starts */
    bool is_refused; /* a helper could not read: the owner goes on alone */
    struct budget_loan loan;
    struct error failure; /* of the source, after the sets in the ring */
    size_t used;          /* bytes of the first set */
};

/* Pages are written by WRITER of what follows in SOURCE.  All stay in place
   until plain_sets_close(). */
void plain_sets_open(struct plain_sets *sets, struct source *source,
                     struct budget *budget,
                     const struct decoder_writer *writer);

/* As source_read(). */
ssize_t plain_sets_read(struct plain_sets *sets, void *buffer, size_t capacity);

/* As decoder_find_page(). */
bool plain_sets_find_page(struct plain_sets *sets, struct decoder_place *place);

/* Skip the next SIZE bytes, of the set that was found. */
void plain_sets_skip(struct plain_sets *sets, size_t size);

/* End the helpers and release their memory.  May be called twice, and if SETS
   is not open. */
void plain_sets_close(struct plain_sets *sets);

#endif
