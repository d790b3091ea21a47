/* SPDX-License-Identifier: MIT */
/*
 * zlib_stream.h -- decode a zlib stream (RFC 1950)
 *
 * The format has no magic number.  One stream may follow another.
 */

#ifndef GPUHIST_ZLIB_STREAM_H
#define GPUHIST_ZLIB_STREAM_H

#include "input/decoder.h"

/* Only in a build with ISA-L or zlib. */
extern const struct decoder_type zlib_stream_type;

#endif
