/* SPDX-License-Identifier: MIT */
/*
 * lzma_coder.h -- one of liblzma's decoders at work for a struct decoder
 *
 * liblzma writes the decoded bytes directly into the caller's buffer. liblzma
 * allocates only reserved memory: see lzma_coder_reserve().
 */

#ifndef GPUHIST_LZMA_CODER_H
#define GPUHIST_LZMA_CODER_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <lzma.h>

#include "input/decoder.h"

/* All 0: nothing allocated. */
struct lzma_coder {
    lzma_stream stream;
    bool is_open; /* STREAM holds memory */
};

/*
 * Reserve memory for a decoder of FILTERS, which end with LZMA_VLI_UNKNOWN; the
 * reservation of CODER is kept if it is enough.  WHAT names the member in a
 * message.  Returns 0, or -1 with the source's error set.
 */
int lzma_coder_reserve(struct lzma_coder *coder, struct decoder *decoder,
                       const lzma_filter *filters, const char *what);

/*
 * Decode up to CAPACITY bytes of DECODER's input into BUFFER.  Returns the
 * number of bytes and sets *IS_END, or -1 with the source's error set, which
 * names the member WHAT at offset START.
 */
ssize_t lzma_coder_read(struct lzma_coder *coder, struct decoder *decoder,
                        void *buffer, size_t capacity, const char *what,
                        off_t start, bool *is_end);

/*
 * Set the source's error to the meaning of liblzma's RESULT for WHAT at
 * OFFSET.  Returns -1.
 */
int lzma_coder_fail(struct decoder *decoder, lzma_ret result, const char *what,
                    off_t offset);

/* Release the memory, but keep the reservation. */
void lzma_coder_close(struct lzma_coder *coder);

#endif
