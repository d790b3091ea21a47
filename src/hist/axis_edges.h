/* axis_edges.h -- axes of --edges and of --log */

#ifndef GPUHIST_AXIS_EDGES_H
#define GPUHIST_AXIS_EDGES_H

#include "hist/axis_parse.h"

/*
 * Make the axis of --edges or of --log.  Edges that cannot be computed while
 * counting are appended to MAKING->edges.  Both return 0, or -1 with
 * *MAKING->error set.
 */
int axis_edges_list(struct axis_making *making);
int axis_edges_log(struct axis_making *making);

#endif
