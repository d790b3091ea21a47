/* rows_names.c -- the names of columns, of figures and of rows */

#include <stdio.h>

#include "report/rows.h"

const char *
rows_name_of(const struct rows *rows, size_t i, const char *word,
             char name[ROWS_NAME_BYTES])
{
    const struct spec *spec = rows->report->spec;
    bool is_shared = rows_have_field(spec) && i + 1 == rows->columns &&
                     spec_own_axes(spec, rows->histogram) == 1;
    size_t axis = spec_axis_of(spec, rows->histogram, i);
    char text[SPEC_FIELD_BYTES];
    const char *field = "";

    if (rows->columns > 1 && !is_shared)
        field = spec_field_word(spec, axis, text);
    snprintf(name, ROWS_NAME_BYTES, "%s%s", word, field);
    return name;
}

const char *
rows_name(const struct rows *rows, size_t i, bool is_hi,
          char name[ROWS_NAME_BYTES])
{
    const struct spec *spec = rows->report->spec;
    bool is_shared =
        spec->lists == 0 && !spec->is_joint && i == spec->group_count;
    bool has_keys =
        is_shared ? rows->key_axes == spec->axis_count && !spec_lacks_bins(spec)
                  : column_has_keys(&rows->column[i]);
    const char *word = rows->column[i].has_edges ? (is_hi ? "hi" : "lo")
                       : has_keys                ? "key"
                                                 : "value";
    return rows_name_of(rows, i, word, name);
}

const char *
rows_kind(const struct rows *rows, size_t i)
{
    if (rows->is_other)
        return "other";
    return column_is_flow(&rows->column[i]) ? column_flow_name(&rows->column[i])
                                            : "";
}

const char *
rows_figure_name(enum rows_figure figure)
{
    static const char *const names[ROWS_FIGURES] = {
        [ROWS_LUT] = "lut",
        [ROWS_CUMULATIVE] = "cumulative",
        [ROWS_DENSITY] = "density",
        [ROWS_PERCENT] = "percent",
    };

    return names[figure];
}

void
rows_set_labels(struct rows *rows)
{
    for (size_t i = 0; i < rows->columns; i++) {
        if (rows->is_other)
            column_set_other(&rows->column[i]);
        else
            column_set_labels(&rows->column[i]);
    }
}
