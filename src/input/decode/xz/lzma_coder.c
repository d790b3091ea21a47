/* SPDX-License-Identifier: MIT */
/* lzma_coder.c -- one of liblzma's decoders at work for a struct decoder */

#include <stdio.h>

#include "input/decode/xz/lzma_coder.h"

/* An upper bound of liblzma's memory beside its filters. */
#define CODER_BYTES (128 << 10)

int
lzma_coder_fail(struct decoder *decoder, lzma_ret result, const char *what,
                off_t offset)
{
    struct source *source = decoder->source;
    char text[64];

    if (result == LZMA_MEM_ERROR)
        return source_fail_memory(source);
    snprintf(text, sizeof text, "corrupt %s", what);
    return source_fail(source, offset, text,
                       result == LZMA_OPTIONS_ERROR
                           ? "filters or options that liblzma does not know"
                           : "damaged data or a wrong checksum");
}

void
lzma_coder_close(struct lzma_coder *coder)
{
    if (coder->is_open)
        lzma_end(&coder->stream);
    *coder = (struct lzma_coder){.stream = LZMA_STREAM_INIT};
}

int
lzma_coder_reserve(struct lzma_coder *coder, struct decoder *decoder,
                   const lzma_filter *filters, const char *what)
{
    uint64_t need = lzma_raw_decoder_memusage(filters);

    if (need == UINT64_MAX)
        return lzma_coder_fail(decoder, LZMA_OPTIONS_ERROR, what,
                               decoder_offset(decoder));
    need += CODER_BYTES;
    if (!coder->is_open || need > decoder->reserved) {
        lzma_coder_close(coder);
        if (need > decoder->reserved &&
            decoder_reserve(decoder, need, what) < 0)
            return -1;
    }
    coder->is_open = true;
    return 0;
}

ssize_t
lzma_coder_read(struct lzma_coder *coder, struct decoder *decoder, void *buffer,
                size_t capacity, const char *what, off_t start, bool *is_end)
{
    lzma_stream *stream = &coder->stream;

    *is_end = false;
    if (decoder_fill(decoder, 1) < 0)
        return -1;
    size_t size = decoder_left(decoder);
    if (size == 0 && source_is_cut_short(decoder->source))
        return 0;
    stream->next_in = decoder_next(decoder);
    stream->avail_in = size;
    stream->next_out = buffer;
    stream->avail_out = capacity;
    lzma_ret result = lzma_code(stream, LZMA_RUN);
    size_t got = capacity - stream->avail_out;
    decoder->input_next += size - stream->avail_in;
    *is_end = result == LZMA_STREAM_END;
    /* At the end of the file nothing is left to consume. */
    if (result == LZMA_BUF_ERROR ||
        (result == LZMA_OK && size == 0 && got == 0))
        return decoder_fail_short(decoder, what);
    if (result != LZMA_OK && !*is_end)
        return lzma_coder_fail(decoder, result, what, start);
    return (ssize_t)got;
}
