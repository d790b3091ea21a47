/* missing_count.h -- count the records that have no field for a histogram */

#ifndef GPUHIST_MISSING_COUNT_H
#define GPUHIST_MISSING_COUNT_H

#include "engine/cpu/fields/field_counts.h"

/*
 * Count those of the RECORDS, of which SLICE has the fields, that lack the
 * field of histogram I of SHARING, which is one of keys; with WEIGHTS, those of
 * the records, unless this is NULL.
 */
void missing_count_add(struct field_counts *sharing, size_t i,
                       const struct text_slice *slice, size_t records,
                       const struct key_weights *weights);

#endif
