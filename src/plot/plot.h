/* plot.h -- pictures of histograms as text */

#ifndef GPUHIST_PLOT_H
#define GPUHIST_PLOT_H

#include <stdint.h>
#include <stdio.h>

#include "plot/picture.h"
#include "util/terminal.h"

/*
 * Print bars, or a heat map of two axes, of each histogram of SUBJECT, one
 * below the other; each fits TERMINAL.  With NONZERO bars without values are
 * left out.  The caller checks OUT for errors.  Returns 0, or -1: out of
 * memory.
 */
int plot_print(FILE *out, const struct picture_subject *subject,
               const struct terminal *terminal, bool nonzero);

#endif
