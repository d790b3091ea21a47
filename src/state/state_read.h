/*
 * state_read.h -- read the lines of one state after the other
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
 * Lines are read into blocks of a crew.  Heads are read here; rows are only
 * counted, and a span of a block has them, on which a thread works later.
 *
 * What is read is trusted only when the last line is right: it has a hash of
 * all lines before it.
 */

#ifndef GPUHIST_STATE_READ_H
#define GPUHIST_STATE_READ_H

#include <stdint.h>
#include <sys/types.h>

#include "base/digest.h"
#include "base/error.h"
#include "state/state_crew.h"
#include "state/state_head.h"

/* Supply the next bytes of a file, at most SIZE, to TO.  Returns their number,
   0 at the end, or -1 with *ERROR set. */
typedef ssize_t state_supply(void *context, void *to, size_t size,
                             struct error *error);

struct state_reader {
    state_supply *supply;
    void *context;
    const char *name; /* of the file, for messages */
    struct state_crew *crew;
    struct state_block *block; /* or NULL: not yet */
    size_t from;    /* bytes of the block before this are not needed: it is AT,
                       or the row before it */
    size_t at;      /* those before this have been read */
    bool is_at_end; /* the file has no more bytes */
    uint64_t line;  /* the number of the last line, from 1 on */
    struct digest_stream *hash; /* of the lines of the state so far */
    uint64_t rows;              /* of all histograms so far */
    size_t histogram;           /* histograms so far */
};

/* Begin to read a file called NAME into blocks of CREW; both outlive
   READER. */
void state_reader_open(struct state_reader *reader, struct state_crew *crew,
                       state_supply *supply, void *context, const char *name);

/*
 * Read the head of the next state, all rows of the one before have been read,
 * to HEAD, which is all 0.  Returns 1, 0 at the end of the file, or -1 with
 * *ERROR set; the caller calls state_head_close() in all cases.
 */
int state_reader_head(struct state_reader *reader, struct state_head *head,
                      struct error *error);

/*
 * Go to the rows of the next histogram, all rows of the one before have been
 * read: *ROWS rows of HISTOGRAM, from 0 on.  Returns 1; 0: the last line of the
 * state is read, and it is right; or -1 with *ERROR set.
 */
int state_reader_rows(struct state_reader *reader, size_t *histogram,
                      uint64_t *rows, struct error *error);

/*
 * Read some rows, at most MOST, which the histogram still has; if that is 0,
 * none.  *SPAN says where they are in the block of READER, which keeps them if
 * it gets the span.  Returns 0, or -1 with *ERROR set.
 */
int state_reader_some(struct state_reader *reader, uint64_t most,
                      struct state_span *span, struct error *error);

/* Set *ERROR to "NAME: line N: WHAT", where N is the last line that was read.
   Returns -1. */
int state_reader_fail(const struct state_reader *reader, const char *what,
                      struct error *error);

/*
 * Close READER, which has come to RESULT: 0, or -1 with *ERROR set.  Then
 * another row, before that, may be wrong; *ERROR is about the first one.
 * Returns RESULT.
 */
int state_reader_close(struct state_reader *reader, int result,
                       struct error *error);

#endif
