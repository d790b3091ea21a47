/* SPDX-License-Identifier: MIT */
/* wanted_reading.h -- how the options ask for the inputs to be read */

#ifndef GPUHIST_WANTED_READING_H
#define GPUHIST_WANTED_READING_H

#include "base/error.h"
#include "cli/options.h"
#include "input/content/content.h"
#include "kernels/text/fields.h"

/*
 * Set in READING what OPTIONS say of the inputs; other fields stay.  If OPTIONS
 * ask for text, READING points to FORMAT, which must stay in place.  Returns 0,
 * or -1 with *ERROR set.
 */
int wanted_reading_set(struct reading *reading, const struct options *options,
                       struct text_format *format, struct error *error);

#endif
