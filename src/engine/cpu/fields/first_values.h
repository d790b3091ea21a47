/* SPDX-License-Identifier: MIT */
/*
 * first_values.h -- the first value of each field of numbers, for messages
 *
 * If no value of a field is a number, the message shows the first one in the
 * order of the inputs, whichever thread counts it.
 */

#ifndef GPUHIST_FIRST_VALUES_H
#define GPUHIST_FIRST_VALUES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/number_check.h"
#include "hist/spec.h"
#include "sync/pool.h"
#include "text/derive.h"
#include "text/json_members.h"
#include "text/scan.h"
#include "text/text_slice.h"

/* The first known value of an axis, and its place. */
struct first_value {
    struct number_first shown;
    struct input_place place;
};

struct first_values {
    const struct spec *spec;
    struct first_value *value; /* of each axis, owned; NULL: none has numbers */
    /* Of JSON and logfmt: the first line that is not empty, RECORD_BYTES of it,
       owned; NULL: not known. */
    struct first_value record_place;
    unsigned char *record;
    size_t record_bytes;
    pthread_mutex_t lock; /* of the values known */
};

/* Whether records of SPEC, which are text, have the names of their fields: then
   chunks must say where they are from. */
bool first_values_have_members(const struct spec *spec);

/* Prepare for SPEC, which outlives VALUES.  Returns 0, or -1: out of memory;
   the caller calls first_values_close() in both cases. */
int first_values_open(struct first_values *values, const struct spec *spec);

/* Whether CHUNK may have a value before the known values.  Notes its first
   record, if the text is JSON or logfmt. */
bool first_values_want(struct first_values *values, const struct chunk *chunk);

/* Records of a chunk, at least 1, and their fields. */
struct first_batch {
    const unsigned char *data;      /* of SLICE */
    const struct text_slice *slice; /* the fields, record by record */
    size_t records;

    /* If fields are derived: the slices of their sources in the chunk, record
       by record.  PLAN is NULL otherwise. */
    const struct derive_plan *plan;
    const struct text_slice *source;
    const uint32_t *owner; /* the record of each element; NULL: the records are
                              the elements */
    uint32_t unit;         /* of the elements */
};

/*
 * Look at BATCH, of CHUNK.  Returns whether later records of CHUNK may still
 * have the first value of an axis.  Without memory nothing is noted.
 */
bool first_values_look(struct first_values *values, const struct chunk *chunk,
                       const struct first_batch *batch);

/*
 * Look at the first records of CHUNK, which a device may count, with SCAN.
 * Specs that no device counts are left to first_values_look().
 */
void first_values_scan(struct first_values *values, const struct scan *scan,
                       const struct chunk *chunk);

/* Set *MEMBERS, which the caller closes, to the members of the first object of
   JSON, or the keys of the first line of logfmt; none if it is not known. */
void first_values_members(const struct first_values *values,
                          struct json_members *members);

/* Returns the first value of axis I, or NULL: it is not known. */
const struct number_first *first_values_of(const struct first_values *values,
                                           size_t i);

/* Forget the values, but not the record: warnings are of all inputs. */
void first_values_restart(struct first_values *values);

void first_values_close(struct first_values *values);

#endif
