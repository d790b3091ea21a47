/*
 * option_record.h -- the options that decide what is counted, in states
 *
 * A state has them as lines, "--name" or "--name=value", with which --merge
 * makes the same spec again.
 */

#ifndef GPUHIST_OPTION_RECORD_H
#define GPUHIST_OPTION_RECORD_H

#include "base/error.h"
#include "cli/options.h"
#include "hist/spec.h"
#include "state/state_lines.h"

/*
 * Add the options of which SPEC was made to LINES, as typed; but edges that a
 * file has are listed.  Returns 0, or -1: out of memory.
 */
int option_record_put(const struct options *options, const struct spec *spec,
                      struct state_lines *lines);

/*
 * Apply TEXTS, COUNT lines of the state NAME, to OPTIONS, those of --merge,
 * which point into them and are complete then.  Returns 0, or -1 with *ERROR
 * set.
 */
int option_record_apply(struct options *options, char *const *texts,
                        size_t count, const char *name, struct error *error);

#endif
