/* key_amounts.h -- the counts and the sums of keys, in cells */

#ifndef GPUHIST_KEY_AMOUNTS_H
#define GPUHIST_KEY_AMOUNTS_H

#include "hist/histogram.h"
#include "hist/key_list.h"

/*
 * Set the cells of COUNTS from FIRST on, which are 0, to what the entries of
 * LIST say, with at most THREADS threads.  If COUNTS has sums, so do they.
 */
void key_amounts_put(const struct key_list *list, struct histogram *counts,
                     uint64_t first, unsigned int threads);

#endif
