/* SPDX-License-Identifier: MIT */
/*
 * text_layout.h -- the text that devices count, and the cells of their
 * histogram
 *
 * kernels/text/text_work.h defines how the cells are arranged.
 */

#ifndef GPUHIST_TEXT_LAYOUT_H
#define GPUHIST_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "hist/histogram.h"
#include "hist/spec.h"

/*
 * Returns the part of SPEC, which is of text but not of sequences, that only
 * the CPU counts; or NULL: CUDA devices count SPEC.
 */
const char *text_layout_why_not(const struct spec *spec);

/* Whether devices can count SPEC.  Otherwise sets *ERROR to the reason; DEVICE
   is a word for them: "cuda". */
bool text_layout_check(const struct spec *spec, const char *device,
                       struct error *error);

/* Returns the most keys that a device may know in a run by SPEC that may take
   MEMORY_LIMIT bytes; 0: devices cannot count SPEC. */
uint32_t text_layout_keys(const struct spec *spec, uint64_t memory_limit);

/* Whether devices count the spans of the records of SPEC, which have all of its
   fields, instead of a field. */
bool text_layout_has_spans(const struct spec *spec);

/* Returns the field that devices count, or the first one of the spans, and sets
   *SPAN to how many follow it there. */
struct text_field text_layout_field(const struct spec *spec, uint32_t *span);

/* Set FIELD, for each field of SPEC, to its place in TEXT of DATA, the bytes of
   a record that devices count. */
void text_layout_divide(const struct spec *spec, const unsigned char *data,
                        struct text_slice text, struct text_slice *field);

/* Returns the cells of bins, and of flow cells for numbers, in which devices
   count numbers that they read themselves; 0: they read none. */
uint32_t text_layout_bins(const struct spec *spec);

/* Returns the first of these cells where a device may know KEYS. */
uint64_t text_layout_first_bin(uint32_t keys);

/* Returns the cells of a device that may know KEYS of SPEC; 0 if KEYS is 0. */
uint64_t text_layout_cells(const struct spec *spec, uint32_t keys);

/* Returns the host's memory for the keys of such a device, in bytes. */
uint64_t text_layout_host_bytes(uint32_t keys);

/* Returns the bytes of KEYS keys together, if there is room for them: a
   multiple of 8. */
size_t text_layout_arena_bytes(uint32_t keys);

/* Whether HISTOGRAM has a cell for each of its records. */
bool text_layout_adds_up(const struct histogram *histogram);

#endif
