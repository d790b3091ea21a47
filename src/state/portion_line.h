/* SPDX-License-Identifier: MIT */
/*
 * portion_line.h -- a portion (base/portion.h) as a line of a state
 *
 *     size=N range=START-END [shard=I/N run=HEX ][empty ]head=HEX hash=HEX
 *     [ marks=HEX]
 *
 * is the first field, and the name is the second.  A mark has four digits.
 */

#ifndef GPUHIST_PORTION_LINE_H
#define GPUHIST_PORTION_LINE_H

#include "base/portion.h"
#include "state/state_lines.h"

/* Add PORTION to LINES.  Returns 0, or -1: out of memory. */
int portion_line_add(struct state_lines *lines, const struct portion *portion);

/*
 * Read line I of LINES to PORTION; the caller closes PORTION.  Returns 0; 1:
 * the line does not describe a portion, and PORTION is all 0; or -1: out of
 * memory.
 */
int portion_line_read(const struct state_lines *lines, size_t i,
                      struct portion *portion);

#endif
