/* SPDX-License-Identifier: MIT */
/*
 * xz_stream.c -- decode xz streams with liblzma
 *
 * liblzma's own decoder of streams hides where blocks start.  Blocks are parts,
 * and memory is reserved block by block, so this module reads the headers
 * between blocks, and liblzma decodes each block.
 *
 * Blocks are compared with the index after them.  A decoder that starts with a
 * later block of a stream compares its own blocks with the index as the walk
 * has read it, and so does the decoder of the blocks before.
 */

#include <stdlib.h>

#include "input/decode/xz/lzma_coder.h"
#include "input/decode/xz/xz_stream.h"
#include "input/decode/xz/xz_walk.h"
#include "input/magic.h"

#define INPUT_BYTES (1 << 16)
#define WHAT "xz stream"

/* Padding has a multiple of them. */
#define PADDING_BYTES 4

#define MAGIC_BYTES 6

/* The next bytes of the input. */
enum xz_place {
    PLACE_BETWEEN,      /* streams: padding, a header or the end */
    PLACE_BLOCK_HEADER, /* or the index */
    PLACE_BLOCK,
    PLACE_INDEX,
    PLACE_FOOTER,
    PLACE_TAIL, /* of a stream: an index that the walk has read */
};

struct xz_stream {
    struct decoder base;
    enum xz_place place;
    lzma_stream_flags flags; /* of the current stream */
    off_t padding_start;     /* the end of the last stream */
    bool is_first;           /* no stream has started */
    lzma_index_hash *hash;   /* of the current stream's blocks ... */
    bool is_hashed;          /* ... if the index has all of them */

    const struct xz_walk *walk; /* knows all blocks; or NULL */
    uint64_t first_number;      /* of the first block of this decoder */
    uint64_t block_number;      /* of the next block of the file */

    lzma_block block;
    off_t block_start;
    struct lzma_coder coder;
};

static void
start_stream(struct decoder *decoder)
{
    struct xz_stream *stream = (struct xz_stream *)decoder;

    stream->place = PLACE_BETWEEN;
    stream->padding_start = decoder_offset(decoder);
    stream->is_first = true;
    stream->is_hashed = false;
    stream->walk = NULL;
    stream->first_number = 0;
    stream->block_number = 0;
}

static void
start_part(struct decoder *decoder, const struct decoder_walk *base)
{
    struct xz_stream *stream = (struct xz_stream *)decoder;

    stream->walk = (const struct xz_walk *)base;
    if (stream->walk->next == 0)
        return; /* the first part */
    stream->first_number = stream->walk->next - 1;
    stream->block_number = stream->first_number;
    stream->flags = (lzma_stream_flags){
        .check = stream->walk->record[stream->block_number].check};
    stream->place = PLACE_BLOCK_HEADER;
    stream->is_first = false;
}

static int
fail(struct xz_stream *stream, lzma_ret result, const char *what)
{
    return lzma_coder_fail(&stream->base, result, what,
                           decoder_offset(&stream->base));
}

/* ---- a step at each place; each returns as step_stream() does ---- */

static int
start_hash(struct xz_stream *stream)
{
    lzma_index_hash *hash = lzma_index_hash_init(stream->hash, NULL);

    /* After a failure the old decoder is still there. */
    if (hash == NULL)
        return fail(stream, LZMA_MEM_ERROR, "xz stream");
    stream->hash = hash;
    stream->is_hashed = true;
    return 1;
}

static int
read_header(struct xz_stream *stream)
{
    struct decoder *base = &stream->base;
    int more = decoder_need(base, LZMA_STREAM_HEADER_SIZE, WHAT);

    if (more <= 0)
        return more;
    lzma_ret result =
        lzma_stream_header_decode(&stream->flags, decoder_next(base));
    if (result != LZMA_OK)
        return fail(stream, result, "xz stream header");
    if (!lzma_check_is_supported(stream->flags.check))
        return decoder_fail(base, "cannot verify the xz stream",
                            "liblzma does not know its type of check");
    if (start_hash(stream) < 0)
        return -1;
    base->input_next += LZMA_STREAM_HEADER_SIZE;
    stream->is_first = false;
    stream->place = PLACE_BLOCK_HEADER;
    return 1;
}

/* Skip padding, up to a header or the end. */
static int
read_between(struct xz_stream *stream)
{
    struct decoder *base = &stream->base;

    if (decoder_fill(base, MAGIC_BYTES) < 0)
        return -1;
    size_t size = decoder_left(base);
    if (size > 0 && *decoder_next(base) == 0 && !stream->is_first) {
        decoder_skip_zeros(base);
        return 1;
    }
    if (size < MAGIC_BYTES && source_is_cut_short(base->source))
        return 0;
    if (stream->is_first && magic_is_xz(decoder_next(base), size) == MAGIC_NO &&
        magic_looks_like_xz(decoder_next(base), size) == MAGIC_YES)
        return source_fail(base->source,
                           decoder_offset(base) +
                               (decoder_next(base)[4] == 'Z' ? 5 : 4),
                           "corrupt xz stream header",
                           "a damaged magic number " DECODER_HINT_NONE);
    off_t padding = decoder_offset(base) - stream->padding_start;
    if (size > 0 && magic_is_xz(decoder_next(base), size) == MAGIC_NO)
        return decoder_fail(base, "not an xz stream",
                            "garbage after the last stream");
    if (padding % PADDING_BYTES != 0)
        return decoder_fail(base, "corrupt xz padding",
                            "not a multiple of 4 bytes");
    return size > 0 ? read_header(stream) : 0;
}

static void
free_filters(lzma_filter *filters)
{
    for (size_t i = 0; filters[i].id != LZMA_VLI_UNKNOWN; i++)
        free(filters[i].options);
}

/* Prepare liblzma for the block with FILTERS.  Returns 0, or -1. */
static int
start_block(struct xz_stream *stream, lzma_filter *filters)
{
    struct lzma_coder *coder = &stream->coder;

    if (lzma_coder_reserve(coder, &stream->base, filters, "xz block") < 0)
        return -1;
    lzma_ret result = lzma_block_decoder(&coder->stream, &stream->block);
    return result == LZMA_OK ? 0 : fail(stream, result, "xz block");
}

/* The next bytes are not a block.  Returns 1, or -1. */
static int
end_blocks(struct xz_stream *stream)
{
    const struct xz_walk *walk = stream->walk;
    uint64_t number = stream->block_number;

    if (stream->is_hashed) {
        stream->place = PLACE_INDEX;
        return 1;
    }
    /* The walk knows whether the last block was the last of its stream. */
    if (number == stream->first_number ||
        (number < walk->count && walk->record[number].stream_end ==
                                     walk->record[number - 1].stream_end))
        return fail(stream, LZMA_DATA_ERROR, "xz index");
    stream->place = PLACE_TAIL;
    return 1;
}

static int
read_block_header(struct xz_stream *stream)
{
    struct decoder *base = &stream->base;
    lzma_filter filters[LZMA_FILTERS_MAX + 1];
    int more = decoder_need(base, 1, WHAT);

    if (more <= 0)
        return more;
    if (*decoder_next(base) == 0)
        return end_blocks(stream);
    if (decoder_pauses(base))
        return 0;
    uint32_t size = lzma_block_header_size_decode(*decoder_next(base));
    more = decoder_need(base, size, WHAT);
    if (more <= 0)
        return more;
    stream->block = (lzma_block){.version = 1,
                                 .header_size = size,
                                 .check = stream->flags.check,
                                 .filters = filters};
    lzma_ret result =
        lzma_block_header_decode(&stream->block, NULL, decoder_next(base));
    if (result != LZMA_OK)
        return fail(stream, result, "xz block header");
    int started = start_block(stream, filters);
    free_filters(filters);
    stream->block.filters = NULL;
    if (started < 0)
        return -1;
    stream->block_start = decoder_offset(base);
    base->input_next += size;
    stream->place = PLACE_BLOCK;
    return 1;
}

/* Whether the walk found the decoded block. */
static bool
is_in_walk(const struct xz_stream *stream, lzma_vli unpadded)
{
    const struct xz_walk *walk = stream->walk;

    if (stream->block_number >= walk->count)
        return false;
    const struct xz_record *record = &walk->record[stream->block_number];
    return record->start == stream->block_start &&
           record->unpadded_bytes == unpadded &&
           record->content_bytes == stream->block.uncompressed_size;
}

static int
end_block(struct xz_stream *stream)
{
    lzma_vli unpadded = lzma_block_unpadded_size(&stream->block);
    lzma_ret result = LZMA_OK;

    if (stream->is_hashed)
        result = lzma_index_hash_append(stream->hash, unpadded,
                                        stream->block.uncompressed_size);
    if (result == LZMA_OK && stream->walk != NULL &&
        !is_in_walk(stream, unpadded))
        result = LZMA_DATA_ERROR;
    stream->block_number++;
    stream->place = PLACE_BLOCK_HEADER;
    return result == LZMA_OK ? 0
                             : lzma_coder_fail(&stream->base, result,
                                               "xz index", stream->block_start);
}

static int
read_index(struct xz_stream *stream)
{
    struct decoder *base = &stream->base;
    size_t used = 0;
    off_t start = decoder_offset(base);
    int more = decoder_need(base, 1, WHAT);

    if (more <= 0)
        return more;
    lzma_ret result = lzma_index_hash_decode(stream->hash, decoder_next(base),
                                             &used, decoder_left(base));
    base->input_next += used;
    if (result == LZMA_STREAM_END)
        stream->place = PLACE_FOOTER;
    else if (result != LZMA_OK)
        return lzma_coder_fail(base, result, "xz index", start);
    return 1;
}

static void
end_stream(struct xz_stream *stream)
{
    stream->padding_start = decoder_offset(&stream->base);
    stream->place = PLACE_BETWEEN;
}

static int
read_footer(struct xz_stream *stream)
{
    struct decoder *base = &stream->base;
    lzma_stream_flags flags;
    int more = decoder_need(base, LZMA_STREAM_HEADER_SIZE, WHAT);

    if (more <= 0)
        return more;
    lzma_ret result = lzma_stream_footer_decode(&flags, decoder_next(base));
    if (result == LZMA_OK)
        result = flags.backward_size == lzma_index_hash_size(stream->hash)
                     ? lzma_stream_flags_compare(&stream->flags, &flags)
                     : LZMA_DATA_ERROR;
    if (result != LZMA_OK)
        return fail(stream, result, "xz stream footer");
    base->input_next += LZMA_STREAM_HEADER_SIZE;
    end_stream(stream);
    return 1;
}

/* Skip the index, which the walk has compared with the footer. */
static int
read_tail(struct xz_stream *stream)
{
    struct decoder *base = &stream->base;
    off_t left = stream->walk->record[stream->block_number - 1].stream_end -
                 decoder_offset(base);

    if (left <= 0) {
        end_stream(stream);
        return 1;
    }
    int more = decoder_need(base, 1, WHAT);
    if (more <= 0)
        return more;
    size_t size = decoder_left(base);
    base->input_next += (off_t)size < left ? size : (size_t)left;
    return 1;
}

static int
read_block(struct xz_stream *stream, unsigned char *buffer, size_t capacity,
           size_t *size)
{
    bool is_end;
    ssize_t got =
        lzma_coder_read(&stream->coder, &stream->base, buffer, capacity,
                        "xz block", stream->block_start, &is_end);

    if (got < 0 || (is_end && end_block(stream) < 0))
        return -1;
    *size = (size_t)got;
    return 1;
}

static int
step_stream(struct decoder *decoder, unsigned char *buffer, size_t capacity,
            size_t *size)
{
    struct xz_stream *stream = (struct xz_stream *)decoder;

    switch (stream->place) {
    case PLACE_BETWEEN:
        return read_between(stream);
    case PLACE_BLOCK_HEADER:
        return read_block_header(stream);
    case PLACE_INDEX:
        return read_index(stream);
    case PLACE_FOOTER:
        return read_footer(stream);
    case PLACE_TAIL:
        return read_tail(stream);
    case PLACE_BLOCK:
        break;
    }
    return read_block(stream, buffer, capacity, size);
}

static void
close_stream(struct decoder *decoder)
{
    struct xz_stream *stream = (struct xz_stream *)decoder;

    lzma_coder_close(&stream->coder);
    lzma_index_hash_end(stream->hash, NULL);
}

const struct decoder_type xz_stream_type = {
    .struct_bytes = sizeof(struct xz_stream),
    .input_capacity = INPUT_BYTES,
    .start = start_stream,
    .start_part = start_part,
    .step = step_stream,
    .close = close_stream,
    .walk_open = xz_walk_open,
    .walk_step = xz_walk_step,
    .walk_is_at_part = xz_walk_is_at_block,
};
