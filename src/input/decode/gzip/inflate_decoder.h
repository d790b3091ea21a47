/* SPDX-License-Identifier: MIT */
/* inflate_decoder.h -- a library's decoder of deflate data for a decoder */

#ifndef GPUHIST_INFLATE_DECODER_H
#define GPUHIST_INFLATE_DECODER_H

#include "input/decode/gzip/inflate.h"
#include "input/decoder.h"

/* An upper bound of the memory of the input of DECODER and of the library. */
#define INFLATE_DECODER_BYTES ((uint64_t)256 << 10)

/*
 * Open *INFLATE, unless it is open, with memory of the budget of DECODER.  WHAT
 * names the member in a message.  Returns 0, or -1 with the source's error set.
 */
static inline int
inflate_decoder_open(struct inflate **inflate, struct decoder *decoder,
                     const char *what)
{
    if (*inflate != NULL)
        return 0;
    if (decoder->reserved < INFLATE_DECODER_BYTES &&
        decoder_reserve(decoder, INFLATE_DECODER_BYTES, what) < 0)
        return -1;
    *inflate = inflate_open();
    return *inflate != NULL ? 0 : source_fail_memory(decoder->source);
}

#endif
