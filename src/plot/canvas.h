/* SPDX-License-Identifier: MIT */
/* canvas.h -- pictures of histograms as text on a terminal */

#ifndef GPUHIST_CANVAS_H
#define GPUHIST_CANVAS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/terminal.h"
#include "plot/scene.h"

/*
 * Print a picture of each histogram of SUBJECT to OUT, one below the other:
 * bars, a heat map if SUBJECT has two joint axes, or rows of small bars for
 * groups.  Each picture fits TERMINAL.  NONZERO leaves out bars without values.
 * The caller checks OUT for write errors.  Returns 0, or -1: out of memory.
 */
int canvas_print(FILE *out, const struct scene_subject *subject,
                 const struct terminal *terminal, bool nonzero);

#endif
