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

#endif
