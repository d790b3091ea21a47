/* SPDX-License-Identifier: MIT */
/*
 * bzip2_stream.h -- decode bzip2 streams with libbz2
 *
 * Concatenated streams, which may be empty, form one content.  Any other bytes
 * after a stream are an error.
 */

#ifndef GPUHIST_BZIP2_STREAM_H
#define GPUHIST_BZIP2_STREAM_H

#include "input/decoder.h"

/* Only in a build with libbz2. */
extern const struct decoder_type bzip2_stream_type;

#endif
