/* plot_map.h -- heat maps as text */

#ifndef GPUHIST_PLOT_MAP_H
#define GPUHIST_PLOT_MAP_H

#include "plot/canvas.h"

/* Lines below a heat map: ticks and the legend. */
#define PLOT_MAP_LINES_BELOW 2

/* Columns of a row's label, of each cell outside of the bins, and of all bins
   together, which have equal parts of these, but for one column. */
struct plot_map_layout {
    size_t label;
    size_t cell;
    size_t bins;
};

/* Returns how many of COLUMNS are not for cells. */
size_t plot_map_columns_around(size_t columns);

/* Print SCENE, which has two axes. */
void plot_map_put(const struct canvas *canvas, const struct scene *scene);

/* Whether a gap precedes band I: gaps separate flow cells from bins. */
bool plot_map_is_gap(const struct band_axis *axis, size_t i);

/*
 * Print round numbers below their columns, and the initials of flow cells.  The
 * cells begin one column behind the label.
 */
void plot_map_put_ticks(const struct canvas *canvas,
                        const struct band_axis *axis,
                        const struct plot_map_layout *layout);

#endif
