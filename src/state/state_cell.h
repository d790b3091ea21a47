/*
 * state_cell.h -- a cell of an axis as a field of a state
 *
 * A bin is its number, from 0 on, or the letters of its k-mer.  A flow cell is
 * a word.  A special cell begins with a backslash, which no key does.
 */

#ifndef GPUHIST_STATE_CELL_H
#define GPUHIST_STATE_CELL_H

#include "base/writer.h"
#include "hist/axis.h"

/* Put CELL of AXIS, which has no keys, or is one of its other cells. */
void state_cell_put(struct writer *out, const struct binning_axis *axis,
                    uint64_t cell);

/* Set *CELL to the cell of AXIS that the SIZE bytes at FIELD are.  Returns 0,
   or -1: AXIS has none. */
int state_cell_read(const struct binning_axis *axis, const char *field,
                    size_t size, uint64_t *cell);

/* Whether the SIZE bytes at FIELD are a special cell; then *SPECIAL is set. */
bool state_cell_is_special(const char *field, size_t size,
                           enum axis_special *special);

/* Set *NUMBER to the SIZE digits at FIELD.  Returns 0, or -1: they are no
   number of 64 bits as number_put() writes it. */
int state_cell_number(const char *field, size_t size, uint64_t *number);

#endif
