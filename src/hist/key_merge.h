/* SPDX-License-Identifier: MIT */
/*
 * key_merge.h -- the entries of several runs, merged in order
 *
 *     key_merge_open(&merge, &runs, ...);
 *     while (key_merge_next(&merge))
 *         ... merge.entry and merge.amount ...
 *     key_merge_close(&merge);
 *
 * A tree of losers (D. Knuth, The Art of Computer Programming, volume 3, 5.4.1)
 * finds the next entry with one comparison for each level, mostly of numbers
 * that say where keys differ.  In the order of the keys, the amounts of equal
 * keys are added up; in the order of the counts, all keys differ.
 *
 * The runs are read through a mapping of their file, so a key of any length
 * needs no buffer.  A part of a run that has been read leaves the memory.
 */

#ifndef GPUHIST_KEY_MERGE_H
#define GPUHIST_KEY_MERGE_H

#include "hist/key_run.h"

/* A run that a merge reads. */
struct key_source {
    const unsigned char *entry; /* the next one, or END */
    const unsigned char *end;
    const unsigned char *kept; /* before this, nothing is in memory */
    uint64_t rank; /* of the entry; the lower rank comes first.  Equal ranks say
                      nothing about the order. */
};

struct key_merge {
    const struct key_runs *runs;
    unsigned char *mapping; /* of the file, which has MAPPED bytes */
    uint64_t mapped;
    struct key_source *source; /* SOURCES of them */
    size_t *loser;             /* the tree: node 0 has the winner */
    size_t sources;
    size_t last;   /* the source of the current entry */
    size_t window; /* bytes of each source that are in memory */
    bool discards; /* bytes that have been read leave the file, too */

    /* The current entry: its key, and the sum of the amounts. */
    const unsigned char *entry;
    struct key_amount amount;
};

/*
 * Returns how many runs a merge with about MEMORY bytes in memory can read at a
 * time; at least 2.
 */
size_t key_merge_fan_in(size_t memory);

/*
 * Start to merge COUNT runs from RUN on, or parts of runs (key_cuts.h), in the
 * file of RUNS, with about MEMORY bytes in memory.  If DISCARDS, the file gives
 * back the bytes that have been read, so the runs are undefined afterwards.
 * Runs may be appended to RUNS meanwhile.  Returns 0, or -1 with *ERROR set;
 * the caller calls key_merge_close() in both cases.
 */
int key_merge_open(struct key_merge *merge, const struct key_runs *runs,
                   const struct key_run *run, size_t count, size_t memory,
                   bool discards, struct error *error);

/* Go to the next entry.  Returns false at the end. */
bool key_merge_next(struct key_merge *merge);

void key_merge_close(struct key_merge *merge);

/*
 * Merge runs of RUNS, with about MEMORY bytes in memory, until one merge can
 * read all of them.  Returns 0, or -1 with *ERROR set.
 */
int key_merge_reduce(struct key_runs *runs, size_t memory, struct error *error);

/*
 * Merge RUNS to one run if there are more than a few.  It pays if all runs are
 * read again after further runs are added.  Returns as key_merge_reduce().
 */
int key_merge_compact(struct key_runs *runs, size_t memory,
                      struct error *error);

#endif
