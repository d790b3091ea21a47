/* run_plan.h -- plan a run by the options and the inputs */

#ifndef GPUHIST_RUN_PLAN_H
#define GPUHIST_RUN_PLAN_H

#include "base/error.h"
#include "cli/options.h"
#include "hist/spec.h"
#include "input/read/inputs.h"
#include "run/plan.h"

/*
 * Make the plan of counting INPUTS, which nobody reads yet, by SPEC.  PLAN
 * points to OPTIONS.
 *
 * A driver that nobody demands must not end a run that the CPU can finish.  If
 * the inputs can be read again, the process starts again after a crash
 * (driver_end.h), which costs no time in other runs.  Otherwise PLAN says that
 * the driver starts in another process first.
 *
 * Returns 0, or -1 with *ERROR set.
 */
int run_plan_make(struct plan *plan, const struct options *options,
                  const struct spec *spec, const struct inputs *inputs,
                  struct error *error);

#endif
