/* SPDX-License-Identifier: MIT */
/* lzip_stream.c -- decode lzip files with liblzma */

#include "input/decode/xz/lzip_stream.h"
#include "input/decode/xz/lzip_member.h"
#include "input/decode/xz/lzma_coder.h"
#include "input/magic.h"

#define INPUT_BYTES (1 << 17)
#define WHAT "lzip member"

/* Of the properties of LZMA, which lzip fixes. */
#define LITERAL_CONTEXT_BITS 3
#define POSITION_BITS 2

struct lzip_stream {
    struct decoder base;
    struct lzma_coder coder;
    off_t start;    /* of the current member */
    bool in_member; /* between its header and its end */
    bool had_member;
};

static void
start_stream(struct decoder *decoder)
{
    struct lzip_stream *stream = (struct lzip_stream *)decoder;

    stream->in_member = false;
    stream->had_member = false;
}

/* The header of a member follows.  Start to decode the member.  Returns 1, or
   -1 with the source's error set. */
static int
start_member(struct lzip_stream *stream)
{
    struct decoder *base = &stream->base;
    lzma_options_lzma options = {
        .dict_size = lzip_member_dictionary(decoder_next(base)),
        .lc = LITERAL_CONTEXT_BITS,
        .pb = POSITION_BITS,
    };
    const lzma_filter filters[] = {{LZMA_FILTER_LZMA1, &options},
                                   {LZMA_VLI_UNKNOWN, NULL}};

    if (options.dict_size == 0)
        return decoder_fail(
            base, "corrupt lzip header",
            stream->had_member
                ? "an unknown version or a wrong size"
                : "an unknown version or a wrong size " DECODER_HINT_NONE);
    if (lzma_coder_reserve(&stream->coder, base, filters, WHAT) < 0)
        return -1;
    lzma_ret result = lzma_lzip_decoder(&stream->coder.stream, UINT64_MAX, 0);
    if (result != LZMA_OK)
        return lzma_coder_fail(base, result, WHAT, decoder_offset(base));
    stream->start = decoder_offset(base);
    stream->in_member = true;
    return 1;
}

/* Go on between two members.  Returns as step() does. */
static int
read_between(struct lzip_stream *stream)
{
    struct decoder *base = &stream->base;

    if (decoder_pauses(base))
        return 0;
    if (decoder_fill(base, LZIP_HEADER_BYTES) < 0)
        return -1;
    if (cancel_is_asked(base->source->cancel))
        return 0;
    size_t size = decoder_left(base);
    if (size < LZIP_HEADER_BYTES && source_is_cut_short(base->source))
        return 0;
    if (size == 0)
        return 0;
    if (magic_is_lzip(decoder_next(base), size) == MAGIC_NO)
        return decoder_fail(base, "not a lzip member",
                            "garbage after the last member");
    if (size < LZIP_HEADER_BYTES)
        return decoder_fail_short(base, WHAT);
    return start_member(stream);
}

static int
step_stream(struct decoder *decoder, unsigned char *buffer, size_t capacity,
            size_t *size)
{
    struct lzip_stream *stream = (struct lzip_stream *)decoder;
    bool is_end;

    if (!stream->in_member)
        return read_between(stream);
    ssize_t got = lzma_coder_read(&stream->coder, decoder, buffer, capacity,
                                  WHAT, stream->start, &is_end);
    if (got < 0)
        return -1;
    *size = (size_t)got;
    stream->in_member = !is_end;
    stream->had_member |= is_end;
    if (got == 0 && !is_end && source_is_cut_short(decoder->source))
        return 0;
    return 1;
}

static void
close_stream(struct decoder *decoder)
{
    lzma_coder_close(&((struct lzip_stream *)decoder)->coder);
}

const struct decoder_type lzip_stream_type = {
    .struct_bytes = sizeof(struct lzip_stream),
    .input_capacity = INPUT_BYTES,
    .start = start_stream,
    .step = step_stream,
    .close = close_stream,
    .walk_open = lzip_member_walk_open,
    .walk_step = lzip_member_walk_step,
    .walk_is_at_part = lzip_member_walk_is_at_member,
};
