/* rows_extent.c -- how many rows a histogram may have, and their order */

#include "report/rows.h"

uint64_t
rows_most(const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];

    if (spec->histogram[i].rows == ROWS_TUPLES)
        return spec->keys != NULL ? spec->keys[i].count : 0;
    if (spec->is_joint)
        return spec->shown_cells;
    return axis->bins + axis_flows(axis);
}

bool
rows_are_ranked(const struct spec *spec, const struct report_options *options,
                size_t i)
{
    /* Rows of tuples that have no key, and groups, have places of their own. */
    bool is_by_count = spec->keys != NULL && spec->histogram[i].is_listed &&
                       spec->histogram[i].rows != ROWS_TUPLES &&
                       spec->keys[i].is_by_count;

    return options->top != 0 || (options->sort == SORT_COUNT && !is_by_count);
}
