/* SPDX-License-Identifier: MIT */
/* axis_open.c -- axes whose bins are to be found */

#include <float.h>

#include "hist/axis_edges.h"
#include "hist/axis_finding.h"
#include "hist/axis_rule.h"

int
axis_open_make(struct axis_making *making, const struct axis_finding *finding)
{
    size_t table = making->edges->count;
    static const struct axis_texts none;

    if (making->axis->is_text || axis_finding_needs_values(finding)) {
        making->texts = &none;
        if (making->is_integer && binning_size(making->axis->type) <= 2)
            return axis_direct_make(making);
        making->axis->kind = BINNING_NUMBER;
        return 0;
    }
    making->axis->closed = BINNING_NUMPY;
    if (axis_edges_append(making, -DBL_MAX) < 0 ||
        axis_edges_append(making, DBL_MAX) < 0)
        return -1;
    return axis_edges_set(making, table);
}
