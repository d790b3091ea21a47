/*
 * state_read.h -- read the lines of one state after the other
 *
 *     state_reader_open(&reader, read, context, name);
 *     while ((result = state_reader_head(&reader, &head, &error)) > 0) {
 *         ... state_sum_add(&sum, &reader, &head, &error), or:
 *         while ((result = state_reader_rows(&reader, ...)) > 0)
 *             ... ROWS times state_reader_row() ...
 *         state_head_close(&head);
 *     }
 *     state_reader_close(&reader);
 *
 * What is read is trusted only when the last line is right: it has a hash of
 * all lines before it.
 */

#ifndef GPUHIST_STATE_READ_H
#define GPUHIST_STATE_READ_H

#include <stdint.h>
#include <sys/types.h>

#include "state/state_head.h"
#include "util/digest.h"
#include "util/error.h"

/* Supply the next bytes of a file, at most SIZE, to TO.  Returns their number,
   0 at the end, or -1 with *ERROR set. */
typedef ssize_t state_supply(void *context, void *to, size_t size,
                             struct error *error);

/* The fields of a row: cells of the most axes, a count, and a sum. */
#define STATE_FIELDS_MAX (SPEC_AXES_MAX + 2)

struct state_row {
    size_t fields;
    /* In the reader's memory, until the next line is read. */
    const char *field[STATE_FIELDS_MAX];
    size_t size[STATE_FIELDS_MAX];
};

struct state_reader {
    state_supply *supply;
    void *context;
    const char *name; /* of the file, for messages */
    char *buffer;     /* ROOM bytes; those from AT to END are not used yet */
    size_t room;
    size_t at;
    size_t end;
    bool is_at_end;             /* the file has no more bytes */
    uint64_t line;              /* the number of the last line, from 1 on */
    struct digest_stream *hash; /* of the lines of the state so far */
    uint64_t rows;              /* of all histograms so far */
    size_t histogram;           /* histograms so far */
};

/* Begin to read a file called NAME, which outlives READER. */
void state_reader_open(struct state_reader *reader, state_supply *supply,
                       void *context, const char *name);

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

/* Read a row.  Returns 0, or -1 with *ERROR set. */
int state_reader_row(struct state_reader *reader, struct state_row *row,
                     struct error *error);

/* Set *ERROR to "NAME: line N: WHAT", where N is the last line that was read.
   Returns -1. */
int state_reader_fail(const struct state_reader *reader, const char *what,
                      struct error *error);

void state_reader_close(struct state_reader *reader);

#endif
