/* SPDX-License-Identifier: MIT */
/* figure_fields.c -- the fields that figures of --columns name */

#include <string.h>

#include "base/near_names.h"
#include "report/figure_fields.h"

bool
figure_fields_are_named(const struct report_options *options)
{
    for (size_t c = 0; c < options->figures.count; c++) {
        if (options->figures.figure[c].field != NULL)
            return true;
    }
    return false;
}

size_t
figure_fields_tables(const struct report_options *options,
                     const struct spec *spec)
{
    return figure_fields_are_named(options) ? 1 : spec_histograms(spec);
}

/* ---- the histogram of a field ---- */

size_t
figure_fields_find(const struct figure *figure, const struct spec *spec)
{
    if (figure->field == NULL)
        return 0;
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        if (spec_field_is_called(spec, spec_own_axis(spec, i), figure->field,
                                 (size_t)figure->field_length))
            return i;
    }
    return FIGURE_NO_HISTOGRAM;
}

/* ---- checks ---- */

/* The most fields that a message looks at. */
#define FIELDS_SHOWN 64

/* Set *ERROR: SPEC has no field that FIGURE, of OPTION, names.  Returns -1. */
static int
fail_field(const struct figure *figure, const char *option,
           const struct spec *spec, struct error *error)
{
    char room[FIELDS_SHOWN][SPEC_FIELD_BYTES];
    const char *name[FIELDS_SHOWN];
    struct near_names names = {near_names_string, name, 0, "'"};
    char shown[VISIBLE_BYTES];
    char list[NEAR_NAMES_BYTES];
    size_t length = (size_t)figure->field_length;

    for (; names.count < FIELDS_SHOWN && names.count < spec_histograms(spec);
         names.count++)
        name[names.count] = spec_field_text(
            spec, spec_own_axis(spec, names.count), room[names.count]);
    error_set(error, EXIT_USAGE,
              "--%s: no field of --fields is called '%s'; there is %s", option,
              visible_name(shown, figure->field, length),
              near_names_list(&names, figure->field, length, list));
    return -1;
}

/* Check that FIGURE, of OPTION, is of a field of SPEC, and of which one. */
static int
check_field(const struct figure *figure, const char *option,
            const struct spec *spec, struct error *error)
{
    char name[FIGURE_NAME_BYTES];
    char text[SPEC_FIELD_BYTES];
    char shown[VISIBLE_BYTES];

    if (figure_fields_find(figure, spec) == FIGURE_NO_HISTOGRAM)
        return fail_field(figure, option, spec, error);
    if (figure->field != NULL || spec_histograms(spec) == 1 ||
        (figure_row(figure)->needs & FIGURE_NEEDS_FIELD) == 0)
        return 0;
    const char *field = spec_field_text(spec, spec_own_axis(spec, 0), text);
    figure_name(figure, "", name);
    error_set(error, EXIT_USAGE,
              "--%s: %s is of one of several fields: write which, as in %s:%s",
              option, name, visible_name(shown, field, strlen(field)), name);
    return -1;
}

/* Returns why the fields of SPEC cannot share lines; NULL: they can. */
static const char *
find_obstacle(const struct spec *spec)
{
    if (spec->is_spectrum)
        return "--columns: figures of a spectrum are of no field: name them "
               "alone";
    for (size_t i = 1; i < spec_histograms(spec); i++) {
        if (spec->histogram[i].unit != spec->histogram[0].unit)
            return "--columns: figures of records and of parts of them, as the "
                   "elements of a list, share no lines: one run for each";
    }
    return NULL;
}

int
figure_fields_check(const struct report_options *options,
                    const struct spec *spec, struct error *error)
{
    const struct figures *figures = &options->figures;
    bool has_order = options->sort == SORT_FIGURE;

    if (!figure_fields_are_named(options)) {
        if (!has_order || options->sort_figure.field == NULL)
            return 0;
        error_set(error, EXIT_USAGE,
                  "--sort of a figure with its field needs --columns with "
                  "fields, too: FIELD:FIGURE");
        return -1;
    }
    const char *obstacle = find_obstacle(spec);
    if (obstacle != NULL) {
        error_set(error, EXIT_USAGE, "%s", obstacle);
        return -1;
    }
    for (size_t c = 0; c < figures->count; c++) {
        if (check_field(&figures->figure[c], "columns", spec, error) < 0)
            return -1;
    }
    return has_order ? check_field(&options->sort_figure, "sort", spec, error)
                     : 0;
}

/* ---- what is found where ---- */

size_t
figure_fields_lead(const struct report_options *options,
                   const struct spec *spec)
{
    return options->sort == SORT_FIGURE
               ? figure_fields_find(&options->sort_figure, spec)
               : 0;
}

struct figure
figure_fields_found(const struct report_options *options,
                    const struct figure *figure)
{
    struct figure found = *figure;

    if (found.field == NULL && found.kind == FIGURE_COUNT &&
        figure_fields_are_named(options))
        found.kind = FIGURE_RECORDS;
    return found;
}

void
figure_fields_choose(struct figure_choice *choice,
                     const struct report_options *options,
                     const struct spec *spec, size_t i)
{
    const struct figures *figures = &options->figures;
    bool are_named = figure_fields_are_named(options);
    size_t lead = are_named ? figure_fields_lead(options, spec) : i;

    choice->figures.count = 0;
    for (size_t c = 0; c < figures->count; c++) {
        const struct figure *figure = &figures->figure[c];
        /* Every histogram has the records. */
        if ((figure->field == NULL ? lead : figure_fields_find(figure, spec)) !=
            i)
            continue;
        size_t f = choice->figures.count++;
        choice->figures.figure[f] = figure_fields_found(options, figure);
        choice->place[f] = c;
    }
}
