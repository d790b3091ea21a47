/* SPDX-License-Identifier: MIT */
/*
 * wrong_amount.h -- a wrong record, weight or count, for messages
 *
 * It ends its input, as sync/wrong_record.h says.  Lines of a log that do not
 * fit the format are counted, and the first such line is noted.
 */

#ifndef GPUHIST_WRONG_AMOUNT_H
#define GPUHIST_WRONG_AMOUNT_H

#include "sync/pool.h"
#include "text/scan.h"

struct wrong_amount {
    struct text_slice slice; /* of the chunk */
    const char *noun;        /* what this is: a weight, ... */
    const char *reason;      /* ... and its error */
};

/* Lines of logs; the owner has a lock for them. */
struct misfits {
    uint64_t count; /* of those that do not fit the format */
    uint64_t blanks;

    /* Of the first misfit, if there are some: */
    bool is_placed;
    struct input_place place; /* if IS_PLACED */
    struct error error;       /* the error */
};

/* Add the misfits of LEDGER, which are in CHUNK, to MISFITS, under LOCK. */
void misfits_add(struct misfits *misfits, pthread_mutex_t *lock,
                 const struct chunk *chunk, const struct scan_ledger *ledger);

/* If a line is a misfit, check that some of all LINES fits FORMAT.  Returns 0,
   or -1 with *ERROR set. */
int misfits_check(const struct misfits *misfits,
                  const struct text_format *format, uint64_t lines,
                  struct error *error);

/* Move FROM, of later inputs, to the end of MISFITS. */
void misfits_move(struct misfits *misfits, struct misfits *from);

void misfits_close(struct misfits *misfits);

/* Returns the error of a line that does not fit its format. */
static inline struct wrong_amount
wrong_amount_of_line(const struct json_wrong *wrong)
{
    return (struct wrong_amount){wrong->slice, "text", wrong->reason};
}

/*
 * WRONG is in CHUNK: note the error for its input.  Moves *DONE to the next
 * input or place of the chunk.  Returns 0, or -1 with *ERROR set.
 */
int wrong_amount_pass(const struct chunk *chunk,
                      const struct wrong_amount *wrong, size_t *done,
                      struct error *error);

#endif
