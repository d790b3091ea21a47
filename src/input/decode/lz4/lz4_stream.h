/* SPDX-License-Identifier: MIT */
/*
 * lz4_stream.h -- decode lz4 frames with liblz4
 *
 * Concatenated, skippable and legacy frames form one content.
 */

#ifndef GPUHIST_LZ4_STREAM_H
#define GPUHIST_LZ4_STREAM_H

#include "input/decoder.h"

/* Only in a build with liblz4. */
extern const struct decoder_type lz4_stream_type;

#endif
