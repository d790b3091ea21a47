/* SPDX-License-Identifier: MIT */
/*
 * fuzz_packed.c -- xz, lzma, lzip, lz4 and bzip2, compared with what the
 * library alone makes of the bytes; and .Z files, which have no library
 */

#include <bzlib.h>
#include <lz4frame.h>
#include <lzma.h>

#include "decoding.h"
#include "input/decode/lz4/lz4_frame.h"

#define LZMA_BYTES_MAX ((uint64_t)1 << 27)

/* ---- xz and lzma ---- */

/* Decode with the decoder that STREAM is. */
static enum decoding_outcome
decode_with(lzma_stream *stream, const uint8_t *data, size_t size,
            unsigned char *content, size_t capacity, size_t *content_size)
{
    stream->next_in = data;
    stream->avail_in = size;
    stream->next_out = content;
    stream->avail_out = capacity;
    lzma_ret result = lzma_code(stream, LZMA_FINISH);
    *content_size = capacity - stream->avail_out;
    enum decoding_outcome outcome =
        result == LZMA_MEMLIMIT_ERROR                        ? DECODING_UNSURE
        : stream->avail_out == 0                             ? DECODING_LONG
        : result == LZMA_STREAM_END && stream->avail_in == 0 ? DECODING_GOOD
                                                             : DECODING_BAD;
    lzma_end(stream);
    return outcome;
}

static enum decoding_outcome
decode_xz(const uint8_t *data, size_t size, unsigned char *content,
          size_t capacity, size_t *content_size)
{
    lzma_stream stream = LZMA_STREAM_INIT;

    if (lzma_stream_decoder(&stream, LZMA_BYTES_MAX,
                            LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK) !=
        LZMA_OK)
        abort();
    return decode_with(&stream, data, size, content, capacity, content_size);
}

static enum decoding_outcome
decode_lzma(const uint8_t *data, size_t size, unsigned char *content,
            size_t capacity, size_t *content_size)
{
    lzma_stream stream = LZMA_STREAM_INIT;

    if (lzma_alone_decoder(&stream, LZMA_BYTES_MAX) != LZMA_OK)
        abort();
    return decode_with(&stream, data, size, content, capacity, content_size);
}

#ifdef HAVE_LZIP
static enum decoding_outcome
decode_lzip(const uint8_t *data, size_t size, unsigned char *content,
            size_t capacity, size_t *content_size)
{
    lzma_stream stream = LZMA_STREAM_INIT;

    *content_size = 0;
    if (magic_is_lzip(data, size) != MAGIC_YES)
        return DECODING_BAD;
    if (lzma_lzip_decoder(&stream, LZMA_BYTES_MAX, LZMA_CONCATENATED) !=
        LZMA_OK)
        abort();
    return decode_with(&stream, data, size, content, capacity, content_size);
}
#endif

/* ---- compress ---- */

static enum decoding_outcome
decode_compress(const uint8_t *data, size_t size, unsigned char *content,
                size_t capacity, size_t *content_size)
{
    (void)data;
    (void)size;
    (void)content;
    (void)capacity;
    *content_size = 0;
    return DECODING_UNSURE;
}

/* ---- lz4 ---- */

/* Whether liblz4 takes the frame at DATA for another one than this decoder: it
   knows no legacy frames, and a size of 0 is no size. */
static bool
is_unsure(const uint8_t *data, size_t size)
{
    struct lz4_frame frame;

    return lz4_frame_read(&frame, data, size) == NULL &&
           (frame.is_legacy || (frame.is_sized && frame.content_bytes == 0));
}

static enum decoding_outcome
decode_lz4(const uint8_t *data, size_t size, unsigned char *content,
           size_t capacity, size_t *content_size)
{
    enum decoding_outcome outcome = DECODING_GOOD;
    LZ4F_dctx *decoder;
    size_t hint = 0;
    size_t at = 0;

    *content_size = 0;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&decoder, LZ4F_VERSION)))
        abort();
    while (outcome == DECODING_GOOD && (at < size || hint > 0)) {
        size_t in = size - at;
        size_t out = capacity - *content_size;
        if (hint == 0 && is_unsure(data + at, in)) {
            outcome = DECODING_UNSURE;
            break;
        }
        hint = LZ4F_decompress(decoder, content + *content_size, &out,
                               data + at, &in, NULL);
        at += in;
        *content_size += out;
        if (LZ4F_isError(hint))
            outcome = DECODING_BAD;
        else if (*content_size == capacity)
            outcome = DECODING_LONG;
        else if (in == 0 && out == 0 && hint > 0)
            outcome = DECODING_BAD;
    }
    LZ4F_freeDecompressionContext(decoder);
    return size == 0 ? DECODING_BAD : outcome;
}

/* ---- bzip2 ---- */

static enum decoding_outcome
decode_bzip2(const uint8_t *data, size_t size, unsigned char *content,
             size_t capacity, size_t *content_size)
{
    *content_size = 0;
    if (magic_is_bzip2(data, size) != MAGIC_YES)
        return DECODING_BAD;
    while (size > 0) {
        bz_stream stream = {.next_in = (char *)(uintptr_t)data,
                            .avail_in = (unsigned)size,
                            .next_out = (char *)content + *content_size,
                            .avail_out = (unsigned)(capacity - *content_size)};
        if (BZ2_bzDecompressInit(&stream, 0, 0) != BZ_OK)
            abort();
        int result = BZ2_bzDecompress(&stream);
        data += size - stream.avail_in;
        size = stream.avail_in;
        *content_size = capacity - stream.avail_out;
        BZ2_bzDecompressEnd(&stream);
        if (stream.avail_out == 0)
            return DECODING_LONG;
        if (result != BZ_STREAM_END)
            return DECODING_BAD;
    }
    return DECODING_GOOD;
}

/* ---- */

/* So much that readers of parts are threads, and may wait for each other. */
static uint64_t
memory(const uint8_t *data, size_t size)
{
    (void)data;
    (void)size;
    return DECODING_BUDGET;
}

static bool
is_same_error(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct decoding formats[] = {
        {"xz", decode_xz, memory, is_same_error},
        {"lzma", decode_lzma, memory, is_same_error},
        {"lz4", decode_lz4, memory, is_same_error},
        {"bzip2", decode_bzip2, memory, is_same_error},
        {"compress", decode_compress, memory, is_same_error},
#ifdef HAVE_LZIP
        {"lzip", decode_lzip, memory, is_same_error},
#endif
    };
    struct fuzz choices = {data, size};
    struct fuzz tail = {data, size};

    (void)fuzz_take(&tail, 5);
    uint64_t format = fuzz_take(&tail, 1);
    decoding_check(&formats[format % (sizeof formats / sizeof *formats)],
                   &choices, tail.data, tail.size);
    return 0;
}
