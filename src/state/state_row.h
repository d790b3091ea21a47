/* state_row.h -- the fields of a row of a state */

#ifndef GPUHIST_STATE_ROW_H
#define GPUHIST_STATE_ROW_H

#include "hist/spec.h"

/* The fields of a row: cells of the most axes, a count, and a sum. */
#define STATE_FIELDS_MAX (SPEC_AXES_MAX + 2)

struct state_row {
    size_t fields;
    const char *field[STATE_FIELDS_MAX]; /* in the bytes of the row */
    size_t size[STATE_FIELDS_MAX];
};

/*
 * Find the fields of the row at AT, which has a newline before END.  Returns
 * the end of its line, or NULL: it has too many fields.
 */
const char *state_row_read(struct state_row *row, const char *at,
                           const char *end);

#endif
