/* SPDX-License-Identifier: MIT */
/*
 * read_groups.h -- reads or operations with the same fields, and the qualities
 * or bases of such reads by position
 *
 * A histogram of bases may have fields of reads, as the tile, beside position
 * and quality, or base.  Each base is an element, but a tuple for each would
 * take longer than all else.  So a thread has a table for each group, the reads
 * with the same fields, with a row for each position and a column for each
 * quality or base that occurs.  Memory is given to blocks of rows, when a read
 * has their positions.  When no memory is left, and at the end, each cell
 * becomes an element with a count; those of one block do before its counts
 * overflow.
 *
 * If the position is the first field of the tuples, the tables of all threads
 * become tuples together at the end, in order (position_tuples.h).
 *
 * Reads and operations with the same fields are counted in a cell for each
 * group, before they are tuples.
 */

#ifndef GPUHIST_READ_GROUPS_H
#define GPUHIST_READ_GROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/cpu/keys/key_codes.h"
#include "engine/cpu/keys/key_counts.h"
#include "hist/spec.h"
#include "sync/thread_list.h"
#include "text/text_slice.h"

/* The most elements of a call of read_groups_next(). */
#define READ_GROUPS_BATCH 1024

struct read_groups; /* of one thread; starts with a struct thread_link */

/* Elements that are taken out. */
struct read_groups_batch {
    const unsigned char *data;      /* of the slices */
    const struct text_slice *slice; /* the fields, element by element */
    const int64_t *count;           /* of each element */
    size_t elements;
};

/* Whether HISTOGRAM of SPEC counts in groups: each element counts once, and ...
 */
bool read_groups_are_for(const struct spec *spec, size_t histogram);

/* ... the fields are the position, the quality or the base, and fields of
   reads; else those of reads or operations alone. */
bool read_groups_have_runs(const struct spec *spec, size_t histogram);

/* The unit of the elements that the counter of HISTOGRAM takes. */
static inline enum sequence_unit
read_groups_unit(const struct spec *spec, size_t histogram)
{
    return read_groups_have_runs(spec, histogram)
               ? SEQUENCE_READS
               : (enum sequence_unit)spec->histogram[histogram].unit;
}

/* Returns the empty groups of a thread, with tables of about BYTES; or NULL:
   out of memory.  The tables grow while at most half of MEMORY, which also
   others use, is taken.  SPEC and MEMORY outlive them. */
struct read_groups *read_groups_new(const struct spec *spec, size_t histogram,
                                    size_t bytes, struct key_memory *memory);

/*
 * Count the bases of a read from number *FIRST on, and move *FIRST.  FIELD has
 * the fields of the read in DATA; that of the position is the run of its bases,
 * and that of the quality, if it is not missing, the run of its qualities, both
 * in RUNS.
 * Returns whether all are counted; if not, all elements must be taken out
 * before the next call.
 */
bool read_groups_add(struct read_groups *groups, const unsigned char *data,
                     const unsigned char *runs, const struct text_slice *field,
                     uint32_t *first);

/* Count a read or an operation with the fields FIELD, without runs.  Returns
   whether it is counted; if not, all elements must be taken out first. */
bool read_groups_add_one(struct read_groups *groups, const unsigned char *data,
                         const struct text_slice *field);

/* Whether those that are counted now are much fewer groups. */
bool read_groups_are_worth_it(const struct read_groups *groups);

/* Take the next elements out.  BATCH is valid until the next call.  Returns
   false: there are none. */
bool read_groups_next(struct read_groups *groups,
                      struct read_groups_batch *batch);

/*
 * Add the elements of all groups in LIST, for which read_groups_have_runs() is
 * true, to COUNTS as tuples in order, and forget them.  RANGES are the ranges
 * of the spec.  No thread is counting.  Returns KEY_LIMIT, if this is not
 * possible: then nothing has changed.
 */
enum key_result read_groups_put(const struct thread_list *list,
                                struct code_ranges *ranges,
                                struct key_counts *counts);

/* Forget all elements. */
void read_groups_restart(struct read_groups *groups);

void read_groups_close(struct read_groups *groups);

#endif
