/* SPDX-License-Identifier: MIT */
/*
 * figure_fields.h -- the fields that figures of --columns name
 *
 * "price:mean" is a figure of the field price.  If any figure of --columns
 * names its field, the figures of all fields share a line for each group, and
 * count is the number of records, as records is: no field is meant.  Otherwise
 * each field has a table of its own.
 */

#ifndef GPUHIST_FIGURE_FIELDS_H
#define GPUHIST_FIGURE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "hist/spec.h"
#include "report/request.h"

/* Whether the fields of OPTIONS share lines. */
bool figure_fields_are_named(const struct report_options *options);

/* Returns the number of tables of SPEC: one, or one for each histogram. */
size_t figure_fields_tables(const struct report_options *options,
                            const struct spec *spec);

#define FIGURE_NO_HISTOGRAM SIZE_MAX

/* Returns the histogram of SPEC with the field of FIGURE; of no field, the
   first; or FIGURE_NO_HISTOGRAM. */
size_t figure_fields_find(const struct figure *figure, const struct spec *spec);

/* Check that SPEC has each field that the figures of OPTIONS name, and that all
   of its fields can share lines.  Returns 0, or -1 with *ERROR set. */
int figure_fields_check(const struct report_options *options,
                        const struct spec *spec, struct error *error);

/* Returns the histogram whose groups are ordered: that of the figure of the
   order, or the first. */
size_t figure_fields_lead(const struct report_options *options,
                          const struct spec *spec);

/* Some of the columns. */
struct figure_choice {
    struct figures figures;
    size_t place[FIGURES_MAX]; /* of each figure: the column */
};

/* Set *CHOICE to the figures of OPTIONS that are found in histogram I of SPEC.
   Without named fields, all are found in each. */
void figure_fields_choose(struct figure_choice *choice,
                          const struct report_options *options,
                          const struct spec *spec, size_t i);

/* Returns FIGURE of the fields as it is found in a histogram. */
struct figure figure_fields_found(const struct report_options *options,
                                  const struct figure *figure);

#endif
