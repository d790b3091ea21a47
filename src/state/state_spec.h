/* SPDX-License-Identifier: MIT */
/* state_spec.h -- a spec as lines: all that decides the cell of a value */

#ifndef GPUHIST_STATE_SPEC_H
#define GPUHIST_STATE_SPEC_H

#include "hist/spec.h"
#include "state/state_lines.h"

/*
 * Add the lines of SPEC to LINES.  The lines do not depend on the way of
 * counting, on memory and threads, on findings while counting, or on printing
 * alone.  So specs with equal lines have equal cells.  Returns 0, or -1: out of
 * memory.
 */
int state_spec_describe(const struct spec *spec, struct state_lines *lines);

#endif
