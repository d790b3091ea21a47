/* SPDX-License-Identifier: MIT */
/*
 * key_cuts.h -- sorted runs, cut into sections at the same keys
 *
 * Equal keys of all runs are in one section, and the keys of a section come
 * before the keys of the next section.  So threads can merge the sections at
 * the same time, and the merged sections, one after the other, are the merge of
 * all runs.
 *
 * The cuts are chosen from a sample of the marked keys of all runs, so the
 * sections have about the same size.
 */

#ifndef GPUHIST_KEY_CUTS_H
#define GPUHIST_KEY_CUTS_H

#include "hist/key_run.h"

struct key_cuts {
    size_t runs;
    unsigned int sections;
    struct key_run *span; /* [p * RUNS + r]: the bytes of run r in section p,
                              without marks */
};

/*
 * Cut all RUNS, one or more, into at most SECTIONS sections, 1 to CREW_MAX,
 * with as many threads.  The runs stay one section if their entries are in the
 * order of the counts, or if too many bytes are in runs without marks.  Returns
 * 0, or -1 with *ERROR set; the caller calls key_cuts_close() in both cases.
 */
int key_cuts_open(struct key_cuts *cuts, const struct key_runs *runs,
                  unsigned int sections, struct error *error);

/* Returns the bytes of the first run in section SECTION; the bytes of the other
   runs follow. */
static inline const struct key_run *
key_cuts_section(const struct key_cuts *cuts, unsigned int section)
{
    return cuts->span + section * cuts->runs;
}

/* Returns the bytes of section SECTION. */
uint64_t key_cuts_bytes(const struct key_cuts *cuts, unsigned int section);

/* Free the cuts.  CUTS may be all 0. */
void key_cuts_close(struct key_cuts *cuts);

#endif
