/* plot_keys.h -- bars of keys as text */

#ifndef GPUHIST_PLOT_KEYS_H
#define GPUHIST_PLOT_KEYS_H

#include "plot/canvas.h"

/*
 * Print a line for each bar of SCENE, which has keys: the name, cut to half
 * of a line, the amount, and the bar.  No line is wider than the canvas if that
 * has 8 columns.
 */
void plot_keys_put(const struct canvas *canvas, const struct scene *scene);

#endif
