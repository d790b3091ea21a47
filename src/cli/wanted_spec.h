/* SPDX-License-Identifier: MIT */
/* wanted_spec.h -- the spec that the options and the inputs ask for */

#ifndef GPUHIST_WANTED_SPEC_H
#define GPUHIST_WANTED_SPEC_H

#include "base/error.h"
#include "cli/options.h"
#include "hist/spec.h"
#include "input/content/content.h"

/*
 * Make the spec for inputs that are read by READING and whose headers are
 * known, and check the output of the spec.  SPEC points into READING.  Returns
 * 0, or -1 with *ERROR set.  The caller calls spec_close() in both cases.
 */
int wanted_spec_make(struct spec *spec, const struct options *options,
                     const struct reading *reading, struct error *error);

/* As wanted_spec_make(), without a check: the spec of a pass that prints
   nothing. */
int wanted_spec_ask(struct spec *spec, const struct options *options,
                    const struct reading *reading, struct error *error);

/*
 * Check that all output of OPTIONS is possible for SPEC.  Returns 0, or -1 with
 * *ERROR set.
 */
int wanted_spec_check(const struct spec *spec, const struct options *options,
                      struct error *error);

/*
 * Returns the end of a warning if inputs turn out to be text: SPEC counts their
 * bytes, but OPTIONS ask for fields or numbers of lines.  Otherwise returns
 * NULL.
 */
const char *wanted_spec_text_hint(const struct spec *spec,
                                  const struct options *options);

#endif
