/* zstd_survey.h -- how much there is in long frames of zstd */

#ifndef GPUHIST_ZSTD_SURVEY_H
#define GPUHIST_ZSTD_SURVEY_H

#include <stddef.h>
#include <stdint.h>

#include "input/inputs.h"

/*
 * Returns how many inputs are regular files of zstd that begin with a frame of
 * at least LEAST bytes, and sets *BYTES to the sizes of these files together,
 * and *WINDOW to the largest window of these frames.
 */
size_t zstd_survey(const struct inputs *inputs, uint64_t least, uint64_t *bytes,
                   uint64_t *window);

#endif
