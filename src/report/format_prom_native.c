/* SPDX-License-Identifier: MIT */
/*
 * format_prom_native.c -- native histograms for Prometheus, in OpenMetrics 2.0
 *
 * A schema is a scale, and a span is a row of buckets with counts.  The upper
 * edge gives the number of a bucket: bucket I of schema S is
 * (2^((I - 1) / 2^S), 2^(I / 2^S)].  In OpenTelemetry, the lower edge gives the
 * number.  The sum is unknown unless all values are zero.
 */

#include "report/format.h"
#include "report/points.h"

#define SCHEMA_MIN (-4)
#define SCHEMA_MAX 8

/* Put TEXT, escaped as the value of a label. */
static void
put_escaped(struct writer *out, const struct key_text *text)
{
    for (size_t i = 0; i < text->size; i++) {
        char byte = (char)text->byte[i];
        if (byte == '\\' || byte == '"' || byte == '\n')
            writer_put_char(out, '\\');
        writer_put_char(out, byte == '\n' ? 'n' : byte);
    }
}

static void
put_labels(struct writer *out, struct point *point)
{
    const char *before = "{";
    struct point_label label;

    for (size_t i = 0; i < points_labels(point); i++) {
        if (!points_label_open(&label, point, i, out))
            continue;
        writer_put_text(out, before);
        writer_put_text(out, label.name);
        writer_put_text(out, label.is_hex ? "_hex=\"" : "=\"");
        if (label.is_hex)
            points_label_put_hex(&label, out);
        else
            put_escaped(out, &label.value);
        writer_put_char(out, '"');
        points_label_close(&label);
        before = ",";
    }
    if (*before == ',')
        writer_put_char(out, '}');
}

/*
 * Put the distance of a span from the end of the span before, and the length.
 */
static void
put_span(struct writer *out, int64_t distance, uint64_t length)
{
    writer_put_signed(out, distance);
    writer_put_char(out, ':');
    writer_put_number(out, length);
}

static void
put_spans(struct writer *out, struct point point)
{
    struct point_bucket bucket;
    int64_t distance = 0;
    int64_t end = 0; /* of the span, or of the span before */
    uint64_t length = 0;

    while (points_bucket(&point, &bucket)) {
        int64_t number = bucket.index + 1;
        if (length == 0 || number != end) {
            if (length > 0) {
                put_span(out, distance, length);
                writer_put_char(out, ',');
            }
            distance = number - end;
            length = 0;
        }
        length++;
        end = number + 1;
    }
    put_span(out, distance, length);
}

static void
put_buckets(struct writer *out, struct point *point)
{
    struct point_bucket bucket;
    const char *before = "";

    writer_put_text(out, ",positive_spans:[");
    put_spans(out, *point);
    writer_put_text(out, "],positive_buckets:[");
    while (points_bucket(point, &bucket)) {
        writer_put_text(out, before);
        writer_put_number(out, bucket.count);
        before = ",";
    }
    writer_put_char(out, ']');
}

static void
put_point(struct writer *out, const char *metric, struct point *point)
{
    bool is_all_zero = point->left == 0 && point->threshold == 0;

    writer_put_text(out, metric);
    put_labels(out, point);
    writer_put_text(out, " {count:");
    writer_put_number(out, point->count);
    writer_put_text(out, is_all_zero ? ",sum:0,schema:" : ",sum:NaN,schema:");
    writer_put_signed(out, point->scale);
    writer_put_text(out, ",zero_threshold:");
    writer_put_double(out, point->threshold);
    writer_put_text(out, ",zero_count:");
    writer_put_number(out, point->zeros);
    if (point->left > 0)
        put_buckets(out, point);
    writer_put_text(out, "}\n");
}

void
format_prom_native(struct writer *out, const struct report *report)
{
    const char *metric = format_metric(report);

    writer_put_text(out, "# HELP ");
    writer_put_text(out, metric);
    writer_put_text(out, " Values, counted by gpuhist.\n# TYPE ");
    writer_put_text(out, metric);
    writer_put_text(out, " histogram\n");
    for (size_t i = 0; i < spec_histograms(report->spec); i++) {
        struct points points;
        struct point point;

        points_open(&points, report, i);
        while (!writer_has_failed(out) && points_next(&points, &point))
            put_point(out, metric, &point);
    }
    writer_put_text(out, "# EOF\n");
}

const char *
format_prom_native_wrong(const struct spec *spec)
{
    bool has_schema = true;

    if (!points_are_of(spec))
        return FORMAT_PROM_NATIVE_NEEDS;
    for (size_t i = 0; i < spec_histograms(spec); i++) {
        int scale = axis_scale(&spec->shown[spec_own_axis(spec, i)]);
        has_schema &= scale >= SCHEMA_MIN && scale <= SCHEMA_MAX;
    }
    return has_schema ? NULL
                      : "--format=prom-native has the schemas from -4 to 8: "
                        "give such a --scale";
}
