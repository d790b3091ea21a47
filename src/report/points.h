/* SPDX-License-Identifier: MIT */
/*
 * points.h -- histograms as data points, for otlp, prom-native and hdr
 *
 *     points_open(&points, report, i);
 *     while (points_next(&points, &point))
 *         ... print the point, with the buckets that points_bucket() finds ...
 *
 * A point is a histogram, or a group's part of a histogram.  The buckets are
 * the bins with counts; the index of a bin is the index in OpenTelemetry:
 * bucket I of scale S is (2^(I / 2^S), 2^((I + 1) / 2^S)].  One bucket around
 * zero has the zeros, and positive values up to the first edge.  Other values
 * have no place: negative values, NaN, values above the last edge, and records
 * without a number.
 */

#ifndef GPUHIST_POINTS_H
#define GPUHIST_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "report/key_text.h"
#include "report/prom_labels.h"
#include "report/rows.h"

struct points {
    struct rows rows; /* on the first row of the next point ... */
    bool has_row;     /* ... unless at the end */
    bool has_point;   /* a point was returned */
};

struct point {
    struct rows rows;  /* on the first row of the point, until buckets are
                          found */
    uint64_t left;     /* buckets left for points_bucket() */
    uint64_t count;    /* of values in buckets and around zero */
    uint64_t zeros;    /* values around zero, part of COUNT ... */
    double threshold;  /* ... none of them above THRESHOLD */
    uint64_t unplaced; /* values and records without a place */
    int scale;
};

struct point_bucket {
    int64_t index;
    uint64_t count; /* not 0 */
};

/* Start the points of histogram I of REPORT, whose axis has a scale. */
void points_open(struct points *points, const struct report *report, size_t i);

/* Set *POINT to the next point.  Returns false at the end. */
bool points_next(struct points *points, struct point *point);

/* Set *BUCKET to the next bucket of POINT.  Returns false at the end. */
bool points_bucket(struct point *point, struct point_bucket *bucket);

/* Returns how many values and records of histogram I have no place. */
uint64_t points_unplaced(const struct report *report, size_t i);

/*
 * A label of a point: the key of a group, or the field if there are several
 * histograms.
 */
struct point_label {
    char name[PROM_NAME_BYTES];
    bool is_hex; /* the value is no UTF-8: "_hex" follows the name */
    struct key_text value;
    char value_room[SPEC_FIELD_BYTES];
};

/* Returns the most labels of POINT. */
size_t points_labels(const struct point *point);

/*
 * Make *LABEL number I of POINT, before its buckets are found.  Returns false
 * if POINT lacks the label, because the records lack the field.  Otherwise the
 * caller calls points_label_close(), and POINT must outlive the label.  If out
 * of memory, OUT fails.
 */
bool points_label_open(struct point_label *label, struct point *point, size_t i,
                       struct writer *out);
void points_label_close(struct point_label *label);

/* Put the value of LABEL, two hexadecimal digits for each byte. */
void points_label_put_hex(const struct point_label *label, struct writer *out);

/* Check the names of the labels.  Returns 0, or -1 with *ERROR set. */
int points_check(const struct spec *spec, const struct report_options *options,
                 struct error *error);

/* Whether each histogram of SPEC has points: a scale, with upper edges. */
bool points_are_of(const struct spec *spec);

#endif
