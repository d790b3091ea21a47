/* group_check.c -- whether a spec has the figures of --columns */

#include "report/group_check.h"

/* Check COLUMN of the values of axis I.  Returns 0, or -1 with *ERROR set. */
static int
check_column(const struct spec *spec, size_t i,
             const struct group_column *column, struct error *error)
{
    const struct binning_axis *axis = &spec->shown[i];
    bool is_text = axis_has_names(axis);
    char text[SPEC_FIELD_BYTES];

    if (column->kind >= GROUP_EMPTY && is_text)
        error_set(error, EXIT_USAGE,
                  "--columns: %s is of numbers, and the field %s has keys",
                  column->kind == GROUP_PERCENTILE
                      ? "a percentile"
                      : group_column_name(column->kind),
                  spec_field_text(spec, i, text));
    else if ((column->kind >= GROUP_SUM || column->kind == GROUP_DISTINCT) &&
             !axis_is_key(axis))
        error_set(error, EXIT_USAGE,
                  "--columns: bins do not have the figure %s, only count, min, "
                  "max and percentiles; leave out the bins",
                  group_column_name(column->kind));
    else
        return 0;
    return -1;
}

/* Whether COLUMN is the number of records, also without a field. */
static bool
is_of_records(const struct group_column *column)
{
    return column->kind == GROUP_COUNT || column->kind == GROUP_RECORDS;
}

int
group_check_records(const struct report_options *options, struct error *error)
{
    bool is_right =
        options->sort != SORT_COLUMN || is_of_records(&options->sort_column);

    for (size_t c = 0; c < options->columns.count; c++)
        is_right &= is_of_records(&options->columns.column[c]);
    if (is_right)
        return 0;
    error_set(error, EXIT_USAGE,
              "--columns needs --fields: the field in each group that the "
              "figures are of; without it there are only count and records");
    return -1;
}

int
group_check(const struct spec *spec, const struct report_options *options,
            struct error *error)
{
    if (options->columns.count == 0)
        return 0;
    if (!spec->is_text) {
        error_set(error, EXIT_USAGE,
                  "--columns is of fields of text: --lines, --words, --seq, or "
                  "--fields with --csv, --tsv, --delimiter, --whitespace, "
                  "--clf or --jsonl");
        return -1;
    }
    if (spec->are_groups)
        return group_check_records(options, error);
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        size_t axis = spec_own_axis(spec, i);
        if (spec_own_axes(spec, i) > 1) {
            error_set(error, EXIT_USAGE,
                      "--columns is of one field in each group: give it by "
                      "--fields, beside --group-by");
            return -1;
        }
        for (size_t c = 0; c < options->columns.count; c++) {
            if (check_column(spec, axis, &options->columns.column[c], error) <
                0)
                return -1;
        }
        if (options->sort == SORT_COLUMN &&
            check_column(spec, axis, &options->sort_column, error) < 0)
            return -1;
    }
    return 0;
}
