/* axis_edges.h -- axes whose edges are listed, and logarithmic ones */

#ifndef GPUHIST_AXIS_EDGES_H
#define GPUHIST_AXIS_EDGES_H

#include "hist/axis_parse.h"

/*
 * Make the axis of --edges, or that of --log; edges that must be listed are
 * appended to MAKING->edges.  Both return 0, or -1 with the error set.
 */
int axis_edges_list(struct axis_making *making);
int axis_edges_log(struct axis_making *making);

#endif
