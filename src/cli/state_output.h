/* state_output.h -- write the state of a result */

#ifndef GPUHIST_STATE_OUTPUT_H
#define GPUHIST_STATE_OUTPUT_H

#include "base/error.h"
#include "base/writer.h"
#include "cli/options.h"
#include "hist/snapshot.h"
#include "input/read/inputs.h"

/*
 * Put COUNTS, which have the shown axes, all bins and no clamped values, to OUT
 * as the state of a run of INPUTS with OPTIONS.  Returns 0, or -1 with *ERROR
 * set; the caller checks OUT.
 */
int state_output_put(struct writer *out, const struct options *options,
                     const struct inputs *inputs, const struct snapshot *counts,
                     struct error *error);

#endif
