/*
 * zstd_stream.h -- decode zstd frames with libzstd
 *
 * Concatenated and skippable frames form one stream.  Each frame is a part.
 */

#ifndef GPUHIST_ZSTD_STREAM_H
#define GPUHIST_ZSTD_STREAM_H

#include "input/decoder.h"

/* Only in a build with libzstd. */
extern const struct decoder_type zstd_stream_type;

#endif
