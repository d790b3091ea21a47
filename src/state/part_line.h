/*
 * part_line.h -- a part (base/part.h) as a line of a state
 *
 *     size=N range=BEGIN-END [shard=I/N run=HEX ][empty ]head=HEX hash=HEX
 *     [ marks=HEX]
 *
 * is its first field, the name is the second.  A mark has four digits.
 */

#ifndef GPUHIST_PART_LINE_H
#define GPUHIST_PART_LINE_H

#include "base/part.h"
#include "state/state_lines.h"

/* Add PART to LINES.  Returns 0, or -1: out of memory. */
int part_line_add(struct state_lines *lines, const struct part *part);

/*
 * Read line I of LINES to PART, which the caller closes.  Returns 0; 1: the
 * line is not that of a part, and PART is all 0; or -1: out of memory.
 */
int part_line_read(const struct state_lines *lines, size_t i,
                   struct part *part);

#endif
