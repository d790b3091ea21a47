/* plot_groups.h -- groups as text: a row of small bars for each */

#ifndef GPUHIST_PLOT_GROUPS_H
#define GPUHIST_PLOT_GROUPS_H

#include "plot/canvas.h"

/* Lines below the rows: ticks, and the legend, which may take two. */
#define PLOT_GROUPS_LINES_BELOW 3

/*
 * Print the title of histogram I of SUBJECT, which group_rows_are_for(), and at
 * most ROWS lines of groups, as group_rows_count() says: the name, cut to a
 * third of the line, a bar upwards for each band of the numbers, and the
 * amount.  No line is wider than the canvas if that has 16 columns.  Returns
 * 0, or -1: out of memory.
 */
int plot_groups_put(const struct canvas *canvas,
                    const struct scene_subject *subject, size_t i, size_t rows);

#endif
