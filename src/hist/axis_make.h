/* axis_make.h -- make an axis from the user's options */

#ifndef GPUHIST_AXIS_MAKE_H
#define GPUHIST_AXIS_MAKE_H

#include "base/error.h"
#include "hist/axis.h"
#include "hist/axis_parse.h"
#include "hist/record.h"

/* Whether TEXTS ask for bins, and not only for operations on integers. */
bool axis_make_has_bins(const struct axis_texts *texts);

/*
 * Make *AXIS for the field ELEMENT from the options TEXTS and CLOSED.  Edges
 * that cannot be computed while counting are appended to EDGES.  The axis of a
 * field of text is sparse unless TEXTS ask for bins.  The fields base and
 * stride are 0; the spec sets them.  Returns 0, or -1 with *ERROR
 * set.
 */
int axis_make(struct binning_axis *axis, struct axis_edges *edges,
              const struct axis_texts *texts, const struct element *element,
              enum binning_closed closed, struct error *error);

#endif
