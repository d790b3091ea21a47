/*
 * text_layout.h -- what devices count of text, and the cells of their histogram
 *
 * kernels/text_work.h defines how the cells are arranged.
 */

#ifndef GPUHIST_TEXT_LAYOUT_H
#define GPUHIST_TEXT_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "hist/histogram.h"
#include "hist/spec.h"
#include "util/error.h"

/*
 * Returns what in SPEC, which is of text but not of sequences, is counted by
 * the CPU only; or NULL: CUDA devices can count it.
 */
const char *text_layout_why_not(const struct spec *spec);

/* Whether devices can count SPEC.  Otherwise sets *ERROR to the reason; DEVICE
   is a word for them: "cuda". */
bool text_layout_check(const struct spec *spec, const char *device,
                       struct error *error);

/* Returns the most keys that a device may know in a run by SPEC that may take
   MEMORY_LIMIT bytes; 0: devices cannot count SPEC. */
uint32_t text_layout_keys(const struct spec *spec, uint64_t memory_limit);

/* Returns the cells of a device that may know KEYS; 0 if that is 0. */
uint64_t text_layout_cells(uint32_t keys);

/* Returns the host's memory for what such a device knows, in bytes. */
uint64_t text_layout_host_bytes(uint32_t keys);

/* Returns the bytes of KEYS keys together, where there is room for so many: a
   multiple of 8. */
size_t text_layout_arena_bytes(uint32_t keys);

/* Whether HISTOGRAM has a cell for each of its records. */
bool text_layout_adds_up(const struct histogram *histogram);

#endif
