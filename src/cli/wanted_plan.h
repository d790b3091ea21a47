/* SPDX-License-Identifier: MIT */
/* wanted_plan.h -- the plan of a pass, by options, spec and inputs */

#ifndef GPUHIST_WANTED_PLAN_H
#define GPUHIST_WANTED_PLAN_H

#include "base/error.h"
#include "cli/options.h"
#include "hist/spec.h"
#include "input/read/inputs.h"
#include "run/plan.h"

/* Make the PLAN of a pass that counts SPEC in INPUTS, which are open.  Returns
   0, or -1 with *ERROR set. */
int wanted_plan_make(struct plan *plan, const struct options *options,
                     const struct spec *spec, const struct inputs *inputs,
                     struct error *error);

#endif
