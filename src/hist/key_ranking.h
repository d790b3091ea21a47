/*
 * key_ranking.h -- runs by count, made of runs by key
 *
 * The count of a key is known only when all runs by key are merged.  So the
 * merged entries are sorted once more, as many at a time as fit into memory.
 */

#ifndef GPUHIST_KEY_RANKING_H
#define GPUHIST_KEY_RANKING_H

#include "hist/key_run.h"

/*
 * Merge RUNS, which are in the order of their keys, and put their entries into
 * RANKED as runs in the order of their counts.  About MEMORY bytes are in
 * memory.  If DISCARDS, RUNS have no content afterwards.  Returns 0, or -1 with
 * *ERROR set.
 */
int key_ranking_make(struct key_runs *ranked, struct key_runs *runs,
                     size_t memory, bool discards, struct error *error);

#endif
