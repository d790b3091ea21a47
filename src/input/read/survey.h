/* SPDX-License-Identifier: MIT */
/* survey.h -- which inputs are decoded, before a run */

#ifndef GPUHIST_SURVEY_H
#define GPUHIST_SURVEY_H

#include <stdint.h>

#include "input/decodable.h"
#include "input/read/reader.h"

/* Returns how much a device could decode of the regular files of INPUTS that
   have LEAST bytes or more.  A frame of LONG_BYTES is long. */
struct decodable survey_inputs(const struct inputs *inputs, uint64_t least,
                               uint64_t long_bytes);

/* Returns the bytes of the regular files of INPUTS that have LEAST bytes or
   more and no compressed format.  Looks at no file, and returns 0, if all files
   together have less than LEAST bytes for each input. */
uint64_t survey_plain(const struct inputs *inputs, uint64_t least);

/* Returns how many of INPUTS are not regular files. */
size_t survey_streams(const struct inputs *inputs);

#endif
