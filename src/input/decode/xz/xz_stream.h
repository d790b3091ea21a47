/* SPDX-License-Identifier: MIT */
/*
 * xz_stream.h -- decode xz streams with liblzma
 *
 * Concatenated streams, with padding after each, form one content.  Each block
 * is a part.
 */

#ifndef GPUHIST_XZ_STREAM_H
#define GPUHIST_XZ_STREAM_H

#include "input/decoder.h"

/* Only in a build with liblzma. */
extern const struct decoder_type xz_stream_type;

#endif
