/* SPDX-License-Identifier: MIT */
/*
 * ahead.h -- helpers that decode ahead of a decoder, and the memory for them
 *
 * A decoder of a long file may start helpers that decode the next bytes
 * (gzip_ahead.h, lz4_blocks.h, zstd_ahead.h); so may what reads plain bytes
 * (plain_sets.h).  Helpers are of use only if processors are idle, and never
 * needed: without helpers, the decoder goes on alone.  So helpers and their
 * memory are borrowed from the budget if both are free now; nobody waits for a
 * helper.
 */

#ifndef GPUHIST_AHEAD_H
#define GPUHIST_AHEAD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "input/source.h"
#include "sync/budget.h"

/* What helpers need. */
struct ahead_need {
    unsigned int helpers_least; /* fewer are of no use */
    off_t helper_bytes;         /* of the file, for each helper */
    bool reads_in_order;        /* the decoder reads for them: pipes, too */

    /* Returns the bytes of memory that HELPERS of CONTEXT need. */
    uint64_t (*memory)(const void *context, unsigned int helpers);
    const void *context;
};

/* Returns the most memory that the helpers of one decoder may have: they leave
   memory for other decoders. */
uint64_t ahead_memory_max(const struct budget *budget);

/*
 * Returns how many helpers, up to MOST, would be useful for the next BYTES of
 * SOURCE, with memory of BUDGET; 0: none.  What is no regular file has helpers
 * only if NEED reads in order, and if no snapshot may ask for all that has been
 * read.
 */
unsigned int ahead_worth(const struct ahead_need *need,
                         const struct source *source,
                         const struct budget *budget, off_t bytes,
                         unsigned int most);

/*
 * Borrow up to MOST helpers of BUDGET, and memory for them, of which the
 * decoder already has RESERVED bytes.  Returns whether *LOAN is set, for
 * budget_loan_return().
 */
bool ahead_reserve(struct budget_loan *loan, const struct ahead_need *need,
                   struct budget *budget, unsigned int most, uint64_t reserved);

#endif
