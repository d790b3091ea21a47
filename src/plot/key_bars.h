/*
 * key_bars.h -- the keys, numbers or tuples that a scene shows: the greatest
 *
 * Neighbouring keys are never joined.  Those without a bar are added to one bar
 * for the rest, as tables do.  Between keys that are times, those without a
 * record have empty bars, or share one where there are too many.
 */

#ifndef GPUHIST_KEY_BARS_H
#define GPUHIST_KEY_BARS_H

#include <stddef.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "plot/band.h"
#include "plot/subject.h"

/* The most keys that --top can ask for. */
#define KEY_BARS_MAX 1000

/*
 * Returns the number of bars of histogram I, which has a list: those of
 * subject->top, or at most MOST; more if MOST is less than 4.
 */
size_t key_bars_count(const struct scene_subject *subject, size_t i,
                      size_t most);

/* What there is to show. */
struct key_bars {
    uint64_t occurring; /* keys with a count */
    uint64_t shown;     /* keys with a bar */
};

/*
 * Set the bands of AXIS to these bars: first the keys in the order of SUBJECT,
 * then records without a key, and the rest.  Opens AMOUNTS with a cell for each
 * bar, and sets *BARS.  Returns 0, or -1: out of memory.
 */
int key_bars_make(struct band_axis *axis, struct histogram *amounts,
                  struct key_bars *bars, const struct scene_subject *subject,
                  size_t i, size_t most);

#endif
