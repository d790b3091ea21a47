/* unshown.c -- what is counted, but no row shows, for warnings at the end */

#include "cli/unshown.h"

void
unshown_add(struct unshown *unshown, const struct snapshot *counts,
            const struct report_hidden *hidden)
{
    const struct spec *spec = counts->spec;

    unshown->hidden.flow += hidden->flow;
    unshown->hidden.rest += hidden->rest;
    unshown->hidden.valueless += hidden->valueless;
    unshown->unweighted += counts->unweighted;
    unshown->left_out += counts->left_out;
    unshown->records +=
        counts->elements[spec_chooses_elements(spec) ? spec_unit(spec, 0)
                                                     : SEQUENCE_READS];
    unshown->met |= counts->met;
    for (size_t i = 0; spec->is_text && i < spec_histograms(spec); i++) {
        size_t own = spec_own_axis(spec, i);
        const struct binning_axis *axis = &spec->shown[own];
        if (!axis_is_key(axis) || spec_dimensions(spec, i) > 1)
            continue;
        unshown->elements[own] += counts->elements[spec_unit(spec, i)];
        unshown->missing[own] += histogram_count(
            &counts->histogram,
            axis->base + axis_special_cell(axis, AXIS_KEY_MISSING));
    }
}
