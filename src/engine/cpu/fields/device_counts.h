/* device_counts.h -- the sequences and keys that a device has counted */

#ifndef GPUHIST_DEVICE_COUNTS_H
#define GPUHIST_DEVICE_COUNTS_H

#include "engine/cpu/fields/field_counts.h"
#include "engine/text_dictionary.h"

/*
 * Add HISTOGRAM, which the device NAME has made (engine/sequence_layout.h), to
 * the counts of the CPU threads in SHARING, while no thread counts.  Returns 0,
 * or -1 with *ERROR set: out of memory, or the device has lost counts.
 */
int device_counts_add(struct field_counts *sharing,
                      const struct histogram *histogram, const char *name,
                      struct error *error);

/*
 * The same of text, of which HISTOGRAM has the keys of DICTIONARY; RESTS of its
 * records have been counted by the CPU.
 */
int device_counts_add_keys(struct field_counts *sharing,
                           const struct histogram *histogram,
                           const struct text_dictionary *dictionary,
                           uint64_t rests, const char *name,
                           struct error *error);

#endif
