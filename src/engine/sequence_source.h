/* SPDX-License-Identifier: MIT */
/*
 * sequence_source.h -- the dense table that counts for a histogram of sequences
 */

#ifndef GPUHIST_SEQUENCE_SOURCE_H
#define GPUHIST_SEQUENCE_SOURCE_H

#include "hist/spec.h"
#include "kernels/seq/sequence_tables.h"

/*
 * Returns the table of the fields of HISTOGRAM, or a table with more fields
 * that another histogram needs; SEQUENCE_NO_TABLE: none has all of them.
 */
enum sequence_source sequence_source_choose(const struct spec *spec,
                                            size_t histogram);

#endif
