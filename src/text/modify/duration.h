/* SPDX-License-Identifier: MIT */
/*
 * duration.h -- lengths of time, as programs print them
 *
 * A duration has a sign or none, and is one of these:
 *
 * - numbers with units, the greatest unit first, with blanks or none between:
 *   12ms, 1.5h, 1h30m, 2m3.5s, 1min 30s (Go, systemd, Prometheus);
 * - a clock: M:SS, H:MM:SS or D-HH:MM:SS (Slurm, ps, time), where the seconds
 *   may have a fraction;
 * - a number of seconds.
 *
 * A minute has 60 seconds, a day 24 hours, a week 7 days.  Months and years
 * have no fixed length: they make no duration.  The result is exact.
 */

#ifndef GPUHIST_DURATION_H
#define GPUHIST_DURATION_H

#include <stddef.h>

/*
 * Write the seconds of the SIZE bytes at TEXT to OUT, in plain spelling
 * (plain_decimal.h), at most SIZE + 64 bytes.  Returns the number of bytes; 0:
 * the text is not a duration.
 */
size_t duration_seconds(const unsigned char *text, size_t size,
                        unsigned char *out);

#endif
