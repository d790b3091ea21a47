/* SPDX-License-Identifier: MIT */
/*
 * device_counts.h -- the counts of devices, and their leftovers
 *
 * A device counts sequences in dense tables, and text by its bytes: the keys of
 * one field, or the texts of records, which are read as fields at the end.
 */

#ifndef GPUHIST_DEVICE_COUNTS_H
#define GPUHIST_DEVICE_COUNTS_H

#include "engine/cpu/fields/field_counts.h"
#include "engine/text_dictionary.h"

/*
 * Add HISTOGRAM, which the device NAME has made (engine/sequence_layout.h), to
 * the counts of the CPU threads in FIELDS, while no thread counts.  Returns 0,
 * or -1 with *ERROR set: out of memory, or the device has lost counts.
 */
int device_counts_add(struct field_counts *fields,
                      const struct histogram *histogram, const char *name,
                      struct error *error);

/*
 * The same for text: HISTOGRAM has the keys of DICTIONARY; the CPU has counted
 * LEFTOVERS leftovers.
 */
int device_counts_add_keys(struct field_counts *fields,
                           const struct histogram *histogram,
                           const struct text_dictionary *dictionary,
                           uint64_t leftovers, const char *name,
                           struct error *error);

/*
 * Set SLICE to the fields of COUNT leftovers of CHUNK, from leftover FIRST on,
 * record by record.  Adds to the blanks and misfits of LEDGER; the leftovers
 * are in any order, so the first misfit among them is the first misfit of the
 * chunk.
 */
void device_counts_read_leftovers(const struct spec *spec,
                                  const struct chunk *chunk, size_t first,
                                  size_t count, struct text_slice *slice,
                                  struct scan_ledger *ledger);

#endif
