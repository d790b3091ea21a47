/* SPDX-License-Identifier: MIT */
/*
 * lzw_stream.h -- decode .Z files of compress(1)
 *
 * The format has no checksum and no end mark: see README.md.
 */

#ifndef GPUHIST_LZW_STREAM_H
#define GPUHIST_LZW_STREAM_H

#include "input/decoder.h"

extern const struct decoder_type lzw_stream_type;

#endif
