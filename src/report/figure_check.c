/* SPDX-License-Identifier: MIT */
/* figure_check.c -- which values have a figure */

#include "report/figure.h"

/* Whether axis I of SPEC has FIGURE, or an estimate with bounds, although
   values share bins. */
static bool
is_known_of_bins(const struct figure *figure, const struct spec *spec)
{
    const struct figure_row *row = figure_row(figure);
    bool has_bounds =
        row->shape == FIGURE_ESTIMATE || row->shape == FIGURE_BOUNDS;

    return (row->needs & FIGURE_NEEDS_EXACT) == 0 ||
           (has_bounds && spec->group_count == 0);
}

/* Returns what the field of axis I of SPEC lacks for FIGURE, in words that
   follow the name; NULL: nothing. */
static const char *
find_lack(const struct figure *figure, const struct spec *spec, size_t i)
{
    const struct binning_axis *axis = &spec->shown[i];
    unsigned int needs = figure_row(figure)->needs;

    if (spec->is_spectrum)
        return (needs & FIGURE_OF_SPECTRUM) != 0
                   ? NULL
                   : "is no figure of a spectrum, only unique, distinct, "
                     "total, max and percentiles";
    if ((needs & FIGURE_NEEDS_SERIES) != 0 && !spec->sums_series)
        return "is of the bytes of whole inputs in their order: --dtype=u1 "
               "alone";
    if ((needs & FIGURE_NEEDS_SPECTRUM) != 0)
        return figure->kind == FIGURE_UNIQUE
                   ? "is how many keys occur once, of --spectrum (did you mean "
                     "distinct?)"
                   : "is of the counts of keys, of --spectrum (did you mean "
                     "values or sum?)";
    if ((needs & FIGURE_NEEDS_ALL) != 0 && spec->group_count > 0)
        return "is of all records: no --group-by";
    if ((needs & FIGURE_NEEDS_BINS) != 0 && axis_is_key(axis))
        return "compares bins, as of --bins, with equal counts";
    return NULL;
}

int
figure_check(const struct figure *figure, const char *option,
             const struct spec *spec, size_t i, struct error *error)
{
    const struct binning_axis *axis = &spec->shown[i];
    const struct figure_row *row = figure_row(figure);
    const char *lack = find_lack(figure, spec, i);
    char text[SPEC_FIELD_BYTES];
    char name[FIGURE_NAME_BYTES];

    if (lack == NULL && spec->is_spectrum)
        return 0;
    if (lack != NULL)
        error_set(error, EXIT_USAGE, "--%s: %s %s", option,
                  figure_name(figure, "", name), lack);
    else if ((row->needs & FIGURE_NEEDS_NUMBERS) != 0 && axis_has_names(axis))
        error_set(
            error, EXIT_USAGE,
            "--%s: %s is of numbers, and the field %s has keys%s", option,
            figure->kind == FIGURE_PERCENTILE ? "a percentile"
                                              : figure_name(figure, "", name),
            spec_field_text(spec, i, text),
            spec->kind == SPEC_SEQUENCES ? "; -f length has lengths" : "");
    else if (axis_bins(axis) == AXIS_INTEGERS && binning_is_float(axis->type))
        error_set(error, EXIT_USAGE,
                  "--%s: the bits of %s were counted, not the numbers", option,
                  axis_type_name(axis));
    else if (!is_known_of_bins(figure, spec) && !spec_has_values(spec, i))
        error_set(error, EXIT_USAGE,
                  "--%s: bins do not have the figure %s, only count, min, max, "
                  "mode%s; leave out the bins",
                  option, figure_name(figure, "", name),
                  spec->group_count == 0
                      ? ", percentiles, entropy and bounds of mean, sd and "
                        "distinct"
                      : " and percentiles");
    else
        return 0;
    return -1;
}
