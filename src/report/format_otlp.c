/* SPDX-License-Identifier: MIT */
/*
 * format_otlp.c -- exponential histograms in the JSON of OpenTelemetry
 *
 * One ExportMetricsServiceRequest, in protobuf's mapping to JSON: 64-bit
 * integers are strings.  Nothing depends on the time of the run.
 */

#include "base/json.h"
#include "report/format.h"
#include "report/points.h"

/* The counts are deltas: readers add up the counts of several runs. */
#define TEMPORALITY_DELTA "1"

/* "NAME":"NUMBER" */
static void
put_count(struct writer *out, const char *name, uint64_t count)
{
    writer_put_char(out, '"');
    writer_put_text(out, name);
    writer_put_text(out, "\":\"");
    writer_put_number(out, count);
    writer_put_char(out, '"');
}

static void
put_attributes(struct writer *out, struct point *point)
{
    const char *before = "\"attributes\":[";
    struct point_label label;

    for (size_t i = 0; i < points_labels(point); i++) {
        if (!points_label_open(&label, point, i, out))
            continue;
        writer_put_text(out, before);
        writer_put_text(out, "{\"key\":\"");
        writer_put_text(out, label.name);
        writer_put_text(out, label.is_hex ? "_hex\"" : "\"");
        writer_put_text(out, ",\"value\":{\"stringValue\":");
        if (label.is_hex) {
            writer_put_char(out, '"');
            points_label_put_hex(&label, out);
            writer_put_char(out, '"');
        } else {
            json_put_bytes(out, label.value.byte, label.value.size);
        }
        writer_put_text(out, "}}");
        points_label_close(&label);
        before = ",";
    }
    if (*before == ',')
        writer_put_text(out, "],");
}

/* Put the buckets from the first to the last bucket with a count. */
static void
put_buckets(struct writer *out, struct point *point)
{
    struct point_bucket bucket;

    if (!points_bucket(point, &bucket))
        return;
    writer_put_text(out, ",\"positive\":{\"offset\":");
    writer_put_signed(out, bucket.index);
    writer_put_text(out, ",\"bucketCounts\":[\"");
    writer_put_number(out, bucket.count);
    for (int64_t last = bucket.index; points_bucket(point, &bucket);
         last = bucket.index) {
        while (++last < bucket.index && !writer_has_failed(out))
            writer_put_text(out, "\",\"0");
        writer_put_text(out, "\",\"");
        writer_put_number(out, bucket.count);
    }
    writer_put_text(out, "\"]}");
}

static void
put_point(struct writer *out, struct point *point)
{
    writer_put_char(out, '{');
    put_attributes(out, point);
    put_count(out, "count", point->count);
    writer_put_text(out, ",\"scale\":");
    writer_put_signed(out, point->scale);
    writer_put_char(out, ',');
    put_count(out, "zeroCount", point->zeros);
    if (point->threshold > 0) {
        writer_put_text(out, ",\"zeroThreshold\":");
        writer_put_double(out, point->threshold);
    }
    put_buckets(out, point);
    writer_put_char(out, '}');
}

void
format_otlp(struct writer *out, const struct report *report)
{
    const char *before = "\n";

    writer_put_text(out, "{\"resourceMetrics\":[{\"scopeMetrics\":[{"
                         "\"scope\":{\"name\":\"gpuhist\",\"version\":\"");
    writer_put_text(out, VERSION);
    writer_put_text(out, "\"},\"metrics\":[{\"name\":\"");
    writer_put_text(out, format_metric(report));
    writer_put_text(out, "\",\"exponentialHistogram\":{"
                         "\"aggregationTemporality\":" TEMPORALITY_DELTA
                         ",\"dataPoints\":[");
    for (size_t i = 0; i < spec_histograms(report->spec); i++) {
        struct points points;
        struct point point;

        points_open(&points, report, i);
        while (!writer_has_failed(out) && points_next(&points, &point)) {
            writer_put_text(out, before);
            put_point(out, &point);
            before = ",\n";
        }
    }
    writer_put_text(out, "]}}]}]}]}\n");
}

const char *
format_otlp_wrong(const struct spec *spec)
{
    return points_are_of(spec) ? NULL : FORMAT_OTLP_NEEDS;
}
