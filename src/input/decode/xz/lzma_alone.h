/* SPDX-License-Identifier: MIT */
/*
 * lzma_alone.h -- decode a .lzma file with liblzma
 *
 * The format has no magic number and no checksum.  Nothing may follow.
 */

#ifndef GPUHIST_LZMA_ALONE_H
#define GPUHIST_LZMA_ALONE_H

#include "input/decoder.h"

/* Only in a build with liblzma. */
extern const struct decoder_type lzma_alone_type;

#endif
