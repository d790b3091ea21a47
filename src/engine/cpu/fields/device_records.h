/* device_records.h -- numbers, and several fields, that a device has counted */

#ifndef GPUHIST_DEVICE_RECORDS_H
#define GPUHIST_DEVICE_RECORDS_H

#include "engine/cpu/fields/field_counts.h"
#include "engine/text_dictionary.h"

/* Whether a device counts texts for SPEC, which is of text, that are read at
   the end; false: they are the keys of a field. */
bool device_records_are_for(const struct spec *spec);

/*
 * Add HISTOGRAM, which has the keys of DICTIONARY and counts that are checked,
 * to the counts of the CPU threads in SHARING, while no thread counts: each key
 * is the text of records that are all alike.  Returns 0, or -1 with *ERROR set.
 */
int device_records_add(struct field_counts *sharing,
                       const struct histogram *histogram,
                       const struct text_dictionary *dictionary,
                       struct error *error);

#endif
