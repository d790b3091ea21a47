/*
 * wrong_amount.h -- a wrong record, weight or count, for messages
 *
 * It ends its input, as sync/wrong_record.h says.
 */

#ifndef GPUHIST_WRONG_AMOUNT_H
#define GPUHIST_WRONG_AMOUNT_H

#include "sync/pool.h"
#include "text/json_line.h"

struct wrong_amount {
    struct text_slice slice; /* of the chunk */
    const char *noun;        /* what this is: a weight, ... */
    const char *reason;      /* ... and what is wrong with it */
};

/* Returns what is wrong with a line that is no object of JSON. */
static inline struct wrong_amount
wrong_amount_of_line(const struct json_wrong *wrong)
{
    return (struct wrong_amount){wrong->slice, "text", wrong->reason};
}

/*
 * WRONG is in CHUNK: note it for its input.  Moves *DONE to what the chunk has
 * of other inputs or places.  Returns 0, or -1 with *ERROR set.
 */
int wrong_amount_pass(const struct chunk *chunk,
                      const struct wrong_amount *wrong, size_t *done,
                      struct error *error);

#endif
