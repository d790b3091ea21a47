/* SPDX-License-Identifier: MIT */
/*
 * key_file.h -- the list of all keys, in temporary files
 *
 * Sorted runs become one list.  The entries and the pointers to the entries are
 * in mapped files, so the kernel can write them out.  Readers use the list as
 * any list, and the list may be longer than the memory.
 */

#ifndef GPUHIST_KEY_FILE_H
#define GPUHIST_KEY_FILE_H

#include "hist/key_list.h"
#include "hist/key_run.h"

struct key_file {
    void *entries; /* the mappings, or NULL */
    uint64_t entries_bytes;
    void *index;
    uint64_t index_bytes;
};

/*
 * Merge RUNS, which are in the order of their keys, to LIST, in ORDER, with at
 * most THREADS threads.  About MEMORY bytes are in memory.  If DISCARDS, RUNS
 * have no content afterwards.  Returns 0, or -1 with *ERROR set; the caller
 * calls key_file_close() in both cases, after the last use of LIST.
 */
int key_file_open(struct key_file *file, struct key_runs *runs,
                  enum key_run_order order, unsigned int threads, size_t memory,
                  bool discards, struct key_list *list, struct error *error);

/* Also of a FILE that is all 0. */
void key_file_close(struct key_file *file);

#endif
