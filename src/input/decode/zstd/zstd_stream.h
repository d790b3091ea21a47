/* SPDX-License-Identifier: MIT */
/*
 * zstd_stream.h -- decode zstd frames with libzstd
 *
 * Concatenated and skippable frames form one stream.  Each frame is a part.
 */

#ifndef GPUHIST_ZSTD_STREAM_H
#define GPUHIST_ZSTD_STREAM_H

#include "input/decode/zstd/zstd_ahead.h"
#include "input/decoder.h"

/* Only in a build with libzstd. */
extern const struct decoder_type zstd_stream_type;

/* For tests: when helpers start.  Before the first read of DECODER. */
void zstd_stream_set_sizes(struct decoder *decoder,
                           const struct zstd_ahead_sizes *sizes);

#endif
