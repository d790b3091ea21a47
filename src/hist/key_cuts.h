/*
 * key_cuts.h -- sorted runs, cut into parts at the same keys
 *
 * Equal keys of all runs are in one part, and the keys of a part come before
 * the keys of the next part.  So threads can merge the parts at the same time,
 * and the merged parts, one after the other, are the merge of all runs.
 *
 * The cuts are chosen from a sample of the marked keys of all runs, so the
 * parts have about the same size.
 */

#ifndef GPUHIST_KEY_CUTS_H
#define GPUHIST_KEY_CUTS_H

#include "hist/key_run.h"

struct key_cuts {
    size_t runs;
    unsigned int parts;
    struct key_run *range; /* [p * RUNS + r]: the bytes of run r in part p,
                              without marks */
};

/*
 * Cut all RUNS, one or more, into at most PARTS parts, 1 to CREW_MAX, with as
 * many threads.  The runs stay one part if their entries are in the order of
 * the counts, or if too many bytes are in runs without marks.  Returns 0, or -1
 * with *ERROR set; the caller calls key_cuts_close() in both cases.
 */
int key_cuts_open(struct key_cuts *cuts, const struct key_runs *runs,
                  unsigned int parts, struct error *error);

/* Returns the bytes of the first run in part PART; the bytes of the other runs
   follow. */
static inline const struct key_run *
key_cuts_part(const struct key_cuts *cuts, unsigned int part)
{
    return cuts->range + part * cuts->runs;
}

/* Returns the bytes of part PART. */
uint64_t key_cuts_bytes(const struct key_cuts *cuts, unsigned int part);

/* Free the cuts.  CUTS may be all 0. */
void key_cuts_close(struct key_cuts *cuts);

#endif
