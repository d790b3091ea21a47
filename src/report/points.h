/*
 * points.h -- histograms as data points, for otlp, prom-native and hdr
 *
 *     points_open(&points, report, i);
 *     while (points_next(&points, &point))
 *         ... print the point, with the buckets that points_bucket() finds ...
 *
 * A point is a histogram, or the part of it that one group has.  Its buckets
 * are the bins that have counts; the index of a bin is that of OpenTelemetry:
 * bucket I of scale S is (2^(I / 2^S), 2^((I + 1) / 2^S)].
 * What is zero, and what is positive but not above the first edge, is in one
 * bucket around zero.  Nothing else has a place: values that are negative, NaN
 * or above the last edge, and records without a number.
 */

#ifndef GPUHIST_POINTS_H
#define GPUHIST_POINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "report/key_text.h"
#include "report/rows.h"

struct points {
    struct rows rows; /* on the first row of the next point ... */
    bool has_row;     /* ... if there is one */
    bool has_point;   /* a point has been there */
};

struct point {
    struct rows rows;  /* on its first row, until buckets are found */
    uint64_t left;     /* buckets that points_bucket() will find */
    uint64_t count;    /* of values in buckets and around zero */
    uint64_t zeros;    /* of them, those around zero ... */
    double threshold;  /* ... which are not above this */
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
 * histograms.  The name of a key is that of its field if it is a name in both
 * formats, else "key1" for the first group.
 */
struct point_label {
    const char *name;
    bool is_hex; /* the value is no UTF-8: "_hex" follows the name */
    struct key_text value;
    char name_room[SPEC_FIELD_BYTES];
    char value_room[SPEC_FIELD_BYTES];
};

/* Returns the most labels that POINT can have. */
size_t points_labels(const struct point *point);

/*
 * Make *LABEL number I of POINT, before its buckets are found.  Returns false
 * if POINT lacks it: the records have no such field.  If out of memory, OUT
 * fails.  The caller calls points_label_close() if there is a label, which
 * POINT must outlive.
 */
bool points_label_open(struct point_label *label, struct point *point, size_t i,
                       struct writer *out);
void points_label_close(struct point_label *label);

/* Put the value of LABEL, two hexadecimal digits for each byte. */
void points_label_put_hex(const struct point_label *label, struct writer *out);

/* Whether each histogram of SPEC has points: a scale, and its upper edges. */
bool points_are_of(const struct spec *spec);

#endif
