/* SPDX-License-Identifier: MIT */
/*
 * recorded.h -- the record of a run in its state, written and read back
 *
 * A state has the counting options as lines, "--name" or "--name=value", then
 * the header of its inputs, then its inputs.  From these lines --merge makes
 * the same spec again.
 */

#ifndef GPUHIST_RECORDED_H
#define GPUHIST_RECORDED_H

#include "base/error.h"
#include "base/writer.h"
#include "cli/options.h"
#include "hist/npy_header.h"
#include "hist/snapshot.h"
#include "hist/spec.h"
#include "input/content/content.h"
#include "input/read/inputs.h"
#include "state/state_head.h"
#include "state/state_lines.h"

/*
 * Write the state of a run of INPUTS with OPTIONS to OUT.  COUNTS have the
 * shown axes, all bins and no clamped values.  Options are written as typed,
 * but the edges of a file are listed.  Returns 0, or -1 with *ERROR set; the
 * caller checks OUT.
 */
int recorded_put(struct writer *out, const struct options *options,
                 const struct inputs *inputs, const struct snapshot *counts,
                 struct error *error);

/*
 * Apply TEXTS, COUNT lines of the state NAME, to OPTIONS, the options of
 * --merge, and complete OPTIONS.  OPTIONS then point into TEXTS.  Returns 0, or
 * -1 with *ERROR set.
 */
int recorded_options_apply(struct options *options, char *const *texts,
                           size_t count, const char *name, struct error *error);

/* How the inputs of a state were read. */
struct recorded_reading {
    struct reading reading; /* points to NAMES and NPY */
    struct text_header names;
    struct npy_header npy;
};

/*
 * Make *RECORDED, which is all 0 and must not move, from HEAD of the state
 * NAME.  NAME outlives RECORDED.  Returns 0, or -1 with *ERROR set; the caller
 * calls recorded_reading_close() in both cases.
 */
int recorded_reading_make(struct recorded_reading *recorded,
                          const struct state_head *head, const char *name,
                          struct error *error);

/* Release everything.  RECORDED may be all 0. */
void recorded_reading_close(struct recorded_reading *recorded);

#endif
