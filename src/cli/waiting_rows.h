/*
 * waiting_rows.h -- what --per-file prints, until every input has ended well
 *
 * A little waits in memory, all beyond that in a temporary file without a name.
 */

#ifndef GPUHIST_WAITING_ROWS_H
#define GPUHIST_WAITING_ROWS_H

#include "base/error.h"
#include "base/scratch_file.h"
#include "base/writer.h"

struct waiting_rows {
    struct writer writer; /* to print to */
    char *room;           /* its buffer */
    struct scratch_file file;
    struct error failure; /* of the file */
};

/*
 * Open ROWS, which must not move.  Returns 0, or -1 with *ERROR set.  The
 * caller calls waiting_rows_close() in both cases.
 */
int waiting_rows_open(struct waiting_rows *rows, struct error *error);

/* Returns 0, or -1 with *ERROR set: the temporary file could not be written. */
int waiting_rows_check(struct waiting_rows *rows, struct error *error);

/*
 * Copy all rows to the descriptor FD.  Returns 0; or -1 with *ERROR set, or
 * with errno set if *ERROR is not: FD could not be written.
 */
int waiting_rows_copy(struct waiting_rows *rows, int fd, struct error *error);

/* Release everything.  Also of ROWS that are all 0. */
void waiting_rows_close(struct waiting_rows *rows);

#endif
