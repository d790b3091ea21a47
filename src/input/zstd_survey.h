/* zstd_survey.h -- how much there is in long frames of zstd */

#ifndef GPUHIST_ZSTD_SURVEY_H
#define GPUHIST_ZSTD_SURVEY_H

#include <stddef.h>
#include <stdint.h>

#include "input/inputs.h"

/* What is known of regular files of zstd that begin with a long frame. */
struct zstd_survey {
    size_t files;
    uint64_t bytes;   /* of these files */
    uint64_t content; /* that these frames say they have; or less */
    uint64_t window;  /* the largest one of these frames */
};

/* Returns what INPUTS have of files whose first frame has LEAST bytes or more.
 */
struct zstd_survey zstd_survey(const struct inputs *inputs, uint64_t least);

#endif
