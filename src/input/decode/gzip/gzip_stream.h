/* SPDX-License-Identifier: MIT */
/*
 * gzip_stream.h -- decode the members of gzip data
 *
 * Concatenated members form one stream.  A member that is a block of BGZF is a
 * part, because it states its size; the size of other members is known only
 * after decoding.
 */

#ifndef GPUHIST_GZIP_STREAM_H
#define GPUHIST_GZIP_STREAM_H

#include "input/decode/gzip/gzip_ahead.h"
#include "input/decoder.h"

/* Only in a build with ISA-L or zlib. */
extern const struct decoder_type gzip_stream_type;

/* Use other SIZES than usual, which must stay in place.  Before the first
   decoder_read(). */
void gzip_stream_set_sizes(struct decoder *decoder,
                           const struct gzip_ahead_sizes *sizes);

#endif
