/* device_text.h -- whether devices count text and sequences */

#ifndef GPUHIST_DEVICE_TEXT_H
#define GPUHIST_DEVICE_TEXT_H

#include "hist/spec.h"

/*
 * Returns what in SPEC, which uses tables, is counted by the CPU only; or NULL:
 * devices can count it.  Of text other than sequences, CUDA devices alone.
 */
const char *device_text_why_not(const struct spec *spec);

#endif
