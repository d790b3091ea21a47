/* SPDX-License-Identifier: MIT */
/*
 * sequence_layout.h -- the cells of a device's histogram for sequences
 *
 * kernels/seq/sequence_work.h defines the order of the cells.  Devices count
 * only fields with dense tables, and k-mers with a cell for each code.
 */

#ifndef GPUHIST_SEQUENCE_LAYOUT_H
#define GPUHIST_SEQUENCE_LAYOUT_H

#include <stdbool.h>

#include "base/error.h"
#include "hist/histogram.h"
#include "hist/spec.h"
#include "kernels/seq/sequence_work.h"

/*
 * Whether devices can count SPEC, which uses tables.  Otherwise sets *ERROR to
 * the reason; DEVICE is a word for them: "cuda".
 */
bool sequence_layout_check(const struct spec *spec, const char *device,
                           struct error *error);

/*
 * Set *WORK to how to count SPEC, which devices can: all but memory and sizes.
 * Returns the number of cells.
 */
uint64_t sequence_layout_make(const struct spec *spec,
                              struct sequence_work *work);

/* Returns the number of cells that devices need for SPEC; 0: devices cannot
   count SPEC. */
uint64_t sequence_layout_cells(const struct spec *spec);

/*
 * Returns how many elements the table SOURCE must have together if the totals
 * are those of VALUE.
 */
uint64_t sequence_layout_elements(enum sequence_source source,
                                  const uint64_t *value);

/* Whether each table in HISTOGRAM, by SPEC, has the elements of the totals. */
bool sequence_layout_adds_up(const struct spec *spec,
                             const struct histogram *histogram);

#endif
