/* zstd_survey.h -- how much content files of zstd have */

#ifndef GPUHIST_ZSTD_SURVEY_H
#define GPUHIST_ZSTD_SURVEY_H

#include <stddef.h>
#include <stdint.h>

#include "input/read/reader.h"

/* Sums over regular files of zstd, by their first frame: long or short.  The
   first frame may follow skippable frames. */
struct zstd_survey {
    size_t long_files;
    uint64_t long_bytes; /* of files with a long first frame */
    uint64_t
        long_content; /* of content, as far as their first frames state it */
    uint64_t unsummed_bytes;   /* of LONG_BYTES: without a checksum ... */
    uint64_t unsummed_content; /* ... and of LONG_CONTENT */
    uint64_t many_bytes;       /* of the other files */
    uint64_t many_content;     /* estimated from the blocks of their first
                                  frames */
    uint64_t window;           /* the largest window of the first frames */
};

/* Returns the bytes of all these files. */
static inline uint64_t
zstd_survey_bytes(const struct zstd_survey *survey)
{
    return survey->long_bytes + survey->many_bytes;
}

/* Returns the sums over the files of LEAST bytes or more among INPUTS.  A frame
   of LEAST bytes is long. */
struct zstd_survey zstd_survey(const struct inputs *inputs, uint64_t least);

#endif
