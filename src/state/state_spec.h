/* state_spec.h -- a spec as lines: all that decides in which cell a value is */

#ifndef GPUHIST_STATE_SPEC_H
#define GPUHIST_STATE_SPEC_H

#include "hist/spec.h"
#include "state/state_lines.h"

/*
 * Add the lines of SPEC to LINES.  They do not depend on how it is counted, on
 * memory and threads, on what is found while counting, or on what is printed
 * alone.  So specs with equal lines have the same cells.  Returns 0, or -1: out
 * of memory.
 */
int state_spec_describe(const struct spec *spec, struct state_lines *lines);

#endif
