/* SPDX-License-Identifier: MIT */
/* size.h -- a number with a unit like k or Mi, as users write it */

#ifndef GPUHIST_SIZE_H
#define GPUHIST_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Parse TEXT: a decimal number ("4096", "1.5", "1e6") with an optional unit, or
 * "0x" and hexadecimal digits without a unit.  The units k M G T P E are powers
 * of 1000 (K is k), and Ki Mi Gi Ti Pi Ei are powers of 1024.  A B may follow a
 * unit and changes nothing: MB is M, MiB is Mi.  A B without a unit is an
 * error, because "10B" may mean 10 billion lines.
 *
 * The result is exact; it must be a whole number below 2^63.  Returns 0 with
 * *SIZE set, or -1: TEXT is anything else, and *SIZE is unchanged.
 */
int size_parse(const char *text, uint64_t *size);

/*
 * Returns the factor of the unit in the LENGTH bytes at UNIT, as described
 * above: k is BASE, 1000 or 1024, M its square, and so on, and Ki is 1024.
 * Returns 1 if LENGTH is 0, and 0 if the bytes are not a unit.
 */
uint64_t size_unit(const char *unit, size_t length, uint64_t base);

/* Whether size_parse() refuses TEXT only because it is 2^63 or more. */
bool size_is_too_large(const char *text);

#endif
