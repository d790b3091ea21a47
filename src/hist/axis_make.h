/* axis_make.h -- from the options of the user to an axis */

#ifndef GPUHIST_AXIS_MAKE_H
#define GPUHIST_AXIS_MAKE_H

#include "hist/axis.h"
#include "hist/axis_parse.h"
#include "hist/record.h"
#include "util/error.h"

/*
 * Make the AXIS for ELEMENT that TEXTS ask for; edges that must be listed are
 * appended to EDGES.  The fields base and stride are left 0.  Returns 0, or
 * -1 with *ERROR set.
 */
int axis_make(struct binning_axis *axis, struct axis_edges *edges,
              const struct axis_texts *texts, const struct element *element,
              enum binning_closed closed, struct error *error);

#endif
