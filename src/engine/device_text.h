/* SPDX-License-Identifier: MIT */
/* device_text.h -- whether devices count text and sequences */

#ifndef GPUHIST_DEVICE_TEXT_H
#define GPUHIST_DEVICE_TEXT_H

#include "hist/spec.h"

/*
 * Returns the part of SPEC, which uses tables, that only the CPU counts; or
 * NULL: devices count SPEC.  Of text other than sequences, CUDA devices alone.
 */
const char *device_text_why_not(const struct spec *spec);

#endif
