/* SPDX-License-Identifier: MIT */
/* device_keys.h -- the keys that a device has counted, added to the tables */

#ifndef GPUHIST_DEVICE_KEYS_H
#define GPUHIST_DEVICE_KEYS_H

#include "engine/cpu/keys/key_counter.h"
#include "engine/text_dictionary.h"
#include "hist/histogram.h"

/*
 * Add the cells of HISTOGRAM, which have the keys of DICTIONARY, to COUNTS with
 * up to THREADS threads, at least 1.  COUNTS has no sums.  No thread may be
 * counting.  If it returns KEY_FAILED, counts->failure says why.
 */
enum key_result device_keys_add(struct key_counts *counts,
                                const struct histogram *histogram,
                                const struct text_dictionary *dictionary,
                                unsigned int threads);

#endif
