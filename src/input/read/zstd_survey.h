/* zstd_survey.h -- how much there is in files of zstd */

#ifndef GPUHIST_ZSTD_SURVEY_H
#define GPUHIST_ZSTD_SURVEY_H

#include <stddef.h>
#include <stdint.h>

#include "input/read/reader.h"

/* What is known of regular files of zstd that begin with a long frame, or with
   a short one; the first frame may follow some to skip. */
struct zstd_survey {
    size_t long_files;
    uint64_t long_bytes;   /* of these files */
    uint64_t long_content; /* that their first frames say they have; or less */
    uint64_t unsummed_bytes;   /* of LONG_BYTES, those without a checksum ... */
    uint64_t unsummed_content; /* ... and of LONG_CONTENT */
    uint64_t many_bytes;       /* of the other files */
    uint64_t many_content;     /* about, as the blocks of their first frames */
    uint64_t window;           /* the largest one of the first frames */
};

/* Returns the bytes of all these files. */
static inline uint64_t
zstd_survey_bytes(const struct zstd_survey *survey)
{
    return survey->long_bytes + survey->many_bytes;
}

/* Returns what INPUTS have of files of LEAST bytes or more.  So many bytes make
   a frame long, too. */
struct zstd_survey zstd_survey(const struct inputs *inputs, uint64_t least);

#endif
