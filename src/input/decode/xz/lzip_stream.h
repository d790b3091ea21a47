/* SPDX-License-Identifier: MIT */
/*
 * lzip_stream.h -- decode lzip files with liblzma
 *
 * Concatenated members form one content.  Each member is a part.
 */

#ifndef GPUHIST_LZIP_STREAM_H
#define GPUHIST_LZIP_STREAM_H

#include "input/decoder.h"

/* Only in a build with liblzma 5.4 or later. */
extern const struct decoder_type lzip_stream_type;

#endif
