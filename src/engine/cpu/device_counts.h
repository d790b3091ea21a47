/* device_counts.h -- the sequences that a device has counted */

#ifndef GPUHIST_DEVICE_COUNTS_H
#define GPUHIST_DEVICE_COUNTS_H

#include "engine/cpu/key_sharing.h"

/*
 * Add HISTOGRAM, which the device NAME has made (engine/sequence_layout.h), to
 * the counts of the CPU threads in SHARING, while no thread counts.  Returns 0,
 * or -1 with *ERROR set: out of memory, or the device has lost counts.
 */
int device_counts_add(struct key_sharing *sharing,
                      const struct histogram *histogram, const char *name,
                      struct error *error);

#endif
