/* SPDX-License-Identifier: MIT */
/*
 * counters.h -- the kinds of counters, each in a file of its own
 *
 * counter.h is the common interface.
 */

#ifndef GPUHIST_COUNTERS_H
#define GPUHIST_COUNTERS_H

#include "engine/cpu/counter.h"

extern const struct counter_type count_keys;    /* one field of keys */
extern const struct counter_type count_numbers; /* fields of numbers */
extern const struct counter_type count_tuples;  /* several fields, as keys */
extern const struct counter_type count_kmers;   /* windows of sequences */
extern const struct counter_type count_sums;    /* sums of a binary field */

#endif
