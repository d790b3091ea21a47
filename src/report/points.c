/* SPDX-License-Identifier: MIT */
/* points.c -- histograms of --scale as data points */

#include <string.h>

#include "base/escape.h"
#include "base/utf8.h"
#include "report/points.h"

/* ---- rows ---- */

/* The column of the values; the columns before are groups. */
static const struct column *
value_column(const struct rows *rows)
{
    return &rows->column[rows->columns - 1];
}

/* Whether the row is a bin. */
static bool
is_bucket(const struct rows *rows)
{
    return !column_is_flow(value_column(rows));
}

/* Whether the row has values around zero. */
static bool
is_zero(const struct rows *rows, bool *is_exact)
{
    const struct column *column = value_column(rows);

    if (!column_is_flow(column) || column_is_special(column))
        return false;
    *is_exact = column->cell == column->axis->bins + BINNING_ZERO;
    return *is_exact || column->cell == column->axis->bins + BINNING_UNDERFLOW;
}

/* The first edge of the axis before trimming. */
static double
first_edge(const struct rows *rows)
{
    const struct spec *spec = rows->report->spec;
    size_t axis = spec_own_axis(spec, rows->histogram);

    return spec->shown[axis].is_trimmed ? spec->counted[axis].lo
                                        : spec->shown[axis].lo;
}

/* ---- points ---- */

void
points_open(struct points *points, const struct report *report, size_t i)
{
    *points = (struct points){0};
    rows_open(&points->rows, report, i);
    points->rows.flow = FLOW_AUTO;
    points->rows.nonzero = true;
    points->has_row = rows_next(&points->rows);
}

/* Add the row to the figures of POINT. */
static void
add_row(struct point *point, const struct rows *rows)
{
    uint64_t count = rows->amount.count;
    bool is_exact;

    if (is_bucket(rows)) {
        point->left++;
        point->count += count;
    } else if (is_zero(rows, &is_exact)) {
        point->zeros += count;
        point->count += count;
        if (!is_exact)
            point->threshold = first_edge(rows);
    } else {
        point->unplaced += count;
    }
}

bool
points_next(struct points *points, struct point *point)
{
    struct rows *rows = &points->rows;
    bool has_groups = rows->report->spec->group_count > 0;

    /* Without groups a histogram has one point, even for no rows. */
    if (!points->has_row && (has_groups || points->has_point))
        return false;
    points->has_point = true;
    *point = (struct point){
        .rows = *rows,
        .scale = axis_scale(value_column(rows)->axis),
    };
    while (points->has_row &&
           (!has_groups || rows_are_in_one_group(rows, &point->rows))) {
        add_row(point, rows);
        points->has_row = rows_next(rows);
    }
    return true;
}

bool
points_bucket(struct point *point, struct point_bucket *bucket)
{
    struct rows *rows = &point->rows;

    if (point->left == 0)
        return false;
    while (!is_bucket(rows))
        (void)rows_next(rows);

    const struct column *column = value_column(rows);
    bucket->index = column->axis->first_step + (int64_t)column->cell;
    bucket->count = rows->amount.count;
    if (--point->left > 0)
        (void)rows_next(rows);
    return true;
}

uint64_t
points_unplaced(const struct report *report, size_t i)
{
    struct points points;
    struct point point;
    uint64_t unplaced = 0;

    points_open(&points, report, i);
    while (points_next(&points, &point))
        unplaced += point.unplaced;
    return unplaced;
}

bool
points_are_of(const struct spec *spec)
{
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        const struct binning_axis *axis = &spec->shown[spec_own_axis(spec, i)];
        if (spec_own_axes(spec, i) > 1 || axis->rule != AXIS_RULE_SCALE ||
            axis->closed != BINNING_RIGHT)
            return false;
    }
    return true;
}

/* ---- labels ---- */

int
points_check(const struct spec *spec, const struct report_options *options,
             struct error *error)
{
    const struct report report = {.spec = spec, .options = options};
    const char *format =
        options->format == FORMAT_OTLP ? "otlp" : "prom-native";

    return prom_labels_check(&report, format, 0, spec->group_count, error);
}

static bool
open_group(struct point_label *label, struct point *point, size_t group,
           struct writer *out)
{
    const struct rows *rows = &point->rows;
    const struct column *column = &rows->column[group];

    if (column_is_special(column))
        return false;
    rows_set_labels(&point->rows);
    (void)prom_labels_map(rows_names(rows, group)->name, label->name);
    if (column->has_key)
        key_text_open(&label->value, &column->key, out);
    else
        label->value = (struct key_text){
            .byte = (const unsigned char *)column->lo.text,
            .size = column->lo.size,
        };
    return true;
}

size_t
points_labels(const struct point *point)
{
    const struct spec *spec = point->rows.report->spec;

    return spec->group_count + rows_have_field(point->rows.report);
}

bool
points_label_open(struct point_label *label, struct point *point, size_t i,
                  struct writer *out)
{
    const struct spec *spec = point->rows.report->spec;

    *label = (struct point_label){0};
    if (i < spec->group_count) {
        if (!open_group(label, point, i, out))
            return false;
    } else {
        size_t axis = spec_own_axis(spec, point->rows.histogram);
        (void)prom_labels_map(point->rows.report->names->field, label->name);
        const char *text = spec_field_text(spec, axis, label->value_room);
        label->value = (struct key_text){
            .byte = (const unsigned char *)text,
            .size = strlen(text),
        };
    }
    label->is_hex = !utf8_is_valid(label->value.byte, label->value.size);
    return true;
}

void
points_label_close(struct point_label *label)
{
    key_text_close(&label->value);
}

void
points_label_put_hex(const struct point_label *label, struct writer *out)
{
    for (size_t i = 0; i < label->value.size; i++) {
        writer_put_char(out, escape_digit(label->value.byte[i] >> 4));
        writer_put_char(out, escape_digit(label->value.byte[i] & 15));
    }
}
