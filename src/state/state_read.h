/* SPDX-License-Identifier: MIT */
/*
 * state_read.h -- read states, line by line
 *
 *     state_reader_open(&reader, crew, read, context, name);
 *     while ((result = state_reader_head(&reader, &head, &error)) > 0) {
 *         ... state_sum_add(&sum, &reader, &head, &error), or:
 *         while ((result = state_reader_rows(&reader, ...)) > 0)
 *             ... state_reader_some() until it has read all ROWS ...
 *         state_head_close(&head);
 *     }
 *     result = state_reader_close(&reader, result, &error);
 *
 * Lines are read into blocks of a crew.  Heads are read here.  Rows are only
 * counted and noted as a span of the block; a thread of the crew adds the span
 * later.
 *
 * A state is trusted only after the last line, which has a hash of all lines
 * before.
 */

#ifndef GPUHIST_STATE_READ_H
#define GPUHIST_STATE_READ_H

#include <stdint.h>
#include <sys/types.h>

#include "base/digest.h"
#include "base/error.h"
#include "state/state_crew.h"
#include "state/state_head.h"

/* Supply the next bytes of a file, at most SIZE, to TO.  Returns the number of
   bytes, 0 at the end, or -1 with *ERROR set. */
typedef ssize_t state_supply(void *context, void *to, size_t size,
                             struct error *error);

struct state_reader {
    state_supply *supply;
    void *context;
    const char *name; /* of the file, for messages */
    struct state_crew *crew;
    struct state_block *block; /* or NULL: not yet */
    size_t from;    /* bytes of the block before FROM are not needed: FROM is
                       AT, or the start of the row before */
    size_t at;      /* bytes of the block before AT are read */
    bool is_at_end; /* the file has no more bytes */
    uint64_t line;  /* the number of the last line, from 1 on */
    struct digest_stream *hash; /* of the lines of the state so far */
    uint64_t rows;              /* of all histograms so far */
    size_t histogram;           /* histograms so far */
};

/* Start to read a file called NAME into blocks of CREW.  NAME and CREW outlive
   READER. */
void state_reader_open(struct state_reader *reader, struct state_crew *crew,
                       state_supply *supply, void *context, const char *name);

/*
 * Read the head of the next state to HEAD.  All rows of the state before are
 * read, and HEAD is all 0.  Returns 1, 0 at the end of the file, or -1 with
 * *ERROR set.  The caller calls state_head_close() in all cases.
 */
int state_reader_head(struct state_reader *reader, struct state_head *head,
                      struct error *error);

/*
 * Go to the rows of the next histogram: *ROWS rows of *HISTOGRAM, from 0 on.
 * All rows of the histogram before are read.  Returns 1; 0: the last line of
 * the state is read and right; or -1 with *ERROR set.
 */
int state_reader_rows(struct state_reader *reader, size_t *histogram,
                      uint64_t *rows, struct error *error);

/*
 * Read some of the next MOST rows of the histogram; MOST may be 0.  *SPAN says
 * where the rows are in the block of READER.  The block keeps the rows if the
 * caller adds the span to the block.  Returns 0, or -1 with *ERROR set.
 */
int state_reader_some(struct state_reader *reader, uint64_t most,
                      struct state_span *span, struct error *error);

/* Set *ERROR to "NAME: line N: WHAT"; N is the last line read.  Returns -1. */
int state_reader_fail(const struct state_reader *reader, const char *what,
                      struct error *error);

/*
 * Close READER after RESULT: 0, or -1 with *ERROR set.  After -1 an earlier row
 * may turn out wrong, and *ERROR becomes the error of the first wrong row.
 * Returns RESULT.
 */
int state_reader_close(struct state_reader *reader, int result,
                       struct error *error);

#endif
