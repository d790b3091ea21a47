/* unshown.c -- what is counted, but no row shows, for warnings at the end */

#include "cli/unshown.h"

void
unshown_add(struct unshown *unshown, const struct snapshot *counts,
            const struct report_hidden *hidden)
{
    const struct spec *spec = counts->spec;

    unshown->hidden.flow += hidden->flow;
    unshown->hidden.rest += hidden->rest;
    unshown->records += counts->elements[SEQUENCE_READS];
    unshown->unweighted += counts->unweighted;
    if (!spec->is_text || spec->is_sparse)
        return;
    for (size_t i = 0; i < spec->axis_count; i++) {
        const struct binning_axis *axis = &spec->shown[i];
        if (axis_is_key(axis))
            unshown->missing[i] +=
                counts->histogram
                    .value[axis->base +
                           axis_special_cell(axis, AXIS_KEY_MISSING)];
    }
}
