/* SPDX-License-Identifier: MIT */
/*
 * key_time.h -- keys that are times, as ISO 8601 writes them
 *
 * 2026-03-05, 2026-03-05T10, 2026-03-05T10:07 or 2026-03-05T10:07:09, with a
 * blank or "T", an optional fraction of a second, and an optional time zone,
 * common to all keys.
 */

#ifndef GPUHIST_KEY_TIME_H
#define GPUHIST_KEY_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hist/spec.h"

#define KEY_TIME_BYTES 40

/* The form that all keys have in common.  All 0: no key yet. */
struct key_time {
    int64_t unit; /* seconds of a key; 0: no key yet */
    char between; /* the date and the hour; or 0 */
    bool has_fraction;
    unsigned char zone[8]; /* the text at the end: ZONE_BYTES */
    size_t zone_bytes;
};

/*
 * Read the key of SIZE bytes at KEY.  Returns whether the key is a time of the
 * same form as the keys before; then *NUMBER is the local time in units from
 * 1970 on.
 */
bool key_time_read(struct key_time *time, const unsigned char *key, size_t size,
                   int64_t *number);

/* Read the first component of tuple KEY of the sparse histogram I of SPEC in
   the same way. */
bool key_time_read_tuple(struct key_time *time, const struct spec *spec,
                         size_t i, uint64_t key, int64_t *number);

/* Write the key of NUMBER, without a fraction, to TEXT. */
void key_time_write(const struct key_time *time, int64_t number,
                    char text[KEY_TIME_BYTES]);

/* ---- times that share a bar ---- */

/* Returns the bar of NUMBER, if STEP units share a bar, in their order.  Bars
   of days and less start with the day, those of weeks on a Monday. */
int64_t key_time_bar(const struct key_time *time, int64_t step, int64_t number);

/* Returns the first number of BAR. */
int64_t key_time_bar_start(const struct key_time *time, int64_t step,
                           int64_t bar);

/* Returns the smallest step above STEP that people count in, such as 5 minutes,
   6 hours or a week. */
int64_t key_time_next_step(const struct key_time *time, int64_t step);

/* Returns the plural of the unit: "minutes". */
const char *key_time_units(const struct key_time *time);

#endif
