/* plot.h -- pictures of histograms as text */

#ifndef GPUHIST_PLOT_H
#define GPUHIST_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/terminal.h"
#include "plot/scene.h"

/*
 * Print a scene of each histogram of SUBJECT to OUT, one below the other:
 * bars, or a heat map if SUBJECT has two joint axes.  Each scene fits
 * TERMINAL.  NONZERO leaves out bars without values.  The caller checks OUT for
 * write errors.  Returns 0, or -1: out of memory.
 */
int plot_print(FILE *out, const struct scene_subject *subject,
               const struct terminal *terminal, bool nonzero);

#endif
